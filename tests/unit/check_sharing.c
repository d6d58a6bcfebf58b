/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of jobs that share GPUs in leeway sim: ends worked out by hand. */
#include "cli/common/tools.h"
#include "measure/sharing.h"

#include "unit/scratch.h"
#include "unit/unit.h"


/* Applications 1 and 2 use little, 3 much, 4 has half of the memory, 5 nobody knows. */
static const char table[] = "# a comment\nmemory 1000\n"
			    "kind 1 30 30 100\nkind 2 40.5 20 100 # light\nkind 3 95 95 100\n"
			    "kind 4 10 10 900\n"
			    "pair 1 2 500 800\npair 1 1 900 900\npair 1 4 0 0\n";

/* One GPU each, limits far away. */
#define JOB_OF(id, submit, run, application, user)                                               \
	id " " submit " -1 " run " 1 -1 -1 1 100000 -1 1 " user " 1 " application " -1 -1 -1 -1\n"
#define JOB(id, submit, run, application) JOB_OF(id, submit, run, application, "1")

/* What comes of JOBS on GPUS of one node, by --policy fcfs and OPTIONS. */
static char *run(const char *jobs, unsigned gpus, const char *where, const char *file,
		 const char *options)
{
	const char *tenants = scratch_write("tenants", table);
	char text[2048], line[1024];

	snprintf(text, sizeof(text), "; MaxProcs: %u\n%s", gpus, jobs);
	snprintf(line, sizeof(line),
		 "sim %s --set sched.policy=fcfs --nodes 1 --gpus-per-node %u --tenants %s "
		 "--quiet %s %s %s",
		 scratch_write("t.swf", text), gpus, tenants, where, file, options);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	return scratch_read(scratch_path("out"));
}

/* The figures KEYS of the same. */
static void check_figures(const char *jobs, const char *options, const char *keys,
			  const char *expected)
{
	char more[256], *found;

	snprintf(more, sizeof(more), "%s --print %s", options, keys);
	found = run(jobs, 1, "--schedule", scratch_path("schedule"), more);
	ck_assert_str_eq(found, expected);
	free(found);
}

static void check(const char *jobs, unsigned gpus, const char *options, const char *expected)
{
	char *found = run(jobs, gpus, "--schedule", "-", options);

	ck_assert_str_eq(found, expected);
	free(found);
}

FIXTURE(scratch_setup, scratch_teardown);

/*
 * From 10 on the first has half its speed, 90 s of work are left; the second 0.8. It ends at
 * 10 + 40 / 0.8 = 60; the first has 65 left then, and its GPU to itself.
 */
TEST(both_go_slower_until_one_goes)
{
	check(JOB("1", "0", "100", "1") JOB("2", "10", "40", "2"), 1, "--set share.mode=mps",
	      "1 0 125\n2 10 60\n");
	check(JOB("1", "0", "100", "1") JOB("2", "10", "40", "2"), 1, "--set share.mode=off",
	      "1 0 100\n2 100 140\n");
}

/* The first goes at 10 + 10 / 0.5 = 30; the second, with 200 - 16 left, holds the GPU then. */
TEST(who_is_left_holds_the_gpu)
{
	check(JOB("1", "0", "20", "1") JOB("2", "10", "200", "2") JOB("3", "20", "10", "3"), 1,
	      "--set share.mode=mps", "1 0 30\n2 10 214\n3 214 224\n");
}

/* A third one finds a whole GPU taken, and a full one; when one has gone there is a place. */
TEST(never_three_at_a_time)
{
	check(JOB("1", "0", "100", "1") JOB("2", "0", "100", "1") JOB("3", "0", "10", "1"), 1,
	      "--set share.mode=mps", "1 0 112\n2 0 112\n3 112 122\n");
}

TEST(a_whole_gpu_goes_first)
{
	check(JOB("1", "0", "100", "1") JOB("2", "10", "40", "2"), 2, "--set share.mode=mps",
	      "1 0 100\n2 10 50\n");
}

