/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one job's GPU use on one node, in memory of a fixed size. */
/*
 * Buckets lie on a grid of absolute time, slot = time / length, so that joining pairs and
 * merging two records of one job never has to split a bucket.
 */
#include "record/record.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKET_MAX_S (UINT32_MAX / 2)

static int64_t record_floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static struct lw_gpu_bucket *record_row(struct lw_record *record, uint32_t bucket)
{
	return &record->bucket[(size_t)bucket * record->head.gpu_count];
}

static size_t record_row_size(const struct lw_record *record)
{
	return record->head.gpu_count * sizeof(struct lw_gpu_bucket);
}

static void record_add_bucket(struct lw_gpu_bucket *into, const struct lw_gpu_bucket *from)
{
	into->samples += from->samples;
	into->idle += from->idle;
	for (int m = 0; m < LW_METRIC_COUNT; m++)
		lw_stat_add(&into->stat[m], &from->stat[m]);
}

/* Join pairs of neighbours. Gaps can keep two slots apart, so the count may stay. */
static void record_halve(struct lw_record *record)
{
	uint32_t kept = 0;

	record->bucket_s *= 2;
	for (uint32_t i = 0; i < record->bucket_count; i++) {
		int64_t slot = record_floor_div(record->slot[i], 2);

		if (kept && record->slot[kept - 1] == slot) {
			for (uint32_t g = 0; g < record->head.gpu_count; g++)
				record_add_bucket(record_row(record, kept - 1) + g,
						  record_row(record, i) + g);
			continue;
		}
		record->slot[kept] = slot;
		if (kept != i)
			memcpy(record_row(record, kept), record_row(record, i),
			       record_row_size(record));
		kept++;
	}
	record->bucket_count = kept;
	record->reshaped = true;
	record->changed_from = 0;
}

/* The first bucket with a slot not below SLOT. */
static uint32_t record_lower_bound(const struct lw_record *record, int64_t slot)
{
	uint32_t at;

	LW_SEARCH(at, record->bucket_count, record->slot[at] < slot);
	return at;
}

static void record_insert(struct lw_record *record, uint32_t at, int64_t slot)
{
	uint32_t after = record->bucket_count - at;

	memmove(&record->slot[at + 1], &record->slot[at], after * sizeof(*record->slot));
	memmove(record_row(record, at + 1), record_row(record, at),
		after * record_row_size(record));
	memset(record_row(record, at), 0, record_row_size(record));
	record->slot[at] = slot;
	record->bucket_count++;
}

/* Find or make the bucket that holds TIME_S. */
static int record_bucket_for(struct lw_record *record, int64_t time_s, uint32_t *ret_at)
{
	for (;;) {
		int64_t slot = record_floor_div(time_s, record->bucket_s);
		uint32_t at = record_lower_bound(record, slot);
		bool found = at < record->bucket_count && record->slot[at] == slot;

		if (!found && record->bucket_count == LW_RECORD_BUCKETS) {
			if (record->bucket_s > BUCKET_MAX_S)
				return -ERANGE;
			record_halve(record);
			continue;
		}
		if (!found)
			record_insert(record, at, slot);
		if (at < record->changed_from)
			record->changed_from = at;
		*ret_at = at;
		return 0;
	}
}

static void record_add_values(struct lw_gpu_bucket *bucket, const struct lw_gpu_sample *sample)
{
	for (int m = 0; m < LW_METRIC_COUNT; m++) {
		struct lw_stat one = { sample->value[m], 1, sample->value[m] };

		if (sample->has & 1u << m)
			lw_stat_add(&bucket->stat[m], &one);
	}
}

static void record_add_sample(struct lw_gpu_bucket *bucket, const struct lw_gpu_sample *sample)
{
	bucket->samples++;
	record_add_values(bucket, sample);
	if (sample->has & 1u << LW_METRIC_UTIL && !sample->value[LW_METRIC_UTIL])
		bucket->idle++;
}

int lw_record_add(struct lw_record *record, int64_t now_s,
		  const struct lw_gpu_sample *samples)
{
	uint32_t at = 0;
	int rc = record_bucket_for(record, now_s, &at);

	if (rc)
		return rc;
	for (uint32_t g = 0; g < record->head.gpu_count; g++)
		record_add_sample(record_row(record, at) + g, &samples[g]);
	return 0;
}

void lw_record_add_at_end(struct lw_record *record, const struct lw_gpu_sample *samples)
{
	if (!record->bucket_count)
		return;
	for (uint32_t g = 0; g < record->head.gpu_count; g++)
		record_add_values(record_row(record, record->bucket_count - 1) + g, &samples[g]);
	if (record->changed_from >= record->bucket_count)
		record->changed_from = record->bucket_count - 1;
}

void lw_record_note_energy(struct lw_record *record, uint32_t gpu, uint64_t before_mj,
			   uint64_t after_mj, int64_t covered_s)
{
	uint64_t joules = (after_mj - before_mj + 500) / 1000;

	if (after_mj < before_mj || covered_s <= 0 || covered_s > UINT32_MAX ||
	    joules > (uint64_t)covered_s * LW_GPU_WATTS_MAX)
		return;
	record->head.gpu[gpu].energy = (struct lw_gpu_energy){ joules, (uint32_t)covered_s };
}

