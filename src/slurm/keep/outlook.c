/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users are told of each waiting job, and what its start teaches. */

/* Includes no Slurm header, so that it can be unit-tested. */

#include "slurm/keep/outlook_parts.h"

#include "base/grow.h"
#include "predictor/outlook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SAVE_EVERY_S 600
/* Entries are allocated in pieces of this many: doubling would waste as much as is used. */
#define PIECE   512
#define NO_WORD UINT32_MAX

static int outlook_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_outlooks *outlooks = arg;

	return lw_outlook_parse(outlooks->learned, text, size, outlooks->file.path, err);
}

int lw_outlooks_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_outlooks **ret_outlooks)
{
	struct lw_outlooks *outlooks = calloc(1, sizeof(*outlooks));
	int rc = -ENOMEM;

	if (!outlooks)
		return -ENOMEM;
	outlooks->learned = malloc(sizeof(*outlooks->learned));
	outlooks->saved_s = now_s;
	if (outlooks->learned) {
		lw_outlook_init(outlooks->learned);
		outlooks->file =
			(struct lw_statefile){ .kind = LW_OUTLOOK_FILE_KIND,
					       .version = LW_OUTLOOK_FILE_VERSION,
					       .what = "what waits are likely is learned",
					       .log = log };
		rc = lw_statefile_load(&outlooks->file, path, now_s, outlook_parse, outlooks);
	}
	if (rc) {
		lw_outlooks_destroy(outlooks);
		return rc;
	}
	*ret_outlooks = outlooks;
	return 0;
}

void lw_outlooks_destroy(struct lw_outlooks *outlooks)
{
	if (!outlooks)
		return;
	lw_ahead_fini(&outlooks->ahead);
	lw_outlook_room_fini(&outlooks->places);
	lw_lookup_fini(&outlooks->index);
	lw_statefile_fini(&outlooks->file);
	free(outlooks->learned);
	free(outlooks->entries);
	free(outlooks->due);
	free(outlooks->words);
	free(outlooks->parts);
	free(outlooks);
}

int lw_outlooks_save(struct lw_outlooks *outlooks, int64_t now_s, bool at_once,
		     struct lw_error *err)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	int rc;

	if (!outlooks->dirty || (!at_once && now_s < outlooks->saved_s + SAVE_EVERY_S))
		return 0;
	lw_outlook_print(outlooks->learned, &out);
	rc = out.error ? lw_error_set(err, out.error, "out of memory")
		       : lw_statefile_save(&outlooks->file, lw_strbuf_text(&out), out.len, err);
	lw_strbuf_fini(&out);
	outlooks->saved_s = now_s;
	if (!rc)
		outlooks->dirty = false;
	return rc;
}

static int outlook_index_entries(struct lw_outlooks *outlooks)
{
	lw_lookup_fini(&outlooks->index);
	for (uint32_t i = 0; i < outlooks->count; i++)
		if (lw_lookup_put(&outlooks->index, outlooks->entries[i].job_id, i))
			return -ENOMEM;
	return 0;
}

struct lw_outlook_entry *lw_outlook_entry(struct lw_outlooks *outlooks, uint32_t job_id)
{
	uint32_t at;

	if (outlooks->index.count != outlooks->count && outlook_index_entries(outlooks))
		return NULL;
	return lw_lookup_get(&outlooks->index, job_id, &at) ? &outlooks->entries[at] : NULL;
}

static int outlook_make_room(struct lw_outlooks *outlooks)
{
	struct lw_outlook_entry *more;

	if (outlooks->count < outlooks->room)
		return 0;
	more = reallocarray(outlooks->entries, outlooks->room + PIECE, sizeof(*more));
	if (!more)
		return -ENOMEM;
	outlooks->entries = more;
	outlooks->room += PIECE;
	return 0;
}

static struct lw_outlook_entry *outlook_add_entry(struct lw_outlooks *outlooks,
						  const struct lw_waiting *job)
{
	struct lw_outlook_entry *entry;

	if (outlooks->count == LW_OUTLOOK_JOBS_MAX ||
	    !lw_outlook_room_take(&outlooks->places, job->user_id) ||
	    outlook_make_room(outlooks) ||
	    lw_lookup_put(&outlooks->index, job->job_id, outlooks->count))
		return NULL;
	entry = &outlooks->entries[outlooks->count++];
	memset(entry, 0, sizeof(*entry));
	entry->job_id = job->job_id;
	entry->user_id = job->user_id;
	return entry;
}

/* No entry is seen yet. If a user has too many, the last ones make room for other users. */
static void outlook_keep_to_room(struct lw_outlooks *outlooks)
{
	for (uint32_t i = 0; i < outlooks->count; i++) {
		outlooks->entries[i].seen = false;
		outlooks->entries[i].over =
			!lw_outlook_room_take(&outlooks->places, outlooks->entries[i].user_id);
	}
}

