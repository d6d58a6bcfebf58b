/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what finished jobs taught of run times, by user, partition and limit. */
#include "predictor/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quota.h"
#include "predictor/history_table.h"

static int64_t history_clamp(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

bool lw_history_tag(const struct lw_history_key *key, enum lw_history_level level,
		    struct lw_history_tag *ret_tag)
{
	bool by_user = level == LW_HISTORY_USER || level == LW_HISTORY_USER_LIMIT;
	uint32_t who = by_user ? key->user : key->partition;
	int64_t limit_s = history_clamp(key->limit_s, 1, LW_HISTORY_TIME_MAX_S);

	if (level != LW_HISTORY_LIMIT && who == LW_HISTORY_NOBODY)
		return false;
	ret_tag->level = level;
	ret_tag->who = level == LW_HISTORY_LIMIT ? 0 : who;
	ret_tag->limit_s = level == LW_HISTORY_USER ? 0 : (uint32_t)limit_s;
	return true;
}

/* The finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014): every bit moves every bit. */
static uint64_t history_hash(const struct lw_history_tag *tag)
{
	uint64_t x = (uint64_t)tag->who << 32 | tag->limit_s;

	x += UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)tag->level + 1);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static uint32_t *history_bucket(const struct lw_history *history,
				const struct lw_history_tag *tag)
{
	return &history->buckets[history_hash(tag) & (history->bucket_count - 1)];
}

static bool history_same_tag(const struct lw_history_tag *a, const struct lw_history_tag *b)
{
	return a->level == b->level && a->who == b->who && a->limit_s == b->limit_s;
}

static uint32_t history_find(const struct lw_history *history, const struct lw_history_tag *tag)
{
	uint32_t at = *history_bucket(history, tag);

	while (at != LW_HISTORY_NONE && !history_same_tag(&history->entries[at].tag, tag))
		at = history->entries[at].chain;
	return at;
}

static void history_list_remove(struct lw_history *history, struct lw_history_list *list,
				int which, uint32_t at)
{
	struct lw_history_entry *entry = &history->entries[at];

	if (entry->older[which] == LW_HISTORY_NONE)
		list->oldest = entry->newer[which];
	else
		history->entries[entry->older[which]].newer[which] = entry->newer[which];
	if (entry->newer[which] == LW_HISTORY_NONE)
		list->newest = entry->older[which];
	else
		history->entries[entry->newer[which]].older[which] = entry->older[which];
	list->count--;
}

static void history_list_append(struct lw_history *history, struct lw_history_list *list,
				int which, uint32_t at)
{
	struct lw_history_entry *entry = &history->entries[at];

	entry->newer[which] = LW_HISTORY_NONE;
	entry->older[which] = list->newest;
	if (list->newest == LW_HISTORY_NONE)
		list->oldest = at;
	else
		history->entries[list->newest].newer[which] = at;
	list->newest = at;
	list->count++;
}

/* That of the user with number OWNER, or of no one user. */
static struct lw_history_list *history_own_list(struct lw_history *history, uint32_t owner)
{
	return owner == LW_HISTORY_NONE ? &history->several : &history->owners[owner];
}

static void history_lists_remove(struct lw_history *history, uint32_t at)
{
	struct lw_history_list *own = history_own_list(history, history->entries[at].owner);

	history_list_remove(history, &history->all, LW_HISTORY_ALL, at);
	history_list_remove(history, own, LW_HISTORY_OWN, at);
}

static void history_lists_append(struct lw_history *history, uint32_t at)
{
	struct lw_history_list *own = history_own_list(history, history->entries[at].owner);

	history_list_append(history, &history->all, LW_HISTORY_ALL, at);
	history_list_append(history, own, LW_HISTORY_OWN, at);
}

