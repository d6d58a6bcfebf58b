/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: runs of one kind on a node, beside those on other nodes. */
#include "cli/nodes/nodes.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "measure/doubles.h"

/* What is over so soon differs by how long a node takes to begin. */
#define COMPARE_LEAST_S 60

/* A run of the kind that is looked at, on one of its nodes. */
struct compare_pair {
	uint32_t node, run; /* numbers; the run counted from the first of the kind */
	bool taken;         /* as the trial of its node */
};

/* A node on which trials of a kind failed. */
struct compare_mark {
	uint32_t node, what;
};

struct compare_marks {
	struct compare_mark *items;
	uint32_t count, room;
};

struct compare_time {
	int64_t ran_s;
	uint32_t run;
};

/* The runs of one kind that answer one question, and scratch for them. */
struct compare_kind {
	const struct lw_nodes_log *log;
	const struct lw_nodes_run *runs; /* by their start */
	bool (*is_bad)(const struct compare_kind *kind, uint32_t run);
	uint32_t count;
	int64_t middle_s;           /* of trials */
	struct compare_pair *pairs; /* by node, then by start */
	uint32_t pair_count, pair_room;
	bool *trial; /* by run: of one of its nodes */
	uint32_t trial_room;
	uint32_t *stamp; /* by run: the last node that it was counted for, and 1 */
	uint32_t stamp_room;
	struct compare_time *times; /* of trials, the shortest first */
	uint32_t time_count, time_room;
	struct compare_marks bases, users, days;
};

static int compare_pairs(const void *x, const void *y)
{
	const struct compare_pair *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->run > b->run) - (a->run < b->run);
}

static int compare_marks(const void *x, const void *y)
{
	const struct compare_mark *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->what > b->what) - (a->what < b->what);
}

static int compare_add_mark(struct compare_marks *marks, uint32_t node, uint32_t what)
{
	if (lw_grow((void **)&marks->items, &marks->room, marks->count + 1,
		    sizeof(*marks->items)))
		return -ENOMEM;
	marks->items[marks->count++] = (struct compare_mark){ node, what };
	return 0;
}

static int compare_add_stratum(struct lw_nodes_strata *strata, struct lw_exact_stratum item)
{
	if (lw_grow_from((void **)&strata->items, &strata->room, strata->count + 1, sizeof(item),
			 4))
		return -ENOMEM;
	strata->items[strata->count++] = item;
	return 0;
}

/* All pairs of a node and a run, by node. */
static int compare_spread(struct compare_kind *kind)
{
	kind->pair_count = 0;
	for (uint32_t i = 0; i < kind->count; i++) {
		const struct lw_nodes_set *set = &kind->log->set[kind->runs[i].set];

		if (lw_grow((void **)&kind->pairs, &kind->pair_room,
			    kind->pair_count + set->count, sizeof(*kind->pairs)))
			return -ENOMEM;
		for (uint32_t n = 0; n < set->count; n++)
			kind->pairs[kind->pair_count++] =
				(struct compare_pair){ kind->log->places[set->first + n], i, 0 };
	}
	qsort(kind->pairs, kind->pair_count, sizeof(*kind->pairs), compare_pairs);
	return 0;
}

/* How many of the pairs from AT on are of one node. */
static uint32_t compare_same(const struct compare_kind *kind, uint32_t at)
{
	uint32_t count = 1;

	while (at + count < kind->pair_count &&
	       kind->pairs[at + count].node == kind->pairs[at].node)
		count++;
	return count;
}

/* ---- trials ---- */

/*
 * Of each node the first run to start on a day is its trial, however it ended: what a user tries
 * again and again that day, or a program as it is that day, is one. To look at how runs ended
 * would make a busy node another one than the rest.
 */
static void compare_take(struct compare_kind *kind)
{
	memset(kind->trial, 0, kind->count * sizeof(*kind->trial));
	for (uint32_t i = 0; i < kind->pair_count; i++) {
		struct compare_pair *pair = &kind->pairs[i];

		pair->taken = !i || pair->node != pair[-1].node;
		kind->trial[pair->run] |= pair->taken;
	}
}

/* The trials of the node at AT, beside those of other nodes that were not here as well. */
static struct lw_exact_stratum compare_stratum(struct compare_kind *kind, uint32_t at,
					       uint32_t count)
{
	struct lw_exact_stratum s = { 0 };

	for (uint32_t i = at; i < at + count; i++) {
		kind->stamp[kind->pairs[i].run] = kind->pairs[at].node + 1;
		if (!kind->pairs[i].taken)
			continue;
		s.here++;
		s.hit += kind->is_bad(kind, kind->pairs[i].run);
	}
	s.all = s.here;
	s.marked = s.hit;
	for (uint32_t i = 0; i < kind->count; i++) {
		if (!kind->trial[i] || kind->stamp[i] == kind->pairs[at].node + 1)
			continue;
		s.all++;
		s.marked += kind->is_bad(kind, i);
	}
	return s;
}

