/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/locality: how near jobs are, how broken up free GPUs are. */
#include "measure/locality.h"
#include "measure/machine.h"

#include "unit/unit.h"

#define RACKS 2

/* Two racks of three nodes with 4 GPUs and 16 CPUs; so many GPUs in use on each node. */
static void make(struct lw_snapshot *snap, const uint16_t used[6])
{
	const struct lw_machine machine = {
		.nodes = 6, .gpus_per_node = 4, .cpus_per_node = 16, .racks = RACKS
	};
	struct lw_running job = { .job_id = 1, .end_s = 100 };
	struct lw_alloc allocs[6];
	struct lw_error err;

	ck_assert_int_eq(lw_machine_build(&machine, snap), 0);
	ck_assert_uint_eq(snap->domains.count, RACKS + 1);
	for (uint32_t i = 0; i < 6; i++)
		allocs[i] = (struct lw_alloc){
			.node = i, .res = { .cpus = 4u * used[i], .gpus = { used[i] } }
		};
	ck_assert_int_eq(lw_snapshot_add_running(snap, &job, allocs, 6, &err), 0);
}

static const struct {
	const char *what;
	uint16_t used[6];
	uint32_t nodes, gpus, on[4]; /* the job and where it was put */
	struct lw_locality found;
} starts[] = {
	{ "one node is no gang", { 0 }, 1, 4, { 0 },
	  { .gpu_jobs = 1, .nodes = 1, .nodes_least = 1 } },
	{ "one rack", { 0 }, 2, 4, { 0, 1 },
	  { .gangs = 1, .holdable = 1, .held = 1, .domains = 1, .domains_least = 1, .gpu_jobs = 1,
	    .nodes = 2, .nodes_least = 2 } },
	{ "two racks, though one would do", { 0 }, 2, 4, { 0, 3 },
	  { .gangs = 1, .holdable = 1, .domains = 2, .domains_least = 1, .gpu_jobs = 1,
	    .nodes = 2, .nodes_least = 2 } },
	{ "two racks, since neither would do", { 4, 4, 0, 4, 4, 0 }, 2, 4, { 2, 5 },
	  { .gangs = 1, .domains = 2, .domains_least = 2, .gpu_jobs = 1, .nodes = 2,
	    .nodes_least = 2 } },
};

/* Islands: LINKED is the most free GPUs in one, by node. */
static const struct {
	const char *what;
	uint16_t used[6], linked[6];
	uint32_t nodes, gpus, on[4];
	uint32_t linkable, held;
} islands[] = {
	{ "not known", { 0 }, { 0 }, 1, 2, { 0 }, 0, 0 },
	{ "in one", { 1 }, { 2, 2, 2, 2, 2, 2 }, 1, 2, { 0 }, 1, 1 },
	{ "split, though another node has one", { 2 }, { 1, 2, 2, 2, 2, 2 }, 1, 2, { 0 }, 1, 0 },
	{ "split, and no other would do", { 2, 2, 2, 2, 2, 2 }, { 1, 1, 1, 1, 1, 1 }, 1, 2, { 0 },
	  0, 0 },
	{ "too large for any", { 0 }, { 2, 2, 2, 2, 2, 2 }, 1, 3, { 0 }, 0, 0 },
	{ "one GPU is always in one", { 0 }, { 2, 2, 2, 2, 2, 2 }, 1, 1, { 0 }, 0, 0 },
	{ "a gang with one node split", { 2 }, { 1, 2, 2, 2, 2, 2 }, 2, 2, { 0, 1 }, 1, 0 },
	{ "a gang", { 2 }, { 1, 2, 2, 2, 2, 2 }, 2, 2, { 1, 2 }, 1, 1 },
	{ "a gang that too few would hold", { 2, 2, 4, 4, 4, 0 }, { 1, 1, 0, 0, 0, 2 }, 2, 2,
	  { 0, 5 }, 0, 0 },
};

