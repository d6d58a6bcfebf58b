/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users' jobs typically make of their GPUs, by tag and limit. */
#ifndef LW_PREDICTOR_HABIT_H
#define LW_PREDICTOR_HABIT_H

#include "base/gpuuse.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One entry a user, kind of job (its tag) and limit: means in which the latest job weighs
 * 1/8, or 1/n among the first n: users repeat what they did last, and change. The highest
 * memory is kept beside, since a job that does not fit fails. Traffic is that of jobs of several
 * nodes alone.
 *
 * Memory: at most LW_HABITS_MAX entries of 112 bytes, an eighth of them one user's. A new one
 * beyond takes the place of the user's own, or of all, that learned longest ago (base/quota.h).
 * Adding is O(entries), finding O(log entries).
 *
 * Pure; the same jobs in the same order make the same table.
 */

#define LW_HABITS_MAX      4096
#define LW_HABIT_WEIGHT    8
#define LW_HABIT_ONE       1024 /* means are in 1/1024 of their unit */
#define LW_HABIT_UNTAGGED  UINT32_MAX
#define LW_HABIT_VALUE_MAX (UINT32_MAX / LW_HABIT_ONE)

/*
 * So many runs show how much a gang talks, and from when on that is much and up to when little:
 * mean traffic of a GPU, both ways (doc/dev/placement.md, "Who talks", has the reasons).
 */
#define LW_HABIT_TALK_RUNS   2
#define LW_HABIT_TALKS_MIB_S 1000
#define LW_HABIT_QUIET_MIB_S 100

struct lw_habit_key {
	uint32_t user;
	uint32_t tag; /* enum lw_tag_class, or LW_HABIT_UNTAGGED */
	uint32_t limit_s;
};

struct lw_habit {
	struct lw_habit_key key;
	uint64_t stamp; /* of the caller: when it learned last */
	uint32_t jobs;
	uint32_t util_jobs, mem_jobs; /* of which that was known */
	uint32_t util, idle, mem;     /* means: %, permille, MiB; x LW_HABIT_ONE */
	uint32_t mem_max_mib;
	uint32_t nvlink_jobs, pcie_jobs; /* as above, of those of several nodes */
	uint32_t nvlink, pcie;		 /* means: MiB/s of a GPU, both ways; x LW_HABIT_ONE */
	uint32_t sm_jobs, tensor_jobs, membw_jobs; /* of which that was known */
	uint32_t sm, tensor, membw;                /* means: %; x LW_HABIT_ONE */
};

struct lw_habits {
	struct lw_habit *entries; /* sorted by key */
	uint32_t count, room;
};

/* A zeroed table is empty. */
void lw_habits_fini(struct lw_habits *habits);

/* Learn what one job made of its GPUs. -ENOMEM leaves the table as it was. */
int lw_habits_add(struct lw_habits *habits, const struct lw_habit_key *key,
		  const struct lw_gpu_use *use, uint64_t stamp);

/* Put a whole entry behind all others, as read from a file. -EINVAL when its key is not
 * behind theirs; -ENOSPC, -ENOMEM. */
int lw_habits_append(struct lw_habits *habits, const struct lw_habit *habit);

/*
 * What a job of KEY will make of its GPUs: by its own entry, else by the user's jobs with
 * that tag, else by all of the user's, each weighted with its jobs; without traffic. False:
 * nothing known.
 */
bool lw_habits_expect(const struct lw_habits *habits, const struct lw_habit_key *key,
		      struct lw_gpu_use *ret_use);

/*
 * The highest memory of a GPU that jobs of KEY needed, in MiB; 0: fewer than LW_HABIT_MEMORY_RUNS
 * told.
 */
#define LW_HABIT_MEMORY_RUNS 2
uint32_t lw_habits_memory_mib(const struct lw_habits *habits, const struct lw_habit_key *key);

/*
 * Does a gang of KEY talk much across nodes? As its own entry shows: over PCIe, on which the
 * network lies, much; or little over PCIe and NVLink. Else as TAGGED says, which its tag does.
 */
bool lw_habits_communicate(const struct lw_habits *habits, const struct lw_habit_key *key,
			   bool tagged);

#endif
