/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how often jobs of a trace start by what would have been said of them. */
#ifndef LW_LAB_SIM_OUTLOOK_H
#define LW_LAB_SIM_OUTLOOK_H

#include "measure/job.h"
#include "planner/order/ahead.h"
#include "predictor/outlook.h"

/* Of queues of one length class, or of all. */
struct lw_sim_outlook_row {
	uint32_t count;              /* figures said of jobs that started */
	uint32_t by_p50, by_p90;     /* of them, started by then */
	uint32_t wide;               /* of them, said to be not predictable */
	uint32_t told_by_p90;        /* started by p90, of all but the wide ones */
	uint32_t spells;             /* with a day or more without such a start between */
	int64_t last_s;              /* the last of them started */
	double wait_s, p50_s, p90_s; /* sums */
};

/*
 * What leeway when would tell, learned and judged on line: a job that waits after a plan is said
 * of, and again at some ages; when it starts, that is judged and learned. All zero is empty.
 */
struct lw_sim_outlook {
	struct lw_sim_outlook_row rows[LW_OUTLOOK_QUEUES], all;
	struct lw_sim_outlook_row ages[LW_OUTLOOK_AGES];
	/* its own */
	struct lw_policy_params params;
	struct lw_outlook *learned;
	struct lw_ahead ahead;
	struct lw_outlook_sample *samples; /* LW_OUTLOOK_AGES a job */
	uint8_t *stages;                   /* by job: how many of them there are */
	uint32_t job_count;
};

/* PARAMS say how the queue is planned. -ENOMEM. */
int lw_sim_outlook_init(struct lw_sim_outlook *outlook, uint32_t job_count,
			const struct lw_policy_params *params);
/* Free what it needs while it runs; its figures stay. */
void lw_sim_outlook_fini(struct lw_sim_outlook *outlook);

/* A plan was obeyed: SNAP is what waits after it, and JOB_OF the jobs of its records. -ENOMEM. */
int lw_sim_outlook_look(struct lw_sim_outlook *outlook, const struct lw_snapshot *snap,
			const struct lw_sim_job *jobs, const uint32_t *job_of);
/* Job INDEX starts at NOW_S. */
void lw_sim_outlook_started(struct lw_sim_outlook *outlook, uint32_t index, int64_t now_s);

#endif
