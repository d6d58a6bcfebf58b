/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of share/request: who gets parts of a GPU, how many, and that all fit. */
#include "share/request.h"

#include "unit/unit.h"

#include <string.h>

static struct lw_share_use use_of(uint32_t util, uint32_t sm, uint32_t mem_mib)
{
	return (struct lw_share_use){ true, true, true, util, sm, mem_mib };
}

static const struct lw_share_terms terms = {
	.rule = { LW_SHARE_MPS, 1000, 900, 900, 2 },
	.where = "partition:small, qos:shared",
	.who = "comment qos:lab account:bio",
	.gpu_type = "a100",
	.mem_mib = 40960,
	.gres = "shard",
	.parts = 10,
};

static struct lw_share_ask ask_of(const char *tres_per_node)
{
	return (struct lw_share_ask){ .partition = "small",
				      .comment = "leeway:share",
				      .tres_per_node = tres_per_node,
				      .batch = true };
}

/* As 22.05 and 24.11 and people write one GPU. */
TEST(one_gpu_in_every_form)
{
	static const char *const one[] = {
		"gpu:1",	   "gpu",	 "gpu:a100:1", "gpu:a100",	  "gres:gpu:1",
		"gres:gpu:a100:1", "gres/gpu:1", "gres/gpu=1", "gres/gpu:a100=1", "gres/gpu",
	};
	static const char *const other[] = {
		"gpu:2",  "gpu:10", "gpu:t4:1",	  "gpu:1,nvme:1", "shard:1",    "gpux:1",
		"gpu:",	  "gpu:0",  "gpu:1:a100", "gpu:a100:1:1", "gpu:a100:2", "gpu:1,gpu:1",
	};

	for (size_t i = 0; i < LW_COUNT_OF(one); i++) {
		struct lw_share_ask by_node = ask_of(one[i]), by_job = ask_of(NULL);

		by_job.tres_per_job = one[i];
		ck_assert_msg(lw_share_asks(&terms, &by_node) == LW_SHARE_SHARES, "%s", one[i]);
		ck_assert_msg(lw_share_asks(&terms, &by_job) == LW_SHARE_SHARES, "%s", one[i]);
	}
	for (size_t i = 0; i < LW_COUNT_OF(other); i++) {
		struct lw_share_ask ask = ask_of(other[i]);

		ck_assert_msg(lw_share_asks(&terms, &ask) == LW_SHARE_WANTS_MORE, "%s", other[i]);
	}
}

TEST(only_who_opted_in)
{
	struct lw_share_ask ask = ask_of("gpu:1");

	ask.comment = "run 7";
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.account = "bio";
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_SHARES);
	ask.comment = "x;leeway:no-share";
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.comment = NULL;
	ask.account = "biology";
	ask.qos = "lab";
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_SHARES);
	ask.qos = "labs";
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_NOT_OPTED_IN);
}

TEST(only_where_gpus_are_shared)
{
	struct lw_share_ask ask = ask_of("gpu:1");
	struct lw_share_terms nowhere = terms;

	ask.partition = "small,big";
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_NOT_HERE);
	ask.qos = "shared";
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_SHARES);
	ask.qos = NULL;
	ask.partition = NULL;
	ck_assert_int_eq(lw_share_asks(&terms, &ask), LW_SHARE_NOT_HERE);
	ask.partition = "small";
	nowhere.where = NULL;
	ck_assert_int_eq(lw_share_asks(&nowhere, &ask), LW_SHARE_NOT_OPTED_IN);
}

static enum lw_share_answer answer_with(void (*change)(struct lw_share_ask *ask))
{
	struct lw_share_ask ask = ask_of("gpu:1");

	change(&ask);
	return lw_share_asks(&terms, &ask);
}

#define CHANGE(name, what)                                                                         \
	static void name(struct lw_share_ask *ask)                                                 \
	{                                                                                          \
		what;                                                                              \
	}