/* Under MPS the plan of a cluster never puts two users together; the other ways do, as before. */
static const struct {
	const char *options, *expected;
} users[] = {
	{ "--set share.mode=mps", "1 0 100\n2 100 140\n" },
	{ "--set share.mode=mps --set sim.share_by=rule --set sim.share_below=1.5",
	  "1 0 100\n2 100 140\n" },
	{ "--set share.mode=slice", "1 0 125\n2 10 60\n" },
	{ "--set share.mode=mps --set sim.share_by=learned", "1 0 125\n2 10 60\n" },
	{ "--set share.mode=mps --set sim.share_by=any", "1 0 125\n2 10 60\n" },
	/* groups as users: of one */
	{ "--set share.mode=mps --set jobs.user_field=group", "1 0 125\n2 10 60\n" },
};

TEST_EACH(mps_is_of_one_user, LW_COUNT_OF(users))
{
	check(JOB_OF("1", "0", "100", "1", "8") JOB_OF("2", "10", "40", "2", "9"), 1,
	      users[_i].options, users[_i].expected);
}

/* 3 is too busy for 1; of 5 nothing is known. */
TEST(who_does_not_fit_waits)
{
	check(JOB("1", "0", "100", "1") JOB("2", "10", "40", "3") JOB("3", "11", "5", "5"), 1,
	      "--set share.mode=mps", "1 0 100\n2 100 140\n3 140 145\n");
}

/* By what is known it has room beside 1 (100 and 900 of 1000 by any), and has not. */
TEST(out_of_memory_means_a_whole_gpu)
{
	const char *jobs = JOB("1", "0", "100", "1") JOB("2", "10", "40", "4");

	check(jobs, 1, "--set share.mode=slice --set sim.share_by=any", "1 0 100\n2 100 140\n");
	check_figures(jobs, "--set share.mode=slice --set sim.share_by=any",
		      "shared_out_of_memory", "1\n");
}

/* The lower sum of SM activities: 2 beside 1 rather than beside 3, which is no choice at all. */
TEST(the_lowest_sum_first)
{
	check(JOB("1", "0", "100", "1") JOB("2", "0", "100", "2") JOB("3", "5", "8", "1"), 2,
	      "--set share.mode=mps", "1 0 100\n2 0 104\n3 5 21\n");
}

/*
 * The second wants both GPUs and is promised them for when the first must have ended, by 100,000.
 * The third may run for longer than that: beside the first it would keep the GPU from the second.
 */
TEST(nobody_joins_at_the_cost_of_a_promise)
{
	check(JOB("1", "0", "100", "1") "2 1 -1 50 2 -1 -1 2 100 -1 1 1 1 3 -1 -1 -1 -1\n" JOB(
		      "3", "2", "10", "2"),
	      2, "--set sched.policy=easy --set share.mode=mps",
	      "1 0 100\n2 100 150\n3 150 160\n");
	/* without a promise it does */
	check(JOB("1", "0", "100", "1") JOB("2", "1", "100", "3") JOB("3", "2", "10", "2"), 2,
	      "--set sched.policy=easy --set share.mode=mps", "1 0 107\n2 1 101\n3 2 15\n");
}

/* Half a minute later one is at half its speed, seen with noise: the second starts anew. */
TEST(parted_after_half_a_minute)
{
	const char *jobs = JOB("1", "0", "100", "1") JOB("2", "10", "90", "2");

	check(jobs, 1, "--set share.mode=mps --set sim.share_part=0.7", "1 0 115\n2 115 205\n");
	check_figures(jobs, "--set share.mode=mps --set sim.share_part=0.7",
		      "shared_parted,shared_jobs", "1\t2\n");
}

/* Seen once, the pair is not tried again. */
TEST(learned_pairs_are_remembered)
{
	check(JOB("1", "0", "100", "1") JOB("2", "10", "200", "2") JOB("3", "400", "100", "1")
		      JOB("4", "410", "10", "2"),
	      1, "--set share.mode=mps --set sim.share_by=learned",
	      "1 0 190\n2 10 246\n3 400 500\n4 500 510\n");
}

/* The GPU was saved for 50 of 125 s. */
TEST(figures_tell_of_it)
{
	check_figures(JOB("1", "0", "100", "1") JOB("2", "10", "40", "2"), "--set share.mode=mps",
		      "shared_jobs,shared_gpus_saved,shared_slowdown_mean,shared_slowdown_p99,"
		      "shared_cut",
		      "2\t0.4\t1.25\t1.25\t0\n");
}

