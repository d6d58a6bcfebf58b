/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that were asked to stop, where each is on its way back, and what was learned. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/stops.h"

#include "base/grow.h"
#include "base/quota.h"
#include "base/search.h"
#include "slurm/keep/lessons.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lw_stops {
	struct lw_statefile file;
	struct lw_stop *items; /* by job_id */
	uint32_t count, room;
	struct lw_lessons lessons;
	bool dirty;
};

/* ---- entries ---- */

static uint32_t stops_position(const struct lw_stops *stops, uint32_t job_id)
{
	uint32_t at;

	LW_SEARCH(at, stops->count, stops->items[at].job_id < job_id);
	return at;
}

struct lw_stop *lw_stops_find(const struct lw_stops *stops, uint32_t job_id)
{
	uint32_t at = stops ? stops_position(stops, job_id) : 0;

	return stops && at < stops->count && stops->items[at].job_id == job_id ? &stops->items[at]
									       : NULL;
}

struct lw_stop *lw_stops_at(struct lw_stops *stops, uint32_t i)
{
	return &stops->items[i];
}

uint32_t lw_stops_count(const struct lw_stops *stops)
{
	return stops->count;
}

/* In its place; NULL: no memory. */
static struct lw_stop *stops_insert(struct lw_stops *stops, const struct lw_stop *stop)
{
	uint32_t at = stops_position(stops, stop->job_id);

	if (lw_grow((void **)&stops->items, &stops->room, stops->count + 1,
		    sizeof(*stops->items)))
		return NULL;
	memmove(stops->items + at + 1, stops->items + at,
		(stops->count - at) * sizeof(*stops->items));
	stops->items[at] = *stop;
	stops->count++;
	return &stops->items[at];
}

static uint32_t stops_of_user(const struct lw_stops *stops, uint32_t user)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < stops->count; i++)
		count += stops->items[i].user == user;
	return count;
}

static bool stops_admit(const struct lw_stops *stops, uint32_t user)
{
	return lw_quota_admits(stops->count, LW_STOPS_MAX, stops_of_user(stops, user));
}

uint32_t lw_stops_kind_count(const struct lw_stops *stops)
{
	return stops->lessons.count;
}

uint32_t lw_stops_kind_count_of(const struct lw_stops *stops, uint32_t user)
{
	return lw_lessons_count_of(&stops->lessons, user);
}

/* ---- may it be asked? ---- */

/* What it is by itself. */
static enum lw_stop_answer stops_judge_job(const struct lw_stop_case *it)
{
	const struct {
		bool is;
		enum lw_stop_answer answer;
	} never[] = {
		{ it->het, LW_STOP_HET },
		{ !it->batch, LW_STOP_NOT_BATCH },
		{ !it->requeues, LW_STOP_NO_REQUEUE },
		{ it->federated, LW_STOP_FEDERATED },
		{ it->cron, LW_STOP_CRON },
		{ it->buffer, LW_STOP_BUFFER },
		{ it->reserved, LW_STOP_RESERVED },
		{ it->licences, LW_STOP_LICENCES },
	};

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (never[i].is)
			return never[i].answer;
	return LW_STOP_ASKS;
}

/* How it would be asked. A job that saves now and then loses what it did since, in any case. */
static enum lw_stop_answer stops_judge_way(const struct lw_stop_rules *rules,
					   const struct lw_stop_case *it, bool saves,
					   enum lw_stop_way *ret_way)
{
	*ret_way = it->signalled && !saves ? LW_STOP_BY_SIGNAL : LW_STOP_BY_REQUEUE;
	if (*ret_way == LW_STOP_BY_REQUEUE)
		return !saves && it->kill_wait_s < rules->save_s ? LW_STOP_HASTY : LW_STOP_ASKS;
	if (it->sent)
		return LW_STOP_ENDING;
	return it->depended ? LW_STOP_DEPENDED : LW_STOP_ASKS;
}

/* The first in any case: the share of a small cluster may be less than one job. */
static bool stops_crowd(const struct lw_stops *stops, const struct lw_stop_rules *rules,
			const struct lw_stop_case *it)
{
	double nodes = it->beside;

	for (uint32_t i = 0; i < stops->count; i++)
		nodes += lw_stop_has_share(&stops->items[i]) ? stops->items[i].nodes : 0;
	return nodes > 0 && nodes + it->nodes > rules->share * it->all_nodes;
}

/* Is the entry another user's, with the same number? */
static const struct lw_stop *stops_find_of(const struct lw_stops *stops, uint32_t job_id,
					   uint32_t user)
{
	const struct lw_stop *stop = lw_stops_find(stops, job_id);

	return stop && stop->user == user ? stop : NULL;
}

