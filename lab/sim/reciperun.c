/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long jobs with a recipe run, by the GPUs that they have (lw-recipes(5)). */
#include "lab/sim/reciperun.h"

#include "planner/place/place.h"

#include <math.h>

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

double lw_reciperun_slower_on_all(const struct lw_recipes *recipes, const struct lw_recipe *recipe,
				  const struct lw_nodes *types, uint32_t count)
{
	uint64_t gpus = 0;
	double rate = 0;

	for (uint32_t i = 0; i < count; i++) {
		double slower = lw_recipe_slowdown(recipes, recipe,
						   lw_recipes_type(recipes, types[i].gpu_type),
						   LW_RECIPE_NODE);

		gpus += (uint64_t)types[i].count * types[i].gpus;
		if (slower > 0)
			rate += (double)types[i].count * types[i].gpus / slower;
	}
	return rate > 0 ? (double)gpus / rate : 0;
}

int64_t lw_reciperun_share_s(const struct lw_sim_job *job, const struct lw_machine *machine)
{
	double slower = job->recipe ? lw_reciperun_slower_on_all(job->recipes, job->recipe,
								 machine->types,
								 machine->type_count)
				    : 0;

	return llround((double)job->given_run_s * slower);
}
