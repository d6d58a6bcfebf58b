/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/learn: how long jobs are expected to run by type of GPU. */
#include "slurm/read/learn_types.h"

#include "unit/learning.h"
#include "unit/reading.h"
#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { A100, V100 };

static struct lw_reading reading;
static struct lw_ticket tickets[4];

static void learn_runs(const char *name, const char *type, int64_t run_s, uint32_t runs)
{
	static uint32_t job_id;

	for (uint32_t i = 0; i < runs; i++) {
		struct lw_finished job = ended(++job_id, NOW - 50 - i, run_s);

		job.name = name;
		job.gpu_type = type;
		job.gpus = 1;
		note(job);
	}
}

static void add_node(const char *name, int type)
{
	struct lw_res total = { .cpus = 8, .mem_mib = 1000 };
	struct lw_error err;

	total.gpus[type] = 4;
	ck_assert_int_eq(lw_snapshot_add_node(&reading.snap, name, &total, true, &err), 0);
}

static void add_set(const char *name, uint32_t first, uint32_t last)
{
	struct lw_bitset nodes;
	struct lw_error err;

	ck_assert_int_eq(lw_bitset_init(&nodes, reading.snap.node_count), 0);
	for (uint32_t node = first; node <= last; node++)
		lw_bitset_set(&nodes, node);
	ck_assert_int_eq(lw_snapshot_add_set(&reading.snap, name, &nodes, &err), 0);
	lw_bitset_fini(&nodes);
}

/* Two nodes, an a100 and a v100; sets of both, and of the second. Kind "bert" is fast on one. */
static void begin(void)
{
	lw_learn_begin(learn, NOW);
	learn_runs("bert", "a100", 100, 5);
	learn_runs("bert", "v100", 1000, 5);
	lw_learn_teach(learn);
	memset(&reading, 0, sizeof(reading));
	memset(tickets, 0, sizeof(tickets));
	lw_snapshot_init(&reading.snap, NOW);
	ck_assert_int_eq(lw_snapshot_gpu_type(&reading.snap, "a100"), A100);
	ck_assert_int_eq(lw_snapshot_gpu_type(&reading.snap, "v100"), V100);
	add_node("n0", A100);
	add_node("n1", V100);
	add_set("both", 0, 1);
	add_set("old", 1, 1);
	reading.tickets = tickets;
}

static void end(void)
{
	lw_snapshot_fini(&reading.snap);
	free(reading.kinds);
}

/* A job of USER called NAME waits; what is expected of it. */
static struct lw_expectation expect(uint32_t user, const char *name, uint32_t set, int8_t type)
{
	const struct lw_job_kind kind = lw_learn_kind(NULL, name);
	const struct lw_waiting job = {
		.job_id = 1, .user_id = user, .set = set, .tasks = 1, .limit_s = LIMIT,
		.begin_s = LW_NO_TIME, .promise_s = LW_NO_TIME,
		.recipe = lw_learn_recipe(lw_learn_history(learn), user, 1, &kind),
		.request = { .nodes_min = 1, .nodes_max = 1, .gpus_per_node = 1,
			     .gpu_type = type }
	};
	struct lw_error err;

	tickets[0] = (struct lw_ticket){ .part = "gpu", .kind = kind };
	ck_assert_msg(!lw_snapshot_add_waiting(&reading.snap, &job, &err), "%s", err.text);
	lw_learn_expect(learn, LW_LEARN_RUNS | LW_LEARN_TYPES, &reading);
	return reading.snap.waiting[0].expected;
}

/* Runs of user 7 needed 20 GiB; an a100 has 40 here, a v100 has MIB. Bits of the types. */
static uint64_t cramped(uint32_t v100_mib, uint32_t user, int8_t type)
{
	reading.gpu_memory_mib[A100] = 40960;
	reading.gpu_memory_mib[V100] = v100_mib;
	return expect(user, "bert", 0, type).cramped;
}

