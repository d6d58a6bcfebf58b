/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of mix and fragment: sizes that come, GPUs left useless. */
#include "planner/place/fragment.h"

#include "unit/res.h"
#include "unit/unit.h"

#define HALF (LW_MIX_ONE / 2)
#define ANY  LW_GPU_ANY

/* Half of the jobs want one GPU, 4 CPUs and 1000 MiB, half of them eight times that. */
static const struct lw_mix ones_and_eights = {
	{ { HALF, 1, 4, 1000, 1, ANY }, { HALF, 1, 32, 8000, 8, ANY } },
	2,
};
/* A quarter asks for GPUs of type 1 by name. */
static const struct lw_mix named = {
	{ { 3 * (LW_MIX_ONE / 4), 1, 4, 0, 2, ANY }, { LW_MIX_ONE / 4, 1, 4, 0, 4, 1 } },
	2,
};

static const struct {
	const char *what;
	const struct lw_mix *mix;
	struct lw_res free;
	double gpus; /* expected to be useless */
} nodes[] = {
	{ "nothing free", &ones_and_eights, RES(64, 16000, 0), 0 },
	{ "whole: of use to all", &ones_and_eights, RES(64, 16000, 8), 0 },
	{ "broken: of no use to the eights", &ones_and_eights, RES(64, 16000, 7), 3.5 },
	{ "one left", &ones_and_eights, RES(64, 16000, 1), 0.5 },
	{ "no CPUs: of no use to anybody", &ones_and_eights, RES(3, 16000, 4), 4 },
	{ "CPUs for two of four", &ones_and_eights, RES(8, 16000, 4), 0.5 * 2 + 0.5 * 4 },
	{ "memory for three of four", &ones_and_eights, RES(64, 3999, 4), 0.5 * 1 + 0.5 * 4 },
	{ "CPUs just enough", &ones_and_eights, RES(32, 8000, 8), 0 },
	{ "and one too few", &ones_and_eights, RES(31, 8000, 8), 0.5 * 1 + 0.5 * 8 },
	{ "an odd one", &named, RES(64, 1000, 3), 0.75 * 1 },
	{ "a type that is asked for by name", &named, RES(64, 1000, 0, 3), 0.75 * 1 + 0.25 * 3 },
	{ "two types", &named, RES(64, 1000, 3, 4), 0.75 * 1 },
};

TEST_EACH(useless_gpus_are_counted, LW_COUNT_OF(nodes))
{
	struct lw_fragment fragment;

	lw_fragment_init(&fragment, nodes[_i].mix, 2);
	ck_assert_msg(lw_fragment_of(&fragment, &nodes[_i].free) ==
			      (int64_t)(nodes[_i].gpus * LW_MIX_ONE),
		      "%s: %f", nodes[_i].what,
		      (double)lw_fragment_of(&fragment, &nodes[_i].free) / LW_MIX_ONE);
}

TEST(gain_is_what_a_job_changes)
{
	const struct lw_res whole = RES(32, 8000, 8), last = RES(4, 1000, 1),
			    one = RES(4, 1000, 1);
	struct lw_fragment fragment;

	lw_fragment_init(&fragment, &ones_and_eights, 1);
	/* breaking a whole node makes seven useless to half of the jobs */
	ck_assert_int_eq(lw_fragment_gain(&fragment, &whole, &one), 7 * (int64_t)HALF);
	/* taking the last one of a broken node frees the rest of the world of it */
	ck_assert_int_eq(lw_fragment_gain(&fragment, &last, &one), -(int64_t)HALF);
}

TEST(no_jobs_no_measure)
{
	const struct lw_mix none = { .count = 0 };
	const struct lw_res some = RES(0, 0, 3);
	struct lw_fragment fragment;

	lw_fragment_init(&fragment, &none, 1);
	ck_assert_int_eq(lw_fragment_of(&fragment, &some), 0);
}

TEST(weights_of_a_young_mix_add_up)
{
	struct lw_request req = { .nodes_min = 1, .nodes_max = 1, .gpus_per_node = 2,
				  .cpus_per_node = 8, .gpu_type = ANY };
	const struct lw_res odd = RES(64, 16000, 1);
	struct lw_fragment fragment;
	struct lw_mix mix = { .count = 0 };

	lw_mix_note(&mix, &req);
	ck_assert_uint_eq(mix.count, 1);
	ck_assert_uint_eq(mix.sizes[0].cpus, 8);
	lw_fragment_init(&fragment, &mix, 1);
	ck_assert_int_eq(lw_fragment_of(&fragment, &odd), LW_MIX_ONE);
}

/* Requests and the size they are: "nodes gpus cpus mem", or nothing. */
static const struct {
	struct lw_request req;
	struct lw_mix_size size;
} sizes[] = {
	{ { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 4, .gpu_type = ANY }, { 0 } },
	{ { .nodes_min = 3, .nodes_max = 3, .cpus_per_node = 4, .gpus_per_node = 2,
	    .mem_per_gpu_mib = 100, .gpu_type = 1 },
	  { 256, 3, 4, 200, 2, 1 } },
	{ { .nodes_min = 1, .nodes_max = 9, .gpus_per_node = 1, .gpus_total = 20,
	    .gpu_type = ANY },
	  { 256, 3, 0, 0, 8, ANY } },
	{ { .nodes_min = 2, .nodes_max = 2, .gpus_per_node = 1, .gpus_total = 6,
	    .cpus_total = 40, .gpu_type = ANY },
	  { 256, 2, 20, 0, 3, ANY } },
};

TEST_EACH(requests_have_a_size, LW_COUNT_OF(sizes))
{
	const struct lw_mix_size *want = &sizes[_i].size;
	struct lw_mix mix = { .count = 0 };

	lw_mix_note(&mix, &sizes[_i].req);
	ck_assert_uint_eq(mix.count, want->weight ? 1 : 0);
	if (mix.count)
		ck_assert_mem_eq(&mix.sizes[0], want, sizeof(*want));
}

TEST(what_came_long_ago_is_forgotten)
{
	struct lw_request req = { .nodes_min = 1, .nodes_max = 1, .gpu_type = ANY };
	struct lw_mix mix = { .count = 0 };

	for (uint16_t gpus = 1; gpus <= LW_MIX_MAX + 1; gpus++) {
		req.gpus_per_node = gpus;
		lw_mix_note(&mix, &req);
	}
	/* no more sizes than there is room for: the rarest went */
	ck_assert_uint_eq(mix.count, LW_MIX_MAX);
	for (uint32_t i = 0; i < mix.count; i++)
		ck_assert_uint_ne(mix.sizes[i].gpus, 1);
	req.gpus_per_node = 4;
	for (int i = 0; i < 20 * LW_MIX_MEMORY; i++)
		lw_mix_note(&mix, &req);
	ck_assert_uint_eq(mix.count, 1);
	ck_assert_uint_eq(mix.sizes[0].gpus, 4);
	ck_assert_uint_le(mix.sizes[0].weight, LW_MIX_ONE);
}
