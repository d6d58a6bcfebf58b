/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a file of recipes from bytes to struct lw_recipes, by libyaml's events. */

/*
 * Mappings of mappings, at most four deep, each level read by a function of its own: nothing in
 * the file can make this recurse. Aliases, lists and further documents are refused.
 */
#include "config/recipes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/grow.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/spell.h"
#include "config/decimal.h"
#include "config/yamlline.h"

#define PATH_BYTES 200
#define LEAST      0.000001
/* Caches make two GPUs more than twice as fast as one, but never four times. */
#define SPEEDUP_MOST 2
#define MOST       1e9
#define GPUS_MOST  100000

struct reading {
	yaml_parser_t parser;
	const char *name;
	const char *text;
	size_t size;
	struct lw_recipes *recipes;
	struct lw_error *err;
	char reference[LW_RECIPE_NAME_MAX];
	unsigned reference_line;
	unsigned seen; /* of the mapping at work: its fields, or types, so far */
};

/* One "key: value" at work, of which the value is still to come. */
struct pair {
	const char *key;
	unsigned line;
	const char *path; /* for messages: "recipes.resnet.rate" */
};

typedef int (*pair_f)(struct reading *r, const struct pair *pair, void *arg);

static int recipes_fail(struct reading *r, const struct pair *pair, const char *what)
{
	return lw_error_set(r->err, -EINVAL, "%s:%u: %s: %s", r->name, pair->line, pair->path,
			    what);
}

static int recipes_no_memory(struct reading *r)
{
	return lw_error_set(r->err, -ENOMEM, "%s: out of memory", r->name);
}

static int recipes_read_next_event(struct reading *r, yaml_event_t *ret_event)
{
	const char *problem;

	if (yaml_parser_parse(&r->parser, ret_event))
		return 0;
	if (r->parser.error == YAML_MEMORY_ERROR)
		return recipes_no_memory(r);
	problem = r->parser.problem ? r->parser.problem : "not YAML";
	return lw_error_set(r->err, -EINVAL, "%s:%u: not valid YAML: %s", r->name,
			    lw_yaml_error_line(&r->parser, r->text, r->size), problem);
}

/* A word of TEXT in RET of SIZE bytes. False: it is empty, too long or not of one piece. */
static bool recipes_read_take_word(const yaml_event_t *event, char *ret, size_t size)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;

	if (!len || len >= size || strlen(text) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] >= 0x7f)
			return false;
	memcpy(ret, text, len + 1);
	return true;
}

/* The pair with the key in EVENT, below PATH. */
static int recipes_read_read_pair(struct reading *r, const yaml_event_t *event, const char *path,
				  pair_f take, void *arg)
{
	char key[LW_RECIPE_NAME_MAX], below[PATH_BYTES];
	struct pair pair = { key, (unsigned)event->start_mark.line + 1, below };

	snprintf(key, sizeof(key), "?");
	snprintf(below, sizeof(below), "%s", *path ? path : "recipes");
	if (event->type != YAML_SCALAR_EVENT || !recipes_read_take_word(event, key, sizeof(key)))
		return recipes_fail(r, &pair, "a key is a word of 1 to 47 characters");
	snprintf(below, sizeof(below), "%s%s%s", path, *path ? "." : "", key);
	return take(r, &pair, arg);
}

/* The pairs of a mapping that has begun, up to its end. */
static int read_pairs(struct reading *r, const char *path, pair_f take, void *arg)
{
	bool at_end = false;
	int rc = 0;

	while (!rc && !at_end) {
		yaml_event_t event;

		rc = recipes_read_next_event(r, &event);
		if (rc)
			break;
		at_end = event.type == YAML_MAPPING_END_EVENT;
		if (!at_end)
			rc = recipes_read_read_pair(r, &event, path, take, arg);
		yaml_event_delete(&event);
	}
	return rc;
}

/* The value of PAIR, which is a mapping. */
static int read_below(struct reading *r, const struct pair *pair, pair_f take, void *arg)
{
	const unsigned seen = r->seen;
	yaml_event_t event;
	bool mapping;
	int rc = recipes_read_next_event(r, &event);

	if (rc)
		return rc;
	mapping = event.type == YAML_MAPPING_START_EVENT;
	yaml_event_delete(&event);
	if (!mapping)
		return recipes_fail(r, pair, "wants keys below it, not a value or list");
	r->seen = 0;
	rc = read_pairs(r, pair->path, take, arg);
	r->seen = seen;
	return rc;
}

