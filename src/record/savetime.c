/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when to save a growing record, so that a crash costs a minute at most. */
#include "record/savetime.h"

bool lw_save_time_is_due(const struct lw_save_time *time, int64_t now_s)
{
	int64_t young_s = (now_s - time->start_s) / 4;

	if (young_s > LW_SAVE_EVERY_S)
		young_s = LW_SAVE_EVERY_S;
	/* a clock that was set back must not stop the saving */
	return now_s - time->saved_s >= young_s || now_s < time->saved_s ||
	       now_s + time->interval_s + time->late_s > time->saved_s + LW_SAVE_EVERY_S;
}

void lw_save_time_note(struct lw_save_time *time, int64_t planned_s, int64_t done_s)
{
	/* a second more, since both are cut to whole ones */
	int64_t late_s = done_s >= planned_s ? done_s - planned_s + 1 : 1;

	/* one slow disk is remembered for some readings, not for ever */
	time->late_s -= time->late_s / 4;
	if (late_s > time->late_s)
		time->late_s = late_s;
}
