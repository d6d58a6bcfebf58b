/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: give the jobs of a made-up workload recipes (lw-recipes(5)). */
#include "lab/sim/recipegive.h"

#include "base/lookup.h"
#include "base/number.h"
#include "lab/sim/reciperun.h"
#include "lab/sim/workload_sum.h"

#include <math.h>
#include <string.h>

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

uint32_t lw_recipegive_nodes(const struct lw_recipes *recipes, const struct lw_nodes *nodes,
			     struct lw_nodes ret_types[LW_NODES_TYPES_MAX])
{
	uint32_t types = recipes->type_count < nodes->count ? recipes->type_count : nodes->count;

	for (uint32_t i = 0; i < types; i++) {
		struct lw_nodes *of = &ret_types[i];

		*of = *nodes;
		of->count = nodes->count / types + (i + 1 == types ? nodes->count % types : 0);
		memcpy(of->gpu_type, recipes->types[i].name, sizeof(of->gpu_type));
	}
	return types;
}

void lw_recipegive_job(struct lw_workload_job *job, const struct lw_recipes *recipes,
		       uint64_t seed)
{
	const struct lw_recipe *recipe =
		job->gpus_per_node && !*job->recipe ? choose_recipe(recipes, job, seed) : NULL;
	int64_t limit_s;

	if (!recipe)
		return;
	memcpy(job->recipe, recipe->name, sizeof(job->recipe));
	if (job->run_s > job->limit_s)
		job->run_s = job->limit_s;
	limit_s = (int64_t)ceil((double)job->limit_s * slowest_of(recipes, recipe) / 60) * 60;
	job->limit_s = lw_workload_cap(limit_s, LW_WORKLOAD_TIME_MAX_S / 60 * 60);
}

double lw_recipegive_held_s(const struct lw_workload_job *job, const struct lw_recipes *recipes,
			    const struct lw_nodes *types, uint32_t count)
{
	const struct lw_recipe *recipe =
		recipes && *job->recipe ? lw_recipes_find(recipes, job->recipe) : NULL;
	double slower = recipe ? lw_reciperun_slower_on_all(recipes, recipe, types, count) : 0;

	return (double)lw_workload_held_s(job) * (slower > 0 ? slower : 1);
}
