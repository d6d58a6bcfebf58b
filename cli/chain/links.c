/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: the links of a chain, and the time between them. */
#include "cli/chain/links.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/chain/member.h"

/* ---- links out of rows ---- */

static int add_link(struct lw_chain_seen *chain, const struct lw_chain_row *row,
		    struct lw_chain_link **ret_link)
{
	struct lw_chain_link *link;

	if (lw_grow((void **)&chain->links, &chain->room, chain->count + 1,
		    sizeof(*chain->links)))
		return -ENOMEM;
	link = &chain->links[chain->count++];
	*link = (struct lw_chain_link){
		.base = row->base,
		.id = row->id,
		.run = 1,
		.state = row->state,
		.reason = row->reason,
		.phase = row->phase,
		.submit_s = row->submit_s,
		.start_s = row->start_s,
		.end_s = row->end_s,
		.limit_s = row->limit_s,
		.latest_s = row->latest_s,
		.interruption_s = TOOLS_CHAIN_NONE,
	};
	link->after_count = lw_chain_after(row->after, link->after, &link->singleton);
	*ret_link = link;
	return 0;
}

static int64_t later_end(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? TOOLS_CHAIN_NONE : a > b ? a : b;
}

/* Make ROW a part of LINK: it begins with the first of its parts, and ends with the last. */
static void join_row(struct lw_chain_link *link, const struct lw_chain_row *row)
{
	bool begun = link->phase != TOOLS_CHAIN_WAITS;

	if (row->phase == TOOLS_CHAIN_WAITS && begun) {
		if (link->phase == TOOLS_CHAIN_ENDED)
			link->state = row->state;
		link->end_s = TOOLS_CHAIN_NONE;
		link->phase = TOOLS_CHAIN_RUNS;
		return;
	}
	if (link->phase == TOOLS_CHAIN_ENDED) {
		link->phase = row->phase;
		link->state = row->state;
	}
	if (!begun || link->start_s < 0 || (row->start_s >= 0 && row->start_s < link->start_s))
		link->start_s = row->start_s;
	link->end_s = later_end(link->end_s, row->end_s);
	link->limit_s = row->limit_s > link->limit_s ? row->limit_s : link->limit_s;
}

static bool is_part(const struct lw_chain_row *row)
{
	return row->id[strcspn(row->id, "_+")] != '\0';
}

/* The rows of one job, from FIRST on to END: a link each, or one of all if these are PARTS. */
static int add_group(struct lw_chain_seen *chain, const struct lw_chain_row *first,
		     const struct lw_chain_row *end, bool apart)
{
	struct lw_chain_link *link = NULL;

	for (const struct lw_chain_row *row = first; row < end; row++) {
		uint32_t runs = link ? link->run : 0;

		if (link && is_part(row) && !apart) {
			join_row(link, row);
			continue;
		}
		if (add_link(chain, row, &link))
			return -ENOMEM;
		link->run = apart ? 1 : runs + 1;
		if (is_part(row) && !apart) {
			snprintf(link->digits, sizeof(link->digits), "%" PRIu32, row->base);
			link->id = NULL;
		}
	}
	return 0;
}

/* A predecessor that is not known: hidden, or longer ago than was asked for. */
static int add_unknown(struct lw_chain_seen *chain, uint32_t base)
{
	struct lw_chain_link *link;
	struct lw_chain_row row = { .base = base,
				    .state = NULL,
				    .after = NULL,
				    .phase = TOOLS_CHAIN_ENDED,
				    .submit_s = TOOLS_CHAIN_NONE,
				    .start_s = TOOLS_CHAIN_NONE,
				    .end_s = TOOLS_CHAIN_NONE,
				    .limit_s = TOOLS_CHAIN_NONE,
				    .latest_s = TOOLS_CHAIN_NONE };

	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->links[i].base == base)
			return 0;
	if (add_link(chain, &row, &link))
		return -ENOMEM;
	snprintf(link->digits, sizeof(link->digits), "%" PRIu32, base);
	link->run = 0;
	link->state = "UNKNOWN";
	link->reason = "";
	return 0;
}

static int add_all_unknown(struct lw_chain_seen *chain)
{
	uint32_t count = chain->count;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < count; i++)
		for (uint32_t k = 0; !rc && k < chain->links[i].after_count; k++)
			rc = add_unknown(chain, chain->links[i].after[k]);
	return rc;
}

/* ---- their order ---- */