static uint32_t stops_today(const struct lw_stop *stop, int64_t now_s)
{
	return stop ? lw_stop_today(stop, now_s) : 0;
}

/* Slurm ends a waiting job that would miss its deadline by its limit, which begins anew. */
static bool stops_is_due(const struct lw_stop_rules *rules, const struct lw_stop_case *it,
			 int64_t now_s)
{
	return it->deadline_s && now_s + rules->back_s + it->limit_s > it->deadline_s;
}

/* What it, and others, did before. */
static enum lw_stop_answer stops_judge_past(const struct lw_stops *stops,
					    const struct lw_stop_rules *rules,
					    const struct lw_stop_case *it, int64_t now_s)
{
	const struct lw_stop *stop = stops_find_of(stops, it->job_id, it->user);
	const struct lw_stop_kind *kind =
		lw_lessons_find(&stops->lessons, it->user, lw_stop_kind_of(it->user, it->name));

	if (stop && lw_stop_is_out(stop))
		return LW_STOP_BUSY;
	if (kind && !lw_stop_kind_is_over(kind, now_s))
		return kind->why;
	if (stops_is_due(rules, it, now_s))
		return LW_STOP_DUE;
	if (now_s - it->start_s < rules->lease_s)
		return LW_STOP_YOUNG;
	if (stops_today(stop, now_s) >= rules->per_day)
		return LW_STOP_OFTEN;
	if (stops_crowd(stops, rules, it))
		return LW_STOP_CROWDED;
	return lw_stops_find(stops, it->job_id) || stops_admit(stops, it->user) ? LW_STOP_ASKS
										: LW_STOP_FULL;
}

enum lw_stop_answer lw_stops_judge(struct lw_stops *stops, const struct lw_stop_rules *rules,
				   const struct lw_stop_case *it, int64_t now_s,
				   enum lw_stop_way *ret_way)
{
	const struct lw_stop_terms terms = { .who = rules->who,
					     .comment = it->comment,
					     .qos = it->qos,
					     .partition = it->partition };
	enum lw_stop_answer answer;
	int64_t saves_s;

	if (!lw_stop_agrees(&terms, &saves_s))
		return LW_STOP_DISAGREES;
	answer = stops_judge_job(it);
	if (answer == LW_STOP_ASKS)
		answer = stops_judge_way(rules, it, saves_s > 0, ret_way);
	if (answer == LW_STOP_ASKS)
		answer = stops_judge_past(stops, rules, it, now_s);
	return answer == LW_STOP_ASKS && rules->mode != LW_STOP_ON ? LW_STOP_TELLS : answer;
}

/* ---- the way there and back ---- */

/* It is told by its --signal how long a save takes, or by the site. */
static int64_t stops_patience(const struct lw_stop_rules *rules, const struct lw_stop_case *it,
			      enum lw_stop_way way)
{
	int64_t save_s = way == LW_STOP_BY_SIGNAL ? it->signal_s : it->kill_wait_s;

	if (save_s < rules->save_s)
		save_s = rules->save_s;
	return 2 * save_s > LW_STOP_DEAF_S ? 2 * save_s : LW_STOP_DEAF_S;
}

/* What it has done by now, unless it is lost: if it saves now and then, since its last save. */
static int64_t stops_saved(const struct lw_stop_rules *rules, const struct lw_stop_case *it,
			   int64_t now_s)
{
	const struct lw_stop_terms terms = { .who = rules->who,
					     .comment = it->comment,
					     .qos = it->qos,
					     .partition = it->partition };
	int64_t saves_s, saved_s;

	(void)lw_stop_agrees(&terms, &saves_s);
	saved_s = now_s - it->start_s - saves_s;
	return it->start_s > 0 && saved_s > 0 ? saved_s : 0;
}

struct lw_stop *lw_stops_ask(struct lw_stops *stops, const struct lw_stop_rules *rules,
			     const struct lw_stop_case *it, enum lw_stop_way way, int64_t now_s)
{
	struct lw_stop *entry = lw_stops_find(stops, it->job_id);
	const struct lw_stop *before = stops_find_of(stops, it->job_id, it->user);
	const uint32_t today = stops_today(before, now_s);
	struct lw_stop stop = { .job_id = it->job_id,
				.user = it->user,
				.kind = lw_stop_kind_of(it->user, it->name),
				.state = LW_STOP_ASKED,
				.way = way,
				.for_job = it->for_job == it->job_id ? 0 : it->for_job,
				.moves = it->moves,
				.nodes = it->nodes,
				.restarts = it->restarts,
				.asked_s = now_s,
				.deaf_s = now_s + stops_patience(rules, it, way),
				.due_s = now_s + rules->back_s,
				.since_s = today ? entry->since_s : now_s,
				.expect_s = before ? before->expect_s : it->expect_s,
				.saved_s = (before ? before->saved_s : 0) +
					   stops_saved(rules, it, now_s),
				.stops = today + 1 };

	if (entry)
		*entry = stop;
	else
		entry = stops_insert(stops, &stop);
	stops->dirty = true;
	return entry;
}