/* The number of the list of USER, made when there is none. Users are never forgotten. */
static int history_find_owner(struct lw_history *history, uint32_t user, uint32_t *ret_owner)
{
	*ret_owner = LW_HISTORY_NONE;
	if (user == LW_HISTORY_NOBODY || lw_lookup_get(&history->owner_of, user, ret_owner))
		return 0;
	if (lw_grow((void **)&history->owners, &history->owner_room, history->owner_count + 1,
		    sizeof(history->owners[0])) ||
	    lw_lookup_put(&history->owner_of, user, history->owner_count))
		return -ENOMEM;
	*ret_owner = history->owner_count++;
	history->owners[*ret_owner] =
		(struct lw_history_list){ .oldest = LW_HISTORY_NONE, .newest = LW_HISTORY_NONE };
	return 0;
}

static void history_chain_remove(struct lw_history *history, uint32_t at)
{
	uint32_t *link = history_bucket(history, &history->entries[at].tag);

	while (*link != at)
		link = &history->entries[*link].chain;
	*link = history->entries[at].chain;
}

/*
 * The key that gives way in a full table. Two users with the same limits make keys of several as
 * fast as one user makes its own, so that keys of several need a bound, too.
 */
static uint32_t history_oldest_of_full(const struct lw_history *history)
{
	bool many = history->several.count > history->keys_max / 2;

	return many ? history->several.oldest : history->all.oldest;
}

/*
 * Room for one more entry of OWNER: that of its own oldest key if it has many (base/quota.h),
 * that of an old one if the table is full, or the next of the array.
 */
static int history_take_entry(struct lw_history *history, uint32_t owner, uint32_t *ret_at)
{
	bool many = owner != LW_HISTORY_NONE &&
		    history->owners[owner].count >= lw_quota(history->keys_max);

	if (many || history->stats.keys == history->keys_max) {
		*ret_at = many ? history->owners[owner].oldest : history_oldest_of_full(history);
		history_chain_remove(history, *ret_at);
		history_lists_remove(history, *ret_at);
		history->stats.evicted++;
		return 0;
	}
	if (lw_grow((void **)&history->entries, &history->room, history->stats.keys + 1,
		    sizeof(history->entries[0])))
		return -ENOMEM;
	*ret_at = history->stats.keys++;
	return 0;
}

int lw_history_entry_add(struct lw_history *history, const struct lw_history_tag *tag,
			 uint32_t user, struct lw_history_entry **ret_entry)
{
	uint32_t at = history_find(history, tag), owner;
	int rc = history_find_owner(history, user, &owner);

	if (rc)
		return rc;
	if (at != LW_HISTORY_NONE) {
		history_lists_remove(history, at);
		if (history->entries[at].owner != owner)
			history->entries[at].owner = LW_HISTORY_NONE;
	} else {
		rc = history_take_entry(history, owner, &at);
		if (rc)
			return rc;
		memset(&history->entries[at], 0, sizeof(history->entries[at]));
		history->entries[at].tag = *tag;
		history->entries[at].owner = owner;
		history->entries[at].chain = *history_bucket(history, tag);
		*history_bucket(history, tag) = at;
	}
	history_lists_append(history, at);
	*ret_entry = &history->entries[at];
	return 0;
}

int lw_history_create(uint32_t keys_max, struct lw_history **ret_history)
{
	struct lw_history *history;

	if (!keys_max)
		keys_max = LW_HISTORY_KEYS_DEFAULT;
	if (keys_max > LW_HISTORY_KEYS_MAX)
		return -EINVAL;
	history = calloc(1, sizeof(*history));
	if (!history)
		return -ENOMEM;
	history->keys_max = keys_max;
	lw_calibration_init(&history->calibration);
	history->all.oldest = history->all.newest = LW_HISTORY_NONE;
	history->several = history->all;
	history->bucket_count = 1;
	while (history->bucket_count < keys_max)
		history->bucket_count *= 2;
	history->buckets = malloc(history->bucket_count * sizeof(history->buckets[0]));
	if (!history->buckets) {
		free(history);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < history->bucket_count; i++)
		history->buckets[i] = LW_HISTORY_NONE;
	*ret_history = history;
	return 0;
}

