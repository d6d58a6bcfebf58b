/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whether a job that shares a GPU must be warned, or leave, for the memory in use there.
 */
#include "record/guard.h"

#define WHOLE 1000

static bool is_above(const struct lw_guard_view *view, uint32_t thousandths)
{
	return thousandths &&
	       (uint64_t)view->used_mib * WHOLE >= (uint64_t)view->total_mib * thousandths;
}

enum lw_guard_act lw_guard_judge(const struct lw_sharemark *mark,
				 const struct lw_guard_view *view)
{
	if (!view->has_memory || !view->total_mib || !view->neighbours || !view->newest)
		return LW_GUARD_NOTHING;
	if (is_above(view, mark->mem_hard))
		return LW_GUARD_LEAVE;
	return is_above(view, mark->mem_warn) ? LW_GUARD_WARN : LW_GUARD_NOTHING;
}
