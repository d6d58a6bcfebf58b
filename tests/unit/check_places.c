/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of cli/report/places.h: where jobs ran, and what that is worth. */
#include "cli/report/places.h"

#include "base/strbuf.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <sys/stat.h>

#define HEAD "JobIDRaw|JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|ReqTRES|NodeList\n"
#define ONE  "cpu=1,gres/gpu=1,node=1"
#define FOUR "cpu=4,gres/gpu=4,node=1"
#define GANG "cpu=8,gres/gpu=8,node=2"

static const char meta[] = "{\"nodes\": 4, \"gpus_per_node\": 4, \"cpus_per_node\": 16}";
static const char two_switches[] = "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n"
				   "SwitchName=top Switches=a,b\n";

/*
 * The first gang could have been under switch b and is under both, the second one is under
 * b. From 1100 to 1200 seven GPUs are free, and the next job wants four on a node.
 */
static const char gangs[] = HEAD
	"1|1|1000|1000|1300|COMPLETED|1|1|" ONE "|" ONE "|n1\n"
	"2|2|1000|1000|1100|COMPLETED|2|8|" GANG "|" GANG "|n[2-3]\n"
	"3|3|1010|1100|1300|COMPLETED|2|8|" GANG "|" GANG "|n[3-4]\n"
	"4|4|1200|1200|1300|COMPLETED|1|4|" FOUR "|" FOUR "|n2\n";

static void write_run(const char *sacct, const char *topology)
{
	scratch_write("sacct.psv", sacct);
	scratch_write("meta.json", meta);
	if (!topology)
		return;
	ck_assert_int_eq(mkdir(scratch_path("etc"), 0700), 0);
	scratch_write("etc/topology.conf", topology);
}

static int judge(struct lw_locality *ret_locality, bool *ret_known, struct lw_error *err)
{
	struct lw_run run;
	int rc;

	ck_assert_msg(!lw_run_load(&run, scratch_dir, err), "%s", err->text);
	rc = lw_places_judge(&run, ret_locality, ret_known, err);
	lw_run_fini(&run);
	return rc;
}

static struct lw_locality judge_known(void)
{
	struct lw_locality locality;
	struct lw_error err = { "" };
	bool known = false;

	ck_assert_msg(!judge(&locality, &known, &err), "%s", err.text);
	ck_assert(known);
	return locality;
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(test_gangs)
{
	struct lw_locality found;

	write_run(gangs, two_switches);
	found = judge_known();
	ck_assert_uint_eq(found.gangs, 2);
	ck_assert_uint_eq(found.holdable, 2);
	ck_assert_uint_eq(found.held, 1);
	ck_assert_uint_eq(found.domains, 3);
	ck_assert_uint_eq(found.domains_least, 2);
	ck_assert_uint_eq(found.gpu_jobs, 4);
	ck_assert_uint_eq(found.nodes, 6);
	ck_assert_uint_eq(found.nodes_least, 6);
	ck_assert_double_eq(found.free_gpu_s, 700);
	ck_assert_double_eq(found.useless_gpu_s, 300);
}

TEST(test_without_topology)
{
	struct lw_locality found;

	write_run(gangs, NULL);
	found = judge_known();
	ck_assert_uint_eq(found.gangs, 0);
	ck_assert_uint_eq(found.nodes, 6);
	ck_assert_double_eq(found.useless_gpu_s, 300);
}

/* Nobody who is gone again, or never came to wait, is the next job. */
TEST(test_who_is_next)
{
	struct lw_locality found;

	write_run(HEAD "1|1|1000|1000|1100|COMPLETED|1|1|" ONE "|" ONE "|n1\n"
		       "2|2|1000|Unknown|1000|CANCELLED|1|4||" FOUR "|None assigned\n"
		       "3|3|1010|1010|1010|FAILED|1|4|" FOUR "|" FOUR "|n2\n"
		       "4|4|1020|Unknown|1040|CANCELLED|1|4||" FOUR "|None assigned\n"
		       "5|5|1090|1100|1200|COMPLETED|1|1|" ONE "|" ONE "|n1\n",
		  NULL);
	found = judge_known();
	/* 15 free: to 1010 and from 1020 to 1040 a job of four is next, else one of one */
	ck_assert_double_eq(found.free_gpu_s, 15 * 100);
	ck_assert_double_eq(found.useless_gpu_s, 3 * (10 + 10 + 20));
}

TEST(test_unknown)
{
	struct lw_locality locality;
	struct lw_error err = { "" };
	bool known = true;

	write_run("JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES\n"
		  "1|1000|1000|1100|COMPLETED|1|1|" ONE "\n",
		  two_switches);
	ck_assert_int_eq(judge(&locality, &known, &err), 0);
	ck_assert(!known);
}

static const struct {
	const char *sacct, *topology, *said;
} bad[] = {
	{ HEAD "1|1|1000|1000|1100|COMPLETED|1|1|" ONE "|" ONE "|n[2-1]\n", NULL, "n[2-1]" },
	{ HEAD "1|1|1000|1000|1100|COMPLETED|1|1|" ONE "|" ONE "|n1,n1,n1,n1,n1,n1,n1,n1\n", NULL,
	  "twice" },
	{ gangs, "SwitchName=a Nodes=n[1-\n", "n[1-" },
	{ gangs, "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n2\n", "b" },
};

TEST_EACH(test_bad, LW_COUNT_OF(bad))
{
	struct lw_locality locality;
	struct lw_error err = { "" };
	bool known;

	write_run(bad[_i].sacct, bad[_i].topology);
	ck_assert_int_eq(judge(&locality, &known, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, bad[_i].said), "%s", err.text);
}

/* Among more nodes than can be gone through for each name: the time a test may take is the test. */
TEST(test_many_nodes)
{
	struct lw_strbuf sacct = LW_STRBUF_INIT;

	lw_strbuf_add(&sacct, HEAD);
	for (int i = 1; i <= 20; i++)
		lw_strbuf_add(&sacct,
			      "%d|%d|%d|%d|%d|COMPLETED|40000|40000|cpu=40000,gres/gpu=40000,"
			      "node=40000||n[1-40000]\n",
			      i, i, 1000 + i, 1000 + 10 * i, 1010 + 10 * i);
	write_run(lw_strbuf_text(&sacct), NULL);
	lw_strbuf_fini(&sacct);
	ck_assert_uint_eq(judge_known().nodes, 20 * 40000);
}
