/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/reciperun: run times by recipe and GPU, and workloads given recipes. */
#include "lab/sim/reciperun.h"

#include "cli/common/tools.h"
#include "lab/sim/generate.h"
#include "lab/sim/workload_sum.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <string.h>

/* Reference a100. "both" runs on both, "one" on the a100 alone, "four" is for four GPUs. */
#define RECIPES                                                                                  \
	"types: { a100: {}, v100: {} }\n"                                                        \
	"recipes:\n"                                                                             \
	"  both: { rate: { a100: 4, v100: 1 } }\n"                                               \
	"  one: { rate: { a100: 1 } }\n"                                                         \
	"  four-x4: { rate: { a100: 3, v100: 1 } }\n"

enum { A100, V100 };

static struct lw_recipes recipes;
static struct lw_machine machine;
static struct lw_snapshot snap;

/* A node of four GPUs of each type. */
static void setup(void)
{
	static const struct lw_nodes types[] = { { 1, 8, 4, 0, "a100" }, { 1, 8, 4, 0, "v100" } };
	struct lw_error err;

	scratch_setup();
	ck_assert_msg(!lw_recipes_parse("r", RECIPES, strlen(RECIPES), &recipes, &err), "%s",
		      err.text);
	memset(&machine, 0, sizeof(machine));
	lw_machine_set_types(&machine, types, 2);
	ck_assert_int_eq(lw_machine_build(&machine, &snap), 0);
}

static void teardown(void)
{
	lw_snapshot_fini(&snap);
	lw_recipes_fini(&recipes);
	scratch_teardown();
}

static struct lw_sim_job job_of(const char *recipe)
{
	return (struct lw_sim_job){
		.recipe = recipe ? lw_recipes_find(&recipes, recipe) : NULL,
		.recipes = &recipes,
		.run_s = 100,
		.given_run_s = 100,
		.limit_s = 1000,
		.request = { .nodes_min = 1, .nodes_max = 1, .gpus_per_node = 1,
			     .gpu_type = LW_GPU_ANY },
	};
}

static const struct {
	const char *recipe;
	int type;
	int64_t run_s;
} runs[] = {
	{ "both", A100, 100 },
	{ "both", V100, 400 },
	{ "one", A100, 100 },
	{ "one", V100, 1000 }, /* it never gets anywhere, up to its limit */
	{ NULL, V100, 100 },
};

FIXTURE(setup, teardown);

TEST_EACH(it_runs_at_the_rate_of_its_gpus, LW_COUNT_OF(runs))
{
	struct lw_alloc alloc = { .node = (uint32_t)runs[_i].type, .res = { .cpus = 1 } };
	struct lw_sim_job job = job_of(runs[_i].recipe);

	alloc.res.gpus[runs[_i].type] = 1;
	lw_reciperun_start(&job, &snap, &alloc, 1);
	ck_assert_int_eq(job.run_s, runs[_i].run_s);
}

static const struct {
	const char *recipe;
	int64_t mean_s; /* said to be expected on the reference type */
	uint32_t a100_s, v100_s;
} told[] = {
	{ "both", 100, 100, 400 },
	{ "both", 600, 600, 1000 },  /* none is beyond the limit */
	{ "both", 1000, 250, 1000 }, /* nothing is known: the limit is for the slowest */
	{ "one", 100, 100, 1000 },
	{ NULL, 100, 0, 0 },
};

TEST_EACH(what_is_expected_is_said_by_type, LW_COUNT_OF(told))
{
	struct lw_expectation expected = { .mean_s = told[_i].mean_s };
	struct lw_sim_job job = job_of(told[_i].recipe);

	lw_reciperun_expect(&job, &snap, told[_i].mean_s, &expected);
	ck_assert_uint_eq(expected.by_type_s[A100], told[_i].a100_s);
	ck_assert_uint_eq(expected.by_type_s[V100], told[_i].v100_s);
	ck_assert_int_eq(expected.mean_s, told[_i].a100_s ? told[_i].a100_s : told[_i].mean_s);
}

/* A GPU of each type in turn: 8 GPUs do the work of 5 of the reference. */
TEST(an_equal_share_has_all_types)
{
	struct lw_sim_job job = job_of("both"), other = job_of(NULL);

	ck_assert_int_eq(lw_reciperun_share_s(&job, &machine), 160);
	ck_assert_int_eq(lw_reciperun_share_s(&other, &machine), 0);
}

static void generate(const char *seed, struct lw_workload *workload)
{
	struct lw_error err;
	char line[512], *path = strdup(scratch_path("recipes"));
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(RECIPES, file);
	fclose(file);
	snprintf(line, sizeof(line),
		 "generate -q --model dl --jobs 300 --load 0.5 --nodes 5 --gpus-per-node 4 --seed "
		 "%s --recipes %s -o %s",
		 seed, path, scratch_path("w"));
	ck_assert_int_eq(scratch_call(lw_tools_generate, line), LW_TOOLS_OK);
	memset(workload, 0, sizeof(*workload));
	ck_assert_msg(!lw_workload_read(workload, scratch_path("w"), &err), "%s", err.text);
	free(path);
}

