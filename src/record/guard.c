/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whether a job must be warned, or leave, for what its GPU is used for by others. */
#include "record/guard.h"

#define WHOLE 1000

static bool guard_is_above(const struct lw_guard_view *view, uint32_t thousandths)
{
	return thousandths &&
	       (uint64_t)view->used_mib * WHOLE >= (uint64_t)view->total_mib * thousandths;
}

enum lw_guard_act lw_guard_judge(const struct lw_sharemark *mark,
				 const struct lw_guard_view *view)
{
	if (!view->has_memory || !view->total_mib || !view->neighbours || !view->newest)
		return LW_GUARD_NOTHING;
	if (guard_is_above(view, mark->mem_hard))
		return LW_GUARD_LEAVE;
	return guard_is_above(view, mark->mem_warn) ? LW_GUARD_WARN : LW_GUARD_NOTHING;
}

bool lw_lend_is_idle(struct lw_lend *lend, uint32_t after_s, int64_t now_s, bool known,
		     uint32_t util)
{
	bool quiet = known && util <= LW_LEND_BUSY;

	if (quiet && (!lend->quiet || now_s < lend->since_s))
		lend->since_s = now_s;
	lend->quiet = quiet;
	return quiet && now_s - lend->since_s >= after_s;
}

enum lw_guest_verdict lw_guest_judge(uint32_t *blind, const struct lw_guest_view *view)
{
	if (!view->neighbours)
		return LW_GUEST_OWNER_GONE;
	*blind = view->known ? 0 : *blind + 1;
	if (!view->known)
		return *blind < LW_LEND_BLIND ? LW_GUEST_STAYS : LW_GUEST_BLIND;
	return view->others > LW_LEND_BUSY ? LW_GUEST_OWNER_WORKS : LW_GUEST_STAYS;
}
