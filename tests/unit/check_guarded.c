/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/guarded: nodes kept for accepted deadlines outlive a restart. */
#include "slurm/keep/guarded.h"

#include "base/savefile.h"
#include "planner/text/text.h"
#include "unit/last_error.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define NOW 5000

static struct lw_guarded *guarded;

static void open_guarded(void)
{
	ck_assert_int_eq(lw_guarded_create(scratch_path("guarded"), NOW, &test_log, &guarded), 0);
}

static void setup(void)
{
	last_error[0] = '\0';
	scratch_setup();
	open_guarded();
}

static void teardown(void)
{
	lw_guarded_destroy(guarded);
	scratch_teardown();
}

static void restart(void)
{
	lw_guarded_destroy(guarded);
	open_guarded();
}

#define BEFORE                                                                                   \
	"lw-snapshot 1\nnow 1000\ngpu-type 0 a100\ngpu-type 1 h100\n"                            \
	"node 0 n0 cpus=8 mem=9000 gpu:a100=4\nnode 1 n1 cpus=8 mem=9000 gpu:h100=4\n"           \
	"set 0 all 0-1\nwait 7 set=0 submit=0 limit=600 nodes=1\n"                               \
	"wait 8 set=0 submit=0 limit=600 nodes=1\n"
/* Nodes and types have other numbers, and there is one more of each. */
#define AFTER                                                                                    \
	"lw-snapshot 1\nnow 1000\ngpu-type 0 v100\ngpu-type 1 h100\ngpu-type 2 a100\n"           \
	"node 0 m0 cpus=8 mem=9000\nnode 1 n1 cpus=8 mem=9000 gpu:h100=4\n"                      \
	"node 2 n0 cpus=8 mem=9000 gpu:a100=4\nset 0 all 0-2\n"

static void read_snapshot(struct lw_snapshot *snap, const char *text)
{
	struct lw_error err = { "" };

	ck_assert_msg(!lw_snapshot_parse(snap, "test", text, &err), "%s", err.text);
}

/* A plan that has accepted COUNT of jobs 7, on both nodes, and 8, is kept and saved. */
static void save(uint32_t count)
{
	static const struct lw_alloc allocs[] = {
		{ .node = 0,
		  .res = { .cpus = 2, .mem_mib = 300, .gpus = { 4 }, .capped = { 0, 1 } } },
		{ .node = 1, .res = { .cpus = 3, .parts = 5, .gpus = { 0, 1 } } },
		{ .node = 1, .res = { .cpus = 1 } },
	};
	const struct lw_lookup wait = { 0 };
	struct lw_planned planned = { 0 };
	struct lw_error err = { "" };
	struct lw_snapshot snap;
	struct lw_plan plan;

	read_snapshot(&snap, BEFORE);
	lw_plan_init(&plan);
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_decision decision = { .waiting = i,
						      .job_id = 7 + i,
						      .verdict = LW_RESERVE,
						      .reason = LW_REASON_ACCEPTED,
						      .start_s = 2000 + i };

		ck_assert_int_eq(lw_plan_add(&plan, &decision, allocs + 2 * i, 2 - i), 0);
	}
	lw_planned_keep(&planned, &plan, &snap, &wait);
	ck_assert_msg(!lw_guarded_save(guarded, &planned, &snap, &err), "%s", err.text);
	lw_planned_fini(&planned);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

FIXTURE(setup, teardown);

TEST(nodes_are_found_by_name)
{
	const struct lw_alloc *allocs;
	struct lw_snapshot snap;
	uint32_t count;

	save(2);
	restart();
	read_snapshot(&snap, AFTER);
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 2000);
	ck_assert_int_eq(lw_guarded_start(guarded, 8, 0), 2001);
	ck_assert_int_eq(lw_guarded_find(guarded, &snap, 7, 0, &allocs, &count), 0);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(allocs[0].node, 2);
	ck_assert_uint_eq(allocs[0].res.cpus, 2);
	ck_assert_uint_eq(allocs[0].res.mem_mib, 300);
	ck_assert_uint_eq(allocs[0].res.gpus[2], 4);
	ck_assert_uint_eq(allocs[0].res.gpus[0], 0);
	ck_assert_uint_eq(allocs[0].res.capped[1], 1);
	ck_assert_uint_eq(allocs[1].node, 1);
	ck_assert_uint_eq(allocs[1].res.parts, 5);
	ck_assert_uint_eq(allocs[1].res.gpus[1], 1);
	ck_assert_int_eq(lw_guarded_find(guarded, &snap, 8, 0, &allocs, &count), 0);
	ck_assert_uint_eq(count, 1);
	/* another record of the job, and another job */
	ck_assert_int_eq(lw_guarded_find(guarded, &snap, 7, 1, &allocs, &count), -ENOENT);
	ck_assert_int_eq(lw_guarded_start(guarded, 9, 0), 0);
	lw_snapshot_fini(&snap);
}