CHANGE(two_nodes, ask->nodes_min = ask->nodes_max = 2)
CHANGE(up_to_two, ask->nodes_min = 1; ask->nodes_max = 2)
CHANGE(two_tasks, ask->tasks = 2)
CHANGE(two_tasks_here, ask->tasks = 2; ask->nodes_min = ask->nodes_max = 1)
CHANGE(twice, ask->tres_per_job = "gres/gpu:1")
CHANGE(by_task, ask->tres_per_task = "gres/gpu:1")
CHANGE(with_gpu_by_task, ask->tres_per_task = "cpu=4,gres/gpu=1")
CHANGE(shard_by_task, ask->tres_per_task = "gres/shard:2,cpu=4")
CHANGE(cpus_by_task, ask->tres_per_task = "cpu=4")
CHANGE(cpu_by_people, ask->tres_per_task = "cpu:1")
CHANGE(licence_by_task, ask->tres_per_task = "cpu=4,license/cad:2")
CHANGE(cpus_by_gpu, ask->cpus_per_tres = "gres/gpu:4")
CHANGE(mem_by_gpu, ask->mem_per_tres = "gres/gpu:4")
CHANGE(bound, ask->tres_bind = "gres/gpu:closest")
CHANGE(with_freq, ask->tres_freq = "gpu:high")
CHANGE(tasks_by_gpu, ask->by_gpu = true)
CHANGE(alone, ask->exclusive = true)
CHANGE(reserved, ask->reservation = "course")
CHANGE(by_hand, ask->batch = false)
CHANGE(of_het, ask->het = true)

TEST(what_else_asks_for_a_whole_gpu)
{
	ck_assert_int_eq(answer_with(two_nodes), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(up_to_two), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(two_tasks), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(two_tasks_here), LW_SHARE_SHARES);
	ck_assert_int_eq(answer_with(twice), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(by_task), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(with_gpu_by_task), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(shard_by_task), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(cpus_by_gpu), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(mem_by_gpu), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(bound), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(with_freq), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(tasks_by_gpu), LW_SHARE_WANTS_MORE);
	ck_assert_int_eq(answer_with(alone), LW_SHARE_WANTS_ALONE);
	ck_assert_int_eq(answer_with(reserved), LW_SHARE_WANTS_ALONE);
	ck_assert_int_eq(answer_with(by_hand), LW_SHARE_NOT_BATCH);
	ck_assert_int_eq(answer_with(of_het), LW_SHARE_NOT_BATCH);
}

/* What 24.11 makes of --cpus-per-task is a part of nearly every job. */
TEST(cpus_by_task_ask_for_no_gpu)
{
	ck_assert_int_eq(answer_with(cpus_by_task), LW_SHARE_SHARES);
	ck_assert_int_eq(answer_with(cpu_by_people), LW_SHARE_SHARES);
	ck_assert_int_eq(answer_with(licence_by_task), LW_SHARE_SHARES);
}

static struct lw_share_terms with_guests(enum lw_share_mode mode)
{
	struct lw_share_terms t = terms;

	t.rule = lw_share_rule_default(mode);
	t.guests = "scavenger";
	return t;
}

