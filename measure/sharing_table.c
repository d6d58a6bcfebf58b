/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that share GPUs in leeway sim: the file lw-tenants(5), and what runs show of it. */
#include "base/grow.h"
#include "base/number.h"
#include "measure/rng.h"
#include "measure/sharing.h"
#include "share/known.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 8
/* Published tables have rates above ALONE: a measured one varies. None can be faster than alone. */
#define ALONE	  1000
#define RATE_MAX  2000

/* Where the reader is. */
struct place {
	const char *path;
	uint32_t line;
	uint32_t mem_line;   /* a line that said the memory, or 0 */
	uint32_t large_line; /* the line of the kind that uses the most, */
	uint32_t large_mib;  /* and so much */
	struct lw_error *err;
};

static int place_fail(const struct place *place, const char *what)
{
	return lw_error_set(place->err, -EINVAL, "%s:%u: %s", place->path, place->line, what);
}

static uint32_t split(char *line, char *words[WORDS_MAX])
{
	uint32_t count = 0;
	char *at = line;

	while (*(at += strspn(at, " \t\r")) && *at != '#' && count < WORDS_MAX) {
		words[count++] = at;
		at += strcspn(at, " \t\r");
		if (*at)
			*at++ = '\0';
	}
	return count;
}

/* "-": not known; else up to MOST, with at most one decimal, in tenths. */
static bool read_tenths(const char *word, uint32_t most, bool *ret_has, uint32_t *ret_tenths)
{
	uint64_t whole, tenth = 0;

	*ret_has = strcmp(word, "-") != 0;
	*ret_tenths = 0;
	if (!*ret_has)
		return true;
	if (!lw_number_take(&word, most, &whole))
		return false;
	if (*word == '.' && (word++, !lw_number_take(&word, 9, &tenth)))
		return false;
	*ret_tenths = (uint32_t)(10 * whole + tenth);
	return !*word && *ret_tenths <= 10 * most;
}

/* kind NUMBER UTILISATION SM MEMORY */
static int take_kind(struct place *place, char *words[], struct lw_sharing_table *table)
{
	struct lw_sharing_kind kind = { .number = 0 };
	uint64_t number, mem_mib = 0;

	if (!lw_number_read(words[1], INT32_MAX, &number))
		return place_fail(place, "the number of a kind is 0 to 2147483647");
	if (table->count && number <= table->kinds[table->count - 1].number)
		return place_fail(place, "kinds stand in the order of their numbers, each once");
	if (!read_tenths(words[2], 100, &kind.use.has_util, &kind.use.util) ||
	    !read_tenths(words[3], 100, &kind.use.has_sm, &kind.use.sm))
		return place_fail(place, "utilisation and SM activity are 0 to 100, or -");
	kind.use.has_mem = strcmp(words[4], "-") != 0;
	if (kind.use.has_mem && !lw_number_read(words[4], LW_SHARE_MIB_MAX, &mem_mib))
		return place_fail(place, "memory is 0 to 16777216 MiB, or -");
	if (mem_mib > place->large_mib) {
		place->large_mib = (uint32_t)mem_mib;
		place->large_line = place->line;
	}
	kind.number = (uint32_t)number;
	kind.use.mem_mib = (uint32_t)mem_mib;
	kind.known = kind.use;
	if (lw_grow((void **)&table->kinds, &table->room, table->count + 1,
		    sizeof(*table->kinds)))
		return lw_error_set(place->err, -ENOMEM, "out of memory");
	table->kinds[table->count++] = kind;
	return 0;
}

/* pair NUMBER NUMBER RATE RATE */
static int take_pair(const struct place *place, char *words[], struct lw_sharing_table *table)
{
	uint64_t number[2], rate[2];
	uint32_t was[2];

	for (int i = 0; i < 2; i++) {
		if (!lw_number_read(words[1 + i], INT32_MAX, &number[i]) ||
		    !lw_sharing_find(table, (uint32_t)number[i]))
			return place_fail(place, "a pair is of two kinds that stand before it");
		if (!lw_number_read(words[3 + i], RATE_MAX, &rate[i]))
			return place_fail(place, "rates are in thousandths of that alone");
		if (rate[i] > ALONE)
			rate[i] = ALONE;
	}
	if (!rate[0] != !rate[1])
		return place_fail(place, "one rate of a pair is 0: no job runs so slowly; 0 and 0, "
					 "if they do not fit");
	if (lw_share_pairs_find(&table->pairs, (uint32_t)number[0], (uint32_t)number[1], &was[0],
				&was[1]))
		return place_fail(place, "that pair stands before it, one way round or the other");
	if (lw_share_pairs_add(&table->pairs, (uint32_t)number[0], (uint32_t)number[1],
			       (uint32_t)rate[0], (uint32_t)rate[1]))
		return lw_error_set(place->err, -ENOMEM, "out of memory");
	return 0;
}