static void learn_memory(void)
{
	for (uint32_t i = 0; i < 3; i++) {
		struct lw_finished job = ended(900 + i, NOW - 20 - i, 100);

		job.admin_comment = "leeway:gpu=n:1,util:50/60,mem:18/20G,idle:0";
		job.gpus = 1;
		note(job);
	}
}

/* How far off is what is said of a time, as a share? */
static double off(int64_t told_s, int64_t time_s)
{
	return told_s > time_s ? (double)told_s / (double)time_s - 1
			       : (double)time_s / (double)(told_s ? told_s : 1) - 1;
}

FIXTURE(make, destroy);

TEST(its_own_runs_say_it_by_type)
{
	struct lw_expectation told;

	begin();
	told = expect(7, "bert", 0, LW_GPU_ANY);
	ck_assert_double_lt(off(told.by_type_s[A100], 100), 0.1);
	ck_assert_double_lt(off(told.by_type_s[V100], 1000), 0.1);
	ck_assert_int_eq(told.mean_s, told.by_type_s[A100]);
	ck_assert_int_le(told.rank_s, told.mean_s);
	ck_assert_uint_ne(reading.snap.waiting[0].recipe, 0);
	end();
}

/* Of others the types are known by what all jobs taught, drawn towards no difference. */
TEST(who_never_ran_is_told_by_others)
{
	struct lw_expectation told;

	begin();
	told = expect(8, "other", 0, LW_GPU_ANY);
	ck_assert_uint_gt(told.by_type_s[A100], 0);
	ck_assert_uint_gt(told.by_type_s[V100], 3 * told.by_type_s[A100]);
	ck_assert_uint_eq(reading.snap.waiting[0].recipe, 0);
	end();
}

TEST_EACH(only_types_that_it_may_have_count, 2)
{
	struct lw_expectation told;

	begin();
	told = expect(7, "bert", _i ? 0 : 1, _i ? V100 : LW_GPU_ANY);
	ck_assert_uint_eq(told.by_type_s[A100], 0);
	ck_assert_double_lt(off(told.by_type_s[V100], 1000), 0.1);
	ck_assert_int_eq(told.mean_s, told.by_type_s[V100]);
	end();
}

static const struct {
	uint32_t v100_mib, user;
	int8_t type;
	uint64_t cramped;
} memories[] = {
	{ 16384, 7, LW_GPU_ANY, 1 << V100 },
	{ 32768, 7, LW_GPU_ANY, 0 },
	{ 0, 7, LW_GPU_ANY, 0 },     /* nobody said how much it has */
	{ 16384, 8, LW_GPU_ANY, 0 }, /* of whom nothing is known */
	{ 16384, 7, V100, 0 },	     /* who names it has it */
};

TEST_EACH(too_little_memory_is_told, LW_COUNT_OF(memories))
{
	lw_learn_begin(learn, NOW);
	learn_memory();
	lw_learn_teach(learn);
	begin();
	ck_assert_uint_eq(cramped(memories[_i].v100_mib, memories[_i].user, memories[_i].type),
			  memories[_i].cramped);
	end();
}

TEST(no_time_is_beyond_the_limit)
{
	struct lw_expectation told;

	begin();
	lw_learn_begin(learn, NOW + 1000);
	for (uint32_t i = 0; i < 5; i++) {
		struct lw_finished job = ended(500 + i, NOW + 100 + i, 100000);

		job.name = "long";
		job.gpu_type = "v100";
		job.gpus = 1;
		note(job);
	}
	lw_learn_teach(learn);
	told = expect(7, "long", 0, LW_GPU_ANY);
	ck_assert_uint_eq(told.by_type_s[V100], LIMIT);
	end();
}

TEST(types_are_ordered_by_all_jobs)
{
	uint32_t order[LW_GPU_TYPES_MAX];

	begin();
	ck_assert_uint_eq(lw_learn_types_order(lw_learn_history(learn), &reading.snap, order), 2);
	ck_assert_uint_eq(order[0], A100);
	ck_assert_uint_eq(order[1], V100);
	lw_learn_destroy(learn);
	unlink(path);
	open_it();
	ck_assert_uint_eq(lw_learn_types_order(lw_learn_history(learn), &reading.snap, order), 0);
	end();
}

