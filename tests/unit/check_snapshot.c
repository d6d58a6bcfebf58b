/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/snapshot: the invariants that its adders keep. */
#include "planner/model/snapshot.h"

#include "unit/res.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct lw_res eight = RES(8, 8000, 2);

/* Three nodes, one set of all. */
static void make(struct lw_snapshot *snap)
{
	struct lw_bitset nodes;

	lw_snapshot_init(snap, 1000);
	ck_assert_int_eq(lw_snapshot_gpu_type(snap, "a100"), 0);
	ck_assert_int_eq(lw_snapshot_add_node(snap, "n0", &eight, true, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_node(snap, "n1", &eight, false, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_node(snap, "n2", &eight, true, NULL), 0);
	ck_assert_int_eq(lw_bitset_init(&nodes, 3), 0);
	lw_bitset_set_all(&nodes);
	ck_assert_int_eq(lw_snapshot_add_set(snap, "all", &nodes, NULL), 0);
	lw_bitset_fini(&nodes);
}

/* A waiting job that is right; each vector spoils it. */
static const struct lw_waiting good = {
	.job_id = 7,
	.tasks = 1,
	.limit_s = 60,
	.begin_s = LW_NO_TIME,
	.promise_s = LW_NO_TIME,
	.request = { .nodes_min = 1, .nodes_max = 2, .gpu_type = LW_GPU_ANY },
};

static const struct {
	const char *what; /* is in the message; NULL: all is well */
	uint32_t set, tasks, nodes_min, nodes_max;
	int64_t limit_s;
	int8_t gpu_type;
} waits[] = {
	{ NULL, 0, 1, 1, 1, 1, LW_GPU_ANY },
	{ NULL, 0, 5, 1, 9, INT64_MAX, 0 },
	{ "set: 1 is above 0", 1, 1, 1, 1, 1, LW_GPU_ANY },
	{ "tasks: 0 is below 1", 0, 0, 1, 1, 1, LW_GPU_ANY },
	{ "nodes: 0 is below 1", 0, 1, 0, 1, 1, LW_GPU_ANY },
	{ "nodes: 2 is below 3", 0, 1, 3, 2, 1, LW_GPU_ANY },
	{ "limit: 0 is below 1", 0, 1, 1, 1, 0, LW_GPU_ANY },
	{ "limit: -5 is below 1", 0, 1, 1, 1, -5, LW_GPU_ANY },
	{ "gpu-type: 1 is above 0", 0, 1, 1, 1, 1, 1 },
	{ "gpu-type: -2 is below -1", 0, 1, 1, 1, 1, -2 },
};

TEST_EACH(waiting_is_checked, LW_COUNT_OF(waits))
{
	struct lw_error err = { "" };
	struct lw_waiting job = good;
	struct lw_snapshot snap;
	int rc;

	make(&snap);
	job.set = waits[_i].set;
	job.tasks = waits[_i].tasks;
	job.limit_s = waits[_i].limit_s;
	job.request.nodes_min = waits[_i].nodes_min;
	job.request.nodes_max = waits[_i].nodes_max;
	job.request.gpu_type = waits[_i].gpu_type;
	rc = lw_snapshot_add_waiting(&snap, &job, &err);
	if (waits[_i].what) {
		ck_assert_int_eq(rc, -EINVAL);
		ck_assert_ptr_nonnull(strstr(err.text, waits[_i].what));
		ck_assert_ptr_nonnull(strstr(err.text, "waiting 7"));
		ck_assert_uint_eq(snap.waiting_count, 0);
	} else {
		ck_assert_int_eq(rc, 0);
		ck_assert_uint_eq(snap.waiting_count, 1);
		ck_assert(snap.waiting[0].limit_s == waits[_i].limit_s);
	}
	lw_snapshot_fini(&snap);
}

TEST(running_holds_only_nodes_there_are)
{
	const struct lw_alloc allocs[] = { { .node = 0, .res = RES(1, 1, 0) },
					   { .node = 3, .res = RES(1, 1, 0) } };
	struct lw_running job = { .job_id = 9, .first_alloc = 77, .alloc_count = 88 };
	struct lw_error err = { "" };
	struct lw_snapshot snap;

	make(&snap);
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, allocs, 2, &err), -EINVAL);
	ck_assert_str_eq(err.text, "running 9: no node 3");
	ck_assert_uint_eq(snap.running_count, 0);
	ck_assert_uint_eq(snap.alloc_count, 0);
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, allocs, 1, &err), 0);
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, allocs, 1, &err), 0);
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, NULL, 0, &err), 0);
	ck_assert_uint_eq(snap.running[1].first_alloc, 1);
	ck_assert_uint_eq(snap.running[1].alloc_count, 1);
	ck_assert_uint_eq(snap.running[2].alloc_count, 0);
	ck_assert_uint_eq(snap.alloc_count, 2);
	lw_snapshot_fini(&snap);
}

