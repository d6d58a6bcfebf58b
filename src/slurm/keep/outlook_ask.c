/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for which waiting jobs changes are searched that would start them now. */

/* Includes no Slurm header, so that it can be unit-tested. */

#include "slurm/keep/outlook_parts.h"

#include "base/grow.h"

#include <string.h>

/* Room that is kept from so much earlier on is more. */
#define SOONER_S 60

static int64_t outlook_kept_s(const struct lw_outlooks *outlooks, uint32_t job_id)
{
	for (uint32_t i = 0; i < outlooks->kept_count; i++)
		if (outlooks->kept[i].job_id == job_id)
			return outlooks->kept[i].start_s;
	return INT64_MAX;
}

void lw_outlook_note_kept(struct lw_outlooks *outlooks, const struct lw_plan *plan, int64_t now_s)
{
	struct lw_outlook_kept kept[LW_OUTLOOK_HEADS_MAX];
	uint32_t count = outlooks->heads.count;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_decision *head = &plan->decisions[outlooks->heads.decisions[i]];

		kept[i] = (struct lw_outlook_kept){ head->job_id, head->start_s };
		/* a plan wavers by a little */
		if (head->start_s < outlook_kept_s(outlooks, head->job_id) - SOONER_S)
			outlooks->sooner_s = now_s;
	}
	memcpy(outlooks->kept, kept, count * sizeof(*kept));
	outlooks->kept_count = count;
}

/* Does it wait for room, so that asking for less may help? */
static bool outlook_may_be_helped(const struct lw_decision *decision)
{
	return decision->verdict == LW_RESERVE || decision->reason == LW_REASON_WAITS_FOR_ROOM ||
	       decision->reason == LW_REASON_WAITS_FOR_HEAD ||
	       decision->reason == LW_REASON_WAITS_FOR_SHORTER ||
	       decision->reason == LW_REASON_WAITS_FOR_BROKEN;
}

static bool outlook_has_part(const struct lw_outlook_entry *entry)
{
	for (int i = 0; i < LW_WHY_HINTS && entry->hints[i].kind; i++)
		if (entry->hints[i].kind == LW_HINT_PARTITION)
			return true;
	return false;
}

/* The next job that shows a change which an earlier plan found: does it still help? */
static const struct lw_decision *outlook_ask_again(struct lw_outlooks *outlooks,
						   const struct lw_plan *plan, int64_t now_s)
{
	for (; outlooks->again < plan->decision_count; outlooks->again++) {
		const struct lw_decision *decision = &plan->decisions[outlooks->again];
		const struct lw_outlook_entry *entry =
			lw_outlook_entry(outlooks, decision->job_id);

		if (entry && outlook_may_be_helped(decision) &&
		    lw_outlook_is_hinted(entry, now_s) && entry->hinted_s < now_s &&
		    (!outlook_has_part(entry) || entry->prepared))
			return decision;
	}
	return NULL;
}

/* The next job in turn. */
static const struct lw_decision *outlook_ask_next(struct lw_outlooks *outlooks,
						  const struct lw_plan *plan, int64_t now_s)
{
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		uint32_t at = outlooks->asked++ % plan->decision_count;
		const struct lw_decision *decision = &plan->decisions[at];
		const struct lw_outlook_entry *entry;

		if (!outlook_may_be_helped(decision))
			continue;
		entry = lw_outlook_entry(outlooks, decision->job_id);
		if (entry && entry->hinted_s + (int64_t)LW_OUTLOOK_EVERY_S <= now_s)
			return decision;
	}
	return NULL;
}

const struct lw_decision *lw_outlooks_ask(struct lw_outlooks *outlooks,
					  const struct lw_plan *plan, int64_t now_s)
{
	const struct lw_decision *decision = NULL;
	bool again = outlooks->turn++ % 2 == 0;

	if (again)
		decision = outlook_ask_again(outlooks, plan, now_s);
	if (!decision)
		decision = outlook_ask_next(outlooks, plan, now_s);
	return decision || again ? decision : outlook_ask_again(outlooks, plan, now_s);
}

/* Jobs that show another partition, if SHOWN, or the next in turn. */
static uint32_t outlook_add_next(struct lw_outlooks *outlooks, const struct lw_plan *plan,
				 bool shown, uint32_t *ids, uint32_t most)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->decision_count && count < most; i++) {
		uint32_t at = (outlooks->asked + i) % plan->decision_count;
		struct lw_outlook_entry *entry =
			lw_outlook_entry(outlooks, plan->decisions[at].job_id);

		if (!outlook_may_be_helped(&plan->decisions[at]) ||
		    (entry && outlook_has_part(entry)) != shown)
			continue;
		if (entry)
			entry->prepared = true;
		ids[count++] = plan->decisions[at].job_id;
	}
	return count;
}

uint32_t lw_outlooks_next(struct lw_outlooks *outlooks, const struct lw_plan *plan, uint32_t *ids,
			  uint32_t most)
{
	uint32_t count;

	for (uint32_t i = 0; i < outlooks->count; i++)
		outlooks->entries[i].prepared = false;
	count = outlook_add_next(outlooks, plan, true, ids, most / 2);
	return count + outlook_add_next(outlooks, plan, false, ids + count, most - count);
}

uint32_t lw_outlooks_part(struct lw_outlooks *outlooks, const char *name)
{
	for (uint32_t i = 0; i < outlooks->part_count; i++)
		if (strcmp(outlooks->parts[i], name) == 0)
			return i + 1;
	if (!lw_why_can_name(name) || outlooks->part_count == LW_OUTLOOK_PARTS_MAX ||
	    lw_grow((void **)&outlooks->parts, &outlooks->part_room, outlooks->part_count + 1,
		    sizeof(*outlooks->parts)))
		return 0;
	memcpy(outlooks->parts[outlooks->part_count], name, strlen(name) + 1);
	return ++outlooks->part_count;
}

void lw_outlooks_hint(struct lw_outlooks *outlooks, uint32_t job_id,
		      const struct lw_hint hints[LW_WHY_HINTS], int64_t now_s)
{
	struct lw_outlook_entry *entry = lw_outlook_entry(outlooks, job_id);

	/* the job is new: the next cycle asks again */
	if (!entry)
		return;
	memcpy(entry->hints, hints, sizeof(entry->hints));
	entry->hinted_s = (uint32_t)now_s;
}

void lw_outlooks_unhint(struct lw_outlooks *outlooks, uint32_t job_id, const struct lw_hint *hint)
{
	struct lw_outlook_entry *entry = lw_outlook_entry(outlooks, job_id);

	if (entry)
		lw_hints_drop(entry->hints, hint);
}
