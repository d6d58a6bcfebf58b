/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/place/place: which nodes a request gets. */
#include "planner/place/place.h"

#include "unit/res.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NODES 4

/* 16 CPUs, 16000 MiB; GPUs by type */
#define NODE(a, b) RES(16, 16000, a, b)
#define ANY	   .gpu_type = LW_GPU_ANY

/*
 * What is free of four nodes of 16 CPUs, 16000 MiB, and GPUs as in total; the request;
 * and the answer as "node:cpus/mem/gpus0/gpus1 ...", or NULL when it does not fit.
 */
static const struct {
	const char *what;
	struct lw_res total[NODES], free[NODES];
	struct lw_request req;
	const char *answer;
} places[] = {
	{ "the fullest node that serves",
	  { NODE(0, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { NODE(0, 0), RES(4, 16000, 0), RES(3, 16000, 0), RES(8, 16000, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 4, ANY },
	  "1:4/0/0/0" },
	{ "equal nodes: the first",
	  { NODE(0, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { RES(2, 1, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { .nodes_min = 2, .nodes_max = 2, .cpus_per_node = 4, ANY },
	  "1:4/0/0/0 2:4/0/0/0" },
	{ "no GPU wanted: the nodes without",
	  { NODE(4, 0), NODE(4, 0), NODE(0, 0), NODE(0, 4) },
	  { RES(4, 16000, 4), RES(4, 16000, 0), NODE(0, 0), NODE(0, 4) },
	  { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 1, ANY },
	  "2:1/0/0/0" },
	{ "no GPU wanted, and no node without: that with the fewest free",
	  { NODE(4, 0), NODE(4, 0), NODE(4, 0), NODE(0, 4) },
	  { NODE(4, 0), NODE(1, 0), NODE(2, 0), NODE(0, 4) },
	  { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 1, ANY },
	  "1:1/0/0/0" },
	{ "one GPU: a broken node before a whole one",
	  { NODE(4, 0), NODE(4, 0), NODE(4, 0), NODE(4, 0) },
	  { NODE(4, 0), NODE(3, 0), NODE(1, 0), NODE(0, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 1, .gpus_per_node = 1, ANY },
	  "2:1/0/1/0" },
	{ "GPUs of one type only",
	  { NODE(2, 0), NODE(0, 2), NODE(2, 0), NODE(0, 2) },
	  { NODE(2, 0), NODE(0, 2), NODE(1, 0), NODE(0, 2) },
	  { .nodes_min = 2, .nodes_max = 2, .gpus_per_node = 2, ANY },
	  "1:0/0/0/2 3:0/0/0/2" },
	{ "no type has enough by itself",
	  { NODE(2, 0), NODE(0, 2), NODE(0, 0), NODE(0, 0) },
	  { NODE(2, 0), NODE(0, 2), NODE(0, 0), NODE(0, 0) },
	  { .nodes_min = 2, .nodes_max = 2, .gpus_per_node = 2, ANY },
	  NULL },
	{ "a named type",
	  { NODE(2, 2), NODE(2, 2), NODE(2, 0), NODE(0, 0) },
	  { NODE(2, 1), NODE(0, 2), NODE(2, 0), NODE(0, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .gpus_per_node = 2, .gpu_type = 1 },
	  "1:0/0/0/2" },
	{ "the type that needs the fewest nodes",
	  { NODE(2, 0), NODE(2, 0), NODE(0, 4), NODE(0, 0) },
	  { NODE(2, 0), NODE(2, 0), NODE(0, 4), NODE(0, 0) },
	  { .nodes_min = 1, .nodes_max = 4, .gpus_total = 4, ANY },
	  "2:0/0/0/4" },
	{ "a total takes the largest nodes, then what completes it best",
	  { NODE(8, 0), NODE(8, 0), NODE(8, 0), NODE(8, 0) },
	  { NODE(3, 0), NODE(8, 0), NODE(2, 0), NODE(8, 0) },
	  { .nodes_min = 1, .nodes_max = 4, .gpus_total = 10, ANY },
	  "1:0/0/8/0 2:0/0/2/0" },
	{ "a total over at least three nodes leaves each its share",
	  { NODE(8, 0), NODE(8, 0), NODE(8, 0), NODE(8, 0) },
	  { NODE(8, 0), NODE(1, 0), NODE(1, 0), NODE(0, 0) },
	  { .nodes_min = 3, .nodes_max = 3, .gpus_total = 4, ANY },
	  "0:0/0/2/0 1:0/0/1/0 2:0/0/1/0" },
	{ "a total that two nodes cannot reach",
	  { NODE(8, 0), NODE(8, 0), NODE(8, 0), NODE(8, 0) },
	  { NODE(4, 0), NODE(4, 0), NODE(4, 0), NODE(4, 0) },
	  { .nodes_min = 1, .nodes_max = 2, .gpus_total = 9, ANY },
	  NULL },
	{ "memory follows the GPUs, and bounds them",
	  { NODE(8, 0), NODE(8, 0), NODE(8, 0), NODE(8, 0) },
	  { RES(16, 9000, 8), RES(16, 7999, 8), RES(16, 16000, 1), { 0 } },
	  { .nodes_min = 1, .nodes_max = 4, .gpus_total = 4, .mem_per_gpu_mib = 4000, ANY },
	  "0:0/8000/2/0 1:0/4000/1/0 2:0/4000/1/0" },
	{ "memory follows the CPUs of a total",
	  { NODE(0, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { RES(16, 4000, 0), RES(16, 6000, 0), RES(2, 16000, 0), { 0 } },
	  { .nodes_min = 1, .nodes_max = 4, .cpus_total = 10, .mem_per_cpu_mib = 1000, ANY },
	  "0:4/4000/0/0 1:6/6000/0/0" },
	{ "no memory, no place",
	  { NODE(0, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { RES(16, 999, 0), RES(16, 500, 0), RES(16, 0, 0), RES(15, 999, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .mem_per_node_mib = 1000, ANY },
	  NULL },
	{ "whole nodes only when all of them is free",
	  { NODE(4, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { NODE(3, 0), RES(15, 16000, 0), NODE(0, 0), RES(16, 15999, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 1, .exclusive = true, ANY },
	  "2:16/16000/0/0" },
	{ "a range of nodes: the more the better",
	  { NODE(0, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { NODE(0, 0), { 0 }, NODE(0, 0), RES(2, 2000, 0) },
	  { .nodes_min = 1, .nodes_max = 9, .cpus_per_node = 2, ANY },
	  "0:2/0/0/0 2:2/0/0/0 3:2/0/0/0" },
	{ "a range with too few",
	  { NODE(0, 0), NODE(0, 0), NODE(0, 0), NODE(0, 0) },
	  { NODE(0, 0), { 0 }, NODE(0, 0), RES(1, 2000, 0) },
	  { .nodes_min = 3, .nodes_max = 9, .cpus_per_node = 2, ANY },
	  NULL },
	{ "huge demands do not wrap",
	  { NODE(8, 0), NODE(8, 0), NODE(8, 0), NODE(8, 0) },
	  { NODE(8, 0), NODE(8, 0), NODE(8, 0), NODE(8, 0) },
	  { .nodes_min = 2, .nodes_max = UINT32_MAX, .cpus_per_node = 2, .cpus_total = UINT32_MAX,
	    .mem_per_cpu_mib = UINT32_MAX, ANY },
	  NULL },
};

static void print_answer(const struct lw_alloc *allocs, uint32_t count, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < count; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%u:%u/%u/%u/%u", i ? " " : "",
					allocs[i].node, allocs[i].res.cpus, allocs[i].res.mem_mib,
					allocs[i].res.gpus[0], allocs[i].res.gpus[1]);
}

TEST_EACH(request_gets_the_nodes, LW_COUNT_OF(places))
{
	struct lw_bitset candidates;
	struct lw_room room = { .free = places[_i].free, .total = places[_i].total,
				.candidates = &candidates };
	const struct lw_alloc *allocs;
	struct lw_placer *placer;
	char answer[200];
	uint32_t count;
	int rc;

	ck_assert_int_eq(lw_bitset_init(&candidates, NODES), 0);
	lw_bitset_set_all(&candidates);
	ck_assert_int_eq(lw_placer_create(NODES, &placer), 0);
	rc = lw_place(placer, &room, &places[_i].req, &allocs, &count);
	if (places[_i].answer) {
		ck_assert_msg(!rc, "%s: %d", places[_i].what, rc);
		print_answer(allocs, count, answer, sizeof(answer));
		ck_assert_msg(!strcmp(answer, places[_i].answer), "%s: %s, not %s",
			      places[_i].what, answer, places[_i].answer);
	} else {
		ck_assert_msg(rc == -ENOSPC, "%s: %d", places[_i].what, rc);
	}
	lw_placer_destroy(placer);
	lw_bitset_fini(&candidates);
}

TEST(only_candidates_and_spare)
{
	static const struct lw_res total[2] = { NODE(4, 0), NODE(4, 0) };
	struct lw_res spare[2] = { RES(1, 16000, 1), { 0 } };
	const uint32_t holder[2] = { 2, 1 };
	const uint8_t guarded[3] = { 0, 0, 1 };
	struct lw_request req = { .nodes_min = 1, .nodes_max = 1, .gpus_per_node = 1, ANY };
	struct lw_bitset candidates;
	struct lw_room room = { .free = total, .total = total, .candidates = &candidates,
				.spare = spare, .holder = holder, .guarded = guarded };
	const struct lw_alloc *allocs;
	struct lw_placer *placer;
	uint32_t count;

	ck_assert_int_eq(lw_bitset_init(&candidates, 2), 0);
	ck_assert_int_eq(lw_placer_create(2, &placer), 0);
	ck_assert_int_eq(lw_place(placer, &room, &req, &allocs, &count), -ENOSPC);
	lw_bitset_set(&candidates, 0);
	ck_assert_int_eq(lw_place(placer, &room, &req, &allocs, &count), 0);
	ck_assert_uint_eq(allocs[0].node, 0);
	/* node 0 is guarded and has one GPU to spare; node 1 is not, whatever its spare */
	req.gpus_per_node = 2;
	ck_assert_int_eq(lw_place(placer, &room, &req, &allocs, &count), -ENOSPC);
	lw_bitset_set(&candidates, 1);
	ck_assert_int_eq(lw_place(placer, &room, &req, &allocs, &count), 0);
	ck_assert_uint_eq(allocs[0].node, 1);
	lw_placer_destroy(placer);
	lw_placer_destroy(NULL);
	lw_bitset_fini(&candidates);
}

/*
 * By node its weight and what is free of 16 CPUs, 16000 MiB and 4 GPUs; the request; and the
 * nodes that it gets.
 */
static const struct {
	const char *what;
	uint64_t weights[NODES];
	struct lw_res free[NODES];
	struct lw_request req;
	const char *answer;
} weighed[] = {
	{ "the lightest node, though another fits better",
	  { 20, 10, 10, 20 },
	  { NODE(1, 0), NODE(4, 0), NODE(3, 0), NODE(1, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 1, .gpus_per_node = 1, ANY },
	  "2:1/0/1/0" },
	{ "a heavier one where none of the lightest serves",
	  { 20, 10, 10, 30 },
	  { NODE(4, 0), NODE(1, 0), NODE(1, 0), NODE(2, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = 1, .gpus_per_node = 2, ANY },
	  "0:1/0/2/0" },
	{ "light nodes first, then the best fit of the others",
	  { 20, 10, 20, 10 },
	  { NODE(4, 0), NODE(4, 0), NODE(2, 0), NODE(0, 0) },
	  { .nodes_min = 2, .nodes_max = 2, .gpus_per_node = 1, ANY },
	  "1:0/0/1/0 2:0/0/1/0" },
	{ "as many nodes of a range as without weights",
	  { 10, 20, 20, 30 },
	  { NODE(4, 0), NODE(4, 0), NODE(4, 0), NODE(4, 0) },
	  { .nodes_min = 1, .nodes_max = 3, .gpus_per_node = 4, ANY },
	  "0:0/0/4/0 1:0/0/4/0 2:0/0/4/0" },
	{ "two light nodes before one heavy for a total",
	  { 20, 10, 10, 20 },
	  { NODE(4, 0), NODE(2, 0), NODE(2, 0), NODE(4, 0) },
	  { .nodes_min = 1, .nodes_max = 4, .gpus_total = 4, ANY },
	  "1:0/0/2/0 2:0/0/2/0" },
	{ "no room on all together",
	  { 10, 20, 30, 40 },
	  { NODE(1, 0), NODE(1, 0), NODE(1, 0), NODE(1, 0) },
	  { .nodes_min = 1, .nodes_max = 1, .gpus_per_node = 2, ANY },
	  NULL },
};

/* The same with the nodes in order and without. */
TEST_EACH(light_nodes_first, LW_COUNT_OF(weighed))
{
	static const struct lw_res total[NODES] = { NODE(4, 0), NODE(4, 0), NODE(4, 0),
						    NODE(4, 0) };
	struct lw_bitset candidates;
	struct lw_grades grades = { 0 };
	struct lw_room room = { .free = weighed[_i].free, .total = total,
				.candidates = &candidates, .gpu_types = 2, .grades = &grades };
	const struct lw_alloc *allocs;
	struct lw_placer *placer;
	struct lw_index *index;
	char answer[200];
	uint32_t count;

	ck_assert_int_eq(lw_grades_make(&grades, weighed[_i].weights, NODES), 0);
	ck_assert_int_eq(lw_bitset_init(&candidates, NODES), 0);
	lw_bitset_set_all(&candidates);
	ck_assert_int_eq(lw_placer_create(NODES, &placer), 0);
	ck_assert_int_eq(lw_index_create(NODES, &index), 0);
	lw_index_build(index, room.free, total, 2);
	for (int turn = 0; turn < 2; turn++, room.index = index) {
		int rc = lw_place(placer, &room, &weighed[_i].req, &allocs, &count);

		ck_assert_msg(rc == (weighed[_i].answer ? 0 : -ENOSPC), "%s: %d", weighed[_i].what,
			      rc);
		if (rc)
			continue;
		print_answer(allocs, count, answer, sizeof(answer));
		ck_assert_msg(!strcmp(answer, weighed[_i].answer), "%s: %s, not %s",
			      weighed[_i].what, answer, weighed[_i].answer);
	}
	lw_index_destroy(index);
	lw_placer_destroy(placer);
	lw_grades_fini(&grades);
	lw_bitset_fini(&candidates);
}
