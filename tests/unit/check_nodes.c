/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway nodes: what is counted of each node, from rows and records. */
#include "cli/nodes/nodes.h"

#include "cli/common/tools.h"
#include "unit/gpu_play.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <string.h>

#define HEADER                                                                                   \
	"JobID|User|Partition|End|ElapsedRaw|State|NNodes|NCPUS|NodeList|AllocTRES|FailedNode|"  \
	"AdminComment|JobName\n"
#define ROW(id, user, end, ran, state, nodes, list, name)                                        \
	id "|" user "|main|" end "|" ran "|" state "|" nodes "|4|" list "|cpu=4|||" name "\n"
#define WELL(id, end, ran, node)   ROW(id, "u1", end, ran, "COMPLETED", "1", node, "x")
#define FAILED(id, end, ran, node) ROW(id, "u1", end, ran, "FAILED", "1", node, "x")
#define LOST(id, end, node)        ROW(id, "u1", end, "100", "NODE_FAIL", "1", node, "x")

static struct lw_nodes_log the_log;
static struct lw_nodes_judged judged;

static void judge_teardown(void)
{
	lw_nodes_judged_fini(&judged);
	lw_nodes_log_fini(&the_log);
	scratch_teardown();
}

FIXTURE(scratch_setup, judge_teardown);

