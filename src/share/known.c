/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what jobs that ran alone used of a GPU, by user, tag, name and GPU type. */
#include "share/known.h"

#include "base/grow.h"
#include "base/quota.h"
#include "base/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUANTILE_PERCENT 95

/* A blank or a line's end would end the word in the file. */
static void known_copy_word(char *to, size_t size, const char *from)
{
	size_t len = 0;

	for (; from && from[len] && len + 1 < size; len++)
		to[len] = from[len] > ' ' && from[len] < 127 ? from[len] : '_';
}

struct lw_share_key lw_share_key(uint32_t user, uint32_t tag, const char *name, const char *type)
{
	struct lw_share_key key = { .user = user, .tag = tag };

	known_copy_word(key.name, sizeof(key.name), name);
	known_copy_word(key.type, sizeof(key.type), type);
	return key;
}

static int known_compare_keys(const struct lw_share_key *a, const struct lw_share_key *b)
{
	int order;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->type, b->type);
}

/* The first entry that is not before KEY. */
static uint32_t known_place_of(const struct lw_share_known *known, const struct lw_share_key *key)
{
	uint32_t at;

	LW_SEARCH(at, known->count, known_compare_keys(&known->entries[at]->key, key) < 0);
	return at;
}

static uint32_t known_user_at(const void *entries, uint32_t at)
{
	return ((struct lw_share_entry *const *)entries)[at]->key.user;
}

static uint64_t known_stamp_at(const void *entries, uint32_t at)
{
	return ((struct lw_share_entry *const *)entries)[at]->stamp;
}

static void known_make_way(struct lw_share_known *known, uint32_t user)
{
	const struct lw_quota_table table = { known->entries, known->count, LW_SHARE_KEYS_MAX,
					      known_user_at, known_stamp_at };
	uint32_t at;

	if (!lw_quota_victim(&table, user, &at))
		return;
	free(known->entries[at]);
	known->count--;
	memmove(&known->entries[at], &known->entries[at + 1],
		(known->count - at) * sizeof(known->entries[0]));
}

static int known_entry_insert(struct lw_share_known *known, const struct lw_share_entry *entry,
			      struct lw_share_entry **ret_entry)
{
	struct lw_share_entry *copy;
	uint32_t at;

	if (lw_grow((void **)&known->entries, &known->room, known->count + 1,
		    sizeof(known->entries[0])))
		return -ENOMEM;
	copy = malloc(sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	*copy = *entry;
	at = known_place_of(known, &entry->key);
	memmove(&known->entries[at + 1], &known->entries[at],
		(known->count - at) * sizeof(known->entries[0]));
	known->entries[at] = *ret_entry = copy;
	known->count++;
	return 0;
}

static uint32_t known_at_most(uint32_t value, uint32_t most)
{
	return value < most ? value : most;
}

static struct lw_share_run known_clamped(const struct lw_share_run *run)
{
	struct lw_share_run made = *run;