TEST(who_lends_says_so)
{
	const struct lw_share_terms t = with_guests(LW_SHARE_SLICE);
	const struct lw_share_terms mps = with_guests(LW_SHARE_MPS);
	struct lw_share_ask ask = ask_of("gpu:1");

	/* whose site or account shares has not lent it yet */
	ck_assert_int_eq(lw_share_lends(&t, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.comment = NULL;
	ask.account = "bio";
	ck_assert_int_eq(lw_share_lends(&t, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.comment = "x,leeway:lend";
	ck_assert_int_eq(lw_share_lends(&t, &ask), LW_SHARE_SHARES);
	ck_assert_int_eq(lw_share_lends(&terms, &ask), LW_SHARE_NOT_OPTED_IN);
	ck_assert_int_eq(lw_share_lends(&mps, &ask), LW_SHARE_TURNS_ONLY);
	ask.comment = "leeway:lend leeway:no-share";
	ck_assert_int_eq(lw_share_lends(&t, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.comment = "leeway:lend";
	ask.qos = "scavenger";
	ck_assert_int_eq(lw_share_lends(&t, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.qos = "lab";
	ask.tres_per_node = "gpu:2";
	ck_assert_int_eq(lw_share_lends(&t, &ask), LW_SHARE_WANTS_MORE);
}

TEST(guests_are_of_one_qos)
{
	const struct lw_share_terms t = with_guests(LW_SHARE_SLICE);
	const struct lw_share_terms mps = with_guests(LW_SHARE_MPS);
	const struct lw_share_terms off = with_guests(LW_SHARE_OFF);
	struct lw_share_ask ask = ask_of("gpu:1");

	ask.comment = NULL;
	ask.requeue = ask.limited = true;
	ck_assert_int_eq(lw_share_is_guest(&t, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.qos = "scavengers";
	ck_assert_int_eq(lw_share_is_guest(&t, &ask), LW_SHARE_NOT_OPTED_IN);
	ask.qos = "scavenger";
	ck_assert_int_eq(lw_share_is_guest(&t, &ask), LW_SHARE_SHARES);
	ck_assert_int_eq(lw_share_is_guest(&terms, &ask), LW_SHARE_NOT_OPTED_IN);
	ck_assert_int_eq(lw_share_is_guest(&off, &ask), LW_SHARE_NOT_OPTED_IN);
	ck_assert_int_eq(lw_share_is_guest(&mps, &ask), LW_SHARE_TURNS_ONLY);
	ask.requeue = false;
	ck_assert_int_eq(lw_share_is_guest(&t, &ask), LW_SHARE_NO_REQUEUE);
	ask.requeue = true;
	ask.limited = false;
	ck_assert_int_eq(lw_share_is_guest(&t, &ask), LW_SHARE_NO_LIMIT);
	ask.partition = "big";
	ck_assert_int_eq(lw_share_is_guest(&t, &ask), LW_SHARE_NOT_HERE);
}

TEST(parts_follow_the_use)
{
	const struct lw_share_use light = use_of(990, 50, 1000), half = use_of(990, 449, 1000);
	const struct lw_share_use more = use_of(990, 500, 1000), most = use_of(990, 600, 1000);
	const struct lw_share_use full = use_of(10, 10, 20000);
	struct lw_share_use unknown = light;

	/* ten parts, two tenants: three of four would be twelve */
	ck_assert_uint_eq(lw_share_parts(&terms, &light), 4);
	ck_assert_uint_eq(lw_share_parts(&terms, &half), 5);
	ck_assert_uint_eq(lw_share_parts(&terms, &more), 6);
	ck_assert_uint_eq(lw_share_parts(&terms, &most), 0);
	/* 20,000 of 36,864 MiB */
	ck_assert_uint_eq(lw_share_parts(&terms, &full), 6);
	unknown.has_sm = false;
	ck_assert_uint_eq(lw_share_parts(&terms, &unknown), 0);
}

/*
 * The point of parts: whatever jobs Slurm puts on one GPU, if it has parts for all of them the rule
 * lets them be there.
 */
TEST(any_that_find_room_fit)
{
	for (uint32_t tenants = 2; tenants <= 4; tenants++) {
		for (uint32_t mode = LW_SHARE_SLICE; mode <= LW_SHARE_MPS; mode++) {
			struct lw_share_terms t = terms;
			struct lw_share_use uses[LW_SHARE_TENANTS_MAX];
			uint64_t seed = 1;

			t.rule = lw_share_rule_default((enum lw_share_mode)mode);
			t.rule.tenants_max = tenants;
			for (uint32_t turn = 0; turn < 20000; turn++) {
				uint32_t free = t.parts = 4 + turn % 97, count = 0;

				while (count < LW_SHARE_TENANTS_MAX) {
					uint32_t parts;

					seed = seed * 6364136223846793005u + 1442695040888963407u;
					uses[count] = use_of((uint32_t)(seed >> 40) % 1001,
							     (uint32_t)(seed >> 30) % 901,
							     (uint32_t)(seed >> 35) % 40000);
					parts = lw_share_parts(&t, &uses[count]);
					if (!parts || parts > free)
						break;
					free -= parts;
					count++;
				}
				if (count)
					ck_assert_int_eq(lw_share_fits(&t.rule, uses, count,
								       t.mem_mib, NULL),
							 LW_SHARE_FITS);
			}
		}
	}
}
