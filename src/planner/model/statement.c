/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is said of one waiting job, made so that nothing in it contradicts the rest. */
#include "planner/model/statement.h"

#include "base/promise.h"

#include <string.h>

/* Slurm cuts the limit of a job without one to what its deadline leaves, of a minute or more. */
#define CUT_S   60
#define LEAST_S 60
/* So long it takes a user to make a change, and a plan to start the job by it. */
#define ACT_S 60

enum lw_reason lw_reason_find(const char *name)
{
	enum lw_reason reason = 0;

	while (reason < LW_REASON_COUNT && strcmp(lw_reason_name(reason), name) != 0)
		reason++;
	return reason;
}

static const struct lw_waiting *statement_job(const struct lw_statement_case *about)
{
	return &about->snap->waiting[about->decision->waiting];
}

static uint32_t statement_nodes(const struct lw_statement_case *about)
{
	const struct lw_snapshot *snap = about->snap;
	uint32_t node, count = 0;

	lw_bitset_foreach(&snap->sets[statement_job(about)->set].nodes, node) count +=
		snap->nodes[node].usable;
	return count;
}

/* When the job that makes the room ends by its limit; 0: not known. */
static int64_t statement_room_s(const struct lw_statement_case *about)
{
	const struct lw_snapshot *snap = about->snap;

	for (uint32_t i = 0; about->after_job && i < snap->running_count; i++)
		if (snap->running[i].job_id == about->after_job)
			return snap->running[i].end_s;
	return 0;
}

/* Why the job of ABOUT cannot start by LATEST_S. */
static char statement_cause(const struct lw_statement_case *about, int64_t latest_s)
{
	if (!about)
		return LW_UNKEPT_ROOM;
	if (statement_nodes(about) < about->nodes_then)
		return LW_UNKEPT_NODES;
	return statement_room_s(about) > latest_s ? LW_UNKEPT_END : LW_UNKEPT_ROOM;
}

static int64_t statement_not_before_s(const struct lw_statement_case *about)
{
	const struct lw_waiting *job = about ? statement_job(about) : NULL;
	int64_t begin_s = job && job->begin_s != LW_NO_TIME ? job->begin_s : 0;

	return job && job->constraints.earliest_s > begin_s ? job->constraints.earliest_s
							    : begin_s;
}

/* Is the nearer promise broken, for certain? A start within the grace is one by the promise. */
static bool statement_breaks(const struct lw_statement_case *about,
			     const struct lw_statement *said)
{
	int64_t start_s = said->planned_s ? said->planned_s : said->at_s;

	if (!said->planned_s && statement_not_before_s(about) > start_s)
		start_s = statement_not_before_s(about);
	return said->latest_s && start_s > said->latest_s + LW_PROMISE_GRACE_S;
}

/* Its nodes are down: no plan has a start for it, and no limit says when they are back. */
static bool statement_waits_for_repair(const struct lw_statement *said)
{
	return !strcmp(said->reason, lw_reason_name(LW_REASON_WAITS_FOR_REPAIR));
}

static void statement_settle_promise(const struct lw_statement_case *about,
				     struct lw_statement *said)
{
	if (!said->latest_s) {
		said->unkept = 0;
		return;
	}
	if (said->never)
		said->unkept = LW_UNKEPT_NEVER;
	else if (statement_waits_for_repair(said))
		said->unkept = LW_UNKEPT_NODES;
	else if (statement_breaks(about, said) && !said->unkept)
		said->unkept = statement_cause(about, said->latest_s);
	else if (!said->unkept && said->planned_s > said->latest_s)
		said->planned_s = said->latest_s;
}

/*
 * The last start with which it ends by its deadline. A job without a limit of its own runs as
 * long as the deadline leaves.
 */
