/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when a growing record is to be saved, so that a crash costs a minute at most. */
#ifndef LW_RECORD_SAVETIME_H
#define LW_RECORD_SAVETIME_H

#include <stdbool.h>
#include <stdint.h>

/* A crash costs at most this much of a record, and of a young one a quarter of its age. */
#define LW_SAVE_EVERY_S 60

/* All times are seconds of the clock that the readings bear; set to 0 but for the first two. */
struct lw_save_time {
	int64_t start_s;     /* of the record */
	uint32_t interval_s; /* between readings */
	int64_t saved_s;     /* of the newest reading on disk */
	int64_t late_s;      /* how much later than planned readings came to lie there, of late */
};

/*
 * Whether to save the reading of NOW_S: when the next one, as late as they are wont to be,
 * might come to lie on disk more than a minute after the last that does.
 */
bool lw_save_time_is_due(const struct lw_save_time *time, int64_t now_s);

/* What was planned for PLANNED_S was done, and where due saved, at DONE_S. */
void lw_save_time_note(struct lw_save_time *time, int64_t planned_s, int64_t done_s);

#endif
