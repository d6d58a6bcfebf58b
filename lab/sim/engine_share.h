/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that share GPUs; only engine*.c include this. */
#ifndef LW_LAB_SIM_ENGINE_SHARE_H
#define LW_LAB_SIM_ENGINE_SHARE_H

#include "measure/rng.h"
#include "measure/sharing.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_engine;
struct lw_sim_job;
struct lw_running;
struct lw_alloc;

#define LW_SEAT_NONE UINT32_MAX

/*
 * A GPU with a job that lets another one join. The first tenant's record holds it in the
 * snapshot.
 */
struct lw_seat {
	uint32_t job[2], count;
	int64_t look_s; /* when it is looked how the two fare, or INT64_MAX */
};

/* Of a job, by its number. */
struct lw_tenant {
	uint32_t seat;	 /* or NONE */
	uint32_t rate;	 /* thousandths of its speed alone */
	double left_s;	 /* of its run alone, at since_s */
	int64_t since_s;
	bool alone;	 /* it had to leave another one: not again */
};

struct lw_seats {
	const struct lw_sharing *sharing; /* NULL: no job shares */
	struct lw_sharing_found *found;
	struct lw_tenant *tenants;
	struct lw_seat *seats;
	uint32_t count, room;
	struct lw_share_pairs seen;
	struct lw_rng rng; /* for what is seen of pairs */
};

/* JOB_COUNT jobs; SHARING and FOUND may be NULL together. -ENOMEM. */
int lw_seats_init(struct lw_seats *seats, const struct lw_sharing *sharing,
		  struct lw_sharing_found *found, uint32_t job_count);
void lw_seats_fini(struct lw_seats *seats);

/* The job has started on a GPU of its own. -ENOMEM. */
int lw_engine_seat(struct lw_engine *run, uint32_t index);
/*
 * JOB leaves a GPU that it may have shared. *RET_HEIR: the job that has the GPU alone from this
 * second on, or NULL. True: JOB held no GPU itself; another job's record does.
 */
bool lw_engine_unseat(struct lw_engine *run, struct lw_sim_job *job,
		      struct lw_sim_job **ret_heir);
/*
 * HEIR goes on alone. If the other job held the GPU, with RECORD and ALLOCS, HEIR is the holder
 * now. RECORD without allocations: HEIR was that before. -ENOMEM.
 */
int lw_engine_inherit(struct lw_engine *run, struct lw_sim_job *heir,
		      const struct lw_running *record, const struct lw_alloc *allocs);
/* After a plan: let waiting jobs join running ones. -ENOMEM. */
int lw_engine_join(struct lw_engine *run);
/* Check how tenants fare, if due, and part those too slow. -ENOMEM. */
int lw_engine_look_at_seats(struct lw_engine *run, int64_t now_s);
/* When that is next, or INT64_MAX. */
int64_t lw_engine_seats_next_s(const struct lw_engine *run);

#endif