/* The value of PAIR, which is a word, to RET of SIZE bytes. */
static int recipes_read_read_word(struct reading *r, const struct pair *pair, char *ret,
				  size_t size)
{
	yaml_event_t event;
	int rc = recipes_read_next_event(r, &event);
	bool is_word;

	if (rc)
		return rc;
	is_word = event.type == YAML_SCALAR_EVENT && recipes_read_take_word(&event, ret, size);
	yaml_event_delete(&event);
	return is_word ? 0 : recipes_fail(r, pair, "wants one word or number");
}

/* The number of PAIR, of LEAST to MOST. */
static int recipes_read_read_number(struct reading *r, const struct pair *pair, double least,
				    double most, double *ret_value)
{
	char text[LW_RECIPE_NAME_MAX], what[LW_DECIMAL_WANTED];
	double value = 0;
	int rc = recipes_read_read_word(r, pair, text, sizeof(text));

	if (rc)
		return rc;
	if (lw_decimal_read(text, MOST, &value) && value >= least && value <= most) {
		*ret_value = value;
		return 0;
	}
	lw_decimal_wanted(text, least, most, what, sizeof(what));
	return recipes_fail(r, pair, what);
}

/* Was field NUMBER of the mapping at work there before? */
static int recipes_seen_twice(struct reading *r, const struct pair *pair, unsigned number)
{
	if (r->seen >> number & 1)
		return recipes_fail(r, pair, "given twice; keep one");
	r->seen |= 1u << number;
	return 0;
}

static int recipes_unknown(struct reading *r, const struct pair *pair, const char *there_are)
{
	char what[160];

	snprintf(what, sizeof(what), "unknown key; there are %s", there_are);
	return recipes_fail(r, pair, what);
}

static int recipes_take_type_field(struct reading *r, const struct pair *pair, void *arg)
{
	struct lw_recipe_type *type = arg;
	double *const fields[] = { &type->memory_mib, &type->idle_w, &type->busy_w,
				   &type->price_hour };
	static const char *const names[] = { "memory_mib", "idle_w", "busy_w", "price_hour" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(pair->key, names[i]) != 0)
			continue;
		return recipes_seen_twice(r, pair, i)
			       ? -EINVAL
			       : recipes_read_read_number(r, pair, 0, MOST, fields[i]);
	}
	return recipes_unknown(r, pair, "memory_mib, idle_w, busy_w and price_hour");
}

static int recipes_read_take_type(struct reading *r, const struct pair *pair, void *arg)
{
	struct lw_recipes *recipes = r->recipes;
	struct lw_recipe_type *type = &recipes->types[recipes->type_count];
	char what[80];
	int rc;

	(void)arg;
	if (lw_recipes_type(recipes, pair->key) >= 0)
		return recipes_fail(r, pair, "given twice; keep one");
	if (recipes->type_count == LW_RECIPE_TYPES_MAX)
		return recipes_fail(r, pair, "more than 16 types; leave some out");
	snprintf(type->name, sizeof(type->name), "%s", pair->key);
	recipes->type_count++;
	rc = read_below(r, pair, recipes_take_type_field, type);
	if (rc)
		return rc;
	if (type->idle_w > 0 && !(type->busy_w > 0))
		return recipes_fail(r, pair, "idle_w without busy_w; give both");
	if (type->idle_w <= type->busy_w)
		return 0;
	snprintf(what, sizeof(what), "idle_w %.10g is above busy_w %.10g", type->idle_w,
		 type->busy_w);
	return recipes_fail(r, pair, what);
}

/* "v100: 12.5" into an array by type. */
static int recipes_take_by_type(struct reading *r, const struct pair *pair, double least,
				double *by_type)
{
	int type = lw_recipes_type(r->recipes, pair->key);

	if (type < 0)
		return recipes_fail(r, pair,
				    "no such type; add it under types, which come first");
	if (recipes_seen_twice(r, pair, (unsigned)type))
		return -EINVAL;
	return recipes_read_read_number(r, pair, least, MOST, &by_type[type]);
}

/* Where it does not run a type is left out. */
static int recipes_take_rate(struct reading *r, const struct pair *pair, void *arg)
{
	return recipes_take_by_type(r, pair, LEAST, arg);
}

static int recipes_take_power(struct reading *r, const struct pair *pair, void *arg)
{
	double *by_type = arg;
	int rc = recipes_take_by_type(r, pair, LEAST, by_type), type;
	char what[80];

	if (rc)
		return rc;
	type = lw_recipes_type(r->recipes, pair->key);
	if (by_type[type] >= r->recipes->types[type].idle_w)
		return 0;
	snprintf(what, sizeof(what), "%.10g W is below idle_w of that type, %.10g", by_type[type],
		 r->recipes->types[type].idle_w);
	return recipes_fail(r, pair, what);
}

