/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users submit when many jobs wait. */
#ifndef LW_LAB_QUESTIONS_BEHAVIOUR_H
#define LW_LAB_QUESTIONS_BEHAVIOUR_H

#include "lab/questions/joblog.h"
#include "lab/questions/slice.h"

enum lw_queue_class { LW_QUEUE_SHORT, LW_QUEUE_MIDDLE, LW_QUEUE_LONG, LW_QUEUES };

/*
 * Thirds of the jobs by how many jobs waited at their submission; jobs with equally many are in
 * one class. The jobs of all users tell which users submit much as well as how they submit. So,
 * in addition, each user with at least ten jobs in the first and in the last class is compared
 * between these classes.
 */
struct lw_behaviour {
	bool known;               /* else there are no waits */
	uint32_t upto[LW_QUEUES]; /* the longest queue of each class */
	struct lw_slice queue[LW_QUEUES];
	uint32_t users; /* that could be compared */
	/* under a long queue by under a short one, as a geometric mean over users; or NAN */
	double run_ratio;  /* of median run times */
	double size_ratio; /* of mean sizes */
};

/* QUEUE is as lw_load_of() gives it, or NULL. -ENOMEM. */
int lw_behaviour_of(const struct lw_joblog *log, const struct lw_size_bounds *bounds,
		    const uint32_t *queue, struct lw_behaviour *ret_behaviour);

#endif