/* All are for one GPU, and the only recipe is for three. */
TEST(who_gives_none_is_told)
{
	char line[512], *noted;
	int rc;

	snprintf(line, sizeof(line),
		 "generate --model dl --jobs 9 --load 0.5 --nodes 1 --gpus-per-node 1 --recipes %s "
		 "-o %s",
		 scratch_write("three", "types: { a100: {} }\n"
					"recipes: { a-x3: { rate: { a100: 1 } } }\n"),
		 scratch_path("w"));
	noted = scratch_complaint(lw_tools_generate, line, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_ptr_nonnull(strstr(noted, "no job was given a recipe: none of "));
	free(noted);
}

/* GPU jobs alone have recipes, those of their size; limits last on the slowest. */
TEST(generate_gives_recipes)
{
	struct lw_workload w;
	uint32_t given = 0, fours = 0;

	generate("1", &w);
	ck_assert_uint_eq(w.type_count, 2);
	ck_assert_str_eq(w.types[0].gpu_type, "a100");
	ck_assert_uint_eq(w.types[0].count, 2);
	ck_assert_str_eq(w.types[1].gpu_type, "v100");
	ck_assert_uint_eq(w.types[1].count, 3);
	for (uint32_t i = 0; i < w.job_count; i++) {
		const struct lw_workload_job *job = &w.jobs[i];
		bool four = strcmp(job->recipe, "four-x4") == 0;

		ck_assert_int_eq(*job->recipe != '\0', job->gpus_per_node != 0);
		ck_assert(!four || job->nodes * job->gpus_per_node == 4);
		ck_assert_int_eq(job->limit_s % 60, 0);
		given += *job->recipe != '\0';
		fours += four;
	}
	ck_assert_uint_gt(given, 200);
	ck_assert_uint_gt(fours, 0);
	lw_workload_fini(&w);
}

/* A user's jobs of one name and size have one recipe, another seed gives others. */
TEST(users_have_habits)
{
	struct lw_workload w, other;
	uint32_t differ = 0;

	generate("1", &w);
	for (uint32_t i = 1; i < w.job_count; i++) {
		const struct lw_workload_job *a = &w.jobs[i - 1], *b = &w.jobs[i];

		if (a->user == b->user && !strcmp(a->name, b->name) && a->nodes == b->nodes &&
		    a->gpus_per_node == b->gpus_per_node)
			ck_assert_str_eq(a->recipe, b->recipe);
	}
	generate("2", &other);
	for (uint32_t i = 0; i < w.job_count && i < other.job_count; i++)
		differ += strcmp(w.jobs[i].recipe, other.jobs[i].recipe) != 0;
	ck_assert_uint_gt(differ, 0);
	lw_workload_fini(&w);
	lw_workload_fini(&other);
}

static const struct {
	uint32_t jobs;
	int64_t span_s;
} targets[] = { { 3000, 0 }, { 0, 7 * 86400 } };

/* As on an equal share of all types: half of the GPUs at a speed of 1, half at a quarter of it. */
TEST_EACH(a_load_is_of_all_types, LW_COUNT_OF(targets))
{
	static const char text[] = "types: { a: {}, b: {} }\n"
				   "recipes: { x: { rate: { a: 12, b: 3 } } }\n";
	struct lw_generate_options o = {
		.model = LW_GENERATE_DL,
		.jobs = targets[_i].jobs,
		.span_s = targets[_i].span_s,
		.load = 0.9,
		.nodes = 128,
		.gpus_per_node = 4,
		.cpus_per_node = 16,
		.users = 50,
		.seed = 5,
	};
	struct lw_workload_summary sum, reference;
	struct lw_error err = { "" };
	struct lw_recipes two;
	struct lw_workload w;

	ck_assert_int_eq(lw_recipes_parse("r", text, sizeof(text) - 1, &two, &err), 0);
	o.recipes = &two;
	ck_assert_int_eq(lw_generate(&o, &w, &err), 0);
	ck_assert_int_eq(lw_workload_sum(&w, &two, 128, 4, 16, &sum), 0);
	ck_assert_int_eq(lw_workload_sum(&w, NULL, 128, 4, 16, &reference), 0);
	ck_assert_double_eq_tol(sum.load / o.load, 1, o.jobs ? 0.001 : 0.06);
	ck_assert_double_eq_tol(sum.load / reference.load, 1.6, 0.001);
	ck_assert_uint_eq(sum.over_limit, 0);
	lw_workload_fini(&w);
	lw_recipes_fini(&two);
}
