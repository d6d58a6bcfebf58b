/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs may make room, and for which jobs others do, from one cycle to the next. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/leasing.h"

#include "base/grow.h"
#include "base/quota.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_leasing_fini(struct lw_leasing *leasing)
{
	free(leasing->served);
	free(leasing->barred);
	lw_lookup_fini(&leasing->rooms);
	lw_leases_fini(&leasing->leases);
	lw_moving_fini(&leasing->moving);
	memset(leasing, 0, sizeof(*leasing));
}

/* ---- what is on its way ---- */

static bool leasing_has_left(const struct lw_stop *stop)
{
	return stop->state == LW_STOP_LEAVES || stop->state == LW_STOP_YIELDS ||
	       (stop->moves && stop->state != LW_STOP_ASKED);
}

/* Of several that make room for one job, one that has left is named. */
static int leasing_note_room(struct lw_leasing *leasing, const struct lw_stops *stops,
			     const struct lw_stop *stop)
{
	uint32_t other;

	if (!stop->for_job || (stop->state != LW_STOP_ASKED && !leasing_has_left(stop)))
		return 0;
	if (lw_lookup_get(&leasing->rooms, stop->for_job, &other) &&
	    leasing_has_left(lw_stops_find(stops, other)))
		return 0;
	return lw_lookup_put(&leasing->rooms, stop->for_job, stop->job_id);
}

static int leasing_note_out(struct lw_leasing *leasing, const struct lw_stops *stops,
			    const struct lw_stop *stop, uint32_t all_nodes)
{
	/* one that has moved may run again before the other one does */
	if (!lw_stop_is_out(stop) && !stop->moves)
		return 0;
	if (lw_stop_has_share(stop))
		leasing->out += stop->nodes / (double)(all_nodes ? all_nodes : 1);
	if (lw_grow((void **)&leasing->served, &leasing->served_room, leasing->served_count + 1,
		    sizeof(*leasing->served)))
		return -ENOMEM;
	leasing->served[leasing->served_count++] = stop->for_job;
	return leasing_note_room(leasing, stops, stop);
}

void lw_leasing_begin(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		      struct lw_stops *stops, uint32_t all_nodes, int64_t kill_wait_s)
{
	int rc = 0;

	leasing->on = rules->mode != LW_STOP_OFF &&
		      (rules->for_jobs != LW_STOP_FOR_NONE || rules->grows);
	leasing->rules = (struct lw_lease_rules){
		.shorts = rules->for_jobs & LW_STOP_FOR_SHORT,
		.dues = rules->for_jobs & LW_STOP_FOR_DEADLINE,
		.gangs = rules->for_jobs & LW_STOP_FOR_GANG,
		.grows = rules->grows,
		.gain = rules->gain,
		.share = rules->share,
		.widest = rules->widest,
		.leave_s = rules->save_s ? rules->save_s : kill_wait_s,
		.back_s = rules->back_s,
	};
	leasing->leases.count = leasing->leases.place_count = 0;
	leasing->offer_count = leasing->served_count = 0;
	leasing->out = 0;
	lw_lookup_fini(&leasing->rooms);
	for (uint32_t i = 0; !rc && i < lw_stops_count(stops); i++)
		rc = leasing_note_out(leasing, stops, lw_stops_at(stops, i), all_nodes);
	if (rc)
		leasing->on = false;
}

uint32_t lw_leasing_room_from(const struct lw_leasing *leasing, uint32_t job_id)
{
	uint32_t from;

	return leasing && lw_lookup_get(&leasing->rooms, job_id, &from) ? from : 0;
}

bool lw_leasing_goes_first(const struct lw_leasing *leasing, const struct lw_stops *stops,
			   uint32_t job_id, const struct lw_stop_size *size)
{
	const struct lw_stop *stop = lw_stops_find(stops, lw_leasing_room_from(leasing, job_id));

	return stop && stop->for_job == job_id && leasing_has_left(stop) &&
	       lw_stop_has_kept(size, &stop->for_size);
}

/* ---- offers ---- */

