/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much longer users' jobs run on one type of GPU than on another: the table. */
#include "predictor/speed.h"

#include "base/grow.h"
#include "base/quota.h"
#include "base/search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run that lies further off, as one that failed in the middle, counts as this: e squared. */
#define STRANGE (2 * LW_SPEED_ONE)

static int speed_compare_keys(const struct lw_speed_key *a, const struct lw_speed_key *b)
{
	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->gpus < b->gpus ? -1 : a->gpus > b->gpus;
}

bool lw_speed_key_before(const struct lw_speed_key *a, const struct lw_speed_key *b)
{
	return speed_compare_keys(a, b) < 0;
}

/* The first entry that is not before KEY. */
static uint32_t speed_place_of(const struct lw_speeds *speeds, const struct lw_speed_key *key)
{
	uint32_t at;

	LW_SEARCH(at, speeds->count, speed_compare_keys(&speeds->entries[at].key, key) < 0);
	return at;
}

static uint32_t speed_user_at(const void *entries, uint32_t at)
{
	return ((const struct lw_speed *)entries)[at].key.user;
}

static uint64_t speed_stamp_at(const void *entries, uint32_t at)
{
	return ((const struct lw_speed *)entries)[at].stamp;
}

static void speed_make_way(struct lw_speeds *speeds, uint32_t user)
{
	const struct lw_quota_table table = { speeds->entries, speeds->count, LW_SPEEDS_MAX,
					      speed_user_at, speed_stamp_at };
	uint32_t at;

	if (!lw_quota_victim(&table, user, &at))
		return;
	speeds->count--;
	memmove(&speeds->entries[at], &speeds->entries[at + 1],
		(speeds->count - at) * sizeof(speeds->entries[0]));
}

static int speed_insert(struct lw_speeds *speeds, const struct lw_speed *speed)
{
	uint32_t at;

	if (lw_grow((void **)&speeds->entries, &speeds->room, speeds->count + 1,
		    sizeof(speeds->entries[0])))
		return -ENOMEM;
	at = speed_place_of(speeds, &speed->key);
	memmove(&speeds->entries[at + 1], &speeds->entries[at],
		(speeds->count - at) * sizeof(speeds->entries[0]));
	speeds->entries[at] = *speed;
	speeds->count++;
	return 0;
}

void lw_speeds_fini(struct lw_speeds *speeds)
{
	free(speeds->entries);
	memset(speeds, 0, sizeof(*speeds));
}

bool lw_speed_is_type(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++)
		if (name[i] <= ' ' || name[i] > '~')
			return false;
	return length && length < LW_SPEED_TYPE_NAME;
}

static char speed_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool speed_is_same_type(const char *a, const char *b)
{
	while (*a && speed_lower(*a) == speed_lower(*b)) {
		a++;
		b++;
	}
	return speed_lower(*a) == speed_lower(*b);
}

int lw_speeds_type(const struct lw_speeds *speeds, const char *name)
{
	for (uint32_t i = 0; i < speeds->type_count; i++)
		if (speed_is_same_type(speeds->types[i], name))
			return (int)i;
	return -1;
}

int lw_speeds_append_type(struct lw_speeds *speeds, const char *name)
{
	/* a file of old may have two that differ in case alone, and is no worse for that */
	for (uint32_t i = 0; i < speeds->type_count; i++)
		if (!strcmp(speeds->types[i], name))
			return -EINVAL;
	if (!lw_speed_is_type(name))
		return -EINVAL;
	if (speeds->type_count == LW_SPEED_TYPES_MAX)
		return -ENOSPC;
	snprintf(speeds->types[speeds->type_count++], LW_SPEED_TYPE_NAME, "%s", name);
	return 0;
}

const struct lw_speed *lw_speeds_find(const struct lw_speeds *speeds,
				      const struct lw_speed_key *key)
{
	uint32_t at = speed_place_of(speeds, key);

	if (at == speeds->count || speed_compare_keys(&speeds->entries[at].key, key))
		return NULL;
	return &speeds->entries[at];
}

