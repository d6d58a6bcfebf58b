/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whether a job that shares a GPU must be warned, or leave, for the memory in use there.
 */
#ifndef LW_RECORD_GUARD_H
#define LW_RECORD_GUARD_H

#include "base/sharemark.h"

#include <stdbool.h>
#include <stdint.h>

/* What a tenant sees of its GPU at a moment. */
struct lw_guard_view {
	bool has_memory;
	uint32_t used_mib, total_mib; /* by all; 0 in all: not known */
	uint32_t neighbours;
	bool newest; /* it came after all of them */
};

enum lw_guard_act {
	LW_GUARD_NOTHING,
	LW_GUARD_WARN,
	LW_GUARD_LEAVE,
};

/*
 * What a job with MARK, which shares by its own wish, has to do: at the mark's mem_hard the
 * newest tenant leaves, at mem_warn it is warned. Who is alone, or not the newest, goes on. Pure.
 */
enum lw_guard_act lw_guard_judge(const struct lw_sharemark *mark,
				 const struct lw_guard_view *view);

#endif
