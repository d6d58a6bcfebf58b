/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs may make room, and for which jobs others do, from one cycle to the next. */
#ifndef LW_SLURM_LEASING_H
#define LW_SLURM_LEASING_H

#include "base/lookup.h"
#include "planner/policies/policy.h"
#include "slurm/keep/moving.h"
#include "slurm/keep/stops.h"

/* Of one cycle: so many running jobs are looked at. */
#define LW_LEASING_OFFERS 256
/* So many jobs are remembered that could not be asked, or not make room, for so long. */
#define LW_LEASING_VAIN   256
#define LW_LEASING_VAIN_S 600
/* What it takes to load a save, as far as is known. */
#define LW_LEASING_LOAD_S 60
/* A plan asks no job with a signal of its own that may come longer before its end. */
#define LW_LEASING_SIGNAL_S 1800
/* Nor one of a user with so many names of jobs that are not asked again. */
#define LW_LEASING_LESSONS 4

struct lw_leasing_vain {
	uint32_t job_id;
	int64_t until_s;
};

/* All zero is empty. What is in it is of one cycle, but for what was in vain, and for moves. */
struct lw_leasing {
	bool on; /* a plan may order stops */
	struct lw_lease_rules rules;
	struct lw_lease_offer offers[LW_LEASING_OFFERS];
	uint32_t offer_users[LW_LEASING_OFFERS]; /* of these jobs */
	uint32_t offer_count;
	double out;       /* the share of the nodes of jobs that are out */
	uint32_t *served; /* jobs for which others are stopped */
	uint32_t served_count, served_room;
	struct lw_lookup rooms; /* by such a job: one that makes room for it */
	uint8_t *barred;        /* by waiting record: no job is to be stopped for it */
	uint32_t barred_room;
	struct lw_leasing_vain vain[LW_LEASING_VAIN]; /* a ring */
	uint32_t vain_next;
	struct lw_leases leases; /* what the plan orders */
	struct lw_moving moving; /* the jobs that it has ordered to go elsewhere */
};

void lw_leasing_fini(struct lw_leasing *leasing);

/*
 * A cycle begins, and STOPS says where the jobs are. KILL_WAIT_S and ALL_NODES are the cluster's.
 * Out of memory nothing is ordered in this cycle.
 */
void lw_leasing_begin(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		      struct lw_stops *stops, uint32_t all_nodes, int64_t kill_wait_s);
/* The job that makes room for JOB_ID, until it is due itself; 0: none. */
uint32_t lw_leasing_room_from(const struct lw_leasing *leasing, uint32_t job_id);
/* Has one left, so that JOB_ID goes first? Not if it is larger, by SIZE, than it was then. */
bool lw_leasing_goes_first(const struct lw_leasing *leasing, const struct lw_stops *stops,
			   uint32_t job_id, const struct lw_stop_size *size);

/* Are there to be further offers? */
bool lw_leasing_wants(const struct lw_leasing *leasing);
/*
 * IT is the job of that number in the snapshot: is it an offer, since it may be asked and was not
 * in vain?
 */
bool lw_leasing_offer(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		      struct lw_stops *stops, const struct lw_stop_case *it, uint32_t running,
		      int64_t now_s);

/* Bar no record of COUNT. -ENOMEM: nothing is ordered in this cycle. */
int lw_leasing_bar_none(struct lw_leasing *leasing, uint32_t count);
/* After lw_policy_cycle(): fill LEASING->leases. -ENOMEM. */
int lw_leasing_plan(struct lw_leasing *leasing, struct lw_policy *policy,
		    const struct lw_snapshot *snap);

/* JOB_ID was to be asked or to have room, and could not. */
void lw_leasing_in_vain(struct lw_leasing *leasing, uint32_t job_id, int64_t now_s);
bool lw_leasing_is_vain(const struct lw_leasing *leasing, uint32_t job_id, int64_t now_s);

#endif