static int32_t speed_clamp(int64_t value, int64_t low, int64_t high)
{
	return (int32_t)(value < low ? low : value > high ? high : value);
}

/* The mean over the runs of the type and how far this one lies from it. */
static void speed_learn_run(struct lw_speed *speed, uint32_t type, int32_t log_run)
{
	int64_t off = (int64_t)log_run - speed->mean[type], square;
	uint32_t weight;

	if (!speed->runs[type]) {
		speed->mean[type] = log_run;
		speed->runs[type] = 1;
		return;
	}
	off = speed_clamp(off, -STRANGE, STRANGE);
	speed->runs[type] += speed->runs[type] < LW_SPEED_RUNS_MAX;
	weight = speed->runs[type];
	speed->mean[type] += (int32_t)(off / weight);
	/* with the mean moved, the squares add up to those about the mean */
	square = off * (off - off / weight) / LW_SPEED_ONE;
	speed->spread_runs += speed->spread_runs < LW_SPEED_RUNS_MAX;
	speed->spread = (uint32_t)((int64_t)speed->spread +
				   (square - (int64_t)speed->spread) / speed->spread_runs);
}

/* The entry of KEY, made when there is none. NULL: no memory. */
static struct lw_speed *speed_find_entry(struct lw_speeds *speeds, const struct lw_speed_key *key)
{
	const struct lw_speed fresh = { .key = *key };
	uint32_t at = speed_place_of(speeds, key);

	if (at < speeds->count && !speed_compare_keys(&speeds->entries[at].key, key))
		return &speeds->entries[at];
	speed_make_way(speeds, key->user);
	if (speed_insert(speeds, &fresh))
		return NULL;
	return &speeds->entries[speed_place_of(speeds, key)];
}

int lw_speeds_add(struct lw_speeds *speeds, const struct lw_speed_key *key, const char *name,
		  int64_t run_s, uint64_t stamp)
{
	int type = lw_speeds_type(speeds, name);
	struct lw_speed *speed;

	if (run_s < LW_SPEED_RUN_MIN_S || !lw_speed_is_type(name) ||
	    (type < 0 && speeds->type_count == LW_SPEED_TYPES_MAX))
		return 0;
	speed = speed_find_entry(speeds, key);
	if (!speed)
		return -ENOMEM;
	if (type < 0) {
		type = (int)speeds->type_count;
		lw_speeds_append_type(speeds, name);
	}
	speed->stamp = stamp;
	speed_learn_run(speed, (uint32_t)type,
			speed_clamp((int64_t)(log((double)run_s) * LW_SPEED_ONE + 0.5), 0,
				    LW_SPEED_MEAN_MAX));
	return 0;
}

static bool speed_is_sound(const struct lw_speeds *speeds, const struct lw_speed *speed)
{
	uint32_t runs = 0;

	for (uint32_t t = 0; t < LW_SPEED_TYPES_MAX; t++) {
		if (speed->runs[t] > LW_SPEED_RUNS_MAX || speed->mean[t] < 0 ||
		    speed->mean[t] > LW_SPEED_MEAN_MAX ||
		    (speed->runs[t] && t >= speeds->type_count))
			return false;
		runs += speed->runs[t];
	}
	return runs && speed->spread_runs <= LW_SPEED_RUNS_MAX &&
	       speed->spread <= 4 * LW_SPEED_ONE;
}

int lw_speeds_append(struct lw_speeds *speeds, const struct lw_speed *speed)
{
	const struct lw_speed *last = speeds->count ? &speeds->entries[speeds->count - 1] : NULL;

	if (!speed_is_sound(speeds, speed) ||
	    (last && speed_compare_keys(&last->key, &speed->key) >= 0))
		return -EINVAL;
	return speeds->count == LW_SPEEDS_MAX ? -ENOSPC : speed_insert(speeds, speed);
}
