/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long jobs with a recipe run, by the GPUs that they have (lw-recipes(5)). */
#ifndef LW_LAB_SIM_RECIPERUN_H
#define LW_LAB_SIM_RECIPERUN_H

#include "config/recipes.h"
#include "measure/job.h"
#include "measure/machine.h"

/* The run time of the job, which is that on the reference type, becomes that on ALLOCS. */
void lw_reciperun_start(struct lw_sim_job *job, const struct lw_snapshot *snap,
			const struct lw_alloc *allocs, uint32_t count);

/*
 * If MEAN_S is expected on the reference type, say so by type of SNAP, up to the limit, and
 * expect the least of them. A job without a recipe runs equally long everywhere: then nothing is
 * said. Where nothing is known, MEAN_S being the limit, that is taken for the time on the
 * slowest.
 */
void lw_reciperun_expect(const struct lw_sim_job *job, const struct lw_snapshot *snap,
			 int64_t mean_s, struct lw_expectation *expected);

/* How long one of CLASS is expected to run on ALLOCS. */
int64_t lw_reciperun_expected_s(const struct lw_class *class, const struct lw_alloc *allocs,
				uint32_t count);

/*
 * How many times as long RECIPE runs on an equal share of the GPUs of all COUNT TYPES as on the
 * reference type; 0: it runs on none of them.
 */
double lw_reciperun_slower_on_all(const struct lw_recipes *recipes, const struct lw_recipe *recipe,
				  const struct lw_nodes *types, uint32_t count);

/* How long it would run on an equal share of MACHINE's GPUs of each type; 0: as it does. */
int64_t lw_reciperun_share_s(const struct lw_sim_job *job, const struct lw_machine *machine);

#endif
