/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: runs of one kind on a node, beside those on other nodes. */
#include "cli/nodes/nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "measure/doubles.h"

/* What is over so soon differs by how long a node takes to begin. */
#define COMPARE_LEAST_S 60

/* A run of the kind that is looked at, on one of its nodes. */
struct compare_pair {
	uint32_t node, run; /* numbers; the run counted from the first of the kind */
};

/* A node on which runs of a kind failed. */
struct compare_mark {
	uint32_t node, what;
};

struct compare_marks {
	struct compare_mark *items;
	uint32_t count, room;
};

/* The runs of one kind, and scratch for them. */
struct compare_kind {
	const struct lw_nodes_log *log;
	const struct lw_nodes_run *runs; /* trials of one question */
	uint32_t count;
	struct compare_pair *pairs; /* by node */
	uint32_t pair_count, pair_room;
	uint32_t *stamp; /* by run: the last node that it was counted for, and 1 */
	uint32_t room;
	struct compare_marks bases, users;
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
				(struct compare_pair){ kind->log->places[set->first + n], i };
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

/* ---- failures ---- */

static uint32_t compare_failed(const struct compare_kind *kind, uint32_t from, uint32_t behind)
{
	uint32_t failed = 0;

	for (uint32_t i = from; i < behind; i++)
		failed += kind->runs[kind->pairs[i].run].ended == LW_NODES_FAILED;
	return failed;
}

static int compare_note_failures(struct compare_kind *kind, struct lw_nodes_node *node,
				 uint32_t number, const struct lw_exact_stratum *s)
{
	int rc;

	node->tried += s->here;
	node->failed += s->hit;
	node->tried_apart += s->all - s->here;
	node->failed_apart += s->marked - s->hit;
	rc = compare_add_stratum(&node->strata[LW_NODES_FAILS], *s);
	/* where all fail elsewhere as well, the node is not the cause */
	if (rc || !s->hit || s->marked - s->hit == s->all - s->here)
		return rc;
	rc = compare_add_mark(&kind->bases, number, kind->runs[0].base);
	return rc ? rc : compare_add_mark(&kind->users, number, kind->runs[0].user);
}

/* The trials of one kind: what is told where all ended alike, or all were on one node? */
static int compare_failures(struct compare_kind *kind, struct lw_nodes_node *nodes)
{
	struct lw_exact_stratum s = { .all = kind->count };
	uint32_t count;
	int rc = compare_spread(kind);

	for (uint32_t i = 0; i < kind->count; i++)
		s.marked += kind->runs[i].ended == LW_NODES_FAILED;
	for (uint32_t at = 0; !rc && at < kind->pair_count; at += count) {
		count = compare_same(kind, at);
		s.here = count;
		s.hit = compare_failed(kind, at, at + count);
		if (s.here < s.all)
			rc = compare_note_failures(kind, &nodes[kind->pairs[at].node],
						   kind->pairs[at].node, &s);
	}
	return rc;
}

/* ---- times ---- */

static int compare_by_time(const void *x, const void *y)
{
	const struct lw_nodes_run *a = x, *b = y;

	if (a->ran_s != b->ran_s)
		return a->ran_s < b->ran_s ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* The median of the runs without this stamp, of which there are APART. */
static double compare_median(const struct compare_kind *kind, uint32_t stamp, uint32_t apart)
{
	uint32_t seen = 0;
	double low = 0;

	for (uint32_t i = 0; i < kind->count; i++) {
		if (kind->stamp[i] == stamp)
			continue;
		if (seen == (apart - 1) / 2)
			low = (double)kind->runs[i].ran_s;
		if (seen++ == apart / 2)
			return (low + (double)kind->runs[i].ran_s) / 2;
	}
	return low;
}

static int compare_note_times(struct compare_kind *kind, struct lw_nodes_node *node, uint32_t at,
			      const struct lw_exact_stratum *s)
{
	double apart_s;

	for (uint32_t i = at; i < at + s->here; i++)
		kind->stamp[kind->pairs[i].run] = kind->pairs[at].node + 1;
	apart_s = compare_median(kind, kind->pairs[at].node + 1, s->all - s->here);
	node->timed += s->here;
	for (uint32_t i = at; i < at + s->here; i++) {
		if (lw_grow_from((void **)&node->times, &node->time_room, node->time_count + 1,
				 sizeof(*node->times), 4))
			return -ENOMEM;
		node->times[node->time_count++] =
			(double)kind->runs[kind->pairs[i].run].ran_s / apart_s;
	}
	return compare_add_stratum(&node->strata[LW_NODES_SLOW], *s);
}

/* The runs of one kind that ended well, by time: those above the middle are the slow ones. */
static int compare_slowness(struct compare_kind *kind, struct lw_nodes_node *nodes)
{
	int64_t middle_s = kind->runs[(kind->count - 1) / 2].ran_s;
	struct lw_exact_stratum s = { .all = kind->count };
	uint32_t count;
	int rc = compare_spread(kind);

	memset(kind->stamp, 0, kind->count * sizeof(*kind->stamp));
	for (uint32_t i = 0; i < kind->count; i++)
		s.marked += kind->runs[i].ran_s > middle_s;
	for (uint32_t at = 0; !rc && at < kind->pair_count; at += count) {
		count = compare_same(kind, at);
		s.here = count;
		s.hit = 0;
		for (uint32_t i = at; i < at + count; i++)
			s.hit += kind->runs[kind->pairs[i].run].ran_s > middle_s;
		if (s.here < s.all)
			rc = compare_note_times(kind, &nodes[kind->pairs[at].node], at, &s);
	}
	return rc;
}

/* ---- kinds ---- */

static int compare_by_kind(const void *x, const void *y)
{
	const struct lw_nodes_run *a = x, *b = y;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	if (a->end_s != b->end_s)
		return a->end_s < b->end_s ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/*
 * Of runs in a row on the same nodes that ended alike one counts: the same mistake, tried again,
 * is one.
 */
static uint32_t compare_take_trials(const struct lw_nodes_run *runs, uint32_t count,
				    struct lw_nodes_run *trials)
{
	const struct lw_nodes_run *last = NULL;
	uint32_t taken = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_nodes_run *run = &runs[i];

		if (run->ended != LW_NODES_WELL && run->ended != LW_NODES_FAILED)
			continue;
		if (!last || last->set != run->set || last->ended != run->ended)
			trials[taken++] = *run;
		last = run;
	}
	return taken;
}

static int compare_by_end(const void *x, const void *y)
{
	const struct lw_nodes_run *a = x, *b = y;

	if (a->end_s != b->end_s)
		return a->end_s < b->end_s ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/*
 * Of runs that ended well, those one after the other on the same nodes count once, with the mean
 * of their times: programs change from day to day, and jobs go where the last one was.
 */
static uint32_t compare_take_well(const struct lw_nodes_run *runs, uint32_t count,
				  struct lw_nodes_run *well)
{
	uint32_t taken = 0, trials = 0, same;

	for (uint32_t i = 0; i < count; i++)
		if (runs[i].ended == LW_NODES_WELL)
			well[taken++] = runs[i];
	qsort(well, taken, sizeof(*well), compare_by_end);
	for (uint32_t i = 0; i < taken; i += same) {
		int64_t sum_s = 0;

		for (same = 0; i + same < taken && well[i + same].set == well[i].set; same++)
			sum_s += well[i + same].ran_s;
		well[trials] = well[i];
		well[trials++].ran_s = sum_s / same;
	}
	qsort(well, trials, sizeof(*well), compare_by_time);
	return trials;
}

/* COUNT runs of one kind, and room for as many. */
static int compare_one(struct compare_kind *kind, const struct lw_nodes_run *runs, uint32_t count,
		       struct lw_nodes_run *scratch, struct lw_nodes_node *nodes)
{
	int rc = 0;

	if (lw_grow((void **)&kind->stamp, &kind->room, count, sizeof(*kind->stamp)))
		return -ENOMEM;
	kind->runs = scratch;
	kind->count = compare_take_trials(runs, count, scratch);
	if (kind->count > 1)
		rc = compare_failures(kind, nodes);
	kind->count = compare_take_well(runs, count, scratch);
	if (!rc && kind->count > 1 && scratch[kind->count / 2].ran_s >= COMPARE_LEAST_S)
		rc = compare_slowness(kind, nodes);
	return rc;
}

/* Of MARKS each node gets the number of different ones; OF_USERS: of users. */
static void compare_count(struct compare_marks *marks, bool of_users, struct lw_nodes_node *nodes)
{
	if (marks->count)
		qsort(marks->items, marks->count, sizeof(*marks->items), compare_marks);
	for (uint32_t i = 0; i < marks->count; i++) {
		struct lw_nodes_node *node = &nodes[marks->items[i].node];

		if (i && !compare_marks(&marks->items[i - 1], &marks->items[i]))
			continue;
		if (of_users)
			node->failed_users++;
		else
			node->failed_kinds++;
	}
}

static void compare_middle_times(struct lw_nodes_node *node)
{
	if (!node->time_count)
		return;
	qsort(node->times, node->time_count, sizeof(*node->times), lw_doubles_compare);
	node->slower =
		(node->times[(node->time_count - 1) / 2] + node->times[node->time_count / 2]) / 2;
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
	compare_count(&kind.bases, false, nodes);
	compare_count(&kind.users, true, nodes);
	for (uint32_t i = 0; i < log->nodes.count; i++)
		compare_middle_times(&nodes[i]);
	free(scratch);
	free(kind.pairs);
	free(kind.stamp);
	free(kind.bases.items);
	free(kind.users.items);
	return rc;
}