static void judge_rows(const char *rows)
{
	struct lw_nodes_request request = { .sacct = NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err = { "" };

	lw_strbuf_add(&text, HEADER "%s", rows);
	request.sacct = scratch_write("sacct", lw_strbuf_text(&text));
	ck_assert_msg(!lw_nodes_read(&the_log, &request, &err), "%s", err.text);
	lw_strbuf_fini(&text);
}

static const struct lw_nodes_node *find_node(const char *name)
{
	for (uint32_t i = 0; i < judged.count; i++)
		if (strcmp(judged.nodes[i].name, name) == 0)
			return &judged.nodes[i];
	ck_abort_msg("no node %s", name);
	return NULL;
}

/* Counts of n1. */
static const struct {
	const char *rows;
	uint32_t runs, down, brief, tried, failed, tried_apart, failed_apart, failed_kinds, timed;
	double slower;
} counts[] = {
	/* nothing to compare with */
	{ WELL("1", "1000", "100", "n1"), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	/* one each: the median of the others */
	{ WELL("1", "1000", "150", "n1") WELL("2", "1001", "100", "n2"), 2 - 1, 0, 0, 1, 0, 1, 0,
	  0, 1, 1.5 },
	{ WELL("1", "1000", "150", "n1") WELL("2", "1001", "90", "n2")
		  WELL("3", "1002", "110", "n3"),
	  1, 0, 0, 1, 0, 2, 0, 0, 1, 1.5 },
	/* what takes less than a minute is not timed */
	{ WELL("1", "1000", "50", "n1") WELL("2", "1001", "50", "n2"), 1, 0, 0, 1, 0, 1, 0, 0, 0,
	  0 },
	/* failures in a row are counted; one trial is made of them */
	{ FAILED("1", "1000", "400", "n1") FAILED("2", "1001", "400", "n1")
		  WELL("3", "1002", "100", "n2"),
	  2, 0, 0, 2, 2, 1, 0, 1, 0, 0 },
	{ FAILED("1", "1000", "400", "n1") WELL("2", "1001", "100", "n1")
		  FAILED("3", "1002", "400", "n1") WELL("4", "1003", "100", "n2"),
	  3, 0, 0, 3, 2, 1, 0, 1, 1, 1 },
	/* what fails everywhere tells of no node; brief ones are counted */
	{ FAILED("1", "1000", "300", "n1") FAILED("2", "1001", "400", "n2"), 1, 0, 1, 1, 1, 1, 1,
	  0, 0, 0 },
	/* another day is another kind */
	{ FAILED("1", "1000", "400", "n1") WELL("2", "90000", "100", "n2"), 1, 0, 0, 0, 0, 0, 0,
	  0, 0, 0 },
	/* the day on which it starts, not that on which it ends */
	{ FAILED("1", "86000", "400", "n1") WELL("2", "86500", "400", "n2"), 1, 0, 0, 1, 1, 1, 0,
	  1, 0, 0 },
	/* the first to start is the trial: the last tells nothing of kinds */
	{ WELL("1", "1000", "100", "n1") FAILED("2", "1100", "400", "n1")
		  FAILED("3", "1200", "50", "n1") WELL("4", "1300", "100", "n2"),
	  3, 0, 1, 3, 2, 1, 0, 1, 1, 1 },
	{ WELL("1", "1000", "100", "n1") FAILED("2", "1400", "400", "n1")
		  WELL("4", "1300", "100", "n2"),
	  2, 0, 0, 2, 1, 1, 0, 0, 1, 1 },
	/* so many times as long as no time is not known */
	{ WELL("1", "1000", "600", "n1") WELL("2", "1001", "0", "n2"), 1, 0, 0, 1, 0, 1, 0, 0, 0,
	  0 },
	/* and so is another user, and another number of nodes */
	{ WELL("1", "1000", "100", "n1") ROW("2", "u2", "1001", "100", "FAILED", "1", "n2", "x")
		  ROW("3", "u1", "1001", "100", "FAILED", "2", "n[2-3]", "x"),
	  1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	/* each node of a job is one of its places */
	{ ROW("1", "u1", "1000", "100", "FAILED", "2", "n[1-2]", "x")
		  ROW("2", "u1", "1001", "100", "COMPLETED", "2", "n[2-3]", "x"),
	  1, 0, 1, 1, 1, 1, 0, 1, 0, 0 },
	/* jobs lost at once, and again */
	{ LOST("1", "1000", "n1") LOST("2", "1200", "n1") LOST("3", "2000", "n1"), 3, 2, 0, 0, 0,
	  0, 0, 0, 0, 0 },
	/* cancelled, preempted or cut runs tell nothing but that they were there */
	{ ROW("1", "u1", "1000", "100", "CANCELLED by 7", "1", "n1", "x")
		  ROW("2", "u1", "1001", "100", "TIMEOUT", "1", "n1", "x")
			  WELL("3", "1003", "100", "n2"),
	  2, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
};

TEST_EACH(runs_are_counted, LW_COUNT_OF(counts))
{
	const struct lw_nodes_node *node;

	judge_rows(counts[_i].rows);
	ck_assert_int_eq(lw_nodes_judge(&the_log, &judged), 0);
	node = find_node("n1");
	ck_assert_uint_eq(node->runs, counts[_i].runs);
	ck_assert_uint_eq(node->down, counts[_i].down);
	ck_assert_uint_eq(node->brief, counts[_i].brief);
	ck_assert_uint_eq(node->tried, counts[_i].tried);
	ck_assert_uint_eq(node->failed, counts[_i].failed);
	ck_assert_uint_eq(node->tried_apart, counts[_i].tried_apart);
	ck_assert_uint_eq(node->failed_apart, counts[_i].failed_apart);
	ck_assert_uint_eq(node->failed_kinds, counts[_i].failed_kinds);
	ck_assert_uint_eq(node->timed, counts[_i].timed);
	ck_assert_double_eq_tol(node->slower, counts[_i].slower, 1e-9);
	/* so few runs are no finding, and could be none */
	ck_assert(!lw_nodes_is_found(node));
}

/* How long n1 was held, by one job or more. */
static const struct {
	const char *rows;
	int64_t held_s;
} holds[] = {
	{ WELL("1", "1000", "100", "n1"), 100 },
	{ WELL("1", "1000", "100", "n1") WELL("2", "1000", "100", "n1"), 100 },
	{ WELL("1", "1000", "100", "n1") WELL("2", "1050", "100", "n1"), 150 },
	{ WELL("1", "1000", "500", "n1") WELL("2", "800", "100", "n1")
		  WELL("3", "1100", "200", "n1"),
	  600 },
	{ WELL("1", "1000", "100", "n1") WELL("2", "2000", "100", "n1"), 200 },
	{ ROW("1", "u1", "1000", "100", "TIMEOUT", "2", "n[1-2]", "x")
		  WELL("2", "1000", "300", "n2"),
	  100 },
};

TEST_EACH(nodes_are_held_once, LW_COUNT_OF(holds))
{
	judge_rows(holds[_i].rows);
	ck_assert_int_eq(lw_nodes_judge(&the_log, &judged), 0);
	ck_assert_int_eq(find_node("n1")->held_s, holds[_i].held_s);
}

/* Accounting may name a node that the job had; else it is one of two. */
static const struct {
	const char *lost;
	uint32_t down, doubt; /* of n2 */
} named[] = { { "n2", 1, 0 }, { "n1", 0, 0 }, { "None", 0, 1 }, { "n[1-2]", 0, 1 }, { "x", 0, 1 } };

TEST_EACH(a_lost_node_is_one_of_the_job, LW_COUNT_OF(named))
{
	char row[256];

	snprintf(row, sizeof(row), "1|u|main|1000|100|NODE_FAIL|2|4|n[1-2]|cpu=4|%s||x\n",
		 named[_i].lost);
	judge_rows(row);
	ck_assert_int_eq(lw_nodes_judge(&the_log, &judged), 0);
	ck_assert_uint_eq(judged.count, 2);
	ck_assert_uint_eq(find_node("n2")->down, named[_i].down);
	ck_assert_uint_eq(find_node("n2")->doubt, named[_i].doubt);
}

/* What never had a node, and what still runs, is no run. */
TEST(runs_without_an_end_or_a_node)
{
	judge_rows(ROW("1", "u1", "Unknown", "100", "RUNNING", "1", "n1", "x")
			   ROW("2", "u1", "1000", "0", "CANCELLED", "1", "None assigned", "x")
				   ROW("3", "u1", "1000", "0", "FAILED", "1", "", "x"));
	ck_assert_uint_eq(the_log.count, 0);
	ck_assert_int_eq(lw_nodes_judge(&the_log, &judged), 0);
	ck_assert_uint_eq(judged.count, 0);
}

/* ---- records ---- */

/* A job of four nodes, of which each is so busy; the nodes are n1 to n4. */
static void write_gang(uint32_t job_id, int readings, const int busy[4])
{
	for (int n = 0; n < 4; n++) {
		const struct phase phases[] = { { readings, busy[n], 9000, 1 }, { 0, 0, 0, 0 } };
		struct lw_record_file *file;
		struct lw_record *record;
		char name[8];

		if (busy[n] < 0)
			continue;
		snprintf(name, sizeof(name), "n%d", n + 1);
		record = make_record(job_id, name, 2);
		play(record, phases);
		record->head.end_s = START + readings * STEP;
		ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
		ck_assert_int_eq(lw_record_file_finish(file, record, NULL), 0);
		lw_record_destroy(record);
	}
}

static const struct {
	int readings, busy[4];
	uint32_t gangs, behind; /* of n3 */
} gangs[] = {
	{ 100, { 90, 90, 60, 90 }, 1, 1 },
	{ 100, { 90, 90, 85, 90 }, 1, 0 }, /* within a tenth */
	{ 100, { 90, 60, 90, 90 }, 1, 0 }, /* another one */
	{ 100, { 20, 90, 90, 90 }, 1, 0 }, /* the first is not compared */
	{ 100, { 90, 90, 60, -1 }, 1, 1 },
	{ 100, { -1, 90, 60, -1 }, 0, 0 }, /* of two nodes either may be odd */
	{ 50, { 90, 90, 60, 90 }, 0, 0 },  /* too short */
};

TEST_EACH(gpus_may_be_behind, LW_COUNT_OF(gangs))
{
	const struct lw_nodes_request request = { .dirs = { scratch_dir }, .dir_count = 1 };
	struct lw_error err = { "" };

	write_gang(7, gangs[_i].readings, gangs[_i].busy);
	ck_assert_int_eq(lw_nodes_read_records(&the_log, &request, &err), 0);
	ck_assert_str_eq(err.text, "");
	ck_assert_int_eq(lw_nodes_judge(&the_log, &judged), 0);
	ck_assert_uint_eq(judged.count > 0, gangs[_i].gangs);
	if (!gangs[_i].gangs)
		return;
	ck_assert_uint_eq(find_node("n3")->gangs, 1);
	ck_assert_uint_eq(find_node("n3")->behind, gangs[_i].behind);
}

/* Of five jobs the same node is behind: by chance that is one in 243. */
TEST(a_node_that_is_always_behind_is_found)
{
	const struct lw_nodes_request request = { .dirs = { scratch_dir }, .dir_count = 1 };
	static const int busy[4] = { 90, 90, 60, 90 };
	struct lw_error err = { "" };

	for (uint32_t job_id = 1; job_id <= 5; job_id++)
		write_gang(job_id, 100, busy);
	ck_assert_int_eq(lw_nodes_read_records(&the_log, &request, &err), 0);
	ck_assert_int_eq(lw_nodes_judge(&the_log, &judged), 0);
	ck_assert_str_eq(judged.nodes[0].name, "n3");
	ck_assert(judged.nodes[0].test[LW_NODES_BEHIND].found);
	ck_assert_double_eq_tol(judged.nodes[0].test[LW_NODES_BEHIND].p, 1 / 243.0, 1e-9);
	ck_assert_uint_eq(judged.tested[LW_NODES_BEHIND], 3);
}