static int64_t statement_last_s(const struct lw_statement_case *about,
				const struct lw_statement *said)
{
	int64_t limit_s = about ? statement_job(about)->limit_s : LEAST_S;

	if (about && statement_job(about)->time_min_s)
		return said->deadline_s - statement_job(about)->time_min_s;
	if (about && lw_end_after_s(about->snap->now_s, limit_s) > said->deadline_s - CUT_S)
		limit_s = LEAST_S;
	return said->deadline_s - limit_s;
}

static void statement_settle_deadline(const struct lw_statement_case *about,
				      struct lw_statement *said)
{
	int64_t start_s = said->planned_s ? said->planned_s : said->at_s;

	if (!said->deadline_s)
		return;
	if (said->never || start_s > statement_last_s(about, said))
		said->deadline = LW_DEADLINE_MISSED;
	else if (!said->deadline && said->planned_s)
		said->deadline = LW_DEADLINE_MET;
}

/* Is what similar jobs waited of no use here? One figure is said of all tasks of an array. */
static bool statement_knows_better(const struct lw_statement_case *about,
				   const struct lw_statement *said)
{
	int64_t low_s = said->at_s + said->low_s, high_s = said->at_s + said->p90_s;

	return said->never || statement_waits_for_repair(said) ||
	       (said->planned_s && said->planned_s < low_s) ||
	       (said->latest_s && !said->unkept && said->latest_s < low_s) ||
	       (said->deadline_s && said->deadline_s <= high_s) ||
	       high_s < statement_not_before_s(about) ||
	       (about && statement_job(about)->tasks > 1);
}

static uint32_t statement_least(uint32_t wait_s, int64_t most_s)
{
	return wait_s > most_s ? (uint32_t)most_s : wait_s;
}

/* A promise that holds bounds every wait. */
static void statement_settle_likely(const struct lw_statement_case *about,
				    struct lw_statement *said)
{
	if (!said->likely)
		return;
	said->likely = !statement_knows_better(about, said);
	if (!said->likely || !said->latest_s || said->unkept)
		return;
	said->p50_s = statement_least(said->p50_s, said->latest_s - said->at_s);
	said->p90_s = statement_least(said->p90_s, said->latest_s - said->at_s);
}

/* Would the job, started now with the change, be ended by its deadline? */
static bool statement_forbids(const struct lw_statement_case *about,
			      const struct lw_statement *said, const struct lw_hint *hint)
{
	if (said->never)
		return true;
	if (!said->deadline_s)
		return false;
	if (hint->kind == LW_HINT_LIMIT)
		return said->at_s + ACT_S + (int64_t)hint->value > said->deadline_s;
	return said->at_s + ACT_S > statement_last_s(about, said);
}

static void statement_settle_hints(const struct lw_statement_case *about,
				   struct lw_statement *said)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < LW_WHY_HINTS && said->hints[i].kind; i++)
		if (!statement_forbids(about, said, &said->hints[i]))
			said->hints[kept++] = said->hints[i];
	if (kept < LW_WHY_HINTS)
		said->hints[kept].kind = LW_HINT_NONE;
}

/* Is it the first job of its nodes? */
static bool statement_is_first(const struct lw_statement *said)
{
	return !strcmp(said->reason, lw_reason_name(LW_REASON_RESERVED)) ||
	       !strcmp(said->reason, lw_reason_name(LW_REASON_ACCEPTED));
}

void lw_statement_settle(const struct lw_statement_case *about, struct lw_statement *said)
{
	if (!strcmp(said->reason, lw_reason_name(LW_REASON_WAITS_FOR_NODES)) || *said->limit)
		said->never = true;
	if (said->never || statement_waits_for_repair(said))
		said->planned_s = 0;
	if (said->never || statement_is_first(said))
		said->before = said->head = 0;
	statement_settle_promise(about, said);
	statement_settle_deadline(about, said);
	statement_settle_likely(about, said);
	statement_settle_hints(about, said);
}

