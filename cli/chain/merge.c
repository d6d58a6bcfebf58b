/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: one row of what squeue and sacct told of the same run. */
#include "cli/chain/rows.h"

#include <stdlib.h>
#include <string.h>

/* What is not known comes last: it is yet to come. */
static int compare_times(int64_t a, int64_t b)
{
	if (a == b)
		return 0;
	if (a < 0 || b < 0)
		return a < 0 ? 1 : -1;
	return a < b ? -1 : 1;
}

/* The start of one that waits is none. */
static int64_t started_s(const struct lw_chain_row *row)
{
	return row->phase == TOOLS_CHAIN_WAITS ? TOOLS_CHAIN_NONE : row->start_s;
}

/* Rows that are alike in all of this tell the same. */
static int compare_rows(const void *left, const void *right)
{
	const struct lw_chain_row *a = left, *b = right;
	int order;

	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	order = compare_times(started_s(a), started_s(b));
	order = order ? order : compare_times(a->submit_s, b->submit_s);
	order = order ? order : strcmp(a->id, b->id);
	order = order ? order : compare_times(a->end_s, b->end_s);
	order = order ? order : (int)a->queued - (int)b->queued;
	return order ? order : strcmp(a->state, b->state);
}

/* Is it what waits of an array, of which the list of tasks may have changed in between? */
static bool is_rest(const struct lw_chain_row *row)
{
	return strchr(row->id, '[') != NULL;
}

/* Have both rows the same job, and could be the same run? */
static bool is_same_run(const struct lw_chain_row *told, const struct lw_chain_row *queued)
{
	if (told->base != queued->base)
		return false;
	if (is_rest(told) || is_rest(queued))
		return is_rest(told) && is_rest(queued);
	if (strcmp(told->id, queued->id) != 0)
		return false;
	/* one that ended while the other has not is a run before it, which was requeued */
	return told->phase != TOOLS_CHAIN_ENDED || queued->phase == TOOLS_CHAIN_ENDED;
}

static void swap_texts(char **a, char **b)
{
	char *c = *a;

	*a = *b;
	*b = c;
}

/* The queue knows better how things are, and accounting what was asked for. */
static void take_over(struct lw_chain_row *queued, struct lw_chain_row *told)
{
	if (!*queued->after)
		swap_texts(&queued->after, &told->after);
	queued->one_by_one |= told->one_by_one;
	if (queued->phase == TOOLS_CHAIN_ENDED && queued->start_s < 0)
		queued->start_s = told->start_s;
}

/* The last row of accounting of the run that the row AT is, or NULL. */
static struct lw_chain_row *find_told(struct lw_chain_rows *rows, uint32_t at)
{
	const struct lw_chain_row *queued = &rows->rows[at];
	uint32_t end = at;

	while (end < rows->count && rows->rows[end].base == queued->base)
		end++;
	while (end-- > 0 && rows->rows[end].base == queued->base)
		if (!rows->rows[end].queued && rows->rows[end].id &&
		    is_same_run(&rows->rows[end], queued))
			return &rows->rows[end];
	return NULL;
}

void lw_chain_merge(struct lw_chain_rows *rows)
{
	uint32_t kept = 0;

	if (rows->count)
		qsort(rows->rows, rows->count, sizeof(*rows->rows), compare_rows);
	for (uint32_t i = 0; i < rows->count; i++) {
		struct lw_chain_row *told;

		if (!rows->rows[i].queued)
			continue;
		told = find_told(rows, i);
		if (told) {
			take_over(&rows->rows[i], told);
			lw_chain_row_fini(told);
			*told = (struct lw_chain_row){ .base = rows->rows[i].base };
		}
	}
	for (uint32_t i = 0; i < rows->count; i++)
		if (rows->rows[i].id)
			rows->rows[kept++] = rows->rows[i];
	rows->count = kept;
}
