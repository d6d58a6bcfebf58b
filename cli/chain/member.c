/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: which jobs belong to a chain. */
#include "cli/chain/member.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/search.h"
#include "cli/chain/links.h"

/* ---- what a job waits for ---- */

/* Does TEXT begin with a kind of dependency on the end of a job? The ids are behind its ":". */
static const char *begin_of_ids(const char *text)
{
	static const char *const kinds[] = { "afterany:", "afterok:", "afternotok:",
					     "aftercorr:" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(text, kinds[i], strlen(kinds[i])) == 0)
			return text + strlen(kinds[i]);
	return NULL;
}

/* "12:13_4(unfulfilled)" up to the end of its part: add 12 and 13. */
static uint32_t take_ids(const char *text, uint32_t *ids, uint32_t count)
{
	uint64_t id;

	while (count < TOOLS_CHAIN_AFTER_MAX && lw_number_take(&text, UINT32_MAX - 1, &id)) {
		bool there = !id;

		for (uint32_t i = 0; i < count; i++)
			there |= ids[i] == id;
		if (!there)
			ids[count++] = (uint32_t)id;
		/* a task, a state */
		text += strcspn(text, ":,?");
		if (*text != ':')
			break;
		text++;
	}
	return count;
}

/* As a word of its own, perhaps with a state behind it. */
static bool is_singleton(const char *text)
{
	size_t len = strlen("singleton");

	return strncmp(text, "singleton", len) == 0 && strchr(",?( ", text[len]);
}

uint32_t lw_chain_after(const char *after, uint32_t ids[TOOLS_CHAIN_AFTER_MAX],
			bool *ret_singleton)
{
	uint32_t count = 0;

	*ret_singleton = false;
	while (after && *after) {
		const char *first = begin_of_ids(after);

		if (first)
			count = take_ids(first, ids, count);
		*ret_singleton |= is_singleton(after);
		after += strcspn(after, ",?");
		after += *after != '\0';
	}
	return count;
}

/* ---- the jobs of a chain ---- */

uint32_t lw_chain_group(const struct lw_chain_rows *rows, uint32_t base)
{
	uint32_t at;

	LW_SEARCH(at, rows->count, rows->rows[at].base < base);
	return at < rows->count && rows->rows[at].base == base ? at : rows->count;
}

/* What the row I waits for goes to IN; true if there is something new. */
static bool add_before(const struct lw_chain_rows *rows, uint32_t i, bool *in)
{
	uint32_t ids[TOOLS_CHAIN_AFTER_MAX];
	bool singleton, added = false;
	uint32_t count = lw_chain_after(rows->rows[i].after, ids, &singleton);

	for (uint32_t k = 0; k < count; k++) {
		uint32_t group = lw_chain_group(rows, ids[k]);

		if (group < rows->count && !in[group])
			in[group] = added = true;
	}
	return added;
}

/* Does the row I wait for a job in IN? */
static bool waits_for(const struct lw_chain_rows *rows, uint32_t i, const bool *in)
{
	uint32_t ids[TOOLS_CHAIN_AFTER_MAX];
	bool singleton, found = false;
	uint32_t count = lw_chain_after(rows->rows[i].after, ids, &singleton);

	for (uint32_t k = 0; k < count && !found; k++) {
		uint32_t group = lw_chain_group(rows, ids[k]);

		found = group < rows->count && in[group];
	}
	return found;
}

/* A job mostly waits for one with a lower number: one pass over the rows, and one that finds
 * none. */
static void close_before(const struct lw_chain_rows *rows, bool *in)
{
	bool again = true;

	while (again) {
		again = false;
		for (uint32_t i = rows->count; i-- > 0;)
			if (in[lw_chain_group(rows, rows->rows[i].base)])
				again |= add_before(rows, i, in);
	}
}

static void close_behind(const struct lw_chain_rows *rows, bool *in)
{
	bool again = true;

	while (again) {
		again = false;
		for (uint32_t i = 0; i < rows->count; i++) {
			uint32_t group = lw_chain_group(rows, rows->rows[i].base);

			if (in[group] || !waits_for(rows, i, in))
				continue;
			in[group] = again = true;
		}
	}
}

/* Jobs of the name of row TARGET, if one of them waits for all before. */
static void add_namesakes(const struct lw_chain_rows *rows, uint32_t target, bool *in)
{
	const char *name = rows->rows[target].name;
	bool one_by_one = false;

	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t ids[TOOLS_CHAIN_AFTER_MAX];
		bool singleton;

		if (strcmp(rows->rows[i].name, name) != 0)
			continue;
		lw_chain_after(rows->rows[i].after, ids, &singleton);
		one_by_one |= singleton;
	}
	for (uint32_t i = 0; one_by_one && i < rows->count; i++)
		if (strcmp(rows->rows[i].name, name) == 0)
			in[lw_chain_group(rows, rows->rows[i].base)] = true;
}

bool *lw_chain_members(const struct lw_chain_rows *rows, uint32_t target, uint32_t *ret_count)
{
	bool *before = calloc(2 * ((size_t)rows->count + 1), sizeof(*before));
	bool *behind = before ? before + rows->count + 1 : NULL;

	if (!before)
		return NULL;
	before[target] = behind[target] = true;
	add_namesakes(rows, target, before);
	close_before(rows, before);
	close_behind(rows, behind);
	*ret_count = 0;
	for (uint32_t i = 0; i < rows->count; i++) {
		before[i] |= behind[i];
		*ret_count += before[i];
	}
	return before;
}