/* One second of a GPU is a second of it, however many had it, and whoever is left. */
static const struct {
	const char *jobs, *options, *expected;
} uses[] = {
	/* 1 holds it up to 125; of 200 s */
	{ JOB("1", "0", "100", "1") JOB("2", "10", "40", "2") JOB("3", "200", "1", "1"),
	  "--set share.mode=mps", "0.625\n" },
	/* 1 up to 30, 2 from then on up to 214, and 3 from there up to 224 */
	{ JOB("1", "0", "20", "1") JOB("2", "10", "200", "2") JOB("3", "20", "10", "3")
		  JOB("4", "400", "1", "1"),
	  "--set share.mode=mps", "0.56\n" },
	/* the last submission is in the middle */
	{ JOB("1", "0", "100", "1") JOB("2", "10", "40", "2") JOB("3", "50", "1", "3"),
	  "--set share.mode=mps", "1\n" },
	/* parted: 1 up to 115, then 2 up to 205 */
	{ JOB("1", "0", "100", "1") JOB("2", "10", "90", "2") JOB("3", "410", "1", "1"),
	  "--set share.mode=mps --set sim.share_part=0.7", "0.5\n" },
};

TEST_EACH(a_shared_gpu_is_used_once, LW_COUNT_OF(uses))
{
	check_figures(uses[_i].jobs, uses[_i].options, "utilisation", uses[_i].expected);
}

/* In the chart as in the table, of every hundredth of the time. */
TEST(charts_count_it_once)
{
	char line[1024], *found;

	snprintf(line, sizeof(line),
		 "sim %s --compare --set figures.frontier=no --run "
		 "sched.policy=fcfs,share.mode=mps --nodes 1 "
		 "--gpus-per-node 1 --tenants %s --quiet --charts %s",
		 scratch_write("t.swf", "; MaxProcs: 1\n" JOB("1", "0", "100", "1") JOB(
						"2", "10", "200", "2") JOB("3", "100", "1", "3")),
		 scratch_write("tenants", table), scratch_path("charts"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	found = scratch_read(scratch_path("charts/use.csv"));
	ck_assert_ptr_nonnull(strstr(found, ",100\n"));
	ck_assert_ptr_null(strstr(found, ",200"));
	free(found);
}

/* Its GPU is busy from the first one's start up to the last one's end: 214 s of 3600 W. */
TEST(energy_goes_on_with_who_is_left)
{
	char options[256];

	snprintf(options, sizeof(options),
		 "--set share.mode=mps --set figures.energy=yes --config %s",
		 scratch_write("energy.yaml", "energy:\n  gpu_idle_w: 0\n  gpu_busy_w: 3600\n"
					      "  cpu_w: 0\n  node_w: 0\n"));
	check_figures(JOB("1", "0", "20", "1") JOB("2", "10", "200", "2"), options,
		      "energy_kwh,energy_empty_share", "0.214\t0\n");
}

/* The first begins at 1030, when its node has woken; nobody joins it before that. */
TEST(nobody_joins_on_a_waking_node)
{
	check(JOB("1", "0", "10", "3") JOB("2", "1000", "100", "1") JOB("3", "1010", "40", "2")
		      JOB("4", "1040", "5", "3"),
	      1,
	      "--set share.mode=mps --set figures.energy=yes --set cluster.suspend_after=60s "
	      "--set cluster.resume_delay=30s",
	      "1 0 10\n2 1030 1155\n3 1040 1090\n4 1155 1160\n");
}

/* The guest has its host's GPU, number 0, and keeps it; the fourth finds number 1 free. */
TEST(jobs_csv_has_the_gpu_of_both)
{
	const char *jobs = JOB("1", "0", "20", "1") JOB("2", "0", "100", "3")
		JOB("3", "10", "200", "2") JOB("4", "60", "10", "3");
	static const char *const rows[] = { "30,0,30,1,0\n", "100,0,100,1,1\n",
					    "214,0,204,1,0\n", "110,40,50,5,1\n" };
	char *found = run(jobs, 2, "--jobs-csv", "-", "--set share.mode=mps");

	for (size_t i = 0; i < LW_COUNT_OF(rows); i++)
		ck_assert_msg(strstr(found, rows[i]) != NULL, "no %sin:\n%s", rows[i], found);
	free(found);
}

/* Each takes 112 s, and would take 200 with half a GPU: 100 are those alone. */
TEST(fairness_is_to_a_gpu_of_its_own)
{
	check_figures(JOB("1", "0", "100", "1") JOB("2", "0", "100", "1"), "--set share.mode=mps",
		      "rho_worst", "0.56\n");
}

TEST(needs_what_it_needs)
{
	char line[512];

	snprintf(line, sizeof(line), "sim %s --set share.mode=mps",
		 scratch_write("t.swf", "; MaxProcs: 1\n" JOB("1", "0", "9", "1")));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_USAGE);
	strcat(line, " --nodes 1 --gpus-per-node 1");
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_USAGE);
}

