/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a job that lends its GPU leave it idle, and must a guest there go? */
#include "record/lend.h"

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
