/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a deadline that cannot be met, and the reason, in words. */
#ifndef LW_BASE_DUEDATE_H
#define LW_BASE_DUEDATE_H

#include <stdbool.h>
#include <stdint.h>

#define LW_DUEDATE_TEXT_MAX 256

/* What a job submitted at NOW_S asks for. */
struct lw_duedate {
	int64_t now_s;
	int64_t begin_s;    /* earliest start; 0: not set */
	int64_t deadline_s; /* 0: none */
	uint32_t limit_min; /* 0: not set, or no limit */
	uint32_t least_min; /* the least time that it accepts; 0: the limit */
};

/*
 * Would the job end after its deadline if it started as early as it may, on an empty machine?
 * Then TEXT says so, in local time.
 */
bool lw_duedate_fails(const struct lw_duedate *due, char text[LW_DUEDATE_TEXT_MAX]);

#endif
