/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: what is found of each node, and how sure that is. */
#include "cli/nodes/nodes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* A failed run that was over so soon. */
#define JUDGE_BRIEF_S 300
/* Jobs of a node that were lost within so long were lost at once. */
#define JUDGE_ONCE_S 300
/* Less is no finding, however sure. */
#define JUDGE_SLOWER 1.05
/* Once is none either: different jobs that failed, times that it went down, jobs of records. */
#define JUDGE_TWICE 2

/* A node, and when a job had it. */
struct judge_hold {
	uint32_t node;
	int64_t start_s, end_s;
};

/* A job that was lost because of a node. */
struct judge_loss {
	uint32_t node;
	int64_t end_s;
};

const char *lw_nodes_about_name(enum lw_nodes_about about)
{
	static const char *const names[] = { "down", "fails", "slow", "behind" };

	return names[about];
}

bool lw_nodes_is_found(const struct lw_nodes_node *node)
{
	for (int a = 0; a < LW_NODES_ABOUTS; a++)
		if (node->test[a].found)
			return true;
	return false;
}

bool lw_nodes_is_known(const struct lw_nodes_node *node)
{
	for (int a = 0; a < LW_NODES_ABOUTS; a++)
		if (node->test[a].known)
			return true;
	return false;
}

void lw_nodes_judged_fini(struct lw_nodes_judged *judged)
{
	for (uint32_t i = 0; i < judged->count; i++) {
		for (int a = 0; a < LW_NODES_ABOUTS; a++)
			free(judged->nodes[i].strata[a].items);
		free(judged->nodes[i].times);
	}
	free(judged->nodes);
	*judged = (struct lw_nodes_judged){ .count = 0 };
}

/* ---- counts ---- */

static void judge_name_job(struct lw_nodes_node *node, const char *job)
{
	if (node->jobs < LW_NODES_JOBS)
		snprintf(node->job[node->jobs++], LW_NODES_JOB_TEXT, "%s", job);
}

static void judge_count_run(const struct lw_nodes_log *log, const struct lw_nodes_run *run,
			    struct lw_nodes_node *nodes)
{
	const struct lw_nodes_set *set = &log->set[run->set];

	for (uint32_t i = 0; i < set->count; i++) {
		struct lw_nodes_node *node = &nodes[log->places[set->first + i]];

		node->runs++;
		node->brief += run->ended == LW_NODES_FAILED && run->ran_s <= JUDGE_BRIEF_S;
		node->doubt += run->ended == LW_NODES_LOST && run->lost_node == LW_NODES_NONE;
		if (run->ended == LW_NODES_FAILED)
			judge_name_job(node, run->job);
	}
	if (run->ended == LW_NODES_LOST && run->lost_node != LW_NODES_NONE)
		judge_name_job(&nodes[run->lost_node], run->job);
}

static int judge_holds(const void *x, const void *y)
{
	const struct judge_hold *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->start_s != b->start_s)
		return a->start_s < b->start_s ? -1 : 1;
	return (a->end_s > b->end_s) - (a->end_s < b->end_s);
}

/* Add to nodes the time in which one of COUNT holds was there, which are put in order. */
static void judge_add_holds(struct judge_hold *holds, size_t count, struct lw_nodes_node *nodes)
{
	int64_t until_s = 0;

	qsort(holds, count, sizeof(*holds), judge_holds);
	for (size_t i = 0; i < count; i++) {
		bool first = !i || holds[i].node != holds[i - 1].node;
		int64_t from_s = holds[i].start_s;

		if (!first && from_s < until_s)
			from_s = until_s;
		if (holds[i].end_s > from_s)
			nodes[holds[i].node].held_s += holds[i].end_s - from_s;
		if (first || holds[i].end_s > until_s)
			until_s = holds[i].end_s;
	}
}

/* A node goes down once, for however many jobs: what counts is when it was held at all. */
static int judge_count_holds(const struct lw_nodes_log *log, struct lw_nodes_node *nodes)
{
	struct judge_hold *holds;
	size_t count = 0;

	for (uint32_t i = 0; i < log->count; i++)
		count += log->set[log->runs[i].set].count;
	holds = calloc(count + 1, sizeof(*holds));
	if (!holds)
		return -ENOMEM;
	count = 0;
	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_nodes_run *run = &log->runs[i];
		const struct lw_nodes_set *set = &log->set[run->set];

		for (uint32_t n = 0; n < set->count; n++)
			holds[count++] = (struct judge_hold){ log->places[set->first + n],
							      run->end_s - run->ran_s,
							      run->end_s };
	}
	judge_add_holds(holds, count, nodes);
	free(holds);
	return 0;
}

static int judge_losses(const void *x, const void *y)
{
	const struct judge_loss *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->end_s > b->end_s) - (a->end_s < b->end_s);
}

static int judge_count_downs(const struct lw_nodes_log *log, struct lw_nodes_node *nodes)
{
	struct judge_loss *losses = calloc((size_t)log->count + 1, sizeof(*losses));
	uint32_t count = 0;

	if (!losses)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++)
		if (log->runs[i].lost_node != LW_NODES_NONE)
			losses[count++] =
				(struct judge_loss){ log->runs[i].lost_node, log->runs[i].end_s };
	qsort(losses, count, sizeof(*losses), judge_losses);
	for (uint32_t i = 0; i < count; i++) {
		bool once = i && losses[i - 1].node == losses[i].node &&
			    losses[i].end_s - losses[i - 1].end_s <= JUDGE_ONCE_S;

		nodes[losses[i].node].down += !once;
	}
	free(losses);
	return 0;
}