void lw_stops_withdraw(struct lw_stops *stops, struct lw_stop *stop)
{
	stop->state = LW_STOP_RUNS;
	stop->expect_s = 0; /* saved_s is of no run that ended */
	if (!--stop->stops)
		stop->since_s = 0; /* for lw_stops_expire() */
	stops->dirty = true;
}

void lw_stops_set_moves(struct lw_stops *stops, struct lw_stop *stop, bool moves)
{
	stops->dirty |= stop->moves != moves;
	stop->moves = moves;
}

static enum lw_stop_event stops_enter(struct lw_stops *stops, struct lw_stop *stop,
				      enum lw_stop_state state, enum lw_stop_event event)
{
	stops->dirty = true;
	stop->state = state;
	return event;
}

static void stops_learn(struct lw_stops *stops, const struct lw_stop *stop,
			enum lw_stop_answer why, const struct lw_stop_sight *sight, int64_t now_s)
{
	const struct lw_stop_kind kind = {
		.user = stop->user, .kind = stop->kind, .why = why, .at_s = now_s
	};

	lw_lessons_learn(&stops->lessons, &kind, sight->name);
}

/* It began again: too late, if that was not seen before. */
static void stops_began(struct lw_stop *stop, const struct lw_stop_sight *sight)
{
	stop->late |= sight->start_s > stop->due_s;
}

/* It has run since, if it is no longer the run that was asked. */
static enum lw_stop_event stops_step_on(struct lw_stops *stops, struct lw_stop *stop,
					const struct lw_stop_sight *sight, int64_t now_s)
{
	if (sight->restarts == stop->restarts && now_s < stop->deaf_s)
		return LW_STOP_NOTHING;
	if (sight->restarts == stop->restarts) {
		stops_learn(stops, stop, LW_STOP_DEAF, sight, now_s);
		stop->expect_s = 0; /* saved_s is of no run that ended */
		return stops_enter(stops, stop, LW_STOP_RUNS, LW_STOP_IS_DEAF);
	}
	stop->back_s = now_s;
	stops_began(stop, sight);
	return stops_enter(stops, stop, LW_STOP_RUNS, LW_STOP_BACK);
}

/* For another job it waits until it goes first itself. */
static enum lw_stop_event stops_step_waiting(struct lw_stops *stops, struct lw_stop *stop,
					     const struct lw_stop_sight *sight, int64_t now_s)
{
	if (sight->yields && stop->state != LW_STOP_WAITS &&
	    now_s < lw_stop_first_s(stop->asked_s, stop->due_s))
		return stops_enter(stops, stop, LW_STOP_YIELDS, LW_STOP_STAYS);
	if (stop->state != LW_STOP_WAITS)
		return stops_enter(stops, stop, LW_STOP_WAITS, LW_STOP_OPENS);
	if (stop->late || now_s <= stop->due_s)
		return LW_STOP_NOTHING;
	stop->late = true;
	return stops_enter(stops, stop, LW_STOP_WAITS, LW_STOP_NOTHING);
}

static enum lw_stop_event stops_step_end(struct lw_stops *stops, struct lw_stop *stop,
					 const struct lw_stop_sight *sight, int64_t now_s)
{
	bool ended = sight->seen == LW_STOP_SEEN_ENDED && sight->restarts == stop->restarts;

	/* that it was requeued was not saved when slurmctld died, and it has had its SIGTERM */
	if (ended && stop->way == LW_STOP_BY_REQUEUE && !stop->lost) {
		stop->lost = true;
		return LW_STOP_IS_LOST;
	}
	if (ended)
		stops_learn(stops, stop, LW_STOP_ENDS, sight, now_s);
	else if (sight->restarts != stop->restarts)
		stops_began(stop, sight);
	stop->since_s = 0; /* for lw_stops_expire() */
	return stops_enter(stops, stop, LW_STOP_RUNS,
			   ended ? LW_STOP_HAS_ENDED : LW_STOP_IS_OVER);
}