bool lw_leasing_is_vain(const struct lw_leasing *leasing, uint32_t job_id, int64_t now_s)
{
	for (uint32_t i = 0; i < LW_LEASING_VAIN; i++)
		if (leasing->vain[i].job_id == job_id && now_s < leasing->vain[i].until_s)
			return true;
	return false;
}

void lw_leasing_in_vain(struct lw_leasing *leasing, uint32_t job_id, int64_t now_s)
{
	if (lw_leasing_is_vain(leasing, job_id, now_s))
		return;
	leasing->vain[leasing->vain_next++ % LW_LEASING_VAIN] =
		(struct lw_leasing_vain){ job_id, now_s + LW_LEASING_VAIN_S };
}

bool lw_leasing_wants(const struct lw_leasing *leasing)
{
	return leasing->on && leasing->offer_count < LW_LEASING_OFFERS;
}

/* Of its work: what it did since its last save, or the time of a save, and its new start. */
static int64_t leasing_lost_s(const struct lw_stop_rules *rules, const struct lw_stop_case *it,
			      enum lw_stop_way way)
{
	const struct lw_stop_terms terms = { .who = rules->who,
					     .comment = it->comment,
					     .qos = it->qos,
					     .partition = it->partition };
	int64_t saves_s;

	(void)lw_stop_agrees(&terms, &saves_s);
	if (!saves_s)
		saves_s = rules->save_s;
	if (!saves_s)
		saves_s = way == LW_STOP_BY_SIGNAL ? it->signal_s : it->kill_wait_s;
	return saves_s + LW_LEASING_LOAD_S;
}

static uint32_t leasing_offers_of(const struct lw_leasing *leasing, uint32_t user)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < leasing->offer_count; i++)
		count += leasing->offer_users[i] == user;
	return count;
}

bool lw_leasing_offer(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		      struct lw_stops *stops, const struct lw_stop_case *it, uint32_t running,
		      int64_t now_s)
{
	enum lw_stop_way way;
	enum lw_stop_answer answer;
	int64_t rest_s = lw_stop_rest_s(rules->lease_s, rules->back_s, it->restarts > 0);

	if (now_s - it->start_s < rest_s ||
	    lw_stops_kind_count_of(stops, it->user) >= LW_LEASING_LESSONS ||
	    !lw_quota_admits(leasing->offer_count, LW_LEASING_OFFERS,
			     leasing_offers_of(leasing, it->user)))
		return false;
	answer = lw_stops_judge(stops, rules, it, now_s, &way);
	if ((answer != LW_STOP_ASKS && answer != LW_STOP_TELLS) ||
	    (way == LW_STOP_BY_SIGNAL && it->signal_s > LW_LEASING_SIGNAL_S) ||
	    lw_leasing_is_vain(leasing, it->job_id, now_s))
		return false;
	leasing->offer_users[leasing->offer_count] = it->user;
	leasing->offers[leasing->offer_count++] = (struct lw_lease_offer){
		.running = running,
		.lost_s = leasing_lost_s(rules, it, way),
		.finish_by_s = it->deadline_s,
	};
	return true;
}

/* ---- the plan ---- */

int lw_leasing_bar_none(struct lw_leasing *leasing, uint32_t count)
{
	if (lw_grow((void **)&leasing->barred, &leasing->barred_room, count + 1,
		    sizeof(*leasing->barred))) {
		leasing->on = false;
		return -ENOMEM;
	}
	memset(leasing->barred, 0, count * sizeof(*leasing->barred));
	return 0;
}

int lw_leasing_plan(struct lw_leasing *leasing, struct lw_policy *policy,
		    const struct lw_snapshot *snap)
{
	const struct lw_lease_state state = { .out = leasing->out,
					      .served = leasing->served,
					      .served_count = leasing->served_count,
					      .barred = leasing->barred };

	leasing->leases.count = leasing->leases.place_count = 0;
	if (!leasing->on || (!snap->queue.count && !leasing->rules.grows))
		return 0;
	return lw_policy_lease(policy, &leasing->rules, &state, leasing->offers,
			       leasing->offer_count, &leasing->leases);
}
