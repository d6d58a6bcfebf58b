/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/gpumap: which GPUs of a node are taken, and what islands are left. */
#include "lab/sim/gpumap.h"

#include "lab/sim/stock/place_stock.h"
#include "lab/sim/trial.h"
#include "unit/unit.h"

#define NODES 2
#define STEPS 6

/* Job JOB takes so many GPUs of each node, or with none of both gives back what it has. */
struct step {
	uint32_t job, take[NODES];
	uint16_t linked[NODES]; /* then */
	uint64_t free[NODES];
};

static const struct {
	const char *what;
	uint32_t gpus, island;
	struct step steps[STEPS];
	uint32_t count;
} cases[] = {
	{ "single ones fill the first island", 8, 4,
	  { { 0, { 1, 0 }, { 4, 4 }, { 0xfe, 0xff } },
	    { 1, { 1, 0 }, { 4, 4 }, { 0xfc, 0xff } },
	    { 2, { 1, 1 }, { 4, 4 }, { 0xf8, 0xfe } } }, 3 },
	{ "a job goes to the first island that holds it", 8, 4,
	  { { 0, { 3, 0 }, { 4, 4 }, { 0xf8, 0xff } },
	    { 1, { 2, 2 }, { 2, 4 }, { 0xc8, 0xfc } } }, 2 },
	{ "one that none holds goes to the lowest", 8, 4,
	  { { 0, { 2, 0 }, { 4, 4 }, { 0xfc, 0xff } },
	    { 1, { 3, 0 }, { 2, 4 }, { 0x8c, 0xff } },
	    { 2, { 3, 0 }, { 0, 4 }, { 0x00, 0xff } } }, 3 },
	{ "what is given back is there again", 8, 2,
	  { { 0, { 1, 0 }, { 2, 2 }, { 0xfe, 0xff } },
	    { 1, { 6, 8 }, { 1, 0 }, { 0x80, 0x00 } },
	    { 0, { 0, 0 }, { 1, 0 }, { 0x81, 0x00 } },
	    { 1, { 0, 0 }, { 2, 2 }, { 0xff, 0xff } } }, 4 },
	{ "a last island may be smaller", 6, 4,
	  { { 0, { 3, 0 }, { 2, 4 }, { 0x38, 0x3f } } }, 1 },
	{ "64 GPUs", 64, 64,
	  { { 0, { 64, 1 }, { 0, 63 }, { 0, UINT64_MAX - 1 } },
	    { 0, { 0, 0 }, { 64, 64 }, { UINT64_MAX, UINT64_MAX } } }, 2 },
};

static void do_step(struct lw_gpumap *map, const struct step *step)
{
	struct lw_alloc allocs[NODES];
	uint32_t count = 0;

	for (uint32_t node = 0; node < NODES; node++) {
		if (step->take[node])
			allocs[count++] = (struct lw_alloc){
				.node = node, .res = { .gpus = { (uint16_t)step->take[node] } }
			};
	}
	if (count)
		lw_gpumap_take(map, step->job, allocs, count);
	else
		lw_gpumap_give(map, step->job);
}

TEST_EACH(gpus_are_taken_and_given_back, LW_COUNT_OF(cases))
{
	const struct lw_machine machine = { .nodes = NODES,
					    .gpus_per_node = cases[_i].gpus,
					    .cpus_per_node = 64 };
	struct lw_snapshot snap;
	struct lw_gpumap map;

	ck_assert_int_eq(lw_machine_build(&machine, &snap), 0);
	ck_assert_int_eq(lw_gpumap_init(&map, &snap, cases[_i].gpus, cases[_i].island, STEPS), 0);
	for (uint32_t node = 0; node < NODES; node++)
		ck_assert_uint_eq(snap.nodes[node].linked, cases[_i].island);
	for (uint32_t i = 0; i < cases[_i].count; i++) {
		const struct step *step = &cases[_i].steps[i];

		do_step(&map, step);
		for (uint32_t node = 0; node < NODES; node++) {
			ck_assert_msg(map.free[node] == step->free[node], "%s: step %u, node %u",
				      cases[_i].what, i, node);
			ck_assert_msg(snap.nodes[node].linked == step->linked[node],
				      "%s: step %u, node %u: %u", cases[_i].what, i, node,
				      snap.nodes[node].linked);
		}
	}
	lw_gpumap_fini(&map);
	lw_snapshot_fini(&snap);
}

/*
 * Four jobs of one GPU fill n0; the first and the third end, which leaves it two GPUs of
 * different islands. The last job wants two: n1 has them in one.
 */
static const struct {
	bool as_stock;
	uint32_t island, linkable, linked;
} trials[] = {
	{ false, 0, 0, 0 }, /* without islands there is nothing to hold */
	{ true, 0, 0, 0 },
	{ false, 2, 1, 1 },
	{ true, 2, 1, 0 },
	{ false, 4, 1, 1 }, /* all of a node are linked */
	{ true, 4, 1, 1 },
};

TEST_EACH(islands_are_simulated, LW_COUNT_OF(trials))
{
	static const struct {
		int64_t submit_s, run_s;
		uint16_t gpus;
	} given[] = { { 0, 10, 1 }, { 1, 90, 1 }, { 2, 10, 1 }, { 3, 90, 1 }, { 50, 20, 2 } };
	struct lw_sim_job jobs[LW_COUNT_OF(given)];
	struct lw_locality locality = { 0 };
	struct lw_trial trial = { .runtime = LW_PREDICT_USER,
				  .machine = { .nodes = 2,
					       .gpus_per_node = 4,
					       .cpus_per_node = 16,
					       .gpus_per_island = trials[_i].island },
				  .locality = &locality };

	lw_policy_params_default(&trial.policy);
	trial.policy.kind = LW_POLICY_EASY;
	trial.choose = trials[_i].as_stock ? lw_place_as_stock : NULL;
	for (uint32_t i = 0; i < LW_COUNT_OF(given); i++)
		jobs[i] = (struct lw_sim_job){
			.id = i + 1,
			.submit_s = given[i].submit_s,
			.run_s = given[i].run_s,
			.limit_s = 100,
			.request = { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = given[i].gpus,
				     .gpus_per_node = given[i].gpus, .gpu_type = LW_GPU_ANY },
		};
	ck_assert_int_eq(lw_trial_run(&trial, jobs, LW_COUNT_OF(given), NULL, NULL), 0);
	ck_assert_int_eq(jobs[4].start_s, 50);
	ck_assert_uint_eq(locality.gpu_jobs, LW_COUNT_OF(given));
	ck_assert_uint_eq(locality.linkable, trials[_i].linkable);
	ck_assert_uint_eq(locality.linked, trials[_i].linked);
}