static void put(struct lw_locality *found, const struct lw_snapshot *snap, uint32_t nodes,
		uint32_t gpus, const uint32_t on[4])
{
	struct lw_alloc allocs[4];
	struct lw_sim_job job = {
		.request = { .nodes_min = nodes, .nodes_max = nodes,
			     .gpus_per_node = (uint16_t)gpus, .gpu_type = LW_GPU_ANY },
	};

	for (uint32_t i = 0; i < nodes; i++)
		allocs[i] = (struct lw_alloc){ .node = on[i],
					       .res = { .gpus = { (uint16_t)gpus } } };
	lw_locality_placed(found, snap, &job, allocs, nodes);
}

TEST_EACH(islands_are_judged, LW_COUNT_OF(islands))
{
	struct lw_locality found = { 0 };
	struct lw_snapshot snap;

	make(&snap, islands[_i].used);
	for (uint32_t node = 0; node < 6; node++)
		lw_snapshot_set_linked(&snap, node, islands[_i].linked[node]);
	put(&found, &snap, islands[_i].nodes, islands[_i].gpus, islands[_i].on);
	ck_assert_msg(found.linkable == islands[_i].linkable && found.linked == islands[_i].held,
		      "%s: %u of %u", islands[_i].what, found.linked, found.linkable);
	lw_snapshot_fini(&snap);
}

TEST_EACH(starts_are_judged, LW_COUNT_OF(starts))
{
	struct lw_locality found = { 0 };
	const struct lw_locality *want = &starts[_i].found;
	struct lw_snapshot snap;

	make(&snap, starts[_i].used);
	put(&found, &snap, starts[_i].nodes, starts[_i].gpus, starts[_i].on);
	ck_assert_msg(found.gangs == want->gangs && found.holdable == want->holdable &&
			      found.held == want->held && found.domains == want->domains &&
			      found.domains_least == want->domains_least &&
			      found.gpu_jobs == want->gpu_jobs && found.nodes == want->nodes &&
			      found.nodes_least == want->nodes_least,
		      "%s", starts[_i].what);
	lw_snapshot_fini(&snap);
}

static const struct {
	const char *what;
	uint16_t used[6];
	uint32_t nodes, gpus, cpus; /* what the next job wants of a node */
	double free, useless;	    /* GPUs */
	double any, unusable;	    /* of all times */
} rests[] = {
	{ "all is whole", { 0 }, 1, 4, 4, 24, 0, 24, 0 },
	{ "three broken nodes", { 1, 2, 3, 4, 4, 0 }, 1, 4, 4, 10, 6, 10, 6 },
	{ "two of three", { 1, 4, 4, 4, 4, 4 }, 1, 2, 4, 3, 1, 3, 1 },
	{ "CPUs for one", { 1, 4, 4, 4, 4, 4 }, 1, 1, 12, 3, 2, 3, 2 },
	{ "fewer than it wants are not broken up", { 1, 4, 4, 4, 4, 4 }, 1, 4, 4, 0, 0, 3, 3 },
};

TEST_EACH(fragments_are_counted, LW_COUNT_OF(rests))
{
	const struct lw_sim_job next = {
		.request = { .nodes_min = rests[_i].nodes, .nodes_max = rests[_i].nodes,
			     .gpus_per_node = (uint16_t)rests[_i].gpus,
			     .cpus_per_node = rests[_i].cpus, .gpu_type = LW_GPU_ANY },
	};
	struct lw_locality found = { 0 };
	struct lw_snapshot snap;

	make(&snap, rests[_i].used);
	lw_locality_rested(&found, &snap, &next, snap.now_s + 10);
	lw_locality_rested(&found, &snap, NULL, snap.now_s + 10);
	ck_assert_msg((int)found.free_gpu_s == (int)(10 * rests[_i].free), "%s: %f free",
		      rests[_i].what, found.free_gpu_s);
	ck_assert_msg((int)found.useless_gpu_s == (int)(10 * rests[_i].useless), "%s: %f",
		      rests[_i].what, found.useless_gpu_s);
	ck_assert_msg((int)found.any_gpu_s == (int)(10 * rests[_i].any), "%s: %f at any time",
		      rests[_i].what, found.any_gpu_s);
	ck_assert_msg((int)found.unusable_gpu_s == (int)(10 * rests[_i].unusable),
		      "%s: %f unusable", rests[_i].what, found.unusable_gpu_s);
	lw_snapshot_fini(&snap);
}
