/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users' jobs typically use of their GPUs, by tag and limit. */
#ifndef LW_PREDICTOR_HABIT_H
#define LW_PREDICTOR_HABIT_H

#include "base/gpuuse.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One entry for each user, kind of job (its tag) and limit: means in which the latest job weighs
 * 1/8, or 1/n among the first n. Users repeat what they did last, and change. The highest memory
 * is kept as well, because a job that does not fit fails. Traffic is only that of jobs of
 * several nodes.
 *
 * Memory: at most LW_HABITS_MAX entries of 112 bytes, an eighth of them for one user. A further
 * entry replaces the one of the same user, or of all, that has not learned for longest
 * (base/quota.h). Adding is O(entries), finding O(log entries).
 *
 * Pure; the same jobs in the same order make the same table.
 */

#define LW_HABITS_MAX      4096
#define LW_HABIT_WEIGHT    8
#define LW_HABIT_ONE       1024 /* means are in 1/1024 of their unit */
#define LW_HABIT_UNTAGGED  UINT32_MAX
#define LW_HABIT_VALUE_MAX (UINT32_MAX / LW_HABIT_ONE)

/*
 * The runs needed to know a gang's traffic, and the bounds of much and of little: mean traffic
 * of a GPU, both directions (doc/dev/placement.md has the reasons).
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
	uint64_t stamp; /* of the caller: when it last learned */
	uint32_t jobs;
	uint32_t util_jobs, mem_jobs; /* with a known value */
	uint32_t util, idle, mem;     /* means: %, permille, MiB; x LW_HABIT_ONE */
	uint32_t mem_max_mib;
	uint32_t nvlink_jobs, pcie_jobs; /* as above, of jobs of several nodes */
	uint32_t nvlink, pcie;		 /* means: MiB/s of a GPU, both ways; x LW_HABIT_ONE */
	uint32_t sm_jobs, tensor_jobs, membw_jobs; /* with a known value */
	uint32_t sm, tensor, membw;                /* means: %; x LW_HABIT_ONE */
};

struct lw_habits {
	struct lw_habit *entries; /* sorted by key */
	uint32_t count, room;
};

/* A zeroed table is empty. */
void lw_habits_fini(struct lw_habits *habits);

/* Learn what one job used of its GPUs. -ENOMEM leaves the table unchanged. */
int lw_habits_add(struct lw_habits *habits, const struct lw_habit_key *key,
		  const struct lw_gpu_use *use, uint64_t stamp);

/*
 * Append a whole entry, as read from a file. -EINVAL if its key is not after all others;
 * -ENOSPC, -ENOMEM.
 */
int lw_habits_append(struct lw_habits *habits, const struct lw_habit *habit);

/*
 * What a job of KEY will use of its GPUs: from its own entry, else from the user's jobs with
 * that tag, else from all of the user's jobs, each weighted with its jobs; without traffic.
 * False: nothing is known.
 */
bool lw_habits_expect(const struct lw_habits *habits, const struct lw_habit_key *key,
		      struct lw_gpu_use *ret_use);

/*
 * The highest memory of a GPU that jobs of KEY needed, in MiB; 0: known of fewer than
 * LW_HABIT_MEMORY_RUNS.
 */
#define LW_HABIT_MEMORY_RUNS 2
uint32_t lw_habits_memory_mib(const struct lw_habits *habits, const struct lw_habit_key *key);

/*
 * Is a gang of KEY communication-intensive? By its own entry: much traffic over PCIe, which
 * carries the network, or little over PCIe and NVLink. Else by TAGGED, from its tag.
 */
bool lw_habits_communicate(const struct lw_habits *habits, const struct lw_habit_key *key,
			   bool tagged);

#endif
