/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the word on a job that waits says. */
#include "slurm/keep/outlook_word.h"

#include "base/lookup.h"

#include <string.h>

/* Coarse, so that a word does not change for nothing. */
static uint32_t outlook_word_round_up(uint32_t wait_s)
{
	uint32_t step_s = wait_s < 3600        ? 60
			  : wait_s < 6 * 3600  ? 300
			  : wait_s < 24 * 3600 ? 900
					       : 3600;

	return (wait_s + step_s - 1) / step_s * step_s;
}

struct lw_outlook_case lw_outlook_word_case(const struct lw_ahead *ahead,
					    const struct lw_outlook_cycle *cycle,
					    const struct lw_decision *decision, int64_t latest_s)
{
	const struct lw_snapshot *snap = cycle->snap;
	const struct lw_waiting *job = &snap->waiting[decision->waiting];
	bool promised = latest_s > snap->now_s;

	return (struct lw_outlook_case){
		.base_s = promised ? latest_s - snap->now_s
				   : lw_ahead_before_s(ahead, decision->waiting),
		.promised = promised,
		.age_s = snap->now_s - job->submit_s,
		.share = lw_ahead_share(ahead, &job->request),
		.queue = snap->queue.count,
	};
}

void lw_outlook_word_likely(const struct lw_outlook *learned,
			    const struct lw_outlook_cycle *cycle,
			    const struct lw_outlook_sample *said, struct lw_why *why)
{
	struct lw_outlook_held held =
		lw_outlook_held(learned, cycle->snap->queue.count, cycle->snap->now_s);

	if (!said->known)
		return;
	why->likely = true;
	why->low_s = said->low_s / 60 * 60;
	why->p50_s = outlook_word_round_up(said->p50_s);
	why->p90_s = outlook_word_round_up(said->p90_s);
	why->held_count = held.count;
	if (held.count)
		why->held_percent =
			(uint32_t)((100 * (uint64_t)held.by_p90 + held.count / 2) / held.count);
}

void lw_outlook_word_heads(const struct lw_plan *plan, struct lw_outlook_heads *ret_heads)
{
	uint32_t left = plan->reserved;

	ret_heads->count = 0;
	for (uint32_t i = 0; left && i < plan->decision_count; i++) {
		if (plan->decisions[i].verdict != LW_RESERVE)
			continue;
		left--;
		ret_heads->decisions[ret_heads->count++] = i;
		if (ret_heads->count == LW_OUTLOOK_HEADS_MAX)
			return;
	}
}

/*
 * The job with the promised start that this job must not delay: the first that may use its
 * nodes.
 */
static uint32_t outlook_word_find_head(const struct lw_outlook_heads *heads,
				       const struct lw_outlook_cycle *cycle,
				       const struct lw_decision *decision)
{
	const struct lw_snapshot *snap = cycle->snap;
	uint32_t set = snap->waiting[decision->waiting].set;

	if (decision->verdict != LW_WAIT || cycle->hide_others)
		return 0;
	for (uint32_t i = 0; i < heads->count; i++) {
		const struct lw_decision *other = &cycle->plan->decisions[heads->decisions[i]];
		uint32_t theirs = snap->waiting[other->waiting].set;

		if (other->job_id != decision->job_id &&
		    (theirs == set ||
		     lw_bitset_intersects(&snap->sets[theirs].nodes, &snap->sets[set].nodes)))
			return other->job_id;
	}
	return 0;
}

static char outlook_word_deadline_of(const struct lw_outlook_cycle *cycle,
				     const struct lw_decision *decision)
{
	if (!cycle->guards || !cycle->snap->waiting[decision->waiting].finish_by_s)
		return 0;
	return decision->reason == LW_REASON_ACCEPTED ? 'a' : 'r';
}

static void word_type(const struct lw_snapshot *snap, int type, int64_t done_s,
		      struct lw_why_type *told)
{
	const char *name = snap->gpu_types[type];
	int64_t after_s = done_s - snap->now_s;

	if (strlen(name) >= sizeof(told->name) || after_s < 0 || after_s >= UINT32_MAX - 3600)
		return;
	memcpy(told->name, name, strlen(name) + 1);
	told->done_s = outlook_word_round_up((uint32_t)after_s);
}

/* Of a job that has room, and waits by choice. */
static void outlook_word_word_types(const struct lw_snapshot *snap,
				    const struct lw_decision *decision, struct lw_why *why)
{
	const struct lw_type_choice *choice = &decision->choice;

	if (decision->reason != LW_REASON_WAITS_FOR_TYPE || !choice->made ||
	    choice->other == LW_GPU_ANY)
		return;
	word_type(snap, choice->type, choice->done_s, &why->faster);
	word_type(snap, choice->other, choice->other_done_s, &why->other);
	why->cramped = choice->cramped;
}

void lw_outlook_word_make(const struct lw_ahead *ahead, const struct lw_outlook_heads *heads,
			  const struct lw_outlook_cycle *cycle,
			  const struct lw_decision *decision, struct lw_why *why)
{
	const char *reason = lw_reason_name(decision->reason);

	memset(why, 0, sizeof(*why));
	why->at_s = cycle->snap->now_s;
	memcpy(why->reason, reason, strnlen(reason, sizeof(why->reason) - 1));
	why->before = lw_ahead_jobs(ahead, decision->waiting);
	why->head = outlook_word_find_head(heads, cycle, decision);
	why->after = cycle->hide_others ? 0 : decision->after_job;
	why->deadline = outlook_word_deadline_of(cycle, decision);
	outlook_word_word_types(cycle->snap, decision, why);
}

uint32_t lw_outlook_word_hash(const struct lw_why *why)
{
	struct lw_why content = *why;
	char word[LW_WHY_MAX];

	content.at_s = 1;
	return (uint32_t)lw_hash_mix_bytes(LW_HASH_BEGIN, word, lw_why_encode(&content, word));
}
