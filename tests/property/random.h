/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: random snapshots that could be real: running jobs fit, queues are mixed. */
#ifndef LW_TESTS_RANDOM_H
#define LW_TESTS_RANDOM_H

#include "policy/policy.h"
#include "property/prng.h"

#define RANDOM_NOW_S 100000

/* How large, and how odd. */
struct random_shape {
	uint32_t nodes_max;
	uint32_t sets_max;
	uint32_t running_percent; /* at most so many running jobs per node */
	uint32_t waiting_max;
	bool strict; /* domains may forbid placements */
	bool plain; /* every job ready, one record, one task, no promise, no begin time */
};

extern const struct random_shape random_usual;

/* Fill SNAP (not initialised); -ENOMEM or -EINVAL would be a defect of ours. */
int random_snapshot(struct prng *prng, const struct random_shape *shape,
		    struct lw_snapshot *ret_snap);
/* Nodes and node sets only. */
int random_cluster(struct prng *prng, const struct random_shape *shape,
		   struct lw_snapshot *ret_snap);
/* A request of the sizes the nodes have; now and then one that cannot fit. */
void random_request(struct prng *prng, const struct lw_snapshot *snap, struct lw_request *req);
void random_params(struct prng *prng, struct lw_policy_params *ret_params);

/* What is free by node, computed from nothing but SNAP's running jobs; free() it. */
struct lw_res *free_now(const struct lw_snapshot *snap);

#endif
