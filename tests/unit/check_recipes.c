/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of recipes: what is taken, what is refused, and what follows. */
#include "config/recipes.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>

#define TYPES                                                                                    \
	"types:\n  a: { memory_mib: 1000, idle_w: 50, busy_w: 250, price_hour: 2.5 }\n"          \
	"  b: {}\n"
#define RATE "    rate: { a: 12, b: 3 }\n"
#define ONE  TYPES "recipes:\n  x:\n" RATE

static struct lw_recipes recipes;

static int parse(const char *text, struct lw_error *err)
{
	return lw_recipes_parse("r", text, strlen(text), &recipes, err);
}

/* What follows of ONE with MORE below its recipe. */
static const struct {
	const char *more;
	int type;
	uint32_t gpus;
	enum lw_recipe_spread spread;
	double rate, slowdown;
} followed[] = {
	{ "", 0, 1, LW_RECIPE_NODE, 12, 1 },
	{ "", 1, 1, LW_RECIPE_NODE, 3, 4 },
	{ "", 1, 4, LW_RECIPE_ACROSS, 12, 4 },
	{ "", LW_RECIPE_NO_TYPE, 1, LW_RECIPE_NODE, 0, 0 },
	{ "", 2, 1, LW_RECIPE_NODE, 0, 0 },
	{ "    gpus: { 2: 1.5, 4: 2.5 }\n", 0, 1, LW_RECIPE_NODE, 12, 1 },
	{ "    gpus: { 2: 1.5, 4: 2.5 }\n", 0, 2, LW_RECIPE_NODE, 18, 1 },
	{ "    gpus: { 2: 1.5, 4: 2.5 }\n", 0, 3, LW_RECIPE_NODE, 24, 1 },
	{ "    gpus: { 2: 1.5, 4: 2 }\n", 0, 8, LW_RECIPE_NODE, 48, 1 },
	{ "    gpus: { 1: 1, 4: 2.5 }\n", 0, 2, LW_RECIPE_NODE, 18, 1 },
	{ "    spread: { domain: 0.8, across: 0.5 }\n", 0, 2, LW_RECIPE_DOMAIN, 19.2, 1 },
	{ "    spread: { domain: 0.8, across: 0.5 }\n", 0, 2, LW_RECIPE_ACROSS, 12, 1.6 },
	{ "    memory_mib: 1000\n", 0, 1, LW_RECIPE_NODE, 12, 1 },
	{ "    memory_mib: 1000.5\n", 0, 1, LW_RECIPE_NODE, 12, 0 },
	{ "    memory_mib: 1000.5\n", 1, 1, LW_RECIPE_NODE, 3, 4 },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(speeds_follow, LW_COUNT_OF(followed))
{
	struct lw_error err = { "" };
	const struct lw_recipe *x;
	char text[400];

	snprintf(text, sizeof(text), ONE "%s", followed[_i].more);
	ck_assert_msg(!parse(text, &err), "%s", err.text);
	x = lw_recipes_find(&recipes, "x");
	ck_assert_ptr_nonnull(x);
	ck_assert_double_eq_tol(
		lw_recipe_rate(x, followed[_i].type, followed[_i].gpus, followed[_i].spread),
		followed[_i].rate, 1e-9);
	ck_assert_double_eq_tol(
		lw_recipe_slowdown(&recipes, x, followed[_i].type, followed[_i].spread),
		followed[_i].slowdown, 1e-9);
	lw_recipes_fini(&recipes);
}

TEST(all_is_read)
{
	struct lw_error err = { "" };
	const struct lw_recipe *x;

	ck_assert_msg(!parse("recipes: {}\nreference: b\n" TYPES, &err), "%s", err.text);
	ck_assert_int_eq(recipes.reference, 1);
	ck_assert_ptr_null(lw_recipes_find(&recipes, "x"));
	lw_recipes_fini(&recipes);
	ck_assert_msg(!parse(ONE "    utilisation: 80\n    sm_activity: 40.25\n"
				 "    memory_bandwidth: 0\n    power_w: { b: 99.5 }\n",
			     &err),
		      "%s", err.text);
	x = &recipes.recipes[0];
	ck_assert_int_eq(lw_recipes_type(&recipes, "b"), 1);
	ck_assert_int_eq(lw_recipes_type(&recipes, "c"), LW_RECIPE_NO_TYPE);
	ck_assert_double_eq(recipes.types[0].price_hour, 2.5);
	ck_assert_double_eq(x->sm_activity, 40.25);
	ck_assert_double_eq(lw_recipe_power_w(&recipes, x, 0), 210);
	ck_assert_double_eq(lw_recipe_power_w(&recipes, x, 1), 99.5);
	ck_assert_double_eq(lw_recipe_power_w(&recipes, x, 2), 0);
	lw_recipes_fini(&recipes);
}

/* Text that is refused, with a word of the message. */
static const struct {
	const char *text, *says;
} refused[] = {
	{ "", "r:1: types: there are none" },
	{ "a", "r:1: wants one document" },
	{ "[a]", "r:1: wants one document" },
	{ "types: [a]\n", "r:1: types: wants keys below it" },
	{ "types: *a\n", "r:1: types: wants keys below it" },
	{ "types:\n\ta: {}\n", "r:2: not valid YAML" },
	{ "typs: {}\n", "r:1: typs: unknown key; there are reference" },
	{ TYPES TYPES, "r:4: types: given twice" },
	{ "types:\n  a: {}\n  a: {}\n", "r:3: types.a: given twice" },
	{ "types: { a: { watts: 3 } }\n", "types.a.watts: unknown key" },
	{ "types: { a: { memory_mib: 9 } }\nrecipes: { x: { rate: { a: 1 }, memory_mib: 10 } }\n",
	  "r:2: recipes.x: 10 MiB of memory are more than any type" },
	{ "types: { a: { idle_w: 3, idle_w: 4 } }\n", "types.a.idle_w: given twice" },
	{ "types: { a: { idle_w: -3 } }\n", "types.a.idle_w: wants a number from 0" },
	{ "types: { a: { idle_w: 1e3 } }\n", "wants a number" },
	{ "types: { a: { idle_w: nan } }\n", "wants a number" },
	{ "types: { a: { idle_w: 1. } }\n", "wants a number" },
	{ "types: { a: { idle_w: {} } }\n", "wants one word or number" },
	{ "types: { a: { idle_w: [1] } }\n", "wants one word or number" },
	{ "types: { [a]: {} }\n", "a key is a word" },
	{ "types: { \"a b\": {} }\n", "a key is a word" },
	{ "types: { 123456789012345678901234567890123456789012345678: {} }\n",
	  "a key is a word" },
	{ TYPES "reference: c\n", "r:4: reference: no such type" },
	{ TYPES "---\n" TYPES, "r:4: wants one document" },
	{ TYPES "recipes: { x: {} }\n", "r:4: recipes.x: no rate" },
	{ TYPES "recipes: { x: { rate: { b: 1 } } }\n", "recipes.x: no rate on a" },
	{ TYPES "recipes: { x: { rate: { c: 1 } } }\n", "recipes.x.rate.c: no such type" },
	{ TYPES "recipes: { x: { rate: { a: 1, a: 2 } } }\n", "recipes.x.rate.a: given twice" },
	{ TYPES "recipes: { x: { rate: { a: 1, b: 1, b: 2 } } }\n",
	  "recipes.x.rate.b: given twice" },
	{ ONE "    spread: { across: 0.5, across: 1 }\n", "spread.across: given twice" },
	{ ONE "    power_w: { a: 60, a: 70 }\n", "power_w.a: given twice" },
	{ ONE "    power_w: { b: 0 }\n", "r:7: recipes.x.power_w.b: wants a number from 0.000001" },
	{ ONE "    power_w: { a: 49 }\n",
	  "r:7: recipes.x.power_w.a: 49 W is below idle_w of that type, 50" },
	{ ONE "    gpus: { 1: 2, 4: 5 }\n", "r:7: recipes.x.gpus.1: wants a number from 1 to 1" },
	{ "types:\n  a: { idle_w: 50 }\n", "r:2: types.a: idle_w without busy_w; give both" },
	{ TYPES "recipes: { x: { rate: { a: 1 }, spread: { node: 1 }, rate: { a: 1 } } }\n",
	  "x.rate: given twice" },
	{ TYPES "recipes: { x: { rate: { a: 1 }, rate: { a: 1 } } }\n", "x.rate: given twice" },
	{ ONE "  x:\n" RATE, "r:7: recipes.x: given twice" },
	{ ONE "    utilisation: 101\n", "utilisation: wants a number from 0 to 100" },
	{ ONE "    spread: { node: 0 }\n", "spread.node: wants a number" },
	{ ONE "    spread: { rack: 1 }\n", "spread.rack: unknown key; there are node" },
	{ ONE "    gpus: { 0: 1 }\n", "gpus.0: is no number of GPUs" },
	{ ONE "    gpus: { 2: 1, 2: 1 }\n", "gpus.2: numbers of GPUs must rise" },
	{ ONE "    gpus: { 2: 0 }\n", "gpus.2: wants a number" },
	{ ONE "    speed: 1\n", "recipes.x.speed: unknown key; there are rate" },
};

TEST_EACH(mistakes_are_named, LW_COUNT_OF(refused))
{
	struct lw_error err = { "" };

	memset(&recipes, 0, sizeof(recipes));
	ck_assert_int_eq(parse(refused[_i].text, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "%s: \"%s\"", refused[_i].text,
		      err.text);
	ck_assert_ptr_null(recipes.recipes);
}

TEST(files_are_read)
{
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_recipes_read(scratch_path("none"), &recipes, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "none: No such file"));
	ck_assert_int_eq(lw_recipes_read(scratch_write("r", ONE), &recipes, &err), 0);
	ck_assert_uint_eq(recipes.count, 1);
	lw_recipes_fini(&recipes);
}

/* As shipped. */
TEST(gavels_are_read)
{
	const char *from = getenv("srcdir");
	struct lw_error err = { "" };
	char path[512];

	snprintf(path, sizeof(path), "%s/conf/recipes/gavel.yaml", from ? from : ".");
	ck_assert_msg(!lw_recipes_read(path, &recipes, &err), "%s", err.text);
	ck_assert_double_eq_tol(
		lw_recipe_slowdown(&recipes, lw_recipes_find(&recipes, "resnet-18-b64"),
				   lw_recipes_type(&recipes, "k80"), LW_RECIPE_NODE),
		24.0932 / 7.05208, 1e-4);
	lw_recipes_fini(&recipes);
}