static int take_line(struct place *place, char *line, struct lw_sharing_table *table)
{
	char *words[WORDS_MAX];
	uint32_t count = split(line, words);
	uint64_t mem_mib;

	if (!count)
		return 0;
	if (count == 5 && strcmp(words[0], "kind") == 0)
		return take_kind(place, words, table);
	if (count == 5 && strcmp(words[0], "pair") == 0)
		return take_pair(place, words, table);
	if (count != 2 || strcmp(words[0], "memory") != 0)
		return place_fail(place, "not \"memory MIB\", \"kind NUMBER UTIL SM MIB\" or "
					 "\"pair NUMBER NUMBER RATE RATE\"");
	if (!lw_number_read(words[1], LW_SHARE_MIB_MAX, &mem_mib) || !mem_mib)
		return place_fail(place, "memory is in MiB, and not 0; leave the line out if it is "
					 "not known");
	if (place->mem_line)
		return place_fail(place, "memory stands before it");
	place->mem_line = place->line;
	table->mem_mib = (uint32_t)mem_mib;
	return 0;
}

/* A job alone on a GPU fits there. */
static int check_memory(const struct place *place, const struct lw_sharing_table *table)
{
	if (!place->mem_line || place->large_mib <= table->mem_mib)
		return 0;
	return lw_error_set(place->err, -EINVAL,
			    "%s:%u: a kind of %u MiB, and memory is %u MiB on line %u; correct one "
			    "of them",
			    place->path, place->large_line, place->large_mib, table->mem_mib,
			    place->mem_line);
}

int lw_sharing_read(const char *path, struct lw_sharing_table *ret_table, struct lw_error *err)
{
	struct lw_sharing_table table = { 0 };
	struct place place = { .path = path, .err = err };
	struct lw_lines lines;
	char *line;
	int rc = lw_lines_open(&lines, path, err);

	if (rc)
		return rc;
	while (!rc && (line = lw_lines_next(&lines)) != NULL) {
		place.line++;
		rc = take_line(&place, line, &table);
	}
	lw_lines_fini(&lines);
	if (!rc && !table.count)
		rc = lw_error_set(err, -EINVAL, "%s: no kind in it", path);
	if (!rc)
		rc = check_memory(&place, &table);
	if (rc) {
		lw_sharing_fini(&table);
		return rc;
	}
	*ret_table = table;
	return 0;
}

/* Percent that a recipe says, or 0, as thousandths. */
static bool of_recipe(double percent, uint32_t *ret_share)
{
	*ret_share = percent < 100 ? (uint32_t)(10 * percent + 0.5) : 1000;
	return percent > 0;
}

int lw_sharing_of_recipes(const struct lw_recipes *recipes, int type,
			  struct lw_sharing_table *ret_table)
{
	struct lw_sharing_table table = { .count = recipes->count, .room = recipes->count };
	double memory = type < 0 ? 0 : recipes->types[type].memory_mib;

	table.kinds = calloc((size_t)recipes->count + 1, sizeof(*table.kinds));
	if (!table.kinds)
		return -ENOMEM;
	table.mem_mib = memory < LW_SHARE_MIB_MAX ? (uint32_t)memory : LW_SHARE_MIB_MAX;
	for (uint32_t i = 0; i < recipes->count; i++) {
		const struct lw_recipe *recipe = &recipes->recipes[i];
		struct lw_share_use *use = &table.kinds[i].use;

		table.kinds[i].number = i;
		use->has_util = of_recipe(recipe->utilisation, &use->util);
		use->has_sm = of_recipe(recipe->sm_activity, &use->sm);
		use->has_mem = recipe->memory_mib > 0;
		use->mem_mib = recipe->memory_mib < LW_SHARE_MIB_MAX
				       ? (uint32_t)(recipe->memory_mib + 0.5)
				       : LW_SHARE_MIB_MAX;
		table.kinds[i].known = *use;
	}
	*ret_table = table;
	return 0;
}

void lw_sharing_fini(struct lw_sharing_table *table)
{
	lw_share_pairs_fini(&table->pairs);
	free(table->kinds);
	memset(table, 0, sizeof(*table));
}

/* Off by a share that is normal, as a reading of it was. */
static uint32_t seen_as(struct lw_rng *rng, uint32_t value, double noise, uint32_t most)
{
	double seen = value * (1 + noise * lw_rng_normal(rng));

	return seen < 0 ? 0 : seen > most ? most : (uint32_t)(seen + 0.5);
}

int lw_sharing_observe(struct lw_sharing_table *table, uint32_t runs, double noise, uint64_t seed)
{
	struct lw_rng rng;

	lw_rng_init(&rng, seed);
	for (uint32_t i = 0; i < table->count; i++) {
		struct lw_sharing_kind *kind = &table->kinds[i];
		const struct lw_share_key key = lw_share_key(0, 0, "", "");
		struct lw_share_known known = { 0 };
		struct lw_share_record record;
		int rc = 0;

		for (uint32_t run = 0; !rc && run < runs; run++) {
			struct lw_share_run one = { .use = kind->use, .end_s = 1 };

			one.use.util = seen_as(&rng, kind->use.util, noise, 1000);
			one.use.sm = seen_as(&rng, kind->use.sm, noise, 1000);
			/* what a job holds at its peak is the same each time */
			rc = lw_share_known_add(&known, &key, &one);
		}
		lw_share_known_find(&known, &key, INT64_MIN, &record);
		kind->known = record.use;
		lw_share_known_fini(&known);
		if (rc)
			return rc;
	}
	return 0;
}