static uint32_t record_find_gpu(const struct lw_record *record, const char *id)
{
	uint32_t g = 0;

	while (g < record->head.gpu_count && strcmp(record->head.gpu[g].id, id))
		g++;
	return g;
}

/* A wider row for every bucket. */
static int record_add_gpu(struct lw_record *record, const struct lw_gpu *gpu)
{
	uint32_t old = record->head.gpu_count;
	struct lw_gpu_bucket *wider;

	if (old >= LW_RECORD_GPUS_MAX)
		return -ENOSPC;
	wider = calloc(LW_RECORD_BUCKETS, (old + 1) * sizeof(*wider));
	if (!wider)
		return -ENOMEM;
	for (uint32_t i = 0; i < record->bucket_count; i++)
		memcpy(wider + (size_t)i * (old + 1), record_row(record, i),
		       record_row_size(record));
	free(record->bucket);
	record->bucket = wider;
	record->head.gpu[old] = *gpu;
	record->head.gpu_count++;
	record->reshaped = true;
	return 0;
}

static int64_t record_end_of(const struct lw_record *record)
{
	if (record->head.end_s || !record->bucket_count)
		return record->head.end_s;
	return (record->slot[record->bucket_count - 1] + 1) * record->bucket_s;
}

static bool record_watch_at_once(const struct lw_record *a, const struct lw_record *b)
{
	return a->head.start_s < record_end_of(b) && b->head.start_s < record_end_of(a);
}

/*
 * Two steps that watched a GPU one after the other add up, as far as the bucket has room
 * for their samples; of two that watched it at once the better one stands.
 */
static void record_merge_bucket(const struct lw_record *into, bool at_once,
				struct lw_gpu_bucket *mine, const struct lw_gpu_bucket *theirs)
{
	uint32_t room = at_once ? 0 : into->bucket_s / into->head.interval_s + 1;

	if (mine->samples + (uint64_t)theirs->samples <= room)
		record_add_bucket(mine, theirs);
	else if (theirs->samples > mine->samples)
		*mine = *theirs;
}

/* What two steps counted, one after the other, or at once. */
static void record_merge_energy(struct lw_gpu_energy *mine, const struct lw_gpu_energy *theirs,
				bool at_once)
{
	if (at_once && theirs->covered_s > mine->covered_s)
		*mine = *theirs;
	if (at_once || theirs->covered_s > UINT32_MAX - mine->covered_s)
		return;
	mine->joules += theirs->joules;
	mine->covered_s += theirs->covered_s;
}

static bool record_was_read(const struct lw_record *record, uint32_t gpu)
{
	for (uint32_t i = 0; i < record->bucket_count; i++)
		if (lw_record_at(record, i, gpu)->samples)
			return true;
	return false;
}

static uint32_t record_find_index(const struct lw_record *record, uint32_t index)
{
	uint32_t g = 0;

	while (g < record->head.gpu_count && record->head.gpu[g].index != index)
		g++;
	return g;
}

/* FROM's GPU in INTO. One that a step never read has no UUID yet: its index tells it. */
static int record_place_gpu(struct lw_record *into, const struct lw_record *from, uint32_t gpu,
			    uint32_t *ret_mine)
{
	const struct lw_gpu *theirs = &from->head.gpu[gpu];
	uint32_t mine = record_find_gpu(into, theirs->id);
	struct lw_gpu fresh = *theirs;

	fresh.energy = (struct lw_gpu_energy){ 0 };

	if (mine == into->head.gpu_count) {
		uint32_t same = record_find_index(into, theirs->index);

		if (same < into->head.gpu_count && !record_was_read(into, same))
			into->head.gpu[same] = fresh;
		if (same < into->head.gpu_count &&
		    (!record_was_read(into, same) || !record_was_read(from, gpu)))
			mine = same;
	}
	*ret_mine = mine;
	return mine < into->head.gpu_count ? 0 : record_add_gpu(into, &fresh);
}

static void record_merge_neighbours(struct lw_record *into, uint32_t mine,
				    const struct lw_record *from, uint32_t gpu)
{
	for (uint32_t i = 0; i < from->head.company.neighbour_count; i++) {
		const struct lw_record_neighbour *one = &from->head.company.neighbour[i];

		if (one->gpu != gpu)
			continue;
		lw_record_note_neighbour(into, mine, one->job_id, one->from_s);
		lw_record_note_neighbour(into, mine, one->job_id, one->to_s);
	}
}

static int record_merge_gpu(struct lw_record *into, const struct lw_record *from, bool at_once,
			    uint32_t gpu)
{
	uint32_t mine = 0;
	int rc = record_place_gpu(into, from, gpu, &mine);

	if (!rc) {
		record_merge_energy(&into->head.gpu[mine].energy, &from->head.gpu[gpu].energy,
				    at_once);
		record_merge_neighbours(into, mine, from, gpu);
	}
	for (uint32_t i = 0; !rc && i < from->bucket_count; i++) {
		const struct lw_gpu_bucket *theirs = lw_record_at(from, i, gpu);
		uint32_t at = 0;

		if (!theirs->samples)
			continue;
		rc = record_bucket_for(into, from->slot[i] * from->bucket_s, &at);
		if (!rc)
			record_merge_bucket(into, at_once, record_row(into, at) + mine, theirs);
	}
	return rc;
}

