/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the holders of the machine: users, accounts, names or partitions, largest first. */
#ifndef LW_LAB_QUESTIONS_PEOPLE_H
#define LW_LAB_QUESTIONS_PEOPLE_H

#include "lab/questions/joblog.h"

#define LW_PEOPLE_TOP 10

enum lw_people_by { LW_BY_USER, LW_BY_ACCOUNT, LW_BY_NAME, LW_BY_PARTITION, LW_PEOPLE_KINDS };

struct lw_person {
	uint32_t number; /* the log's */
	uint32_t jobs;
	double area_s;
	uint32_t known, lost;  /* jobs of a known outcome, and that did not complete */
	double run_s, limit_s; /* sums over jobs with a limit */
};

struct lw_people {
	uint32_t count;  /* with at least one job */
	uint32_t nobody; /* jobs of no known one */
	uint32_t top_count;
	struct lw_person top[LW_PEOPLE_TOP]; /* by area, then by number */
	double tenth_area; /* share of the largest tenth of them, at least one */
	double tenth_jobs;
};

/* -ENOMEM. */
int lw_people_of(const struct lw_joblog *log, enum lw_people_by by, struct lw_people *ret_people);

#endif
