/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: random constraints: reservation windows, other needs, preemption, shared nodes, caps.
 */
#include "property/random.h"

#include <errno.h>
#include <stdio.h>

/* Kinds of running jobs; of the last one priority decides who may preempt it. */
#define KINDS	    3
#define BY_PRIORITY 3

static void random_caps(struct prng *prng, struct lw_snapshot *snap)
{
	for (uint32_t i = 0; i < snap->node_count; i++) {
		struct lw_res *total = &snap->nodes[i].total;

		for (int cap = 0; cap < 2; cap++)
			total->capped[cap] = (uint16_t)prng_between(prng, 0, total->cpus);
	}
}

/* Whom the jobs of some QOS preempt; few, or more than conservative tells apart. */
static void random_ranks(struct prng *prng, struct random_oddities *odd)
{
	odd->ranks_count = prng_chance(prng, 85) ? prng_between(prng, 2, 6)
						 : prng_between(prng, 17, 24);
	for (uint32_t i = 0; i < odd->ranks_count; i++) {
		struct lw_constraints *rank = &odd->ranks[i];

		*rank = (struct lw_constraints){ 0 };
		if (prng_chance(prng, 60))
			rank->preempts = prng_between(prng, 0, (1 << BY_PRIORITY) - 1) & ~1u;
		if (prng_chance(prng, 30))
			rank->preempts_lower = UINT64_C(1) << BY_PRIORITY;
		if (prng_chance(prng, 40))
			rank->preempt_class = (uint16_t)prng_between(prng, 1, KINDS);
	}
}

int random_oddities(struct prng *prng, struct random_oddities *odd, struct lw_snapshot *snap)
{
	uint32_t licences = 0;
	char name[16];
	int rc = 0;

	odd->shared = prng_chance(prng, 25);
	odd->caps = prng_chance(prng, 30);
	odd->resv_windows = prng_chance(prng, 30);
	odd->needs = prng_chance(prng, 30);
	odd->preemption = prng_chance(prng, 60);
	if (odd->caps)
		random_caps(prng, snap);
	if (odd->preemption)
		random_ranks(prng, odd);
	if (odd->needs)
		licences = prng_between(prng, 0, 2);
	for (uint32_t i = 0; i < licences && !rc; i++) {
		struct lw_res total = { .cpus = prng_between(prng, 1, 6) };

		snprintf(name, sizeof(name), "lic%u", i);
		rc = lw_snapshot_add_node(snap, name, &total, true, NULL);
	}
	return rc;
}

static int random_resv_window(struct prng *prng, const struct random_oddities *odd,
			      struct lw_snapshot *snap)
{
	int64_t from_s = RANDOM_NOW_S - 500 + 100 * (int64_t)prng_between(prng, 0, 60);
	int64_t until_s = from_s + 100 * (int64_t)prng_between(prng, 1, 40);
	struct lw_bitset nodes;
	int rc;

	if (lw_bitset_init(&nodes, snap->node_count))
		return -ENOMEM;
	for (uint32_t i = 0; i < odd->ordinary; i++) {
		if (prng_chance(prng, 50))
			lw_bitset_set(&nodes, i);
	}
	rc = lw_snapshot_add_resv_window(snap, &nodes, from_s, until_s, NULL);
	lw_bitset_fini(&nodes);
	return rc;
}

int random_closed(struct prng *prng, const struct random_oddities *odd,
		  struct lw_snapshot *snap)
{
	uint32_t resv_windows = odd->resv_windows ? prng_between(prng, 1, 3) : 0;
	struct lw_bitset nodes;
	int rc = 0;

	for (uint32_t node = odd->ordinary; node < snap->node_count && !rc; node++) {
		if (lw_bitset_init(&nodes, snap->node_count))
			return -ENOMEM;
		lw_bitset_set(&nodes, node);
		rc = lw_snapshot_add_set(snap, snap->nodes[node].name, &nodes, NULL);
		lw_bitset_fini(&nodes);
	}
	for (uint32_t i = 0; i < resv_windows && !rc; i++)
		rc = random_resv_window(prng, odd, snap);
	return rc;
}

void random_kind(struct prng *prng, const struct random_oddities *odd, struct lw_running *job)
{
	if (!odd->preemption || prng_chance(prng, 40))
		return;
	job->preempt_class = prng_between(prng, 1, KINDS);
	if (job->preempt_class == BY_PRIORITY)
		job->priority = prng_between(prng, 0, 100);
	if (prng_chance(prng, 30))
		job->yields_s = RANDOM_NOW_S + prng_between(prng, 0, 5000);
}

/* The other part of a het job, or some of a licence. */
static void random_need(struct prng *prng, const struct random_oddities *odd,
			const struct lw_snapshot *snap, struct lw_need *ret_need)
{
	uint32_t licences = snap->node_count - odd->ordinary;

	ret_need->set = prng_between(prng, 0, snap->set_count - 1);
	random_request(prng, snap, &ret_need->request);
	if (ret_need->set < snap->set_count - licences) {
		if (ret_need->request.nodes_min > 2)
			ret_need->request.nodes_min = ret_need->request.nodes_max = 2;
		return;
	}
	ret_need->request = (struct lw_request){ .nodes_min = 1,
						 .nodes_max = 1,
						 .cpus_per_node = prng_between(prng, 1, 3),
						 .gpu_type = LW_GPU_ANY };
}

static int random_needs(struct prng *prng, const struct random_oddities *odd,
			struct lw_snapshot *snap, struct lw_waiting *job)
{
	uint32_t count = prng_chance(prng, 80) ? 1 : 2;
	struct lw_need needs[2];

	for (uint32_t i = 0; i < count; i++)
		random_need(prng, odd, snap, &needs[i]);
	return lw_snapshot_add_coallocation(snap, needs, count, &job->constraints.coallocation,
					    NULL);
}

int random_constraints(struct prng *prng, const struct random_oddities *odd,
		       struct lw_snapshot *snap, struct lw_waiting *job)
{
	struct lw_constraints *constraints = &job->constraints;

	if (odd->caps && prng_chance(prng, 50))
		job->request.cap = (uint16_t)prng_between(prng, 1, 2);
	if (odd->preemption) {
		const struct lw_constraints *rank =
			&odd->ranks[prng_between(prng, 0, odd->ranks_count - 1)];

		constraints->preempts = rank->preempts;
		constraints->preempts_lower = rank->preempts_lower;
		constraints->lower_than = rank->preempts_lower ? job->priority : 0;
		constraints->preempt_class = rank->preempt_class;
		constraints->now_only = rank->preempt_class && prng_chance(prng, 20);
	}
	if (odd->resv_windows)
		constraints->closed = prng_between(prng, 0, (1u << snap->resv_window_count) - 1);
	if (odd->resv_windows && prng_chance(prng, 10))
		constraints->earliest_s = RANDOM_NOW_S + prng_between(prng, 0, 2000);
	if (odd->resv_windows && prng_chance(prng, 20))
		constraints->tier = (uint16_t)prng_between(prng, 0, 2);
	return odd->needs && prng_chance(prng, 40) ? random_needs(prng, odd, snap, job) : 0;
}