/* The last time of which it is sure that RECORD's step was there. */
static int64_t record_seen_last_s(const struct lw_record *record)
{
	int64_t last_s = 0;

	if (record->head.end_s)
		return record->head.end_s;
	if (record->bucket_count)
		last_s = record->slot[record->bucket_count - 1] * record->bucket_s;
	return last_s > record->head.start_s ? last_s : record->head.start_s;
}

bool lw_record_is_before(const struct lw_record *record, int64_t run_s)
{
	return record->head.run_s < run_s && record_seen_last_s(record) < run_s;
}

/* Make RECORD an empty one of FROM's run. */
static void record_begin_run(struct lw_record *record, const struct lw_record *from)
{
	const struct lw_record_company company = record->head.company;

	record->head = from->head;
	record->head.gpu_count = 0;
	record->head.company = company; /* which has FROM's events by now */
	record->head.company.neighbour_count = 0;
	record->bucket_s = from->bucket_s;
	record->bucket_count = 0;
	record->damaged = 0;
}

static void record_take_events(struct lw_record *into, const struct lw_record *from)
{
	for (uint32_t i = 0; i < from->head.company.event_count; i++)
		lw_record_note_event(into, &from->head.company.event[i]);
}

int lw_record_merge(struct lw_record *into, const struct lw_record *from)
{
	struct lw_record_head *head = &into->head;
	bool at_once;
	int rc = 0;

	if (head->job_id != from->head.job_id || strcmp(head->node, from->head.node))
		return -EINVAL;
	record_take_events(into, from);
	if (lw_record_is_before(from, head->run_s))
		return 0;
	if (lw_record_is_before(into, from->head.run_s))
		record_begin_run(into, from);
	at_once = record_watch_at_once(into, from);
	/* the coarser grid, else a long bucket would be filed under its first instant */
	while (into->bucket_s < from->bucket_s && into->bucket_s <= BUCKET_MAX_S)
		record_halve(into);
	for (uint32_t g = 0; !rc && g < from->head.gpu_count; g++)
		rc = record_merge_gpu(into, from, at_once, g);
	if (from->head.start_s < head->start_s)
		head->start_s = from->head.start_s;
	if (from->head.end_s > head->end_s)
		head->end_s = from->head.end_s;
	if (from->head.sent && (!head->sent || from->head.sent_end_s > head->sent_end_s)) {
		head->sent = true;
		head->sent_end_s = from->head.sent_end_s;
	}
	head->owed |= from->head.owed;
	head->shared |= from->head.shared;
	if (from->head.run_s > head->run_s)
		head->run_s = from->head.run_s;
	if (!head->group_id)
		head->group_id = from->head.group_id;
	if (head->user_id == LW_RECORD_NO_USER)
		head->user_id = from->head.user_id;
	if (strcmp(head->step, from->head.step))
		memcpy(head->step, "-", sizeof("-"));
	into->damaged += from->damaged;
	into->reshaped = true;
	return rc;
}

void lw_record_mark_saved(struct lw_record *record)
{
	record->changed_from = UINT32_MAX;
	record->reshaped = false;
}

static bool record_is_word(const char *text, size_t size)
{
	size_t len = strnlen(text, size);

	return len && len < size && !strpbrk(text, " \t\r\n~/");
}

static bool record_head_is_valid(const struct lw_record_head *head)
{
	if (!head->interval_s || head->interval_s > 86400 ||
	    head->gpu_count > LW_RECORD_GPUS_MAX ||
	    !record_is_word(head->node, sizeof(head->node)) ||
	    !record_is_word(head->step, sizeof(head->step)))
		return false;
	for (uint32_t g = 0; g < head->gpu_count; g++)
		if (!record_is_word(head->gpu[g].id, sizeof(head->gpu[g].id)))
			return false;
	return true;
}

int lw_record_create(const struct lw_record_head *head, struct lw_record **ret_record)
{
	struct lw_record *record;

	if (!record_head_is_valid(head))
		return -EINVAL;
	record = calloc(1, sizeof(*record));
	if (!record)
		return -ENOMEM;
	record->head = *head;
	record->bucket_s = head->interval_s;
	record->reshaped = true;
	record->changed_from = UINT32_MAX;
	record->slot = calloc(LW_RECORD_BUCKETS, sizeof(*record->slot));
	record->bucket = calloc(LW_RECORD_BUCKETS,
				(head->gpu_count + 1) * sizeof(*record->bucket));
	if (!record->slot || !record->bucket) {
		lw_record_destroy(record);
		return -ENOMEM;
	}
	*ret_record = record;
	return 0;
}

void lw_record_destroy(struct lw_record *record)
{
	if (!record)
		return;
	free(record->slot);
	free(record->bucket);
	free(record);
}
