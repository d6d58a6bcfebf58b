/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a deadline that cannot be met, and why, in words. */
#ifndef LW_BASE_DUEDATE_H
#define LW_BASE_DUEDATE_H

#include <stdbool.h>
#include <stdint.h>

#define LW_DUEDATE_TEXT_MAX 256

/* What is asked for, by whom submits a job at NOW_S. */
struct lw_duedate {
	int64_t now_s;
	int64_t begin_s;    /* not before; 0: not said */
	int64_t deadline_s; /* 0: none */
	uint32_t limit_min; /* 0: not said, or no limit */
	uint32_t least_min; /* the least that it can do with; 0: the limit */
};

/*
 * Would the job end after its deadline if it started as early as it may, on an empty machine?
 * Then TEXT says so, in the local time.
 */
bool lw_duedate_fails(const struct lw_duedate *due, char text[LW_DUEDATE_TEXT_MAX]);

#endif
