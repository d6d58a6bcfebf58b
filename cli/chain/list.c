/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show without a job: the user's own chains, the longest idle first. */
#include "cli/chain/links.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/grow.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

struct chains {
	struct lw_chain_seen *items;
	uint32_t count, room;
};

static void chains_fini(struct chains *chains)
{
	for (uint32_t i = 0; i < chains->count; i++)
		lw_chain_seen_fini(&chains->items[i]);
	free(chains->items);
}

/* Is the job of ROWS->rows[I] a link of one that was found already? */
static bool is_told(const struct chains *chains, uint32_t base)
{
	for (uint32_t i = 0; i < chains->count; i++)
		for (uint32_t k = 0; k < chains->items[i].count; k++)
			if (chains->items[i].links[k].base == base)
				return true;
	return false;
}

/* Only a job that waited for another, or ran one by one, leads to a chain. */
static bool may_follow(const struct lw_chain_rows *rows, uint32_t i)
{
	const struct lw_chain_row *row = &rows->rows[i];

	return *row->after || row->one_by_one || (i && row[-1].base == row->base);
}

static int add_chain(struct chains *chains, const struct lw_chain_rows *rows, uint32_t base,
		     int64_t now_s)
{
	struct lw_chain_seen chain = { 0 };
	int rc = lw_chain_find(rows, base, now_s, &chain);

	if (!rc && chain.count > 1)
		rc = lw_grow((void **)&chains->items, &chains->room, chains->count + 1,
			     sizeof(*chains->items));
	if (rc || chain.count < 2)
		lw_chain_seen_fini(&chain);
	else
		chains->items[chains->count++] = chain;
	return rc;
}

/* The longest time without a running link first; then by the number of the first link. */
static int compare_chains(const void *a, const void *b)
{
	const struct lw_chain_seen *one = a, *other = b;

	if (one->total_s != other->total_s)
		return one->total_s > other->total_s ? -1 : 1;
	return (one->links[0].base > other->links[0].base) -
	       (one->links[0].base < other->links[0].base);
}

static int find_all(const struct lw_chain_rows *rows, int64_t now_s, struct chains *chains,
		    struct lw_error *err)
{
	for (uint32_t i = 0; i < rows->count; i++)
		if (may_follow(rows, i) && !is_told(chains, rows->rows[i].base) &&
		    add_chain(chains, rows, rows->rows[i].base, now_s))
			return lw_error_set(err, -ENOMEM, "out of memory");
	if (chains->count)
		qsort(chains->items, chains->count, sizeof(*chains->items), compare_chains);
	return 0;
}

static void print_chain(const struct lw_chain_seen *chain)
{
	char total[32], longest[32];

	lw_duration_print(chain->total_s, total, sizeof(total));
	lw_duration_print(chain->longest_s, longest, sizeof(longest));
	printf("%-12s %-20.20s %5" PRIu32 " %11s %11s  %s\n", lw_tools_plain(chain->links[0].id),
	       lw_tools_plain(chain->name), chain->count, chain->interruptions ? total : "-",
	       chain->interruptions ? longest : "-",
	       chain->next ? lw_tools_plain(chain->next->id) : "-");
}

static void print_text(const struct chains *chains, const char *missing)
{
	if (chains->count)
		printf("%-12s %-20s %5s %11s %11s  %s\n", "first job", "name", "links",
		       "stood still", "longest", "next");
	else
		printf("no chain\n");
	for (uint32_t i = 0; i < chains->count; i++)
		print_chain(&chains->items[i]);
	if (missing)
		printf("Accounting told nothing (%s): chains that Slurm has forgotten are not "
		       "shown.\n",
		       lw_tools_plain(missing));
}

static json_t *make_chain(const struct lw_chain_seen *chain)
{
	return json_pack("{s:o, s:o, s:I, s:{s:I, s:I, s:I}, s:o}", "job",
			 lw_output_string(chain->links[0].id), "name",
			 lw_output_string(chain->name), "links", (json_int_t)chain->count,
			 "interruptions", "count", (json_int_t)chain->interruptions, "total_s",
			 (json_int_t)chain->total_s, "longest_s", (json_int_t)chain->longest_s,
			 "next",
			 chain->next ? lw_output_string(chain->next->id) : json_null());
}

static int print_json(const char *path, const char *user, const struct chains *chains,
		      const char *missing, struct lw_error *err)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < chains->count; i++)
		json_array_append_new(list, make_chain(&chains->items[i]));
	return lw_output_json(
		path,
		lw_json_named("leeway.chain.list",
			      json_pack("{s:o, s:o, s:o}", "user", lw_output_string(user),
					"accounting_error",
					missing ? lw_output_string(missing) : json_null(),
					"chains", list)),
		err);
}

int lw_chain_list(const struct lw_chain_request *request, struct lw_error *err)
{
	int64_t now_s = request->now_s ? request->now_s : (int64_t)time(NULL);
	const char *user = lw_tools_user_name(geteuid());
	struct lw_chain_rows rows = { 0 };
	struct chains chains = { 0 };
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = lw_chain_read_user(user, now_s - request->since_s, &rows, err);
	if (!rc)
		rc = find_all(&rows, now_s, &chains, err);
	if (!rc && request->json)
		rc = print_json(request->json, user, &chains, rows.missing, err);
	else if (!rc)
		print_text(&chains, rows.missing);
	chains_fini(&chains);
	lw_chain_rows_fini(&rows);
	return rc;
}