/* Nothing unless it is asked for, and where nothing ran. */
TEST(else_nothing_is_said)
{
	begin();
	expect(7, "bert", 0, LW_GPU_ANY);
	memset(&reading.snap.waiting[0].expected, 0, sizeof(struct lw_expectation));
	lw_learn_expect(learn, LW_LEARN_RUNS, &reading);
	ck_assert_uint_eq(reading.snap.waiting[0].expected.by_type_s[A100], 0);
	lw_learn_destroy(learn);
	unlink(path);
	open_it();
	lw_learn_expect(learn, LW_LEARN_RUNS | LW_LEARN_TYPES, &reading);
	ck_assert_uint_eq(reading.snap.waiting[0].expected.by_type_s[A100], 0);
	end();
}

static const struct {
	int type;
	int64_t elapsed_s;
	int64_t least_s, most_s; /* expected in all */
} running[] = {
	{ A100, 50, 90, 110 },
	{ V100, 50, 900, 1100 },
	{ V100, 500, 900, 1100 },
	{ A100, 500, 501, LIMIT }, /* it has outrun what is known of the type */
};

TEST_EACH(who_runs_is_expected_to_end_by_its_type, LW_COUNT_OF(running))
{
	struct lw_alloc alloc = { .node = (uint32_t)running[_i].type, .res = { .cpus = 1 } };
	const struct lw_running job = { .job_id = 5,
					.user_id = 7,
					.start_s = NOW - running[_i].elapsed_s,
					.end_s = NOW - running[_i].elapsed_s + LIMIT };
	const struct lw_running_kind kind = { 5, lw_learn_kind(NULL, "bert") };
	struct lw_error err;

	begin();
	alloc.res.gpus[running[_i].type] = 1;
	reading.kinds = malloc(sizeof(kind));
	reading.kinds[0] = kind;
	reading.kind_count = 1;
	ck_assert_int_eq(lw_snapshot_add_running(&reading.snap, &job, &alloc, 1, &err), 0);
	lw_learn_expect(learn, LW_LEARN_RUNS | LW_LEARN_TYPES, &reading);
	ck_assert_int_ge(reading.snap.running[0].expect_s, running[_i].least_s);
	ck_assert_int_le(reading.snap.running[0].expect_s, running[_i].most_s);
	end();
}

/* Many kinds at once, each by its own runs, whatever was asked before. */
TEST(kinds_are_told_apart)
{
	const uint32_t count = 600;
	struct lw_error err;

	begin();
	lw_learn_begin(learn, NOW + 1000);
	for (uint32_t i = 0; i < count; i++) {
		struct lw_finished job = ended(1000 + i, NOW + 100, 60 + i);
		char name[16];

		snprintf(name, sizeof(name), "kind%u", i);
		job.user_id = 7 + i % 3; /* of more kinds of one user some are forgotten */
		job.name = name;
		job.gpu_type = "a100";
		job.gpus = 1;
		note(job);
	}
	lw_learn_teach(learn);
	reading.kinds = calloc(count, sizeof(*reading.kinds));
	reading.kind_count = count;
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_alloc alloc = { .res = { .cpus = 1, .gpus = { 1 } } };
		const struct lw_running job = { .job_id = count - i,
						.user_id = 7 + i % 3,
						.start_s = NOW,
						.end_s = NOW + LIMIT };
		char name[16];

		snprintf(name, sizeof(name), "kind%u", i);
		reading.kinds[i].job_id = job.job_id;
		reading.kinds[i].kind = lw_learn_kind(NULL, name);
		ck_assert_int_eq(lw_snapshot_add_running(&reading.snap, &job, &alloc, 1, &err),
				 0);
	}
	lw_learn_expect(learn, LW_LEARN_RUNS | LW_LEARN_TYPES, &reading);
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_running *job = &reading.snap.running[i];

		ck_assert_int_le(labs((long)job->expect_s - (long)(60 + count - job->job_id)), 1);
	}
	end();
}
