/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when to save a growing record, so that a crash costs a minute at most. */
#ifndef LW_RECORD_SAVETIME_H
#define LW_RECORD_SAVETIME_H

#include <stdbool.h>
#include <stdint.h>

/* The most of a record that a crash may cost; of a young record, a quarter of its age. */
#define LW_SAVE_EVERY_S 60

/* All times are seconds of the clock of the readings; 0 but for the first two. */
struct lw_save_time {
	int64_t start_s;     /* of the record */
	uint32_t interval_s; /* between readings */
	int64_t saved_s;     /* of the newest reading on disk */
	int64_t late_s;      /* how much later than planned recent readings were on disk */
};

/*
 * Must the reading of NOW_S be saved? Yes, if the next one, with the usual delay, might be on
 * disk more than a minute after the last saved one.
 */
bool lw_save_time_is_due(const struct lw_save_time *time, int64_t now_s);

/* What was planned for PLANNED_S was done, and saved if due, at DONE_S. */
void lw_save_time_note(struct lw_save_time *time, int64_t planned_s, int64_t done_s);

#endif
