/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the time limits that users ask for, beside what they use of them. */
#ifndef LW_LAB_QUESTIONS_LIMITS_H
#define LW_LAB_QUESTIONS_LIMITS_H

#include "lab/questions/dist.h"
#include "lab/questions/joblog.h"

/* Up to a hundredth of the limit, a tenth, a half, nine tenths, and more. */
#define LW_LIMIT_PARTS 5
#define LW_LIMIT_TOP   20

struct lw_limits {
	uint32_t jobs;       /* with a limit */
	struct lw_dist used; /* run time by limit */
	uint32_t part[LW_LIMIT_PARTS];
	double used_total; /* all run time by all limits */
	uint32_t reached;  /* ran to within a minute of it, or beyond */
	uint32_t values;   /* different limits */
	double top_share;  /* of jobs with one of the 20 most frequent limits */
};

/* "up to 1 %". */
const char *lw_limit_part_name(uint32_t part);
/* -ENOMEM. */
int lw_limits_of(const struct lw_joblog *log, struct lw_limits *ret_limits);

#endif
