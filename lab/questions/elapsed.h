/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the time that a job has run tells of its end. */
#ifndef LW_LAB_QUESTIONS_ELAPSED_H
#define LW_LAB_QUESTIONS_ELAPSED_H

#include "lab/questions/joblog.h"

#define LW_ELAPSED_TIMES 9 /* 0 s, 10 s, 1 min, 10 min, 1 h, 3 h, 12 h, 1 d and 3 d */
#define LW_ELAPSED_LOOKS 3 /* an eighth, a quarter and half of the mean run time */

/* Of the jobs that still run after so long. */
struct lw_elapsed_time {
	int64_t after_s;
	uint32_t running;
	double outcome[LW_OUTCOMES];       /* how those of a known outcome will end, as shares */
	double left_median_s, left_mean_s; /* NAN: there is none */
};

/*
 * Guesses of the run times of jobs that still run after so long, by the median of what their
 * users' last fifty jobs took that had ended: of all of them, or of those alone that ran so long.
 * Where none did, twice as long. Only jobs with at least three before count.
 */
struct lw_elapsed_look {
	double after_s;
	uint32_t jobs;
	/* accuracy: the smaller of guess and truth by the larger; below: guesses too short */
	double accuracy_blind, below_blind;
	double accuracy, below;
};

struct lw_elapsed {
	struct lw_elapsed_time times[LW_ELAPSED_TIMES];
	struct lw_elapsed_look looks[LW_ELAPSED_LOOKS];
};

/* -ENOMEM. */
int lw_elapsed_of(const struct lw_joblog *log, struct lw_elapsed *ret_elapsed);

#endif
