/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users' jobs typically use of their GPUs, by tag and limit. */
#include "predictor/habit.h"

#include "base/grow.h"
#include "base/quota.h"
#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int habit_compare_keys(const struct lw_habit_key *a, const struct lw_habit_key *b)
{
	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	return a->limit_s < b->limit_s ? -1 : a->limit_s > b->limit_s;
}

/* The first entry that is not before KEY. */
static uint32_t habit_place_of(const struct lw_habits *habits, const struct lw_habit_key *key)
{
	uint32_t at;

	LW_SEARCH(at, habits->count, habit_compare_keys(&habits->entries[at].key, key) < 0);
	return at;
}

static bool habit_is_at(const struct lw_habits *habits, uint32_t at,
			const struct lw_habit_key *key)
{
	return at < habits->count && !habit_compare_keys(&habits->entries[at].key, key);
}

static uint32_t habit_user_at(const void *entries, uint32_t at)
{
	return ((const struct lw_habit *)entries)[at].key.user;
}

static uint64_t habit_stamp_at(const void *entries, uint32_t at)
{
	return ((const struct lw_habit *)entries)[at].stamp;
}

static void habit_make_way(struct lw_habits *habits, uint32_t user)
{
	const struct lw_quota_table table = { habits->entries, habits->count, LW_HABITS_MAX,
					      habit_user_at, habit_stamp_at };
	uint32_t at;

	if (!lw_quota_victim(&table, user, &at))
		return;
	habits->count--;
	memmove(&habits->entries[at], &habits->entries[at + 1],
		(habits->count - at) * sizeof(habits->entries[0]));
}

static int habit_insert(struct lw_habits *habits, const struct lw_habit *habit)
{
	uint32_t at;

	if (lw_grow((void **)&habits->entries, &habits->room, habits->count + 1,
		    sizeof(habits->entries[0])))
		return -ENOMEM;
	at = habit_place_of(habits, &habit->key);
	memmove(&habits->entries[at + 1], &habits->entries[at],
		(habits->count - at) * sizeof(habits->entries[0]));
	habits->entries[at] = *habit;
	habits->count++;
	return 0;
}

static void habit_learn(uint32_t *mean, uint32_t *jobs, uint32_t value)
{
	int64_t scaled = value < LW_HABIT_VALUE_MAX ? value : LW_HABIT_VALUE_MAX;
	int64_t weight;

	*jobs += *jobs < UINT32_MAX;
	weight = *jobs < LW_HABIT_WEIGHT ? *jobs : LW_HABIT_WEIGHT;
	*mean = (uint32_t)(*mean + (scaled * LW_HABIT_ONE - *mean) / weight);
}

/* The idle share is known whenever the utilisation is. */
static void habit_learn_use(struct lw_habit *habit, const struct lw_gpu_use *use)
{
	uint32_t again = habit->util_jobs;

	habit->jobs += habit->jobs < UINT32_MAX;
	if (use->has_util) {
		habit_learn(&habit->util, &habit->util_jobs, use->util_percent);
		habit_learn(&habit->idle, &again, use->idle_permille);
	}
	if (use->has_mem) {
		habit_learn(&habit->mem, &habit->mem_jobs, use->mem_mib);
		if (use->mem_mib > habit->mem_max_mib)
			habit->mem_max_mib = use->mem_mib;
	}
	if (use->has_sm)
		habit_learn(&habit->sm, &habit->sm_jobs, use->sm_percent);
	if (use->has_tensor)
		habit_learn(&habit->tensor, &habit->tensor_jobs, use->tensor_percent);
	if (use->has_membw)
		habit_learn(&habit->membw, &habit->membw_jobs, use->membw_percent);
	if (use->has_nvlink)
		habit_learn(&habit->nvlink, &habit->nvlink_jobs, use->nvlink_mib_s);
	if (use->has_pcie)
		habit_learn(&habit->pcie, &habit->pcie_jobs, use->pcie_mib_s);
}

void lw_habits_fini(struct lw_habits *habits)
{
	free(habits->entries);
	memset(habits, 0, sizeof(*habits));
}

int lw_habits_add(struct lw_habits *habits, const struct lw_habit_key *key,
		  const struct lw_gpu_use *use, uint64_t stamp)
{
	uint32_t at = habit_place_of(habits, key);
	int rc = 0;

	if (!habit_is_at(habits, at, key)) {
		const struct lw_habit fresh = { .key = *key };

		habit_make_way(habits, key->user);
		rc = habit_insert(habits, &fresh);
		if (rc)
			return rc;
		at = habit_place_of(habits, key);
	}
	habits->entries[at].stamp = stamp;
	habit_learn_use(&habits->entries[at], use);
	return 0;
}