/* ---- failures ---- */

static bool compare_is_failed(const struct compare_kind *kind, uint32_t run)
{
	return kind->runs[run].ended == LW_NODES_FAILED;
}

/* Where all trials fail elsewhere as well, the node is not the cause. */
static int compare_mark_failures(struct compare_kind *kind, uint32_t number,
				 const struct lw_exact_stratum *s)
{
	int rc;

	if (!s->hit || s->marked - s->hit == s->all - s->here)
		return 0;
	rc = compare_add_mark(&kind->bases, number, kind->runs[0].base);
	if (!rc)
		rc = compare_add_mark(&kind->users, number, kind->runs[0].user);
	return rc ? rc : compare_add_mark(&kind->days, number, kind->runs[0].day);
}

/* All runs of one kind that failed or ended well; what is told where all were on one node? */
static int compare_failures(struct compare_kind *kind, struct lw_nodes_node *nodes)
{
	uint32_t count, failed = 0, failed_here;
	int rc = 0;

	for (uint32_t i = 0; i < kind->count; i++)
		failed += compare_is_failed(kind, i);
	for (uint32_t at = 0; !rc && at < kind->pair_count; at += count) {
		struct lw_nodes_node *node = &nodes[kind->pairs[at].node];
		struct lw_exact_stratum s;

		count = compare_same(kind, at);
		s = compare_stratum(kind, at, count);
		if (s.here == s.all)
			continue;
		failed_here = 0;
		for (uint32_t i = at; i < at + count; i++)
			failed_here += compare_is_failed(kind, kind->pairs[i].run);
		node->tried += count;
		node->failed += failed_here;
		node->tried_apart += kind->count - count;
		node->failed_apart += failed - failed_here;
		rc = compare_add_stratum(&node->strata[LW_NODES_FAILS], s);
		if (!rc)
			rc = compare_mark_failures(kind, kind->pairs[at].node, &s);
	}
	return rc;
}

/* ---- times ---- */

/* Those above the middle are the slow ones. */
static bool compare_is_slow(const struct compare_kind *kind, uint32_t run)
{
	return kind->runs[run].ran_s > kind->middle_s;
}

static int compare_by_time(const void *x, const void *y)
{
	const struct compare_time *a = x, *b = y;

	if (a->ran_s != b->ran_s)
		return a->ran_s < b->ran_s ? -1 : 1;
	return (a->run > b->run) - (a->run < b->run);
}

/* The times of all trials, of which there is one at least. */
static int compare_sort_times(struct compare_kind *kind)
{
	kind->time_count = 0;
	if (lw_grow((void **)&kind->times, &kind->time_room, kind->count, sizeof(*kind->times)))
		return -ENOMEM;
	for (uint32_t i = 0; i < kind->count; i++)
		if (kind->trial[i])
			kind->times[kind->time_count++] =
				(struct compare_time){ kind->runs[i].ran_s, i };
	qsort(kind->times, kind->time_count, sizeof(*kind->times), compare_by_time);
	kind->middle_s = kind->times[(kind->time_count - 1) / 2].ran_s;
	return 0;
}

/* The median of the trials without this stamp, of which there are APART. */
static double compare_median(const struct compare_kind *kind, uint32_t stamp, uint32_t apart)
{
	uint32_t seen = 0;
	double low = 0;

	for (uint32_t i = 0; i < kind->time_count; i++) {
		if (kind->stamp[kind->times[i].run] == stamp)
			continue;
		if (seen == (apart - 1) / 2)
			low = (double)kind->times[i].ran_s;
		if (seen++ == apart / 2)
			return (low + (double)kind->times[i].ran_s) / 2;
	}
	return low;
}

/* Where others took no time, how many times as long is not known. */
static int compare_note_times(struct compare_kind *kind, struct lw_nodes_node *node, uint32_t at,
			      uint32_t count, const struct lw_exact_stratum *s)
{
	double apart_s = compare_median(kind, kind->pairs[at].node + 1, s->all - s->here);

	for (uint32_t i = at; i < at + count && apart_s > 0; i++) {
		if (!kind->pairs[i].taken)
			continue;
		if (lw_grow_from((void **)&node->times, &node->time_room, node->timed + 1,
				 sizeof(*node->times), 4))
			return -ENOMEM;
		node->times[node->timed++] =
			(double)kind->runs[kind->pairs[i].run].ran_s / apart_s;
	}
	return compare_add_stratum(&node->strata[LW_NODES_SLOW], *s);
}

