/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long jobs with a recipe run, by the GPUs that they have (lw-recipes(5)). */
#include "sim/reciperun.h"

#include "base/lookup.h"
#include "base/number.h"
#include "planner/place/place.h"

#include <math.h>
#include <string.h>

int64_t lw_reciperun_expected_s(const struct lw_class *class, const struct lw_alloc *allocs,
				uint32_t count)
{
	for (int type = 0; count && type < LW_GPU_TYPES_MAX; type++)
		if (allocs[0].res.gpus[type] && class->expected.by_type_s[type])
			return class->expected.by_type_s[type];
	return class->expected.mean_s;
}

static enum lw_recipe_spread spread_of(const struct lw_snapshot *snap,
				       const struct lw_alloc *allocs, uint32_t count)
{
	if (count < 2)
		return LW_RECIPE_NODE;
	if (!snap->domains.count || !lw_place_height(&snap->domains, allocs, count))
		return LW_RECIPE_DOMAIN;
	return LW_RECIPE_ACROSS;
}

static double slower_on(const struct lw_sim_job *job, const struct lw_snapshot *snap,
			uint32_t type, enum lw_recipe_spread spread)
{
	return lw_recipe_slowdown(job->recipes, job->recipe,
				  lw_recipes_type(job->recipes, snap->gpu_types[type]), spread);
}

void lw_reciperun_start(struct lw_sim_job *job, const struct lw_snapshot *snap,
			const struct lw_alloc *allocs, uint32_t count)
{
	uint32_t type = 0;

	if (!job->recipe || !count)
		return;
	while (type < snap->gpu_type_count && !allocs[0].res.gpus[type])
		type++;
	if (type == snap->gpu_type_count)
		return;
	job->slower = slower_on(job, snap, type, spread_of(snap, allocs, count));
	/* where it does not run, it holds its nodes to the limit all the same */
	job->run_s =
		job->slower > 0 ? llround((double)job->given_run_s * job->slower) : job->limit_s;
}

static uint32_t speed_within(double time_s, int64_t limit_s)
{
	if (time_s > (double)limit_s)
		time_s = (double)limit_s;
	return time_s < 1 ? 1 : time_s < UINT32_MAX ? (uint32_t)llround(time_s) : UINT32_MAX;
}

/* Of the types of SNAP. */
static double slowest(const struct lw_sim_job *job, const struct lw_snapshot *snap,
		      enum lw_recipe_spread spread)
{
	double most = 1;

	for (uint32_t type = 0; type < snap->gpu_type_count; type++)
		most = fmax(most, slower_on(job, snap, type, spread));
	return most;
}

void lw_reciperun_expect(const struct lw_sim_job *job, const struct lw_snapshot *snap,
			 int64_t mean_s, struct lw_expectation *expected)
{
	int64_t limit_s = lw_sim_job_left_s(job, job->limit_s);
	enum lw_recipe_spread spread =
		job->request.nodes_min > 1 ? LW_RECIPE_DOMAIN : LW_RECIPE_NODE;
	double base_s = (double)mean_s;
	uint32_t least_s = 0;

	if (!job->recipe || !lw_sim_job_wants_gpus(job))
		return;
	if (mean_s >= limit_s)
		base_s /= slowest(job, snap, spread);
	for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
		double slower = slower_on(job, snap, type, spread);
		uint32_t time_s = slower > 0 ? speed_within(base_s * slower, limit_s)
					     : speed_within((double)limit_s, limit_s);

		expected->by_type_s[type] = time_s;
		if (!least_s || time_s < least_s)
			least_s = time_s;
	}
	if (least_s)
		expected->mean_s = least_s;
}

int64_t lw_reciperun_share_s(const struct lw_sim_job *job, const struct lw_machine *machine)
{
	uint64_t gpus = 0;
	double rate = 0;

	if (!job->recipe)
		return 0;
	for (uint32_t i = 0; i < machine->type_count; i++) {
		const struct lw_nodes *nodes = &machine->types[i];
		double slower = lw_recipe_slowdown(job->recipes, job->recipe,
						   lw_recipes_type(job->recipes, nodes->gpu_type),
						   LW_RECIPE_NODE);

		gpus += (uint64_t)nodes->count * nodes->gpus;
		if (slower > 0)
			rate += (double)nodes->count * nodes->gpus / slower;
	}
	return rate > 0 ? llround((double)job->given_run_s * (double)gpus / rate) : 0;
}

/* Is the recipe for jobs of so many GPUs? "lm-b10-x8" is for 8, "lm-b10" for any. */
static bool is_for(const struct lw_recipe *recipe, uint32_t gpus)
{
	const char *x = strrchr(recipe->name, '-');
	uint64_t number;

	return !x || x[1] != 'x' || !lw_number_read(x + 2, UINT32_MAX, &number) || number == gpus;
}

static const struct lw_recipe *choose_recipe(const struct lw_recipes *recipes,
					     const struct lw_workload_job *job, uint64_t seed)
{
	uint64_t hash = lw_hash_mix(lw_hash_mix(LW_HASH_BEGIN, seed), job->user);
	uint32_t gpus = job->nodes * job->gpus_per_node, fitting = 0, wanted;

	hash = lw_hash_mix_bytes(hash, job->name, strlen(job->name));
	for (uint32_t i = 0; i < recipes->count; i++)
		fitting += is_for(&recipes->recipes[i], gpus);
	wanted = fitting ? (uint32_t)(hash % fitting) : 0;
	for (uint32_t i = 0; fitting && i < recipes->count; i++)
		if (is_for(&recipes->recipes[i], gpus) && !wanted--)
			return &recipes->recipes[i];
	return NULL;
}

static double slowest_of(const struct lw_recipes *recipes, const struct lw_recipe *recipe)
{
	double most = 1;

	for (uint32_t type = 0; type < recipes->type_count; type++)
		for (int spread = 0; spread < LW_RECIPE_SPREADS; spread++)
			most = fmax(most, lw_recipe_slowdown(recipes, recipe, (int)type,
							     (enum lw_recipe_spread)spread));
	return most;
}

/* The last type has what is left over. */
static void divide_nodes(struct lw_workload *workload, const struct lw_recipes *recipes)
{
	struct lw_nodes all = workload->types[0];
	uint32_t types = recipes->type_count < all.count ? recipes->type_count : all.count;

	workload->type_count = types;
	for (uint32_t i = 0; i < types; i++) {
		struct lw_nodes *nodes = &workload->types[i];

		*nodes = all;
		nodes->count = all.count / types + (i + 1 == types ? all.count % types : 0);
		memcpy(nodes->gpu_type, recipes->types[i].name, sizeof(nodes->gpu_type));
	}
}

void lw_reciperun_assign(struct lw_workload *workload, const struct lw_recipes *recipes,
			 uint64_t seed)
{
	for (uint32_t i = 0; i < workload->job_count; i++) {
		struct lw_workload_job *job = &workload->jobs[i];
		const struct lw_recipe *recipe =
			job->gpus_per_node ? choose_recipe(recipes, job, seed) : NULL;

		if (!recipe)
			continue;
		memcpy(job->recipe, recipe->name, sizeof(job->recipe));
		job->limit_s =
			(int64_t)ceil((double)job->limit_s * slowest_of(recipes, recipe) / 60) *
			60;
		job->limit_s = lw_workload_cap(job->limit_s, LW_WORKLOAD_TIME_MAX_S / 60 * 60);
	}
	if (workload->type_count == 1)
		divide_nodes(workload, recipes);
}