/* It is back. Its saves and this run together are more than all that a job like it has to do. */
static enum lw_stop_event stops_step_back(struct lw_stops *stops, struct lw_stop *stop,
					  const struct lw_stop_sight *sight, int64_t now_s)
{
	if (sight->seen >= LW_STOP_SEEN_ENDED)
		stop->since_s = 0; /* for lw_stops_expire() */
	if (sight->seen != LW_STOP_SEEN_RUNNING || sight->restarts == stop->restarts ||
	    !stop->expect_s || sight->start_s <= 0 ||
	    stop->saved_s + (now_s - sight->start_s) <= stop->expect_s + LW_STOP_ANEW_S)
		return LW_STOP_NOTHING;
	stop->expect_s = 0;
	stops_learn(stops, stop, LW_STOP_ANEW, sight, now_s);
	return stops_enter(stops, stop, LW_STOP_RUNS, LW_STOP_IS_ANEW);
}

enum lw_stop_event lw_stops_step(struct lw_stops *stops, struct lw_stop *stop,
				 const struct lw_stop_sight *sight, int64_t now_s)
{
	stop->held = sight->seen == LW_STOP_SEEN_WAITING && sight->held;
	if (!lw_stop_is_out(stop))
		return stops_step_back(stops, stop, sight, now_s);
	switch (sight->seen) {
	case LW_STOP_SEEN_RUNNING:
		return stops_step_on(stops, stop, sight, now_s);
	case LW_STOP_SEEN_LEAVING:
		return stops_enter(stops, stop, LW_STOP_LEAVES, LW_STOP_NOTHING);
	case LW_STOP_SEEN_WAITING:
		return stops_step_waiting(stops, stop, sight, now_s);
	default:
		return stops_step_end(stops, stop, sight, now_s);
	}
}

void lw_stops_expire(struct lw_stops *stops, int64_t now_s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < stops->count; i++)
		if (!lw_stop_is_over(&stops->items[i], now_s))
			stops->items[kept++] = stops->items[i];
	stops->dirty |= lw_lessons_expire(&stops->lessons, now_s) || kept != stops->count;
	stops->count = kept;
}

/* ---- the file ---- */

/* Slurm may have lost what was done for a job that waits: then it is done once more. */
static int stops_take(void *arg, const struct lw_stop *stop)
{
	struct lw_stops *stops = arg;
	struct lw_stop again = *stop;

	if (again.state == LW_STOP_WAITS)
		again.state = LW_STOP_LEAVES;
	again.moves = false;
	if (lw_stops_find(stops, stop->job_id) || stops->count >= LW_STOPS_MAX)
		return -EBADMSG;
	return stops_insert(stops, &again) ? 0 : -ENOMEM;
}

static int stops_take_kind(void *arg, const struct lw_stop_kind *kind)
{
	struct lw_stops *stops = arg;

	return lw_lessons_add(&stops->lessons, kind);
}

static int stops_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_stops *stops = arg;
	const struct lw_stop_taker taker = { stops_take, stops_take_kind, stops };
	int rc = lw_stop_parse(text, size, stops->file.path, &taker, err);

	if (rc)
		stops->count = stops->lessons.count = 0;
	return rc;
}

int lw_stops_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_stops **ret_stops)
{
	struct lw_stops *stops = calloc(1, sizeof(*stops));
	int rc;

	if (!stops)
		return -ENOMEM;
	stops->file = (struct lw_statefile){ .kind = LW_STOP_FILE_KIND,
					     .version = LW_STOP_FILE_VERSION,
					     .what = "jobs that were asked to stop start",
					     .log = log };
	rc = lw_statefile_load(&stops->file, path, now_s, stops_parse, stops);
	if (rc) {
		lw_stops_destroy(stops);
		return rc;
	}
	*ret_stops = stops;
	return 0;
}

void lw_stops_destroy(struct lw_stops *stops)
{
	if (!stops)
		return;
	lw_statefile_fini(&stops->file);
	free(stops->items);
	lw_lessons_fini(&stops->lessons);
	free(stops);
}

int lw_stops_save(struct lw_stops *stops, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (!stops->dirty)
		return 0;
	for (uint32_t i = 0; i < stops->count; i++)
		lw_stop_print(&stops->items[i], &text);
	for (uint32_t i = 0; i < stops->lessons.count; i++)
		lw_stop_kind_print(&stops->lessons.kinds[i], &text);
	rc = text.error ? lw_error_set(err, text.error, "out of memory")
			: lw_statefile_save(&stops->file, lw_strbuf_text(&text), text.len, err);
	lw_strbuf_fini(&text);
	if (!rc)
		stops->dirty = false;
	return rc;
}