/* When a link has begun, or ended without a start; waiting links come behind all others. */
static int64_t place_s(const struct lw_chain_link *link)
{
	if (link->phase == TOOLS_CHAIN_WAITS)
		return INT64_MAX;
	return link->start_s >= 0 ? link->start_s : link->end_s;
}

static int compare_links(const void *left, const void *right)
{
	const struct lw_chain_link *a = left, *b = right;

	if (place_s(a) != place_s(b))
		return place_s(a) < place_s(b) ? -1 : 1;
	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s ? -1 : 1;
	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	return strcmp(a->id ? a->id : a->digits, b->id ? b->id : b->digits);
}

/* ---- interruptions ---- */

/* The end of the last run of job BASE before the link AT, *RET_KNOWN if there is one. */
static int64_t end_of(const struct lw_chain_seen *chain, uint32_t base, uint32_t at,
		      bool *ret_known)
{
	for (uint32_t i = at; i-- > 0;)
		if (chain->links[i].base == base && chain->links[i].run) {
			*ret_known = true;
			return chain->links[i].end_s;
		}
	return TOOLS_CHAIN_NONE;
}

/* When all that the link AT waited for had ended, or TOOLS_CHAIN_NONE. */
static int64_t ready_s(const struct lw_chain_seen *chain, uint32_t at, bool in_turn)
{
	const struct lw_chain_link *link = &chain->links[at];
	int64_t ready = TOOLS_CHAIN_NONE;
	bool known = false;

	if (link->run > 1)
		return end_of(chain, link->base, at, &known);
	if (in_turn || (link->singleton && !link->after_count))
		return at && chain->links[at - 1].run ? chain->links[at - 1].end_s
						      : TOOLS_CHAIN_NONE;
	for (uint32_t k = 0; k < link->after_count; k++) {
		bool told = false;
		int64_t end_s = end_of(chain, link->after[k], at, &told);

		if (told && end_s < 0)
			return TOOLS_CHAIN_NONE;
		if (told && end_s > ready)
			ready = end_s;
	}
	return ready;
}

static void measure_link(struct lw_chain_seen *chain, uint32_t at, bool in_turn, int64_t now_s)
{
	struct lw_chain_link *link = &chain->links[at];
	bool waits = link->phase == TOOLS_CHAIN_WAITS;
	int64_t ready = ready_s(chain, at, in_turn), to_s = waits ? now_s : link->start_s;

	if (ready < 0 || to_s < 0 || strcmp(link->reason, "DependencyNeverSatisfied") == 0)
		return;
	link->interruption_s = to_s > ready ? to_s - ready : 0;
	if (waits)
		return;
	chain->interruptions++;
	chain->total_s += link->interruption_s;
	if (link->interruption_s > chain->longest_s)
		chain->longest_s = link->interruption_s;
}

/* ---- the chain ---- */

static void finish_links(struct lw_chain_seen *chain, bool in_turn, int64_t now_s)
{
	qsort(chain->links, chain->count, sizeof(*chain->links), compare_links);
	for (uint32_t i = 0; i < chain->count; i++) {
		struct lw_chain_link *link = &chain->links[i];

		if (!link->id)
			link->id = link->digits;
		measure_link(chain, i, in_turn, now_s);
		if (!chain->next && link->phase == TOOLS_CHAIN_WAITS)
			chain->next = link;
	}
}

int lw_chain_find(const struct lw_chain_rows *rows, uint32_t base, int64_t now_s,
		  struct lw_chain_seen *chain)
{
	uint32_t target = lw_chain_group(rows, base), count = 0;
	bool *in = lw_chain_members(rows, target, &count);
	bool in_turn = in && count == 1 && rows->rows[target].one_by_one;
	int rc = in ? 0 : -ENOMEM;

	memset(chain, 0, sizeof(*chain));
	for (uint32_t i = 0, end; !rc && i < rows->count; i = end) {
		for (end = i; end < rows->count && rows->rows[end].base == rows->rows[i].base;)
			end++;
		if (in[i])
			rc = add_group(chain, rows->rows + i, rows->rows + end, in_turn);
	}
	free(in);
	if (!rc)
		rc = add_all_unknown(chain);
	if (rc)
		return rc;
	chain->user = rows->rows[target].user;
	chain->name = rows->rows[target].name;
	finish_links(chain, in_turn, now_s);
	return 0;
}

void lw_chain_seen_fini(struct lw_chain_seen *chain)
{
	free(chain->links);
	memset(chain, 0, sizeof(*chain));
}