uint32_t lw_statement_round_s(uint32_t wait_s)
{
	uint32_t step_s = wait_s < 3600        ? 60
			  : wait_s < 6 * 3600  ? 300
			  : wait_s < 24 * 3600 ? 900
					       : 3600;

	return (wait_s + step_s - 1) / step_s * step_s;
}

static void statement_set_type(const struct lw_snapshot *snap, int type, int64_t done_s,
			       struct lw_why_type *told)
{
	const char *name = snap->gpu_types[type];
	int64_t after_s = done_s - snap->now_s;

	if (strlen(name) >= sizeof(told->name) || after_s < 0 || after_s >= UINT32_MAX - 3600)
		return;
	memcpy(told->name, name, strlen(name) + 1);
	told->done_s = lw_statement_round_s((uint32_t)after_s);
}

/* Of a job that has room, and waits by choice. */
static void statement_set_types(const struct lw_statement_case *about, struct lw_statement *said)
{
	const struct lw_type_choice *choice = &about->decision->choice;

	if (about->decision->reason != LW_REASON_WAITS_FOR_TYPE || !choice->made ||
	    choice->other == LW_GPU_ANY)
		return;
	statement_set_type(about->snap, choice->type, choice->done_s, &said->faster);
	statement_set_type(about->snap, choice->other, choice->other_done_s, &said->other);
	said->cramped = choice->cramped;
}

void lw_statement_make(const struct lw_statement_case *about, struct lw_statement *ret_said)
{
	const struct lw_decision *decision = about->decision;
	const char *reason = lw_reason_name(decision->reason);

	memset(ret_said, 0, sizeof(*ret_said));
	ret_said->at_s = about->snap->now_s;
	memcpy(ret_said->reason, reason, strnlen(reason, sizeof(ret_said->reason) - 1));
	ret_said->never = statement_job(about)->never;
	ret_said->planned_s = about->planned_s;
	ret_said->after = about->after_job;
	ret_said->stopped = about->stopped_job;
	ret_said->latest_s = about->latest_s;
	if (about->sized) {
		ret_said->least_nodes = statement_job(about)->request.nodes_min;
		ret_said->most_nodes = statement_job(about)->request.nodes_max;
	}
	ret_said->deadline_s = about->deadline_s;
	if (about->limit)
		strncat(ret_said->limit, about->limit, sizeof(ret_said->limit) - 1);
	if (about->guards && about->deadline_s)
		ret_said->deadline = decision->reason == LW_REASON_ACCEPTED ? LW_DEADLINE_ACCEPTED
									    : LW_DEADLINE_RISK;
	statement_set_types(about, ret_said);
	lw_statement_settle(about, ret_said);
}

const char *lw_statement_fault(const struct lw_statement *said)
{
	if (said->never && (said->planned_s || said->likely || said->hints[0].kind))
		return "it can never start, and has a start or a change that would start it";
	if (said->latest_s && !said->unkept && (said->never || said->planned_s > said->latest_s))
		return "the promise cannot be kept, and that is not said";
	if (said->likely && (said->low_s > said->p50_s || said->p50_s > said->p90_s))
		return "the likely start is no interval";
	if (said->likely && said->planned_s && said->planned_s < said->at_s + said->low_s)
		return "the planned start is before what is likely";
	if (said->likely && said->latest_s && !said->unkept &&
	    said->at_s + said->p90_s > said->latest_s)
		return "the likely start is after the promised one";
	if (said->deadline_s && said->planned_s >= said->deadline_s &&
	    said->deadline != LW_DEADLINE_MISSED)
		return "the deadline is missed, and that is not said";
	for (int i = 0; said->deadline_s && i < LW_WHY_HINTS && said->hints[i].kind; i++)
		if (said->hints[i].kind == LW_HINT_LIMIT &&
		    said->at_s + (int64_t)said->hints[i].value > said->deadline_s)
			return "a change that the deadline forbids";
	if (statement_is_first(said) && said->before)
		return "it is the first on its nodes, and jobs are before it";
	return NULL;
}
