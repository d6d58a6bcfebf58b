/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the word on a job that waits says. */
#include "slurm/keep/outlook_word.h"

#include "base/lookup.h"

#include <string.h>

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

struct lw_statement_case lw_outlook_word_about(const struct lw_outlook_cycle *cycle,
					       const struct lw_decision *decision)
{
	struct lw_statement_case about = { .snap = cycle->snap,
					   .decision = decision,
					   .after_job = decision->after_job,
					   .guards = cycle->guards };

	if (decision->verdict == LW_RESERVE)
		about.planned_s = decision->start_s;
	if (cycle->ask)
		cycle->ask(cycle->arg, &about);
	return about;
}

void lw_outlook_word_begin(const struct lw_outlook_cycle *cycle,
			   const struct lw_statement_case *about, struct lw_statement *why)
{
	const struct lw_statement *shown =
		cycle->shown ? cycle->shown(cycle->arg, about->decision->job_id) : NULL;

	if (shown)
		*why = *shown;
	else
		lw_statement_make(about, why);
	why->zoned = cycle->zoned;
	why->zone_min = cycle->zone_min;
}

void lw_outlook_word_likely(const struct lw_outlook *learned,
			    const struct lw_outlook_cycle *cycle,
			    const struct lw_outlook_sample *said, struct lw_statement *why)
{
	struct lw_outlook_held held =
		lw_outlook_held(learned, cycle->snap->queue.count, cycle->snap->now_s);

	if (!said->known)
		return;
	why->likely = true;
	why->low_s = said->low_s / 60 * 60;
	why->p50_s = lw_statement_round_s(said->p50_s);
	why->p90_s = lw_statement_round_s(said->p90_s);
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

void lw_outlook_word_add(const struct lw_ahead *ahead, const struct lw_outlook_heads *heads,
			 const struct lw_outlook_cycle *cycle, const struct lw_decision *decision,
			 struct lw_statement *why)
{
	why->before = lw_ahead_jobs(ahead, decision->waiting);
	why->head = outlook_word_find_head(heads, cycle, decision);
	if (cycle->hide_others)
		why->after = why->stopped = 0;
}

uint32_t lw_outlook_word_shown(const struct lw_statement *why)
{
	uint64_t hash = lw_hash_mix(LW_HASH_BEGIN, (uint64_t)why->planned_s);

	hash = lw_hash_mix(hash, (uint64_t)why->latest_s);
	hash = lw_hash_mix(hash, why->stopped);
	hash = lw_hash_mix(hash, (uint64_t)why->unkept << 8 | (uint64_t)why->deadline);
	for (int i = 0; i < LW_WHY_HINTS && why->hints[i].kind; i++)
		hash = lw_hash_mix(hash,
				   (uint64_t)why->hints[i].kind << 32 | why->hints[i].value);
	return (uint32_t)lw_hash_mix(hash, why->never);
}

uint32_t lw_outlook_word_hash(const struct lw_statement *why)
{
	struct lw_statement content = *why;
	char word[LW_WHY_MAX];

	content.at_s = 1;
	return (uint32_t)lw_hash_mix_bytes(LW_HASH_BEGIN, word, lw_why_encode(&content, word));
}
