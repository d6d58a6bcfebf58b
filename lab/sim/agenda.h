/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is still to happen in a run of leeway sim, and when. */
#ifndef LW_LAB_SIM_AGENDA_H
#define LW_LAB_SIM_AGENDA_H

#include "measure/job.h"

#include <stdbool.h>
#include <stdint.h>

/* When a job that runs ends. */
struct lw_agenda_end {
	int64_t end_s;
	uint32_t id, job; /* its place in jobs */
};

/*
 * Jobs are submitted in their order. Jobs that have started end by (end, id), and jobs that
 * their users cancel are cancelled by (time, id). Jobs are identified by their place in JOBS,
 * which is the caller's.
 */
struct lw_agenda {
	const struct lw_sim_job *jobs;
	uint32_t job_count;
	uint32_t submitted;
	struct lw_agenda_end *ends; /* of running jobs: a heap */
	uint32_t end_count, end_room;
	uint32_t *cancels;
	uint32_t cancel_count, cancelled;
	int64_t wake_s; /* a job must be looked at again then, or INT64_MAX */
	int64_t open_s; /* nodes take jobs again then, or INT64_MAX */
	int64_t lease_s; /* a job that was asked to stop leaves, or is due, or INT64_MAX */
	int64_t ripe_s; /* a user's think time ends then, or INT64_MAX */
	bool cancels_count; /* a cancellation may let a job start that waits for it */
	int64_t plan_s; /* a plan is due for what happened, or INT64_MAX */
	int64_t main_s; /* so is Slurm's main loop, or INT64_MAX */
};

/* All is still to come. 0 or -ENOMEM; in either case free it with lw_agenda_fini(). */
int lw_agenda_init(struct lw_agenda *agenda, const struct lw_sim_job *jobs, uint32_t job_count);
/* Free all it holds; safe on a zeroed one. */
void lw_agenda_fini(struct lw_agenda *agenda);

/* JOB has started, so it will end. 0 or -ENOMEM. */
int lw_agenda_start(struct lw_agenda *agenda, uint32_t job);

/* JOB, which runs, does not end as it would have: it was preempted. */
void lw_agenda_stop(struct lw_agenda *agenda, uint32_t job);

/* The time of the next event; false if there is none but cancellations of waiting jobs. */
bool lw_agenda_next(const struct lw_agenda *agenda, int64_t *ret_s);

/* Does anything happen up to NOW_S that wants a plan? A plan that is due itself does not. */
bool lw_agenda_happens(const struct lw_agenda *agenda, int64_t now_s);

/* Take the next one that is due at NOW_S off the agenda; false if there is none. */
bool lw_agenda_end(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job);
bool lw_agenda_cancel(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job);
bool lw_agenda_submit(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job);

#endif