/* A node, or a type of GPU, that is gone: the job is planned anew. */
static const char *const gone[] = {
	"lw-snapshot 1\nnow 1000\ngpu-type 0 a100\ngpu-type 1 h100\n"
	"node 0 n0 cpus=8\nset 0 all 0\n",
	"lw-snapshot 1\nnow 1000\ngpu-type 0 a100\n"
	"node 0 n0 cpus=8\nnode 1 n1 cpus=8\nset 0 all 0-1\n",
};

TEST_EACH(what_is_gone_is_not_kept, LW_COUNT_OF(gone))
{
	const struct lw_alloc *allocs;
	struct lw_snapshot snap;
	uint32_t count;

	save(1);
	restart();
	read_snapshot(&snap, gone[_i]);
	ck_assert_int_eq(lw_guarded_find(guarded, &snap, 7, 0, &allocs, &count), -ENOENT);
	lw_snapshot_fini(&snap);
}

/* It counts until the first plan after the restart, which says it anew; also that there is
 * nothing. */
TEST(the_next_plan_counts)
{
	save(2);
	restart();
	save(1);
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 0);
	restart();
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 2000);
	ck_assert_int_eq(lw_guarded_start(guarded, 8, 0), 0);
	save(0);
	restart();
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 0);
}

/* Nodes were made and deleted since the plan, which knows them by numbers. */
TEST(what_was_kept_follows_its_nodes)
{
	const struct lw_alloc *allocs;
	struct lw_snapshot snap;
	uint32_t count;

	lw_guarded_renumber(guarded);
	save(2);
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 0);
	lw_guarded_renumber(guarded);
	read_snapshot(&snap, AFTER);
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 2000);
	ck_assert_int_eq(lw_guarded_find(guarded, &snap, 7, 0, &allocs, &count), 0);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(allocs[0].node, 2);
	ck_assert_uint_eq(allocs[0].res.gpus[2], 4);
	ck_assert_uint_eq(allocs[1].node, 1);
	lw_snapshot_fini(&snap);
}

TEST(nothing_is_written_of_nothing)
{
	save(0);
	ck_assert_int_eq(access(scratch_path("guarded"), F_OK), -1);
	save(1);
	ck_assert_int_eq(access(scratch_path("guarded"), F_OK), 0);
	ck_assert_int_eq(unlink(scratch_path("guarded")), 0);
	/* what is no news is not written again */
	save(1);
	ck_assert_int_eq(access(scratch_path("guarded"), F_OK), -1);
}

static const char *const wrong[] = {
	"on n0 1 0 0 0 0 0\n",
	"job 7 0 2000\non n0 1 0 0 0 0\n",
	"job 7 0 2000\non n0 1 0 0 0 0 0 a100\n",
	"job 7 0 2000\non n0 1 0 0 0 0 0 a100 many\n",
	"job 7 0 2000\non n0 -1 0 0 0 0 0\n",
	"job 0 0 2000\n",
	"job 7 2000\n",
	"gpu 7 0 2000\n",
	"job 7 0 2000\n\njob 8 0 2000\n",
};

TEST_EACH(a_damaged_file_is_set_aside, LW_COUNT_OF(wrong))
{
	struct lw_error err;

	lw_guarded_destroy(guarded);
	ck_assert_int_eq(lw_savefile_write(scratch_path("guarded"), "guarded", 1, wrong[_i],
					   strlen(wrong[_i]), &err),
			 0);
	open_guarded();
	ck_assert_msg(strstr(last_error, "a line is wrong") != NULL, "%s", last_error);
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 0);
	save(1);
	restart();
	ck_assert_int_eq(lw_guarded_start(guarded, 7, 0), 2000);
}

/* After a restart each job whose deadline was accepted is looked up, with Slurm's locks held. */
TEST(many_are_found_soon)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	const struct lw_alloc *allocs;
	struct lw_error err = { "" };
	struct lw_snapshot snap;
	uint32_t count;
	double took_s;
	clock_t begin;

	for (uint32_t i = 1; i <= 4000; i++)
		lw_strbuf_add(&text, "job %u 0 %u\non n%u 1 0 0 0 0 0\n", i, 2000 + i, i % 2);
	ck_assert_int_eq(lw_savefile_write(scratch_path("guarded"), "guarded", 1,
					   lw_strbuf_text(&text), text.len, &err),
			 0);
	restart();
	read_snapshot(&snap, BEFORE);
	begin = clock();
	for (uint32_t i = 1; i <= 4000; i++) {
		ck_assert_int_eq(lw_guarded_start(guarded, i, 0), 2000 + i);
		ck_assert_int_eq(lw_guarded_find(guarded, &snap, i, 0, &allocs, &count), 0);
		ck_assert_uint_eq(allocs[0].node, i % 2);
	}
	took_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
	ck_assert_msg(took_s < 0.5, "%g s", took_s);
	ck_assert_int_eq(lw_guarded_start(guarded, 4001, 0), 0);
	lw_snapshot_fini(&snap);
	lw_strbuf_fini(&text);
}
