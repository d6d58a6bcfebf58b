/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: files of recipes. */
#include "fuzz/fuzz.h"

#include "config/recipes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every speed is a number, and where it is one there are watts. */
static void follow(const struct lw_recipes *recipes, const struct lw_recipe *recipe)
{
	for (int type = -1; type <= (int)recipes->type_count; type++) {
		for (int spread = 0; spread < LW_RECIPE_SPREADS; spread++) {
			double slowdown = lw_recipe_slowdown(recipes, recipe, type, spread);

			fuzz_check(isfinite(slowdown) && slowdown >= 0);
		}
		fuzz_check(isfinite(lw_recipe_power_w(recipes, recipe, type)));
	}
	for (uint32_t gpus = 1; gpus < 70000; gpus = gpus * 3 + 1)
		fuzz_check(lw_recipe_speedup(recipe, gpus) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lw_error err = { "" };
	struct lw_recipes recipes;
	/* behind it nothing may be read */
	char *text = malloc(size ? size : 1);
	int rc;

	if (!text)
		return 0;
	memcpy(text, data, size);
	rc = lw_recipes_parse("recipes.yaml", text, size, &recipes, &err);
	free(text);
	if (rc) {
		fuzz_check(!strncmp(err.text, "recipes.yaml", 12));
		fuzz_check_told(err.text);
		return 0;
	}
	for (uint32_t i = 0; i < recipes.count; i++)
		follow(&recipes, &recipes.recipes[i]);
	lw_recipes_fini(&recipes);
	return 0;
}