static int judge_count_gang(const struct lw_nodes_log *log, const struct lw_nodes_gang *gang,
			    struct lw_nodes_node *nodes)
{
	struct lw_exact_stratum s = { .all = gang->count,
				      .marked = gang->behind != LW_NODES_NONE,
				      .here = 1 };

	for (uint32_t i = 0; i < gang->count; i++) {
		uint32_t number = log->places[gang->first + i];
		struct lw_nodes_node *node = &nodes[number];
		struct lw_nodes_strata *strata = &node->strata[LW_NODES_BEHIND];

		if (lw_grow_from((void **)&strata->items, &strata->room, strata->count + 1,
				 sizeof(s), 4))
			return -ENOMEM;
		s.hit = number == gang->behind;
		strata->items[strata->count++] = s;
		node->gangs++;
		node->behind += s.hit;
	}
	return 0;
}

/* ---- tests ---- */

/* Enough of them, beside what chance does? */
static bool judge_is_finding(const struct lw_nodes_node *node, enum lw_nodes_about about)
{
	switch (about) {
	case LW_NODES_DOWN:
		return node->down >= JUDGE_TWICE;
	case LW_NODES_FAILS:
		return node->failed_kinds >= JUDGE_TWICE &&
		       (node->failed_users >= JUDGE_TWICE || node->failed_days >= JUDGE_TWICE);
	case LW_NODES_SLOW:
		return node->slower >= JUDGE_SLOWER;
	default:
		return node->behind >= JUDGE_TWICE;
	}
}

/* With CHANCE, and the least that it could have been; it is one of TESTED nodes. */
static void judge_note(struct lw_nodes_node *node, enum lw_nodes_about about, double chance,
		       double least, uint32_t tested)
{
	struct lw_nodes_test *test = &node->test[about];

	test->p = chance;
	test->known = least * tested <= LW_NODES_CHANCE;
	test->found = chance * tested <= LW_NODES_CHANCE && judge_is_finding(node, about);
	test->known |= test->found;
}

static void judge_strata(struct lw_nodes_judged *judged, enum lw_nodes_about about)
{
	for (uint32_t i = 0; i < judged->count; i++)
		judged->tested[about] += judged->nodes[i].strata[about].count > 0;
	for (uint32_t i = 0; i < judged->count; i++) {
		const struct lw_nodes_strata *strata = &judged->nodes[i].strata[about];

		judged->nodes[i].test[about].p = -1;
		if (strata->count)
			judge_note(&judged->nodes[i], about,
				   lw_exact_tail(strata->items, strata->count),
				   lw_exact_least(strata->items, strata->count),
				   judged->tested[about]);
	}
}

/* Nodes go down alike often for the time that jobs hold them: is this one more often down? */
static void judge_downs(struct lw_nodes_judged *judged)
{
	double held_s = 0;
	uint32_t downs = 0;

	for (uint32_t i = 0; i < judged->count; i++) {
		held_s += (double)judged->nodes[i].held_s;
		downs += judged->nodes[i].down;
		judged->tested[LW_NODES_DOWN] += judged->nodes[i].held_s > 0;
	}
	if (!downs)
		judged->tested[LW_NODES_DOWN] = 0;
	for (uint32_t i = 0; i < judged->count; i++) {
		struct lw_nodes_node *node = &judged->nodes[i];
		double share = (double)node->held_s / held_s;

		node->test[LW_NODES_DOWN].p = -1;
		if (downs && node->held_s)
			judge_note(node, LW_NODES_DOWN,
				   lw_exact_binomial(downs, node->down, share), pow(share, downs),
				   judged->tested[LW_NODES_DOWN]);
	}
}

void lw_nodes_test_all(struct lw_nodes_judged *judged)
{
	judge_downs(judged);
	judge_strata(judged, LW_NODES_FAILS);
	judge_strata(judged, LW_NODES_SLOW);
	judge_strata(judged, LW_NODES_BEHIND);
}

/* By the parts that numbers make of a name, as n2 and n10. */
static int judge_order(const void *x, const void *y)
{
	const struct lw_nodes_node *a = x, *b = y;
	bool a_found = lw_nodes_is_found(a), b_found = lw_nodes_is_found(b);
	int names;

	if (a_found != b_found)
		return a_found ? -1 : 1;
	names = strverscmp(a->name, b->name);
	return names ? names : strcmp(a->name, b->name);
}

int lw_nodes_judge(struct lw_nodes_log *log, struct lw_nodes_judged *judged)
{
	int rc;

	judged->nodes = calloc((size_t)log->nodes.count + 1, sizeof(*judged->nodes));
	if (!judged->nodes)
		return -ENOMEM;
	judged->count = log->nodes.count;
	for (uint32_t i = 0; i < judged->count; i++)
		judged->nodes[i].name = log->nodes.texts[i];
	/* in the order in which sacct has them, for the jobs that are named */
	for (uint32_t i = 0; i < log->count; i++)
		judge_count_run(log, &log->runs[i], judged->nodes);
	rc = judge_count_holds(log, judged->nodes);
	if (!rc)
		rc = judge_count_downs(log, judged->nodes);
	for (uint32_t i = 0; !rc && i < log->gang_count; i++)
		rc = judge_count_gang(log, &log->gangs[i], judged->nodes);
	if (!rc)
		rc = lw_nodes_compare(log, judged->nodes);
	if (rc)
		return rc;
	lw_nodes_test_all(judged);
	qsort(judged->nodes, judged->count, sizeof(*judged->nodes), judge_order);
	return 0;
}