#define TOGETHER_AT(second)                                                                      \
	"#lw-workload 2\n"                                                                       \
	"#machine nodes=1 cpus_per_node=2 gpus_per_node=1 gpu_type=a100\n"                       \
	"0\t1\t1\t1\t1\t0\t60000\t100\t-\t-\thpc\ta\trecipe=light\n"                         \
	"10\t1\t1\t1\t1\t0\t60000\t40\t-\t-\thpc\tb\trecipe=" second "\n"

static const char recipes_text[] =
	"types:\n  a100: { memory_mib: 1000 }\n"
	"recipes:\n"
	"  light: { rate: { a100: 1 }, utilisation: 30, sm_activity: 30, memory_mib: 100 }\n"
	"  busy: { rate: { a100: 1 }, utilisation: 95, sm_activity: 95, memory_mib: 100 }\n"
	"  large: { rate: { a100: 1 }, utilisation: 5, sm_activity: 5, memory_mib: 900 }\n"
	"  unsaid: { rate: { a100: 1 }, memory_mib: 10 }\n";

static void check_recipe(const char *workload, const char *expected)
{
	char line[1024], *found;

	snprintf(line, sizeof(line),
		 "sim %s --set sched.policy=fcfs --recipes %s "
		 "--quiet --schedule - --set share.mode=mps",
		 scratch_write("w.wl", workload), scratch_write("recipes.yaml", recipes_text));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	found = scratch_read(scratch_path("out"));
	ck_assert_str_eq(found, expected);
	free(found);
}

/* Two of 30 % run at 0.909 together: 40 s become 44.004; of the 100 it had 10 and 0.909 of 45. */
TEST(recipes_say_what_jobs_use)
{
	check_recipe(TOGETHER_AT("light"), "1 0 105\n2 10 55\n");
	check_recipe(TOGETHER_AT("busy"), "1 0 100\n2 100 140\n");
	check_recipe(TOGETHER_AT("large"), "1 0 100\n2 100 140\n");
	check_recipe(TOGETHER_AT("unsaid"), "1 0 100\n2 100 140\n");
}

#define NOBODY(second)                                                                           \
	"#lw-workload 2\n"                                                                       \
	"#machine nodes=1 cpus_per_node=2 gpus_per_node=1 gpu_type=a100\n"                       \
	"0\t1\t1\t1\t1\t0\t60000\t100\t-\t-\thpc\ta" second "\n"                                \
	"10\t1\t1\t1\t1\t0\t60000\t40\t-\t-\thpc\tb" second "\n"

/* Nobody shares, and it is said why; ends well all the same. */
static const struct {
	const char *workload, *tenants, *options, *told;
} lonely[] = {
	{ NOBODY(""), NULL, "--set share.mode=mps", "no job for one GPU names a recipe" },
	{ NOBODY("\trecipe=light"), "kind 1 1 1 1\n", "--set share.mode=mps",
	  "give --recipes without" },
	{ NOBODY("\trecipe=light"), NULL, "--set share.mode=mps --set sim.share_by=table",
	  "there is no pair" },
	{ NOBODY("\trecipe=unsaid"), NULL, "--set share.mode=slice",
	  "utilisation and memory are known" },
	{ NOBODY("\trecipe=unsaid"), NULL, "--set share.mode=mps",
	  "SM activity and memory are known" },
	{ NOBODY("\trecipe=unsaid"), NULL, "--set share.mode=mps --set sim.share_by=lucid",
	  "utilisation" },
	{ NOBODY("\trecipe=large"), NULL, "--set share.mode=mps", "fitted beside another" },
	{ NOBODY("\trecipe=large"), NULL, "--set share.mode=mps --set sim.share_by=any",
	  "fitted beside another" },
	{ NOBODY("\trecipe=light"), NULL, "--set share.mode=mps", NULL },
	{ NOBODY(""), NULL, "--set share.mode=off", NULL },
	{ NOBODY(""), NULL, "--set share.mode=mps --quiet", NULL },
	{ NOBODY(""), NULL, "--run a:sched.policy=fcfs --run b:sched.policy=fcfs,share.mode=mps",
	  "b: no job shared a GPU by " },
};

