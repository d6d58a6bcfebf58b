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
 * Jobs are submitted in their order; those that have started end by (end, id), and those that
 * their users take back are cancelled by (time, id). Jobs are told by their place in JOBS,
 * which are the caller's.
 */
struct lw_agenda {
	const struct lw_sim_job *jobs;
	uint32_t job_count;
	uint32_t submitted;
	struct lw_agenda_end *ends; /* of those that run: a heap */
	uint32_t end_count, end_room;
	uint32_t *cancels;
	uint32_t cancel_count, cancelled;
	int64_t wake_s; /* somebody has to be looked at again then, or INT64_MAX */
	int64_t open_s; /* nodes take jobs again then, or INT64_MAX */
	int64_t tick_s; /* it is looked then who should be preempted, or INT64_MAX */
	int64_t ripe_s; /* somebody has thought long enough then, or INT64_MAX */
	bool cancels_count; /* who waits for others may start when one of them is taken back */
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

/* When something happens next; false if nothing ever will, but for cancelling who waits. */
bool lw_agenda_next(const struct lw_agenda *agenda, int64_t *ret_s);

/* Does anything happen up to NOW_S that wants a plan? A plan that is due itself does not. */
bool lw_agenda_happens(const struct lw_agenda *agenda, int64_t now_s);

/* Take the next one that is due at NOW_S off the agenda; false if there is none. */
bool lw_agenda_end(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job);
bool lw_agenda_cancel(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job);
bool lw_agenda_submit(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job);

#endif