TEST(sets_come_after_all_nodes)
{
	struct lw_error err = { "" };
	struct lw_snapshot snap;
	struct lw_bitset nodes;

	make(&snap);
	ck_assert_int_eq(lw_snapshot_add_node(&snap, "n3", &eight, true, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "n3"));
	ck_assert_uint_eq(snap.node_count, 3);
	ck_assert_int_eq(lw_bitset_init(&nodes, 4), 0);
	ck_assert_int_eq(lw_snapshot_add_set(&snap, "four", &nodes, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "four"));
	ck_assert_uint_eq(snap.set_count, 1);
	lw_bitset_fini(&nodes);
	lw_snapshot_fini(&snap);
}

TEST(what_is_added_is_copied)
{
	char name[] = "n0";
	struct lw_snapshot snap;
	struct lw_bitset nodes;

	lw_snapshot_init(&snap, 5);
	ck_assert_int_eq(lw_snapshot_add_node(&snap, name, &eight, true, NULL), 0);
	ck_assert_int_eq(lw_bitset_init(&nodes, 1), 0);
	lw_bitset_set(&nodes, 0);
	ck_assert_int_eq(lw_snapshot_add_set(&snap, name, &nodes, NULL), 0);
	name[0] = 'x';
	lw_bitset_fini(&nodes);
	ck_assert_str_eq(snap.nodes[0].name, "n0");
	ck_assert_str_eq(snap.sets[0].name, "n0");
	ck_assert(lw_bitset_test(&snap.sets[0].nodes, 0));
	lw_snapshot_fini(&snap);
}

TEST(gpu_types_are_known_again_and_bounded)
{
	struct lw_snapshot snap;
	char name[16];

	lw_snapshot_init(&snap, 5);
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		snprintf(name, sizeof(name), "type%d", type);
		ck_assert_int_eq(lw_snapshot_gpu_type(&snap, name), type);
	}
	ck_assert_int_eq(lw_snapshot_gpu_type(&snap, "one-more"), -ENOSPC);
	ck_assert_int_eq(lw_snapshot_gpu_type(&snap, "type3"), 3);
	ck_assert_uint_eq(snap.gpu_type_count, LW_GPU_TYPES_MAX);
	lw_snapshot_drop_gpu_types(&snap, 2);
	ck_assert_uint_eq(snap.gpu_type_count, 2);
	ck_assert_int_eq(lw_snapshot_find_gpu_type(&snap, "type1"), 1);
	ck_assert_int_eq(lw_snapshot_find_gpu_type(&snap, "type3"), -ENOENT);
	ck_assert_int_eq(lw_snapshot_gpu_type(&snap, "one-more"), 2);
	lw_snapshot_fini(&snap);
}

/* A type for which there is no place is one of the others, and so has GPUs all the same. */
TEST(gpu_types_too_many_are_one)
{
	struct lw_snapshot snap;
	char name[16];

	lw_snapshot_init(&snap, 5);
	for (int type = 0; type < LW_GPU_TYPES_MAX - 1; type++) {
		snprintf(name, sizeof(name), "type%d", type);
		ck_assert_int_eq(lw_snapshot_some_gpu_type(&snap, name), type);
	}
	ck_assert_int_eq(lw_snapshot_some_gpu_type(&snap, "one-more"), LW_GPU_TYPES_MAX - 1);
	ck_assert_int_eq(lw_snapshot_some_gpu_type(&snap, "another"), LW_GPU_TYPES_MAX - 1);
	ck_assert_int_eq(lw_snapshot_some_gpu_type(&snap, "type3"), 3);
	ck_assert_str_eq(snap.gpu_types[LW_GPU_TYPES_MAX - 1], LW_GPU_OTHERS);
	lw_snapshot_fini(&snap);
}