static int recipes_take_step(struct reading *r, const struct pair *pair, void *arg)
{
	struct lw_recipe *recipe = arg;
	uint32_t step = recipe->step_count;
	uint64_t gpus;

	if (!lw_number_read(pair->key, GPUS_MOST, &gpus) || !gpus)
		return recipes_fail(r, pair, "is no number of GPUs");
	if (step && gpus <= recipe->gpus[step - 1])
		return recipes_fail(r, pair, "numbers of GPUs must rise");
	if (step == LW_RECIPE_STEPS_MAX)
		return recipes_fail(r, pair, "more than 16 numbers of GPUs; leave some out");
	recipe->gpus[step] = (uint32_t)gpus;
	recipe->step_count++;
	/* rates are those of one */
	return recipes_read_read_number(r, pair, gpus == 1 ? 1 : LEAST,
					gpus == 1 ? 1 : (double)(SPEEDUP_MOST * gpus),
					&recipe->speedup[step]);
}

static int recipes_take_spread(struct reading *r, const struct pair *pair, void *arg)
{
	static const char *const names[] = { "node", "domain", "across" };
	double *spread = arg;

	for (unsigned i = 0; i < LW_RECIPE_SPREADS; i++) {
		if (strcmp(pair->key, names[i]) != 0)
			continue;
		return recipes_seen_twice(r, pair, i)
			       ? -EINVAL
			       : recipes_read_read_number(r, pair, LEAST, 1, &spread[i]);
	}
	return recipes_unknown(r, pair, "node, domain and across");
}

/* The number that a key of a recipe stands for, and the most it may be; NULL: none. */
static double *recipes_read_number_of(struct lw_recipe *recipe, const char *key, double *ret_most)
{
	*ret_most = 100;
	if (strcmp(key, "utilisation") == 0)
		return &recipe->utilisation;
	if (strcmp(key, "sm_activity") == 0)
		return &recipe->sm_activity;
	if (strcmp(key, "memory_bandwidth") == 0)
		return &recipe->memory_bandwidth;
	*ret_most = MOST;
	return strcmp(key, "memory_mib") == 0 ? &recipe->memory_mib : NULL;
}

static int recipes_take_recipe_field(struct reading *r, const struct pair *pair, void *arg)
{
	static const char *const names[] = {
		"rate",        "power_w",     "gpus",       "spread",
		"utilisation", "sm_activity", "memory_mib", "memory_bandwidth",
	};
	struct lw_recipe *recipe = arg;
	unsigned field = 0;
	double most, *number;

	while (field < sizeof(names) / sizeof(names[0]) && strcmp(pair->key, names[field]) != 0)
		field++;
	if (field == sizeof(names) / sizeof(names[0]))
		return recipes_unknown(r, pair,
				       "rate, power_w, gpus, spread, utilisation, sm_activity, "
				       "memory_mib and memory_bandwidth");
	if (recipes_seen_twice(r, pair, field))
		return -EINVAL;
	number = recipes_read_number_of(recipe, pair->key, &most);
	if (number)
		return recipes_read_read_number(r, pair, 0, most, number);
	switch (field) {
	case 0:
		return read_below(r, pair, recipes_take_rate, recipe->rate);
	case 1:
		return read_below(r, pair, recipes_take_power, recipe->power_w);
	case 2:
		return read_below(r, pair, recipes_take_step, recipe);
	default:
		return read_below(r, pair, recipes_take_spread, recipe->spread);
	}
}

static int recipes_take_recipe(struct reading *r, const struct pair *pair, void *arg)
{
	struct lw_recipe recipe = { .line = pair->line, .spread = { 1, 1, 1 } };
	struct lw_recipes *recipes = r->recipes;
	bool runs = false;
	int rc;

	(void)arg;
	if (lw_recipes_find(recipes, pair->key))
		return recipes_fail(r, pair, "given twice; keep one");
	if (recipes->count == LW_RECIPES_MAX)
		return recipes_fail(r, pair, "more than 4096 recipes; leave some out");
	snprintf(recipe.name, sizeof(recipe.name), "%s", pair->key);
	rc = read_below(r, pair, recipes_take_recipe_field, &recipe);
	for (uint32_t i = 0; i < recipes->type_count; i++)
		runs = runs || recipe.rate[i] > 0;
	if (!rc && !runs)
		rc = recipes_fail(r, pair, "no rate; say how fast it is on a type at least");
	if (rc)
		return rc;
	if (lw_grow((void **)&recipes->recipes, &recipes->room, recipes->count + 1,
		    sizeof(recipe)))
		return recipes_no_memory(r);
	recipes->recipes[recipes->count++] = recipe;
	return 0;
}