int lw_habits_append(struct lw_habits *habits, const struct lw_habit *habit)
{
	const struct lw_habit *last = habits->count ? &habits->entries[habits->count - 1] : NULL;

	if (last && habit_compare_keys(&last->key, &habit->key) >= 0)
		return -EINVAL;
	return habits->count == LW_HABITS_MAX ? -ENOSPC : habit_insert(habits, habit);
}

/* Sums over entries; jobs are the weights. */
struct sums {
	double util, idle, mem, util_jobs, mem_jobs;
	double sm, tensor, membw, sm_jobs, tensor_jobs, membw_jobs;
};

static void habit_add_entry(struct sums *sums, const struct lw_habit *habit)
{
	sums->util += (double)habit->util * habit->util_jobs;
	sums->idle += (double)habit->idle * habit->util_jobs;
	sums->mem += (double)habit->mem * habit->mem_jobs;
	sums->util_jobs += habit->util_jobs;
	sums->mem_jobs += habit->mem_jobs;
	sums->sm += (double)habit->sm * habit->sm_jobs;
	sums->tensor += (double)habit->tensor * habit->tensor_jobs;
	sums->membw += (double)habit->membw * habit->membw_jobs;
	sums->sm_jobs += habit->sm_jobs;
	sums->tensor_jobs += habit->tensor_jobs;
	sums->membw_jobs += habit->membw_jobs;
}

static uint32_t habit_mean_of(double sum, double jobs)
{
	return jobs > 0 ? (uint32_t)(sum / jobs / LW_HABIT_ONE + 0.5) : 0;
}

static bool habit_conclude(const struct sums *sums, struct lw_gpu_use *ret_use)
{
	if (sums->util_jobs <= 0 && sums->mem_jobs <= 0 && sums->sm_jobs <= 0)
		return false;
	*ret_use = (struct lw_gpu_use){
		.has_util = sums->util_jobs > 0,
		.has_mem = sums->mem_jobs > 0,
		.util_percent = habit_mean_of(sums->util, sums->util_jobs),
		.idle_permille = habit_mean_of(sums->idle, sums->util_jobs),
		.mem_mib = habit_mean_of(sums->mem, sums->mem_jobs),
		.has_sm = sums->sm_jobs > 0,
		.has_tensor = sums->tensor_jobs > 0,
		.has_membw = sums->membw_jobs > 0,
		.sm_percent = habit_mean_of(sums->sm, sums->sm_jobs),
		.tensor_percent = habit_mean_of(sums->tensor, sums->tensor_jobs),
		.membw_percent = habit_mean_of(sums->membw, sums->membw_jobs),
	};
	return true;
}

uint32_t lw_habits_memory_mib(const struct lw_habits *habits, const struct lw_habit_key *key)
{
	uint32_t at = habit_place_of(habits, key);

	if (!habit_is_at(habits, at, key) || habits->entries[at].mem_jobs < LW_HABIT_MEMORY_RUNS)
		return 0;
	return habits->entries[at].mem_max_mib;
}

bool lw_habits_expect(const struct lw_habits *habits, const struct lw_habit_key *key,
		      struct lw_gpu_use *ret_use)
{
	const struct lw_habit_key first = { .user = key->user };
	struct sums own = { 0 }, tagged = { 0 }, all = { 0 };

	for (uint32_t i = habit_place_of(habits, &first);
	     i < habits->count && habits->entries[i].key.user == key->user; i++) {
		const struct lw_habit *habit = &habits->entries[i];

		habit_add_entry(&all, habit);
		if (habit->key.tag != key->tag)
			continue;
		habit_add_entry(&tagged, habit);
		if (habit->key.limit_s == key->limit_s)
			habit_add_entry(&own, habit);
	}
	return habit_conclude(&own, ret_use) || habit_conclude(&tagged, ret_use) ||
	       habit_conclude(&all, ret_use);
}

bool lw_habits_communicate(const struct lw_habits *habits, const struct lw_habit_key *key,
			   bool tagged)
{
	uint32_t at = habit_place_of(habits, key);
	const struct lw_habit *habit;

	if (!habit_is_at(habits, at, key))
		return tagged;
	habit = &habits->entries[at];
	if (habit->pcie_jobs < LW_HABIT_TALK_RUNS)
		return tagged;
	if (habit->pcie >= LW_HABIT_TALKS_MIB_S * LW_HABIT_ONE)
		return true;
	return tagged && (habit->pcie > LW_HABIT_QUIET_MIB_S * LW_HABIT_ONE ||
			  habit->nvlink > LW_HABIT_QUIET_MIB_S * LW_HABIT_ONE);
}