/* Of before: v100 is gone, "typo" was asked for and never there, the others changed places. */
TEST(a_mix_is_numbered_anew)
{
	char *names[] = { "v100", "a100", "h100", "typo" };
	static const struct {
		int8_t before, after; /* after: -2, left out */
	} sizes[] = { { 0, -2 },	  { 1, 1 },  { LW_GPU_ANY, LW_GPU_ANY },
		      { 3, -2 },	  { 2, 0 },  { 4, -2 },
		      { INT8_MAX, -2 },	  { INT8_MIN, -2 } };
	struct lw_mix mix = { .count = LW_COUNT_OF(sizes) };
	struct lw_snapshot snap;
	uint32_t kept = 0;

	lw_snapshot_init(&snap, 5);
	lw_snapshot_gpu_type(&snap, "h100");
	lw_snapshot_gpu_type(&snap, "a100");
	for (uint32_t i = 0; i < mix.count; i++)
		mix.sizes[i] = (struct lw_mix_size){ .gpu_type = sizes[i].before, .gpus = 1,
						     .weight = i + 1 };
	lw_snapshot_renumber(&snap, &mix, names, LW_COUNT_OF(names));
	for (uint32_t i = 0; i < LW_COUNT_OF(sizes); i++) {
		if (sizes[i].after < LW_GPU_ANY)
			continue;
		ck_assert_int_eq(mix.sizes[kept].gpu_type, sizes[i].after);
		ck_assert_uint_eq(mix.sizes[kept++].weight, i + 1);
	}
	ck_assert_uint_eq(mix.count, kept);
	ck_assert_uint_eq(snap.gpu_type_count, 2);
	lw_snapshot_fini(&snap);
}

TEST(next_forgets_jobs_and_keeps_nodes)
{
	struct lw_running job = { .job_id = 9 };
	const struct lw_alloc alloc = { .node = 2, .res = RES(1, 1, 0) };
	struct lw_snapshot snap;

	make(&snap);
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, &alloc, 1, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_waiting(&snap, &good, NULL), 0);
	lw_snapshot_next(&snap, 2000);
	ck_assert(snap.now_s == 2000);
	ck_assert_uint_eq(snap.running_count + snap.alloc_count + snap.waiting_count, 0);
	ck_assert_uint_eq(snap.node_count, 3);
	ck_assert_uint_eq(snap.set_count, 1);
	ck_assert_str_eq(snap.nodes[1].name, "n1");
	ck_assert(!snap.nodes[1].usable);
	lw_snapshot_fini(&snap);
}

/* A clock may begin anywhere, before 0 too. */
TEST(ends_do_not_overflow)
{
	struct lw_waiting job = good;

	ck_assert_int_eq(lw_waiting_end_s(&job, 1000), 1060);
	ck_assert_int_eq(lw_waiting_end_s(&job, 0), 60);
	ck_assert_int_eq(lw_waiting_end_s(&job, -1000), -940);
	ck_assert_int_eq(lw_waiting_end_s(&job, INT64_MAX - 60), INT64_MAX);
	ck_assert_int_eq(lw_waiting_end_s(&job, INT64_MAX - 59), INT64_MAX);
	job.limit_s = INT64_MAX;
	ck_assert_int_eq(lw_waiting_end_s(&job, 1), INT64_MAX);
	ck_assert_int_eq(lw_waiting_end_s(&job, -1), INT64_MAX - 1);
}

TEST(fini_is_safe_twice_and_zeroed)
{
	struct lw_snapshot snap = { 0 };

	lw_snapshot_fini(&snap);
	make(&snap);
	lw_snapshot_fini(&snap);
	lw_snapshot_fini(&snap);
	ck_assert_uint_eq(snap.node_count, 0);
	ck_assert_ptr_null(snap.nodes);
}
