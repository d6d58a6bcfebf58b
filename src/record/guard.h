/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: must a job that shares a GPU be warned, or leave, for the memory in use there? */
#ifndef LW_RECORD_GUARD_H
#define LW_RECORD_GUARD_H

#include "base/sharemark.h"

#include <stdbool.h>
#include <stdint.h>

/* What a tenant sees of its GPU. */
struct lw_guard_view {
	bool has_memory;
	uint32_t used_mib, total_mib; /* by all tenants; 0 in total: not known */
	uint32_t neighbours;
	bool newest; /* it came after all neighbours */
};

enum lw_guard_act {
	LW_GUARD_NOTHING,
	LW_GUARD_WARN,
	LW_GUARD_LEAVE,
};

/*
 * What a job with MARK, which opted in to share, must do: at the mark's mem_hard the newest
 * tenant leaves, at mem_warn it is warned. A job that is alone, or not the newest, goes on.
 * Pure.
 */
enum lw_guard_act lw_guard_judge(const struct lw_sharemark *mark,
				 const struct lw_guard_view *view);

#endif
