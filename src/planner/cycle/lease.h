/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs that agree to be stopped make room for which others (stop.for). */
#ifndef LW_PLANNER_LEASE_H
#define LW_PLANNER_LEASE_H

#include "planner/cycle/cycle.h"
#include "planner/cycle/move.h"
#include "planner/place/size.h"

/* Of one cycle: so many waiting jobs are looked at, and so many jobs may make room for one. */
#define LW_LEASE_TRIES 16
#define LW_LEASE_MOST  16
/*
 * A job makes room for a deadline no sooner than so long before it would be too late: until then
 * others may end. doc/lab/2026-11-30-deadlines.md has others, too.
 */
#define LW_LEASE_DUE_S 600

struct lw_lease_rules {
	bool shorts, gangs, dues; /* stop.for */
	bool grows;               /* size.mode */
	/* stop.gain: a stopped job's rest, in runs of the job it makes room for, or in what it
	 * loses by a move */
	double gain;
	double share; /* stop.share: of the machine, of all jobs that are out together */
	double widest; /* stop.widest: of that, of one job */
	int64_t leave_s; /* from the order to the room */
	int64_t back_s;  /* stop.back */
};

/* A running job that may be asked now: it agrees, its lease is over, and the day has room. */
struct lw_lease_offer {
	uint32_t running; /* its place in snap->running */
	int64_t lost_s; /* of its work, by saving, loading, or what it did since its last save */
	const struct lw_waiting *again; /* as it would wait; NULL: it is not to be moved */
	int64_t finish_by_s;            /* its deadline; 0: it has none */
	/* as it would wait for more nodes than it has; NULL: it has no sizes (cycle/grow.h) */
	const struct lw_waiting *larger;
	uint32_t nodes; /* that it has */
	struct lw_size size;
};

/* What is on its way. */
struct lw_lease_state {
	double out;             /* the share of the machine of jobs that are out */
	const uint32_t *served; /* jobs for which others were stopped, and which still wait */
	uint32_t served_count;
	const uint8_t *barred; /* by waiting record: not to be considered; NULL: all are */
};

/* "Stop job_id for for_job", or for itself: 0. */
struct lw_lease_stop {
	uint32_t job_id, for_job;
	double share; /* of the machine, that it holds */
	bool moves;   /* it can run elsewhere at once */
	struct lw_alloc from; /* what it holds, if it moves */
	/* its run of places: what is to be kept until it has left, for both; its own first */
	uint32_t first_place, place_count;
};

/* The first is asked first: a job that is late misses its deadline in any case. */
enum lw_lease_yields { LW_LEASE_IS_LATE, LW_LEASE_NOT_DUE, LW_LEASE_HAS_TIME };

/* An offer, as it is looked at. */
struct lw_lease_victim {
	uint32_t running;
	enum lw_lease_yields yields;
	int64_t rest_s, lost_s, end_s, finish_by_s;
	int64_t spare_s; /* that it HAS_TIME for */
	double share;
	bool picked;
};

/* Memory that is used again; all zero is empty. */
struct lw_leases {
	struct lw_lease_stop *stops;
	uint32_t count;
	uint32_t stop_room, free_room, spare_room, victim_room, victim_count;
	struct lw_res *free, *spare; /* by node: once jobs have left */
	struct lw_lease_victim *victims;
	struct lw_alloc *places;
	uint32_t place_count, place_room;
	struct lw_moves moves;
};

void lw_leases_fini(struct lw_leases *leases);

/*
 * After the plan of the cycle, with its starts marked as taken: LEASES->stops are the stops that
 * let waiting jobs start sooner: with dues, jobs that meet their deadline only if they start
 * soon, the nearest first; if there are none of these, with shorts, the shortest first. For each
 *
 * - it has room once the stopped jobs have left, sooner than by the expected ends of running
 *   jobs; a short one by more than the work that these lose together;
 * - for a short one, each stopped job has gain times its expected run left, which is at most
 *   back_s;
 * - for a deadline, each stopped job is late, has none, or has a later one and much time left;
 * - stopped jobs have at most the share of the machine, with the jobs that are out;
 * - it takes nothing that a reservation of the plan needs, and no kept room of a deadline;
 * - it is no array with several tasks left, no het job, and needs no licence.
 *
 * -ENOMEM.
 */
int lw_lease_plan(struct lw_cycle *cycle, const struct lw_lease_rules *rules,
		  const struct lw_lease_state *state, const struct lw_lease_offer *offers,
		  uint32_t count, struct lw_leases *leases);

#endif
