/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: random snapshots that could be real: running jobs fit, queues are mixed. */
#ifndef LW_TESTS_RANDOM_H
#define LW_TESTS_RANDOM_H

#include "planner/model/outside.h"
#include "planner/policies/policy.h"
#include "property/prng.h"

#define RANDOM_NOW_S 100000

/* How large, and how odd. */
struct random_shape {
	uint32_t nodes_max;
	uint32_t sets_max;
	uint32_t running_percent; /* at most so many running jobs per node */
	uint32_t waiting_max;
	uint32_t
		follows_percent; /* of the waiting jobs: they wait for the end of one that runs */
	bool strict; /* domains may forbid placements */
	bool plain; /* every job ready, one record, one task, no promise, no begin time */
	/* some have reservation windows, licences, het jobs, preemption, shared nodes or caps */
	bool odd;
};

extern const struct random_shape random_usual;
/* The same with all that a job's constraints say. */
extern const struct random_shape random_odd;
/* The one or the other, in turn. */
static inline const struct random_shape *random_shape_of(uint64_t seed)
{
	return seed % 2 ? &random_usual : &random_odd;
}

/* The N-th policy, counted round and round, of those with one of TRAITS. */
enum lw_policy_kind kind_with(unsigned traits, uint64_t n);

/* Fill SNAP (not initialised); -ENOMEM or -EINVAL would be a defect of ours. */
int random_snapshot(struct prng *prng, const struct random_shape *shape,
		    struct lw_snapshot *ret_snap);
/* Nodes and node sets only. */
int random_cluster(struct prng *prng, const struct random_shape *shape,
		   struct lw_snapshot *ret_snap);
/* A request of the sizes the nodes have; now and then one that cannot fit. */
void random_request(struct prng *prng, const struct lw_snapshot *snap, struct lw_request *req);
void random_params(struct prng *prng, struct lw_policy_params *ret_params);

/* What of the oddities a snapshot has. */
struct random_oddities {
	bool shared; /* jobs may have more of a node than it has */
	bool caps, resv_windows, needs, preemption;
	uint32_t ordinary; /* nodes; the others are licences */
	uint32_t ranks_count;
	struct lw_constraints ranks[24]; /* whom jobs preempt, and what they will be: as by QOS */
};

/* Which of them; before the sets are made: licences are nodes. */
int random_oddities(struct prng *prng, struct random_oddities *ret_odd, struct lw_snapshot *snap);
/* After the sets: of each licence one, and reservation windows. */
int random_closed(struct prng *prng, const struct random_oddities *odd,
		  struct lw_snapshot *snap);
/* Who may preempt running JOB. */
void random_kind(struct prng *prng, const struct random_oddities *odd, struct lw_running *job);
/* The constraints of JOB, and its needs. */
int random_constraints(struct prng *prng, const struct random_oddities *odd,
		       struct lw_snapshot *snap, struct lw_waiting *job);

/* What is free by node, computed from nothing but SNAP's running jobs; free() it. */
struct lw_res *free_now(const struct lw_snapshot *snap);

#endif