/* With TOLD in it, or nothing of the kind. */
static void check_note(const char *line, const char *told)
{
	int rc;
	char *found = scratch_complaint(lw_tools_sim, line, &rc);

	ck_assert_int_eq(rc, LW_TOOLS_OK);
	if (told)
		ck_assert_msg(strstr(found, "no job shared a GPU") && strstr(found, told),
			      "no %s in %s", told, found);
	else
		ck_assert_msg(!strstr(found, "no job shared"), "%s", found);
	free(found);
}

TEST_EACH(who_shares_nobody_is_told_why, LW_COUNT_OF(lonely))
{
	char line[1024], tenants[512] = "";

	if (lonely[_i].tenants)
		snprintf(tenants, sizeof(tenants), " --tenants %s",
			 scratch_write("tenants", lonely[_i].tenants));
	snprintf(line, sizeof(line), "sim %s --recipes %s%s %s",
		 scratch_write("w.wl", lonely[_i].workload),
		 scratch_write("recipes.yaml", recipes_text), tenants, lonely[_i].options);
	check_note(line, lonely[_i].told);
}

/* The same of a trace, whose file of tenants says too little. */
static const struct {
	const char *jobs, *tenants, *options, *told;
} untold[] = {
	{ JOB("1", "0", "9", "-1"), "memory 9\nkind 1 1 1 1\n", "--set share.mode=mps",
	  "field 14" },
	{ JOB("1", "0", "9", "2"), "memory 9\nkind 1 1 1 1\n", "--set share.mode=mps",
	  "field 14" },
	{ JOB("1", "0", "9", "1"), "kind 1 1 1 1\n", "--set share.mode=mps",
	  "memory of a GPU is not said" },
	{ "1 0 -1 9 2 -1 -1 2 99 -1 1 1 1 1 -1 -1 -1 -1\n", "memory 9\nkind 1 1 1 1\n",
	  "--set share.mode=mps", "no job is for one GPU" },
};

TEST_EACH(so_is_who_has_a_trace, LW_COUNT_OF(untold))
{
	char line[1024], text[512];

	snprintf(text, sizeof(text), "; MaxProcs: 2\n%s", untold[_i].jobs);
	snprintf(line, sizeof(line), "sim %s --nodes 1 --gpus-per-node 2 --tenants %s %s",
		 scratch_write("t.swf", text), scratch_write("tenants", untold[_i].tenants),
		 untold[_i].options);
	check_note(line, untold[_i].told);
}

/* 1 takes 108 s for 100, beside 2, which is taken back, and 3, which ends at its limit as alone. */
TEST(slowdowns_are_of_whole_runs)
{
	static const char text[] =
		"#lw-workload 2\n"
		"#machine nodes=1 cpus_per_node=2 gpus_per_node=1 gpu_type=a100\n"
		"0\t1\t1\t1\t1\t0\t60000\t100\t-\t-\thpc\ta\trecipe=light\n"
		"10\t1\t1\t1\t1\t0\t60000\t400\t60\t-\thpc\tb\trecipe=light\n"
		"90\t1\t1\t1\t1\t0\t60\t90\t-\t-\thpc\tc\trecipe=light\n";
	char line[1024], *found;

	snprintf(line, sizeof(line),
		 "sim %s --set sched.policy=fcfs --recipes %s --set share.mode=mps --print "
		 "shared_jobs,shared_slowdown_mean",
		 scratch_write("w.wl", text), scratch_write("recipes.yaml", recipes_text));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	found = scratch_read(scratch_path("out"));
	ck_assert_str_eq(found, "3\t1.04\n");
	free(found);
}