/* Learn how long jobs of the table waited that run now. */
static void outlook_learn_starts(struct lw_outlooks *outlooks, const struct lw_snapshot *snap)
{
	for (uint32_t i = 0; i < snap->running_count; i++) {
		struct lw_outlook_entry *entry =
			lw_outlook_entry(outlooks, snap->running[i].job_id);

		if (!entry || entry->seen)
			continue;
		for (uint32_t k = 0; k < entry->sample_count; k++)
			lw_outlook_learn(outlooks->learned, &entry->samples[k],
					 snap->running[i].start_s);
		outlooks->dirty |= entry->sample_count > 0;
		entry->sample_count = 0;
	}
}

/* The tasks of an array start one after the other: nothing is learnt from their record. */
static void outlook_sample(struct lw_outlook_entry *entry, const struct lw_waiting *job,
			   const struct lw_outlook_case *seen,
			   const struct lw_outlook_sample *said)
{
	uint32_t stage = lw_outlook_stage(seen->age_s);

	if (job->tasks > 1) {
		entry->sample_count = 0;
		return;
	}
	if (entry->sample_count && entry->samples[entry->sample_count - 1].age + 1u >= stage)
		return;
	if (entry->sample_count < LW_OUTLOOK_AGES)
		entry->samples[entry->sample_count++] = *said;
}

static int outlook_add_due(struct lw_outlooks *outlooks, uint32_t job_id,
			   const struct lw_statement *why)
{
	uint32_t word = NO_WORD;

	if (lw_grow((void **)&outlooks->due, &outlooks->due_room, outlooks->due_count + 1,
		    sizeof(*outlooks->due)))
		return -ENOMEM;
	if (why) {
		if (lw_grow((void **)&outlooks->words, &outlooks->word_room,
			    outlooks->word_count + 1, LW_WHY_MAX))
			return -ENOMEM;
		word = outlooks->word_count++;
		lw_why_encode(why, outlooks->words + (size_t)word * LW_WHY_MAX);
	}
	outlooks->due[outlooks->due_count++] = (struct lw_outlook_due){ job_id, word };
	return 0;
}

static int outlook_word_job(struct lw_outlooks *outlooks, struct lw_outlook_entry *entry,
			    const struct lw_statement *why)
{
	int64_t since_s = why->at_s - entry->written_s;
	uint32_t hash = lw_outlook_word_hash(why);

	if (entry->has_word && hash == entry->hash && since_s < LW_OUTLOOK_RENEW_S)
		return 0;
	if (outlook_add_due(outlooks, entry->job_id, why))
		return -ENOMEM;
	entry->hash = hash;
	entry->told = lw_outlook_word_shown(why);
	entry->written_s = (uint32_t)why->at_s;
	entry->has_word = true;
	return 0;
}

static void outlook_show_hints(const struct lw_outlooks *outlooks,
			       const struct lw_outlook_entry *entry, struct lw_statement *why)
{
	memcpy(why->hints, entry->hints, sizeof(why->hints));
	for (int i = 0; i < LW_WHY_HINTS && why->hints[i].kind; i++) {
		uint32_t number = why->hints[i].value;

		if (why->hints[i].kind == LW_HINT_PARTITION && number <= outlooks->part_count)
			memcpy(why->partition, outlooks->parts[number - 1], LW_WHY_PART_MAX);
	}
}

/* Is it too early for another word? Not if what is shown elsewhere, TOLD, is news. */
static bool outlook_can_wait(const struct lw_outlook_entry *entry, uint32_t told, int64_t now_s)
{
	return entry->has_word && entry->told == told &&
	       now_s - (int64_t)entry->written_s < LW_OUTLOOK_EVERY_S;
}

/* SAY: it may be written in this cycle; otherwise it is only noted that it waits. */
static int outlook_tell_job(struct lw_outlooks *outlooks, const struct lw_outlook_cycle *cycle,
			    const struct lw_decision *decision, bool say)
{
	const struct lw_snapshot *snap = cycle->snap;
	struct lw_outlook_entry *entry = lw_outlook_entry(outlooks, decision->job_id);
	struct lw_statement_case about = lw_outlook_word_about(cycle, decision);
	struct lw_outlook_case seen =
		lw_outlook_word_case(&outlooks->ahead, cycle, decision, about.latest_s);
	struct lw_outlook_sample said;
	struct lw_statement why;

	if (!entry)
		entry = outlook_add_entry(outlooks, &snap->waiting[decision->waiting]);
	if (!entry || entry->seen || entry->over)
		return 0;
	entry->seen = true;
	for (uint32_t k = 0; k < entry->sample_count; k++)
		lw_outlook_waits(outlooks->learned, &entry->samples[k], snap->now_s);
	said = lw_outlook_say(outlooks->learned, &seen, snap->now_s);
	outlook_sample(entry, &snap->waiting[decision->waiting], &seen, &said);
	if (!say)
		return 0;
	lw_outlook_word_begin(cycle, &about, &why);
	if (lw_outlook_is_hinted(entry, snap->now_s) && entry->hinted_s >= outlooks->sooner_s)
		outlook_show_hints(outlooks, entry, &why);
	if (outlook_can_wait(entry, lw_outlook_word_shown(&why), snap->now_s))
		return 0;
	lw_outlook_word_add(&outlooks->ahead, &outlooks->heads, cycle, decision, &why);
	lw_outlook_word_likely(outlooks->learned, cycle, &said, &why);
	lw_statement_settle(&about, &why);
	return outlook_word_job(outlooks, entry, &why);
}

