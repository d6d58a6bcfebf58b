/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway sim: options that do nothing or do not go together. */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>

#define SWF(number, submit, run, procs)                                                          \
	number " " submit " -1 " run " " procs " -1 -1 " procs " 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
static const char trace_text[] = "; MaxProcs: 2\n" SWF("1", "0", "50", "2");

static const struct {
	const char *options, *told;
} refused[] = {
	{ "--tenants /dev/null", "--tenants does nothing without share.mode" },
	{ "--compare --run fcfs --run easy --tenants /dev/null",
	  "--tenants does nothing without share.mode" },
	{ "--set share.mode=mps --tenants /dev/null --set jobs.tenant_noise=0.2",
	  "jobs.tenant_noise does nothing without jobs.tenant_runs" },
	{ "--set sched.policy=fcfs --set sim.share_by=rule",
	  "sim.share_by does nothing without share.mode" },
	{ "--set sched.policy=fcfs --set share.mode=mps --set sim.share_by=table --set "
	  "sim.share_below=0.5",
	  "sim.share_below is of sim.share_by=rule and learned, and does nothing here" },
	{ "--set sched.policy=fcfs --set share.mode=mps --set sim.share_below=0.5 --set "
	  "sim.share_by=any",
	  "sim.share_below is of sim.share_by=rule and learned" },
	{ "--set stop.mode=on", "stop.mode does nothing without stop.for" },
	{ "--set stop.for=short",
	  "stop.for does nothing without stop.mode=on, nor deadline without sched.deadlines" },
	{ "--set stop.mode=on --set stop.for=deadline", "stop.for does nothing without" },
	{ "--set stop.mode=on --run stop.for=short --run stop.for=deadline",
	  "stop.for does nothing without" },
	{ "--set stop.back=1h", "stop.back does nothing without stop.mode=on and stop.for" },
	{ "--set stop.mode=on --set stop.for=gang --set stop.widest=1",
	  "stop.widest does nothing without stop.mode=on, and short in stop.for" },
	{ "--set stop.mode=on --set stop.for=deadline --set sched.deadlines=order --set "
	  "stop.gain=5",
	  "stop.gain does nothing without stop.mode=on, and short or gang in stop.for" },
	/* as in leeway.yaml */
	{ "--set stop.widest=0", "stop.widest: 0 is below 0.01" },
	{ "--set stop.gain=0.5", "stop.gain: 0.5 is below 1.0" },
	{ "--set stop.per_day=0", "stop.per_day: 0 is below 1" },
	{ "--set stop.back=0", "stop.back: 0 is below 1m" },
	{ "--set stop.back=8d", "stop.back: 8d is above 7d" },
	{ "--set stop.lease=8d", "stop.lease: 8d is above 7d" },
	{ "--set stop.save=2d", "stop.save: 2d is above 1d" },
	{ "--set select.type=fair --set cluster.account_shares=1=0",
	  "with shares of 1 to 1000000" },
	{ "--set select.type=fair --set cluster.account_shares=a=3",
	  "\"a=3\" is not NUMBER=SHARE" },
	{ "--set select.type=fair --set cluster.account_shares=1=", "is not NUMBER=SHARE" },
	{ "--set select.type=fair --set cluster.account_shares=1:3", "is not NUMBER=SHARE" },
	{ "--set select.type=fair --set cluster.account_shares=999999=2",
	  "no job is of account 999999" },
	{ "--set select.type=fair --set cluster.account_shares=1=2,1=3",
	  "account 1 is there twice" },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(what_does_nothing_is_refused, LW_COUNT_OF(refused))
{
	char line[512], *told;
	int rc;

	snprintf(line, sizeof(line), "sim %s %s", scratch_write("t.swf", trace_text),
		 refused[_i].options);
	told = scratch_complaint(lw_tools_sim, line, &rc);
	ck_assert_msg(rc == LW_TOOLS_USAGE && strstr(told, refused[_i].told), "%d: %s", rc, told);
	ck_assert_ptr_nonnull(strstr(told, "Try \"leeway sim --help\""));
	free(told);
}

TEST(shares_of_accounts_are_told)
{
	char line[512];
	json_t *root;

	for (int given = 0; given < 2; given++) {
		snprintf(line, sizeof(line),
			 "sim %s --set sched.policy=easy --set select.type=fair%s --json=%s",
			 scratch_write("t.swf", trace_text),
			 given ? " --set cluster.account_shares=1=3" : "", scratch_path("j"));
		ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
		root = json_load_file(scratch_path("j"), 0, NULL);
		ck_assert_int_eq(json_integer_value(json_object_get(
					 json_object_get(root, "account_shares"), "1")),
				 given ? 3 : 0);
		ck_assert_int_eq(json_is_null(json_object_get(root, "account_shares")), !given);
		json_decref(root);
	}
}

#define NODES(type) "#machine nodes=1 cpus_per_node=4 gpus_per_node=1 gpu_type=" type "\n"
#define RECIPES     "types: { A1: {}, v1: {} }\nrecipes: { x: { rate: { A1: 2, v1: 1 } } }\n"

/* A type that the recipes do not have: no job that names one runs there, and that is told. */
static const struct {
	const char *machine, *told; /* NULL: nothing is */
	int result;
} lacking[] = {
	{ NODES("a1") NODES("v1"), NULL, LW_TOOLS_OK },
	{ NODES("a1") NODES("p100"), "w: no type p100 in ", LW_TOOLS_OK },
	{ NODES("p100") NODES("v1"), ": no job that names a recipe runs there\n", LW_TOOLS_OK },
	{ NODES("p100") NODES("p1000"), "no type of its nodes, as p100, is in", LW_TOOLS_USAGE },
	{ NODES("p1000"), "no type of its nodes, as p1000, is in", LW_TOOLS_USAGE },
	{ "#machine nodes=1 cpus_per_node=4 gpus_per_node=1\n", NULL, LW_TOOLS_OK },
};

TEST_EACH(types_without_recipes_are_told, LW_COUNT_OF(lacking))
{
	char line[512], text[512], *told;
	int rc;

	snprintf(text, sizeof(text),
		 "#lw-workload 2\n%s0\t1\t1\t1\t1\t0\t60\t5\t-\t-\thpc\ta\trecipe=x\n",
		 lacking[_i].machine);
	snprintf(line, sizeof(line), "sim %s --set sched.policy=easy --recipes %s",
		 scratch_write("w", text), scratch_write("recipes", RECIPES));
	told = scratch_complaint(lw_tools_sim, line, &rc);
	ck_assert_msg(rc == lacking[_i].result, "%d: %s", rc, told);
	if (lacking[_i].told)
		ck_assert_msg(strstr(told, lacking[_i].told) != NULL, "%s", told);
	else
		ck_assert_str_eq(told, "");
	free(told);
}
