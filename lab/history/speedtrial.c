/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how well run times by GPU type are learned, on jobs made from recipes. */
#include "lab/history/speedtrial.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/rng.h"
#include "predictor/speed.h"

const uint32_t lw_speedtrial_runs[LW_SPEEDTRIAL_ROWS] = { 0, 1, 2, 3, 5, 10 };

/* Seconds that a kind of job takes at the speed of the reference, by chance. */
#define RUN_LOW_S  600
#define RUN_HIGH_S 36000

struct errors {
	double *items;
	uint32_t count;
};

static int compare_errors(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct lw_speed_types types_of(const struct lw_recipes *recipes, bool published)
{
	struct lw_speed_types types = { .count = recipes->type_count };

	for (uint32_t t = 0; t < types.count; t++) {
		double sum = 0, known = 0;

		types.name[t] = recipes->types[t].name;
		for (uint32_t r = 0; published && r < recipes->count; r++) {
			double rate = recipes->recipes[r].rate[t];
			double first = recipes->recipes[r].rate[recipes->reference];

			if (rate > 0 && first > 0) {
				sum += log(rate / first);
				known++;
			}
		}
		types.speed[t] = known > 0 ? exp(sum / known) : 0;
	}
	return types;
}

static struct lw_speed_key key_of(const struct lw_speedtrial *trial, uint32_t recipe)
{
	return (struct lw_speed_key){
		.user = 1000 + recipe % trial->users, .tag = 0, .name = 1 + recipe, .gpus = 1
	};
}

static int learn_runs(const struct lw_speedtrial *trial, const struct lw_recipes *recipes,
		      uint32_t runs, struct lw_speeds *speeds)
{
	struct lw_rng rng;
	int rc = 0;

	lw_rng_init(&rng, trial->seed + runs);
	for (uint32_t r = 0; r < recipes->count; r++) {
		const struct lw_recipe *recipe = &recipes->recipes[r];
		const struct lw_speed_key key = key_of(trial, r);
		double base_s = lw_rng_between(&rng, RUN_LOW_S, RUN_HIGH_S);

		for (uint32_t t = 0; t < recipes->type_count; t++)
			for (uint32_t i = 0; recipe->rate[t] > 0 && i < runs && !rc; i++) {
				double run_s = base_s * recipe->rate[recipes->reference] /
					       recipe->rate[t] *
					       exp(trial->noise * lw_rng_normal(&rng));

				rc = lw_speeds_add(speeds, &key, recipes->types[t].name,
						   (int64_t)(run_s + 0.5), 1);
			}
	}
	return rc;
}

static void judge_recipe(const struct lw_recipe *recipe, uint32_t types,
			 const struct lw_speed_answer *answer, struct errors *errors)
{
	for (uint32_t t = 0; t < types; t++)
		for (uint32_t u = t + 1; u < types; u++) {
			double told = answer->time[t] / answer->time[u];

			if (recipe->rate[t] <= 0 || recipe->rate[u] <= 0)
				continue;
			errors->items[errors->count++] =
				fabs(told * recipe->rate[t] / recipe->rate[u] - 1);
		}
}

static struct lw_speedtrial_row sum_up(struct errors *errors)
{
	struct lw_speedtrial_row row = { .pairs = errors->count };

	if (!errors->count)
		return row;
	qsort(errors->items, errors->count, sizeof(*errors->items), compare_errors);
	for (uint32_t i = 0; i < errors->count; i++)
		row.mean += errors->items[i] / errors->count;
	row.p90 = errors->items[(uint64_t)errors->count * 9 / 10];
	row.worst = errors->items[errors->count - 1];
	return row;
}

static int try_runs(const struct lw_speedtrial *trial, const struct lw_recipes *recipes,
		    uint32_t runs, struct lw_speedtrial_row *ret_row)
{
	const struct lw_speed_types types = types_of(recipes, trial->published);
	size_t pairs = (size_t)recipes->count * types.count * types.count / 2 + 1;
	struct errors errors = { calloc(pairs, sizeof(double)), 0 };
	struct lw_speeds speeds = { .count = 0 };
	struct lw_speed_site site;
	int rc = errors.items ? learn_runs(trial, recipes, runs, &speeds) : -ENOMEM;

	if (!rc) {
		lw_speeds_site(&speeds, &types, &site);
		for (uint32_t r = 0; r < recipes->count; r++) {
			const struct lw_speed_key key = key_of(trial, r);
			struct lw_speed_answer answer;

			lw_speeds_ask(&speeds, &site, &key, &answer);
			judge_recipe(&recipes->recipes[r], types.count, &answer, &errors);
		}
		*ret_row = sum_up(&errors);
	}
	lw_speeds_fini(&speeds);
	free(errors.items);
	return rc;
}

int lw_speedtrial_run(const struct lw_speedtrial *trial, const struct lw_recipes *recipes,
		      struct lw_speedtrial_row rows[LW_SPEEDTRIAL_ROWS])
{
	int rc = 0;

	for (int i = 0; !rc && i < LW_SPEEDTRIAL_ROWS; i++)
		rc = try_runs(trial, recipes, lw_speedtrial_runs[i], &rows[i]);
	return rc;
}