void lw_history_destroy(struct lw_history *history)
{
	if (!history)
		return;
	free(history->entries);
	free(history->owners);
	lw_lookup_fini(&history->owner_of);
	free(history->buckets);
	lw_habits_fini(&history->habits);
	lw_speeds_fini(&history->speeds);
	free(history);
}

static const struct lw_history_entry *history_entry_of(const struct lw_history *history,
						       const struct lw_history_key *key,
						       enum lw_history_level level)
{
	struct lw_history_tag tag;
	uint32_t at;

	if (!lw_history_tag(key, level, &tag))
		return NULL;
	at = history_find(history, &tag);
	return at == LW_HISTORY_NONE ? NULL : &history->entries[at];
}

/*
 * What was known when the job started: only jobs that had ended by then. A window may have let go
 * of some of those since; the more general one steps in, as it does for every young key.
 */
static void history_recall(struct lw_history *history, const struct lw_history_key *key,
			   struct lw_distribution *law)
{
	for (int level = 0; level < LW_HISTORY_LEVELS; level++) {
		const struct lw_history_entry *entry =
			history_entry_of(history, key, (enum lw_history_level)level);
		struct lw_window *then = &history->then[law->count];

		if (!entry)
			continue;
		lw_window_at(&entry->window, key->now_s, then);
		law->windows[law->count++] = then;
		if (level == LW_HISTORY_USER_LIMIT)
			lw_distribution_add_picked(law, then, key->width, key->now_s, then + 1);
	}
}

/* Hold what was foreseen against what came. */
static void history_calibrate(struct lw_history *history, const struct lw_history_key *key,
			      const struct lw_window_sample *sample,
			      const struct lw_estimate *estimate)
{
	struct lw_distribution law = { .limit_s = history_clamp(key->limit_s, 1,
								LW_HISTORY_TIME_MAX_S) };
	int64_t run_s;
	double low, high;

	/* no run is shorter than a second, so that its range of U is never empty */
	run_s = history_clamp(sample->run_s, 1, law.limit_s);
	/* killed short of its limit: its U is unknown, except for being above the range */
	if (sample->cut && run_s < law.limit_s)
		return;
	if (estimate) {
		lw_estimate_range(estimate, run_s, &low, &high);
	} else {
		history_recall(history, key, &law);
		low = 1 - lw_distribution_survival(&law, 0, run_s - 1);
		high = 1 - lw_distribution_survival(&law, 0, run_s);
	}
	lw_calibration_add(&history->calibration, low, high);
}

static struct lw_habit_key history_habit_key(uint32_t user, uint32_t tag, int64_t limit_s)
{
	return (struct lw_habit_key){
		.user = user,
		.tag = tag,
		.limit_s = (uint32_t)history_clamp(limit_s, 1, LW_HISTORY_TIME_MAX_S),
	};
}

/*
 * A job without figures of GPUs, or of an unknown user, teaches nothing of them. Traffic between
 * GPUs of one node says nothing of a gang.
 */
static int history_add_habit(struct lw_history *history, const struct lw_history_job *job)
{
	const struct lw_habit_key key = history_habit_key(job->user, job->tag, job->limit_s);
	struct lw_gpu_use use = job->gpu;

	if (job->user == LW_HISTORY_NOBODY || !(use.has_util || use.has_mem || use.has_sm))
		return 0;
	if (job->nodes < 2)
		use.has_nvlink = use.has_pcie = false;
	return lw_habits_add(&history->habits, &key, &use, history->stats.jobs);
}

/* A job that was cut off would have run longer, and says nothing of how fast it was. */
static int history_add_speed(struct lw_history *history, const struct lw_history_job *job)
{
	const struct lw_speed_key key = { job->user, job->tag, job->name, job->gpus };

	if (!job->gpu_type || !job->gpus || job->killed_at_limit ||
	    job->user == LW_HISTORY_NOBODY)
		return 0;
	return lw_speeds_add(&history->speeds, &key, job->gpu_type,
			     job->work_s ? job->work_s : job->run_s, history->stats.jobs);
}