static int recipes_take_section(struct reading *r, const struct pair *pair, void *arg)
{
	unsigned *sections = arg, bit;

	bit = strcmp(pair->key, "reference") == 0 ? 1
	      : strcmp(pair->key, "types") == 0   ? 2
	      : strcmp(pair->key, "recipes") == 0 ? 4
						  : 0;
	if (!bit)
		return recipes_unknown(r, pair, "reference, types and recipes");
	if (*sections & bit)
		return recipes_fail(r, pair, "given twice; keep one");
	*sections |= bit;
	if (bit == 1) {
		r->reference_line = pair->line;
		return recipes_read_read_word(r, pair, r->reference, sizeof(r->reference));
	}
	return read_below(r, pair, bit == 2 ? recipes_read_take_type : recipes_take_recipe, NULL);
}

/* Does each recipe run somewhere? One without is a slip of the unit, more often than not. */
static int recipes_settle_room(struct reading *r)
{
	const struct lw_recipes *recipes = r->recipes;

	for (uint32_t i = 0; i < recipes->count; i++) {
		const struct lw_recipe *recipe = &recipes->recipes[i];
		uint32_t type = 0;

		while (type < recipes->type_count &&
		       !(lw_recipe_slowdown(recipes, recipe, (int)type, LW_RECIPE_NODE) > 0))
			type++;
		if (type == recipes->type_count)
			return lw_error_set(r->err, -EINVAL,
					    "%s:%u: recipes.%s: %.0f MiB of memory are more than "
					    "any type of its rates has; correct memory_mib",
					    r->name, recipe->line, recipe->name,
					    recipe->memory_mib);
	}
	return 0;
}

/* Only now it is known which types there are; without a word the first is the reference. */
static int recipes_settle_reference(struct reading *r)
{
	struct lw_recipes *recipes = r->recipes;
	struct pair pair = { "reference", r->reference_line, "reference" };

	if (!recipes->type_count)
		return lw_error_set(r->err, -EINVAL, "%s:1: types: there are none; list them",
				    r->name);
	recipes->reference = 0;
	if (*r->reference)
		recipes->reference = lw_recipes_type(recipes, r->reference);
	if (recipes->reference < 0)
		return recipes_fail(r, &pair, "no such type; name one of types");
	for (uint32_t i = 0; i < recipes->count; i++)
		if (!(recipes->recipes[i].rate[recipes->reference] > 0))
			return lw_error_set(r->err, -EINVAL,
					    "%s:%u: recipes.%s: no rate on %s, which is the "
					    "reference; add it",
					    r->name, recipes->recipes[i].line,
					    recipes->recipes[i].name,
					    recipes->types[recipes->reference].name);
	return recipes_settle_room(r);
}

static int read_document(struct reading *r)
{
	unsigned documents = 0, sections = 0;
	bool end = false;
	int rc = 0;

	while (!rc && !end) {
		yaml_event_t event;

		rc = recipes_read_next_event(r, &event);
		if (rc)
			break;
		end = event.type == YAML_STREAM_END_EVENT;
		if (event.type == YAML_MAPPING_START_EVENT)
			rc = read_pairs(r, "", recipes_take_section, &sections);
		else if ((event.type == YAML_DOCUMENT_START_EVENT && documents++) ||
			 event.type == YAML_SCALAR_EVENT || event.type == YAML_ALIAS_EVENT ||
			 event.type == YAML_SEQUENCE_START_EVENT)
			rc = lw_error_set(r->err, -EINVAL,
					  "%s:%u: wants one document with types and recipes",
					  r->name, (unsigned)event.start_mark.line + 1);
		yaml_event_delete(&event);
	}
	return rc ? rc : recipes_settle_reference(r);
}

int lw_recipes_parse(const char *name, const char *text, size_t size,
		     struct lw_recipes *ret_recipes, struct lw_error *err)
{
	struct lw_recipes recipes = { .reference = LW_RECIPE_NO_TYPE };
	struct reading r = {
		.name = name, .text = text, .size = size, .recipes = &recipes, .err = err
	};
	int rc;

	if (size > LW_RECIPES_BYTES_MAX)
		return lw_error_set(err, -EFBIG, "%s: larger than %u bytes", name,
				    LW_RECIPES_BYTES_MAX);
	if (!yaml_parser_initialize(&r.parser))
		return recipes_no_memory(&r);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
	rc = read_document(&r);
	yaml_parser_delete(&r.parser);
	if (rc)
		lw_recipes_fini(&recipes);
	else
		*ret_recipes = recipes;
	return rc;
}