/* Its word is dropped; what was written of it stays. */
static int outlook_note_start(struct lw_outlooks *outlooks, uint32_t job_id)
{
	struct lw_outlook_entry *entry = lw_outlook_entry(outlooks, job_id);
	bool had_word;

	if (!entry || entry->seen)
		return 0;
	had_word = entry->has_word;
	entry->seen = true;
	entry->has_word = false;
	return had_word ? outlook_add_due(outlooks, job_id, NULL) : 0;
}

/* Goes on where the last cycle stopped, so that every job is written at some time. */
static int outlook_tell_jobs(struct lw_outlooks *outlooks, const struct lw_outlook_cycle *cycle)
{
	const struct lw_plan *plan = cycle->plan;
	uint32_t from = plan->decision_count ? outlooks->cursor % plan->decision_count : 0;
	bool full = false;
	int rc = 0;

	for (uint32_t i = 0; i < plan->decision_count && !rc; i++) {
		uint32_t at = (from + i) % plan->decision_count;

		if (!full && outlooks->due_count >= LW_OUTLOOK_WORDS_MAX) {
			full = true;
			outlooks->cursor = at;
		}
		if (plan->decisions[at].verdict == LW_START)
			rc = outlook_note_start(outlooks, plan->decisions[at].job_id);
		else if (lw_outlook_is_told(cycle->snap, &plan->decisions[at]))
			rc = outlook_tell_job(outlooks, cycle, &plan->decisions[at], !full);
	}
	return rc;
}

/* Remove the entries of jobs that were not seen: they have started, are held, or are gone. */
static int outlook_drop_unseen(struct lw_outlooks *outlooks)
{
	uint32_t kept = 0;
	int rc = 0;

	for (uint32_t i = 0; i < outlooks->count; i++) {
		struct lw_outlook_entry *entry = &outlooks->entries[i];

		if (entry->seen)
			outlooks->entries[kept++] = *entry;
		else if (entry->has_word && !rc)
			rc = outlook_add_due(outlooks, entry->job_id, NULL);
	}
	outlooks->count = kept;
	return rc;
}

int lw_outlooks_cycle(struct lw_outlooks *outlooks, const struct lw_outlook_cycle *cycle)
{
	int rc;

	/* what the last cycle prepared is still due, if it came to nothing */
	rc = outlook_index_entries(outlooks);
	if (!rc)
		rc = lw_ahead_make(&outlooks->ahead, cycle->snap, cycle->params);
	if (!rc)
		rc = lw_outlook_room_begin(&outlooks->places, cycle->snap, cycle->plan,
					   LW_OUTLOOK_JOBS_MAX);
	if (!rc) {
		lw_outlook_word_heads(cycle->plan, &outlooks->heads);
		lw_outlook_note_kept(outlooks, cycle->plan, cycle->snap->now_s);
		outlook_keep_to_room(outlooks);
		outlook_learn_starts(outlooks, cycle->snap);
		rc = outlook_tell_jobs(outlooks, cycle);
	}
	outlooks->again = 0;
	return rc ? rc : outlook_drop_unseen(outlooks);
}

/* Drop what is only of use between a cycle and its write. */
static void outlook_forget_due(struct lw_outlooks *outlooks)
{
	lw_lookup_fini(&outlooks->index);
	lw_ahead_fini(&outlooks->ahead);
	lw_outlook_room_fini(&outlooks->places);
	free(outlooks->due);
	free(outlooks->words);
	outlooks->due = NULL;
	outlooks->words = NULL;
	outlooks->due_count = outlooks->due_room = 0;
	outlooks->word_count = outlooks->word_room = 0;
}

uint32_t lw_outlooks_write(struct lw_outlooks *outlooks, lw_outlooks_write_f write, void *arg)
{
	uint32_t count = outlooks->due_count;

	for (uint32_t i = 0; i < outlooks->due_count; i++) {
		const struct lw_outlook_due *due = &outlooks->due[i];

		(void)write(arg, due->job_id,
			    due->word == NO_WORD
				    ? NULL
				    : outlooks->words + (size_t)due->word * LW_WHY_MAX);
	}
	outlook_forget_due(outlooks);
	return count;
}

void lw_outlooks_clear(struct lw_outlooks *outlooks, lw_outlooks_write_f write, void *arg)
{
	for (uint32_t i = 0; i < outlooks->count; i++) {
		if (outlooks->entries[i].has_word)
			(void)write(arg, outlooks->entries[i].job_id, NULL);
		outlooks->entries[i].has_word = false;
	}
	outlook_forget_due(outlooks);
}

uint32_t lw_outlooks_count(const struct lw_outlooks *outlooks)
{
	return outlooks->count;
}

const struct lw_outlook *lw_outlooks_learned(const struct lw_outlooks *outlooks)
{
	return outlooks->learned;
}
