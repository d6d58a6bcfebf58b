/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the orders of the queue, and of the jobs that are backfilled behind heads. */
#ifndef LW_PLANNER_ORDER_H
#define LW_PLANNER_ORDER_H

#include "planner/model/params.h"
#include "planner/order/width.h"

/* What an order may look at. */
struct lw_order_view {
	const struct lw_scale *scale;
	int64_t now_s;
	const struct lw_class *class; /* what the job shares with others */
	const struct lw_waiting *job; /* of that class */
	const struct lw_policy_params *params; /* the settings of orders are in it */
};

/*
 * The key of an order, one function for each line of planner/model/orders.def, each in a file of
 * its own: the least first, ties in the order of the snapshot. Times are in seconds.
 */
#define LW_ORDER(id, name, needs, help)                                                          \
	double lw_order_key_##name(const struct lw_order_view *view);
#include "planner/model/orders.def"

/* The key by number; LW_ORDER_OUTSIDE uses the key that a simulator plugged in. */
double lw_order_key(enum lw_order order, const struct lw_order_view *view);

/* Groups of jobs, in this order, whatever their keys. */
enum lw_rank_group {
	LW_RANK_PROMISED, /* jobs with a promised start, if keep_promises */
	LW_RANK_AGED,     /* jobs that have waited for order_age_s */
	LW_RANK_FIRST,    /* jobs that lost a node while they ran */
	LW_RANK_IN_TIME,  /* jobs expected to meet their deadline, if that counts */
	LW_RANK_FRESH,    /* all other jobs */
	LW_RANK_TOO_LATE, /* jobs expected to miss their deadline, if that counts */
};

/* The rank of a job: its group, then its key. */
struct lw_rank {
	enum lw_rank_group group;
	double key;
};

static inline int lw_rank_compare(struct lw_rank a, struct lw_rank b)
{
	if (a.group != b.group)
		return a.group < b.group ? -1 : 1;
	return a.key < b.key ? -1 : a.key > b.key;
}

/* What happens to a job's deadline if it starts now and runs as expected. */
enum lw_deadline {
	LW_DEADLINE_NONE,
	LW_DEADLINE_IN_TIME,
	LW_DEADLINE_TOO_LATE,
};

enum lw_deadline lw_order_deadline(const struct lw_order_view *view);

/*
 * The rank of a job with KEY. Under view->params->deadlines, jobs that can meet their deadline
 * go first, the nearest deadline before all, and jobs that cannot go last.
 */
struct lw_rank lw_order_by(const struct lw_order_view *view, double key);
/* The same for the jobs behind heads, where a job that lost a node goes first in any order. */
struct lw_rank lw_order_behind(const struct lw_order_view *view, double key);

/*
 * The rank by the order, deadlines and order_age_s of view->params. A job that has waited for
 * order_age_s since its submission or begin time goes before all that have not; such jobs are
 * sorted by that time. So every wait is bounded: no later submission goes before an aged job.
 * With keep_promises in any order but the given one, and under deadlines=guard, promised jobs go
 * before all other jobs, which were not there at the time of the promise. Under deadlines=order,
 * deadlines go before promises. A job that lost a node comes after promised and aged
 * jobs, before all others; in the given order its place is that of the snapshot.
 */
struct lw_rank lw_order_rank(const struct lw_order_view *view);
/* The start of its wait: its submission or begin time. */
int64_t lw_order_since_s(const struct lw_waiting *job);
/* Has the job waited for order_age_s, if that counts? */
bool lw_order_has_aged(const struct lw_order_view *view);
/* Can jobs of one class have ranks that differ from their order in the queue? */
bool lw_order_is_by_job(const struct lw_policy_params *params);

/* The weight of the job's time; 1 by default. */
static inline double lw_order_weight(const struct lw_order_view *view)
{
	return view->class->weight ? view->class->weight : 1;
}

/* How long the job has waited. */
double lw_order_waited_s(const struct lw_order_view *view);

/*
 * leeway's order of the jobs behind a promise: v / (1 + ageing w / max(600, v)) with v = r
 * n^-width, the least first. r is RUN_S: the expected run time e, or the rank of a scout; w is
 * the wait and n the width. The shortest expected run goes first (Tsafrir, Etsion, Feitelson,
 * TPDS 18(6), 2007). A job that has waited long for its size goes before that, and a wide job,
 * which finds room less often, has a small advantage. In a LONG_QUEUE it has that only as it
 * waits, and the first v is r: of many jobs that run equally long the widest would go first, and
 * most would wait for longer.
 */
double lw_order_leeway(const struct lw_order_view *view, int64_t run_s, bool long_queue);

#endif