/* The runs of one kind that ended well. */
static int compare_slowness(struct compare_kind *kind, struct lw_nodes_node *nodes)
{
	uint32_t count;
	int rc = compare_sort_times(kind);

	if (rc || kind->times[kind->time_count / 2].ran_s < COMPARE_LEAST_S)
		return rc;
	for (uint32_t at = 0; !rc && at < kind->pair_count; at += count) {
		struct lw_exact_stratum s;

		count = compare_same(kind, at);
		s = compare_stratum(kind, at, count);
		if (s.here < s.all)
			rc = compare_note_times(kind, &nodes[kind->pairs[at].node], at, count, &s);
	}
	return rc;
}

/* ---- kinds ---- */

static int compare_by_kind(const void *x, const void *y)
{
	const struct lw_nodes_run *a = x, *b = y;
	int64_t a_start_s = a->end_s - a->ran_s, b_start_s = b->end_s - b->ran_s;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a_start_s != b_start_s)
		return a_start_s < b_start_s ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Make KIND ready for its runs. */
static int compare_begin(struct compare_kind *kind)
{
	if (lw_grow((void **)&kind->stamp, &kind->stamp_room, kind->count, sizeof(*kind->stamp)) ||
	    lw_grow((void **)&kind->trial, &kind->trial_room, kind->count, sizeof(*kind->trial)) ||
	    compare_spread(kind))
		return -ENOMEM;
	memset(kind->stamp, 0, kind->count * sizeof(*kind->stamp));
	compare_take(kind);
	return 0;
}

/* COUNT runs of one kind, and room for as many. */
static int compare_one(struct compare_kind *kind, const struct lw_nodes_run *runs, uint32_t count,
		       struct lw_nodes_run *scratch, struct lw_nodes_node *nodes)
{
	int rc = 0;

	kind->runs = scratch;
	kind->is_bad = compare_is_failed;
	kind->count = 0;
	for (uint32_t i = 0; i < count; i++)
		if (runs[i].ended == LW_NODES_WELL || runs[i].ended == LW_NODES_FAILED)
			scratch[kind->count++] = runs[i];
	if (kind->count > 1)
		rc = compare_begin(kind);
	if (!rc && kind->count > 1)
		rc = compare_failures(kind, nodes);
	kind->is_bad = compare_is_slow;
	kind->count = 0;
	for (uint32_t i = 0; i < count; i++)
		if (runs[i].ended == LW_NODES_WELL)
			scratch[kind->count++] = runs[i];
	if (!rc && kind->count > 1)
		rc = compare_begin(kind);
	if (!rc && kind->count > 1)
		rc = compare_slowness(kind, nodes);
	return rc;
}

/* Each node gets the number of its different MARKS, at OFFSET. */
static void compare_count(struct compare_marks *marks, struct lw_nodes_node *nodes, size_t offset)
{
	if (marks->count)
		qsort(marks->items, marks->count, sizeof(*marks->items), compare_marks);
	for (uint32_t i = 0; i < marks->count; i++)
		if (!i || compare_marks(&marks->items[i - 1], &marks->items[i]))
			++*(uint32_t *)((char *)&nodes[marks->items[i].node] + offset);
	free(marks->items);
}

static void compare_middle_times(struct lw_nodes_node *node)
{
	if (!node->timed)
		return;
	qsort(node->times, node->timed, sizeof(*node->times), lw_doubles_compare);
	node->slower = (node->times[(node->timed - 1) / 2] + node->times[node->timed / 2]) / 2;
}

int lw_nodes_compare(struct lw_nodes_log *log, struct lw_nodes_node *nodes)
{
	struct lw_nodes_run *scratch = calloc((size_t)log->count + 1, sizeof(*scratch));
	struct compare_kind kind = { .log = log };
	uint32_t behind;
	int rc = scratch ? 0 : -ENOMEM;

	if (log->count)
		qsort(log->runs, log->count, sizeof(*log->runs), compare_by_kind);
	for (uint32_t from = 0; !rc && from < log->count; from = behind) {
		for (behind = from + 1; behind < log->count; behind++)
			if (log->runs[behind].kind != log->runs[from].kind)
				break;
		rc = compare_one(&kind, &log->runs[from], behind - from, scratch, nodes);
	}
	compare_count(&kind.bases, nodes, offsetof(struct lw_nodes_node, failed_kinds));
	compare_count(&kind.users, nodes, offsetof(struct lw_nodes_node, failed_users));
	compare_count(&kind.days, nodes, offsetof(struct lw_nodes_node, failed_days));
	for (uint32_t i = 0; i < log->nodes.count; i++)
		compare_middle_times(&nodes[i]);
	free(scratch);
	free(kind.pairs);
	free(kind.stamp);
	free(kind.trial);
	free(kind.times);
	return rc;
}