	made.use.util = run->use.has_util ? known_at_most(run->use.util, 1000) : 0;
	made.use.sm = run->use.has_sm ? known_at_most(run->use.sm, 1000) : 0;
	made.use.mem_mib =
		run->use.has_mem ? known_at_most(run->use.mem_mib, LW_SHARE_MIB_MAX) : 0;
	made.membw = run->has_membw ? known_at_most(run->membw, 1000) : 0;
	if (run->end_s < 0 || run->end_s > LW_SHARE_CLOCK_MAX)
		made.end_s = run->end_s < 0 ? 0 : LW_SHARE_CLOCK_MAX;
	return made;
}

int lw_share_known_add(struct lw_share_known *known, const struct lw_share_key *key,
		       const struct lw_share_run *run)
{
	uint32_t at = known_place_of(known, key);
	const struct lw_share_entry fresh = { .key = *key };
	struct lw_share_entry *entry;

	if (at < known->count && !known_compare_keys(&known->entries[at]->key, key)) {
		entry = known->entries[at];
	} else {
		known_make_way(known, key->user);
		if (known_entry_insert(known, &fresh, &entry))
			return -ENOMEM;
	}
	if (entry->count == LW_SHARE_RUNS)
		memmove(&entry->runs[0], &entry->runs[1],
			--entry->count * sizeof(entry->runs[0]));
	entry->runs[entry->count++] = known_clamped(run);
	entry->stamp = ++known->learned;
	return 0;
}

int lw_share_known_append(struct lw_share_known *known, const struct lw_share_entry *entry)
{
	struct lw_share_entry *last = known->count ? known->entries[known->count - 1] : NULL;

	if (last && known_compare_keys(&last->key, &entry->key) >= 0)
		return -EINVAL;
	return known->count == LW_SHARE_KEYS_MAX ? -ENOSPC
						 : known_entry_insert(known, entry, &last);
}

void lw_share_known_fini(struct lw_share_known *known)
{
	for (uint32_t i = 0; i < known->count; i++)
		free(known->entries[i]);
	free(known->entries);
	memset(known, 0, sizeof(*known));
}

static int known_by_value(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* By nearest rank; false of none. */
static bool known_quantile_of(uint32_t *values, uint32_t count, uint32_t *ret_value)
{
	uint32_t rank = (count * QUANTILE_PERCENT + 99) / 100;

	if (!count)
		return false;
	qsort(values, count, sizeof(*values), known_by_value);
	*ret_value = values[rank - 1];
	return true;
}

bool lw_share_entry_record(const struct lw_share_entry *entry, int64_t since_s,
			   struct lw_share_record *ret_record)
{
	uint32_t util[LW_SHARE_RUNS], sm[LW_SHARE_RUNS], mem[LW_SHARE_RUNS], bw[LW_SHARE_RUNS];
	uint32_t utils = 0, sms = 0, mems = 0, bws = 0;
	struct lw_share_record record = { .last_s = INT64_MIN };

	for (uint32_t i = 0; i < entry->count; i++) {
		const struct lw_share_run *run = &entry->runs[i];

		if (run->end_s <= since_s)
			continue;
		record.runs++;
		record.last_s = run->end_s > record.last_s ? run->end_s : record.last_s;
		if (run->use.has_util)
			util[utils++] = run->use.util;
		if (run->use.has_sm)
			sm[sms++] = run->use.sm;
		if (run->use.has_mem)
			mem[mems++] = run->use.mem_mib;
		if (run->has_membw)
			bw[bws++] = run->membw;
	}
	record.use.has_util = known_quantile_of(util, utils, &record.use.util);
	record.use.has_sm = known_quantile_of(sm, sms, &record.use.sm);
	record.use.has_mem = known_quantile_of(mem, mems, &record.use.mem_mib);
	record.has_membw = known_quantile_of(bw, bws, &record.membw);
	*ret_record = record;
	return record.runs > 0;
}

static void known_larger(bool *has, uint32_t *value, bool other_has, uint32_t other)
{
	*has = *has || other_has;
	if (other_has && other > *value)
		*value = other;
}

/* The most of each. */
static void known_record_join(struct lw_share_record *to, const struct lw_share_record *from)
{
	to->runs += from->runs;
	to->last_s = from->last_s > to->last_s ? from->last_s : to->last_s;
	known_larger(&to->use.has_util, &to->use.util, from->use.has_util, from->use.util);
	known_larger(&to->use.has_sm, &to->use.sm, from->use.has_sm, from->use.sm);
	known_larger(&to->use.has_mem, &to->use.mem_mib, from->use.has_mem, from->use.mem_mib);
	known_larger(&to->has_membw, &to->membw, from->has_membw, from->membw);
}

/* Types come last in the order of keys, "" before all. */
bool lw_share_known_find(const struct lw_share_known *known, const struct lw_share_key *key,
			 int64_t since_s, struct lw_share_record *ret_record)
{
	struct lw_share_record record = { .last_s = INT64_MIN }, one;

	for (uint32_t at = known_place_of(known, key); at < known->count; at++) {
		struct lw_share_key found = known->entries[at]->key;

		if (!key->type[0])
			memset(found.type, 0, sizeof(found.type));
		if (known_compare_keys(&found, key) != 0)
			break;
		if (lw_share_entry_record(known->entries[at], since_s, &one))
			known_record_join(&record, &one);
	}
	*ret_record = record;
	return record.runs > 0;
}
