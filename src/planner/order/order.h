/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who comes first: the orders of the queue, and of what is filled in behind heads. */
#ifndef LW_PLANNER_ORDER_H
#define LW_PLANNER_ORDER_H

#include "planner/model/params.h"
#include "planner/order/width.h"

/* What an order may look at. */
struct lw_order_view {
	const struct lw_scale *scale;
	int64_t now_s;
	const struct lw_class *class; /* what the job has in common with others */
	const struct lw_waiting *job; /* of that class */
	const struct lw_policy_params *params; /* the settings of orders are in it */
};

/*
 * What an order goes by, one function for each line of planner/model/orders.def, each in a file
 * of its own: the least first, ties by the order of the snapshot. Times are in seconds.
 */
#define LW_ORDER(id, name, needs, help)                                                          \
	double lw_order_key_##name(const struct lw_order_view *view);
#include "planner/model/orders.def"

/* The same by number; LW_ORDER_OUTSIDE goes by the key that a simulator plugged in. */
double lw_order_key(enum lw_order order, const struct lw_order_view *view);

/* Which jobs go before which, whatever their keys. */
enum lw_rank_group {
	LW_RANK_PROMISED, /* a start, where promises stay first */
	LW_RANK_AGED,     /* have waited long enough */
	LW_RANK_IN_TIME,  /* are expected to meet their deadline, where that counts */
	LW_RANK_FRESH,    /* all others */
	LW_RANK_TOO_LATE, /* have one that they are not expected to meet */
};

/* Where a job stands: by its group, then by the key. */
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

/* What becomes of the time that a job is to finish by, if it starts now and runs as expected. */
enum lw_deadline {
	LW_DEADLINE_NONE,
	LW_DEADLINE_IN_TIME,
	LW_DEADLINE_TOO_LATE,
};

enum lw_deadline lw_order_deadline(const struct lw_order_view *view);

/*
 * The rank of a job that goes by KEY: under view->params->deadlines those that can meet theirs
 * are first, the nearest before all, and those that cannot are last.
 */
struct lw_rank lw_order_by(const struct lw_order_view *view, double key);

/*
 * By order, deadlines and order_age_s of view->params. Who has been waiting for so long since its
 * submission, or its begin time, goes before all who have not, and those among each other by when
 * that was. So nobody waits for ever: from then on nothing that is submitted later is before it.
 * Under keep_promises in any order but the given one, and under deadlines=guard, who was promised a
 * start goes before all: others were not there then. deadlines=order lets deadlines pass it.
 */
struct lw_rank lw_order_rank(const struct lw_order_view *view);
/* Since when it waits: its submission, or its begin time. */
int64_t lw_order_since_s(const struct lw_waiting *job);
/* Has the job waited for order_age_s, where that counts? */
bool lw_order_has_aged(const struct lw_order_view *view);
/* May jobs of one class have other ranks than their order in the queue has them? */
bool lw_order_is_by_job(const struct lw_policy_params *params);

/* How much the job's time counts against that of others; 1 where nothing is said. */
static inline double lw_order_weight(const struct lw_order_view *view)
{
	return view->class->weight ? view->class->weight : 1;
}

/* How long the job has been waiting. */
double lw_order_waited_s(const struct lw_order_view *view);

/*
 * leeway's order of the jobs behind a promise: v / (1 + ageing w / max(600, v)) with
 * v = r n^-width, the least first, where r is RUN_S: e, or the rank of a scout. The shortest
 * expected run comes first (Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007), but who has waited
 * long against what it asks comes before that, and a wide job, which finds room less often,
 * has a little advantage.
 */
double lw_order_leeway(const struct lw_policy_params *params, const struct lw_order_view *view,
		       int64_t run_s);

#endif