int lw_history_add(struct lw_history *history, const struct lw_history_job *job)
{
	struct lw_window_sample sample = {
		.end_s = history_clamp(job->end_s, -LW_HISTORY_CLOCK_MAX_S,
				       LW_HISTORY_CLOCK_MAX_S),
		.run_s = (uint32_t)history_clamp(job->run_s, 0, LW_HISTORY_TIME_MAX_S),
		.cut = job->killed_at_limit,
	};
	/* as it was when it started */
	const struct lw_history_key key = {
		.user = job->user,
		.partition = job->partition,
		.limit_s = job->limit_s,
		.width = job->width,
		.now_s = sample.end_s - sample.run_s,
	};
	uint32_t width = history_clamp(job->width, 0, LW_WINDOW_WIDTH_MAX) & LW_WINDOW_WIDTH_MAX;
	struct lw_history_entry *entry;
	struct lw_history_tag tag;
	int rc;

	history_calibrate(history, &key, &sample, job->estimate);
	history->stats.jobs++;
	for (int level = 0; level < LW_HISTORY_LEVELS; level++) {
		if (!lw_history_tag(&key, (enum lw_history_level)level, &tag))
			continue;
		rc = lw_history_entry_add(history, &tag, job->user, &entry);
		if (rc)
			return rc;
		/* the others never ask for it */
		sample.width = level == LW_HISTORY_USER_LIMIT ? width : 0;
		lw_window_add(&entry->window, &sample);
		entry->stamp = history->stats.jobs;
	}
	rc = history_add_habit(history, job);
	return rc ? rc : history_add_speed(history, job);
}

const struct lw_window *lw_history_window(const struct lw_history *history,
					  const struct lw_history_key *key,
					  enum lw_history_level level)
{
	const struct lw_history_entry *entry = history_entry_of(history, key, level);

	return entry ? &entry->window : NULL;
}

void lw_history_stats(const struct lw_history *history, struct lw_history_stats *ret_stats)
{
	*ret_stats = history->stats;
}

const struct lw_calibration *lw_history_calibration(const struct lw_history *history)
{
	return &history->calibration;
}

/* FNV-1a of Fowler, Noll and Vo (RFC 9923). */
uint32_t lw_history_name_id(const char *name)
{
	uint32_t id = 2166136261u;

	for (; *name; name++)
		id = (id ^ (unsigned char)*name) * 16777619u;
	return id == LW_HISTORY_NOBODY ? 0 : id;
}

bool lw_history_next(const struct lw_history *history, uint32_t *cursor,
		     struct lw_history_view *ret_view)
{
	/* 0: before the first; else one more than the entry given out last */
	uint32_t at = *cursor ? history->entries[*cursor - 1].newer[LW_HISTORY_ALL]
			      : history->all.oldest;
	const struct lw_history_entry *entry;

	if (at == LW_HISTORY_NONE)
		return false;
	entry = &history->entries[at];
	*cursor = at + 1;
	*ret_view = (struct lw_history_view){
		.level = entry->tag.level,
		.who = entry->tag.who,
		.limit_s = entry->tag.limit_s,
		.window = &entry->window,
	};
	return true;
}

const struct lw_speeds *lw_history_speeds(const struct lw_history *history)
{
	return &history->speeds;
}

const struct lw_habits *lw_history_habits(const struct lw_history *history)
{
	return &history->habits;
}

bool lw_history_communicates(const struct lw_history *history, uint32_t user, uint32_t tag,
			     int64_t limit_s, bool tagged)
{
	const struct lw_habit_key key = history_habit_key(user, tag, limit_s);

	return lw_habits_communicate(&history->habits, &key, tagged);
}

uint32_t lw_history_memory_mib(const struct lw_history *history, uint32_t user, uint32_t tag,
			       int64_t limit_s)
{
	const struct lw_habit_key key = history_habit_key(user, tag, limit_s);

	return lw_habits_memory_mib(&history->habits, &key);
}
