/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a file of recipes, and what follows from it: speeds and watts. */
#include "config/recipes.h"

#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int lw_recipes_read(const char *path, struct lw_recipes *ret_recipes, struct lw_error *err)
{
	size_t size = 0;
	char *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;

	if (fd < 0)
		return lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	text = malloc(LW_RECIPES_BYTES_MAX + 1);
	rc = text ? lw_read_all(fd, text, LW_RECIPES_BYTES_MAX + 1, &size) : -ENOMEM;
	close(fd);
	if (rc)
		rc = lw_error_set(err, rc, "%s: %s", path, strerror(-rc));
	else
		rc = lw_recipes_parse(path, text, size, ret_recipes, err);
	free(text);
	return rc;
}

void lw_recipes_fini(struct lw_recipes *recipes)
{
	free(recipes->recipes);
	memset(recipes, 0, sizeof(*recipes));
}

const struct lw_recipe *lw_recipes_find(const struct lw_recipes *recipes, const char *name)
{
	for (uint32_t i = 0; i < recipes->count; i++)
		if (strcmp(recipes->recipes[i].name, name) == 0)
			return &recipes->recipes[i];
	return NULL;
}

int lw_recipes_type(const struct lw_recipes *recipes, const char *name)
{
	for (uint32_t i = 0; i < recipes->type_count; i++)
		if (strcasecmp(recipes->types[i].name, name) == 0)
			return (int)i;
	return LW_RECIPE_NO_TYPE;
}

/* Of a step: with none said one GPU is 1, and more are as fast as that together. */
static double recipes_step_speedup(const struct lw_recipe *recipe, uint32_t gpus)
{
	return recipe->step_count ? recipe->speedup[recipe->step_count - 1] /
					    recipe->gpus[recipe->step_count - 1] * gpus
				  : gpus;
}

double lw_recipe_speedup(const struct lw_recipe *recipe, uint32_t gpus)
{
	uint32_t below = 1, i = 0;
	double speedup = 1;

	while (i < recipe->step_count && recipe->gpus[i] <= gpus) {
		below = recipe->gpus[i];
		speedup = recipe->speedup[i++];
	}
	if (below >= gpus)
		return speedup;
	/* beyond the last step as efficient as there */
	if (i == recipe->step_count)
		return recipes_step_speedup(recipe, gpus);
	return speedup +
	       (recipe->speedup[i] - speedup) * (gpus - below) / (recipe->gpus[i] - below);
}

double lw_recipe_rate(const struct lw_recipe *recipe, int type, uint32_t gpus,
		      enum lw_recipe_spread spread)
{
	if (type < 0 || type >= LW_RECIPE_TYPES_MAX || !gpus)
		return 0;
	return recipe->rate[type] * lw_recipe_speedup(recipe, gpus) * recipe->spread[spread];
}

double lw_recipe_slowdown(const struct lw_recipes *recipes, const struct lw_recipe *recipe,
			  int type, enum lw_recipe_spread spread)
{
	double rate = lw_recipe_rate(recipe, type, 1, spread), memory_mib;
	double most = lw_recipe_rate(recipe, recipes->reference, 1,
				     spread == LW_RECIPE_NODE ? spread : LW_RECIPE_DOMAIN);

	if (type < 0 || (uint32_t)type >= recipes->type_count || !(rate > 0))
		return 0;
	memory_mib = recipes->types[type].memory_mib;
	if (memory_mib > 0 && recipe->memory_mib > memory_mib)
		return 0;
	return most / rate;
}

double lw_recipe_power_w(const struct lw_recipes *recipes, const struct lw_recipe *recipe,
			 int type)
{
	const struct lw_recipe_type *of;

	if (type < 0 || (uint32_t)type >= recipes->type_count)
		return 0;
	of = &recipes->types[type];
	if (recipe->power_w[type] > 0)
		return recipe->power_w[type];
	/* neither is said of it: then nothing is known, whatever the type draws */
	if (!(recipe->utilisation > 0) || !(of->busy_w > 0))
		return 0;
	return of->idle_w + (of->busy_w - of->idle_w) * recipe->utilisation / 100;
}
