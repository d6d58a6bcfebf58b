/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: readings of Slurm made by hand: a node "n0" of 8 CPUs and 4 GPUs, and jobs on it. */
#ifndef LW_TESTS_UNIT_READING_H
#define LW_TESTS_UNIT_READING_H

#include "slurm/read/read.h"
#include "unit/unit.h"

#include <string.h>

/* The node, alone in the set "gpu". To be ended by lw_snapshot_fini() of its snapshot. */
static inline void reading_make(struct lw_reading *reading, int64_t now_s)
{
	const struct lw_res total = { .cpus = 8, .mem_mib = 1000, .gpus = { 4 } };
	struct lw_bitset nodes;
	struct lw_error err;

	memset(reading, 0, sizeof(*reading));
	lw_snapshot_init(&reading->snap, now_s);
	ck_assert_int_eq(lw_snapshot_gpu_type(&reading->snap, "a100"), 0);
	ck_assert_int_eq(lw_snapshot_add_node(&reading->snap, "n0", &total, true, &err), 0);
	ck_assert_int_eq(lw_bitset_init(&nodes, 1), 0);
	lw_bitset_set(&nodes, 0);
	ck_assert_int_eq(lw_snapshot_add_set(&reading->snap, "gpu", &nodes, &err), 0);
	lw_bitset_fini(&nodes);
}

/* A job of user 7 has run for AGE_S, on 8 CPUs. */
static inline void reading_add_running(struct lw_reading *reading, uint32_t job_id,
				       int64_t age_s, int64_t limit_s)
{
	const struct lw_alloc alloc = { .res = { .cpus = 8 } };
	const int64_t start_s = reading->snap.now_s - age_s;
	const struct lw_running job = {
		.job_id = job_id, .user_id = 7, .start_s = start_s, .end_s = start_s + limit_s
	};
	struct lw_error err;

	ck_assert_msg(!lw_snapshot_add_running(&reading->snap, &job, &alloc, 1, &err), "%s",
		      err.text);
}

/* A job waits for a node; its place in the queue. */
static inline uint32_t reading_add_waiting(struct lw_reading *reading, uint32_t job_id,
					   uint32_t user, int64_t limit_s,
					   enum lw_readiness readiness)
{
	const struct lw_waiting job = {
		.job_id = job_id,
		.user_id = user,
		.tasks = 1,
		.readiness = readiness,
		.begin_s = LW_NO_TIME,
		.limit_s = limit_s,
		.promise_s = LW_NO_TIME,
		.request = { .nodes_min = 1, .nodes_max = 1, .gpu_type = LW_GPU_ANY },
	};
	struct lw_error err;

	ck_assert_msg(!lw_snapshot_add_waiting(&reading->snap, &job, &err), "%s", err.text);
	return reading->snap.waiting_count - 1;
}

#endif
