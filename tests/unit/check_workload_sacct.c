/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of workloads made from sacct, and of simulating one. */
#include "lab/cli_sim/sim.h"
#include "lab/workload/workload_sacct.h"

#include "unit/scratch.h"
#include "unit/simspec.h"
#include "unit/unit.h"

#include <errno.h>
#include <time.h>

#define HEAD                                                                                     \
	"JobIDRaw|JobID|User|Submit|Start|End|TimelimitRaw|State|NNodes|NCPUS|AllocTRES|"        \
	"ReqTRES|JobName\n"
/* a gang that got whole nodes for half of them; memory in G */
#define GANG                                                                                     \
	"7|7|ann|1000|1100|1400|10|COMPLETED|2|64|cpu=64,gres/gpu=8,mem=500G,node=2|"            \
	"billing=8,cpu=32,gres/gpu=8,mem=250G,node=2|ddp train\n"
#define WAITED "8|8|bob|1030|None|1090|5|CANCELLED by 1000|1|4||cpu=4,mem=32000M,node=1|x\n"
#define BEFORE "6|6|ann|990|995|2000|UNLIMITED|COMPLETED|1|1|cpu=1,node=1|cpu=1|y\n"
#define RUNS   "9|9|bob|1040|1100|Unknown|5|RUNNING|1|4|cpu=4,node=1|cpu=4|z\n"

FIXTURE(scratch_setup, scratch_teardown);

/* sacct prints a name as its user gave it. */
TEST(a_name_may_have_many_lines)
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", HEAD GANG "of two|lines\n"
							  "2026\nb||||||||||||\n" BEFORE),
					    0, &w, &notes, &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, 2);
	lw_workload_fini(&w);
	/* a row that was cut short is none */
	ck_assert_int_eq(lw_workload_of_sacct(scratch_write("a", HEAD GANG "8|8|bob|1030\n"), 0,
					      &w, &notes, &err),
			 -EINVAL);
}

TEST(rows_become_jobs)
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", HEAD GANG WAITED BEFORE RUNS), 0,
					    &w, &notes, &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, 3);
	ck_assert_uint_eq(notes.running, 1);
	ck_assert_uint_eq(notes.unlimited, 1);
	ck_assert_uint_eq(notes.longer, 0);

	ck_assert_int_eq(w.jobs[0].submit_s, 0);
	ck_assert_int_eq(w.jobs[0].run_s, 1005);
	ck_assert_int_ge(w.jobs[0].limit_s, 86400);
	ck_assert_int_eq(w.jobs[0].limit_s % 60, 0);
	ck_assert_int_eq(w.jobs[0].kind, LW_WORKLOAD_HPC);

	ck_assert_int_eq(w.jobs[1].submit_s, 10);
	ck_assert_int_eq(w.jobs[1].run_s, 300);
	ck_assert_int_eq(w.jobs[1].limit_s, 600);
	ck_assert_int_eq(w.jobs[1].cancel_s, LW_WORKLOAD_NEVER);
	ck_assert_uint_eq(w.jobs[1].nodes, 2);
	ck_assert_uint_eq(w.jobs[1].gpus_per_node, 4);
	ck_assert_uint_eq(w.jobs[1].cpus_per_node, 16);
	ck_assert_int_eq(w.jobs[1].mem_mib_per_node, 128000);
	ck_assert_int_eq(w.jobs[1].kind, LW_WORKLOAD_GANG);
	ck_assert_str_eq(w.jobs[1].name, "ddp_train");
	ck_assert_uint_eq(w.jobs[1].user, w.jobs[0].user);

	ck_assert_int_eq(w.jobs[2].submit_s, 40);
	ck_assert_int_eq(w.jobs[2].cancel_s, 60);
	ck_assert_int_eq(w.jobs[2].mem_mib_per_node, 32000);
	ck_assert_uint_ne(w.jobs[2].user, w.jobs[0].user);
	lw_workload_fini(&w);
}

/* cancelled after it had run for 20 of its 300 s, and one that ended by itself */
#define TAKEN_BACK "5|5|bob|1020|1060|1080|5|CANCELLED by 1000|1|4|cpu=4|cpu=4|x\n"

static const struct {
	unsigned how;
	int64_t run_s, cancel_s;
} cancels[] = { { 0, 20, LW_WORKLOAD_NEVER }, { LW_SACCT_FIXED_CANCELS, 300, 60 } };

TEST_EACH(a_cancel_may_be_fixed, LW_COUNT_OF(cancels))
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", HEAD GANG TAKEN_BACK WAITED),
					    cancels[_i].how, &w, &notes, &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, 3);
	ck_assert_int_eq(w.jobs[0].cancel_s, LW_WORKLOAD_NEVER);
	ck_assert_int_eq(w.jobs[1].run_s, cancels[_i].run_s);
	ck_assert_int_eq(w.jobs[1].cancel_s, cancels[_i].cancel_s);
	ck_assert_int_eq(w.jobs[2].cancel_s, 60);
	lw_workload_fini(&w);
}

/*
 * Times of rows: run and submission of what is read, and the notes. In Berlin the clock goes from
 * 3 to 2 on 25 October 2026.
 */
#define TIMED_HEAD                                                                               \
	"JobIDRaw|JobID|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|"       \
	"AllocTRES\n"
#define OCTOBER "2026-10-25T0"

static const struct {
	const char *rows;
	uint32_t jobs, doubles, shifted;
	int64_t run_s; /* of the first */
} timed[] = {
	{ "7|7|a|1000|1100|4700|3600|60|COMPLETED|1|4|\n", 1, 0, 0, 3600 },
	{ "7|7|a|1000|1100|1100|0|60|CANCELLED|1|4|\n", 1, 0, 0, 60 },
	{ "7|7|a|" OCTOBER "1:00:00|" OCTOBER "2:50:00|" OCTOBER "2:10:00|1200|60|COMPLETED|1|4|"
	  "cpu=4\n",
	  1, 0, 1, 1200 },
	{ "7|7|a|" OCTOBER "1:00:00|" OCTOBER "2:50:00|" OCTOBER "2:10:00||60|COMPLETED|1|4|"
	  "cpu=4\n",
	  1, 0, 1, 1200 },
	{ "7|7|a|" OCTOBER "1:00:00|" OCTOBER "1:50:00|" OCTOBER "2:10:00|4800|60|COMPLETED|1|4|"
	  "cpu=4\n",
	  1, 0, 1, 4800 },
	/* it was suspended */
	{ "7|7|a|1000|1100|4700|600|60|COMPLETED|1|4|cpu=4\n", 1, 0, 0, 3600 },
	/* anonymised tasks of an array; one that went on after its node had failed */
	{ "7|7|a|1000|1100|1400|300|60|COMPLETED|1|4|cpu=4\n"
	  "7|7|a|1000|1200|1400|200|60|COMPLETED|1|4|cpu=4\n"
	  "7|7|b|1300|1500|1600|100|60|FAILED|1|4|cpu=4\n",
	  3, 2, 0, 300 },
	{ "7|7|a|1000|1100|1400|300|60|NODE_FAIL|1|4|cpu=4\n"
	  "7|7|a|1400|1500|1700|200|60|COMPLETED|1|4|cpu=4\n",
	  1, 0, 0, 200 },
};

TEST_EACH(times_of_rows, LW_COUNT_OF(timed))
{
	char text[1000];
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	snprintf(text, sizeof(text), TIMED_HEAD "%s", timed[_i].rows);
	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", text), 0, &w, &notes, &err), "%s",
		      err.text);
	ck_assert_uint_eq(w.job_count, timed[_i].jobs);
	ck_assert_uint_eq(notes.doubles, timed[_i].doubles);
	ck_assert_uint_eq(notes.shifted, timed[_i].shifted);
	ck_assert_int_eq(w.jobs[0].run_s, timed[_i].run_s);
	lw_workload_fini(&w);
	unsetenv("TZ");
	tzset();
}

/* Slurm gives the last task of an array the id of the array, and starts it last. */
#define TASK(raw, task, end)                                                                     \
	raw "|4_" task "|ann|1000|1100|" end "|10|COMPLETED|1|4|cpu=4|cpu=4|sweep\n"

TEST(tasks_keep_their_order)
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", HEAD TASK("4", "10", "1110")
							  TASK("5", "2", "1102") BEFORE
							  TASK("7", "9", "1109")),
					    0, &w, &notes, &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, 4);
	ck_assert_int_eq(w.jobs[0].run_s, 1005);
	ck_assert_int_eq(w.jobs[1].run_s, 2);
	ck_assert_int_eq(w.jobs[2].run_s, 9);
	ck_assert_int_eq(w.jobs[3].run_s, 10);
	lw_workload_fini(&w);
}

/* What else sacct prints of a job, or in place of a column; how many jobs it is, and of what. */
#define SHORT "JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES"

static const struct {
	const char *text;
	uint32_t jobs, nodes, gpus;
	int64_t limit_s;
	uint32_t cut_tasks;
	uint32_t lacks;
} printed[] = {
	/* without --allocations */
	{ HEAD "105|105|ann|1000|1100|1400|10|COMPLETED|1|4|cpu=4|cpu=4|x\n"
	       "105.batch|105.batch||1100|1100|1400||COMPLETED|1|4|cpu=4||batch\n"
	       "105.extern|105.extern||1100|1100|1400||COMPLETED|1|4|cpu=4||extern\n"
	       "105.0|105.0||1100|1100|1400||COMPLETED|1|4|cpu=4||hostname\n",
	  1, 1, 0, 600, 0, 0 },
	{ SHORT "|Timelimit|User|ReqTRES|JobName\n"
		"1|1000|1100|1400|COMPLETED|1|4|cpu=4|01:00:00|a|cpu=4|x\n",
	  1, 1, 0, 3600, 0, 0 },
	{ SHORT "\n1|1000|1100|1400|COMPLETED|1|4|cpu=4\n", 1, 1, 0, 86460, 0, 4 },
	{ SHORT "|TimelimitRaw|JobName|User\n1|1000|1100|1400|COMPLETED|1|4|"
		"cpu=4,gres/gpu:a100=2|10|a|b|c\n",
	  1, 1, 2, 600, 0, 1 },
	{ SHORT "|TimelimitRaw\n1|1000|1100|1400|COMPLETED|1.5K|3K|cpu=3K|10\n", 1, 1500, 0, 600,
	  0, 3 },
	{ HEAD "101|101_[0-10:2]|ann|1000|None|1400|10|CANCELLED|1|4||cpu=4|x\n", 6, 1, 0, 600, 0,
	  0 },
	{ HEAD "101|101_[1,3,5,...]|ann|1000|None|1400|10|CANCELLED|1|4||cpu=4|x\n", 3, 1, 0, 600,
	  3, 0 },
};

TEST_EACH(it_is_read_as_sacct_means_it, LW_COUNT_OF(printed))
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", printed[_i].text), 0, &w, &notes,
					    &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, printed[_i].jobs);
	ck_assert_uint_eq(w.jobs[0].nodes, printed[_i].nodes);
	ck_assert_uint_eq(w.jobs[0].gpus_per_node, printed[_i].gpus);
	ck_assert_int_eq(w.jobs[0].limit_s, printed[_i].limit_s);
	ck_assert_uint_eq(notes.cut_tasks, printed[_i].cut_tasks);
	ck_assert_uint_eq(notes.lack_count, printed[_i].lacks);
	lw_workload_fini(&w);
}

static const struct {
	const char *text;
	int rc;
	const char *says;
} bad[] = {
	{ "", -EINVAL, "a:1: empty" },
	{ HEAD, -ENODATA, "no job that has ended" },
	{ HEAD RUNS, -ENODATA, "no job that has ended" },
	{ HEAD GANG "8|8|bob|soon\n", -EINVAL, "a:3: " },
	{ HEAD "8|8_[1-99999999]|bob|1030|None|1090|5|CANCELLED|1|4||cpu=4|x\n", -EINVAL,
	  "more tasks" },
	{ HEAD "8|8|bob|1030|1040|9223372036854775807|5|FAILED|1|4|cpu=4|cpu=4|x\n", -EINVAL,
	  "End" },
	{ HEAD "8|8|bob|1901-01-01T00:00:00|1040|1090|5|FAILED|1|4|cpu=4|cpu=4|x\n", -EINVAL,
	  "Submit" },
	{ HEAD "9|9|b|1|5|9|5|FAILED|4294967296|4|cpu=4|cpu=4|x\n", -EINVAL,
	  "a:2: NNodes \"4294967296\" is no count" },
	{ HEAD "9|9|b|1|5|9|5|FAILED|1|4|cpu=4|cpu=-4,mem=5G|x\n", -EINVAL,
	  "a:2: ReqTRES: cpu \"-4\" is no count" },
	{ HEAD "9|9|b|1|5|9|5|FAILED|1|4|cpu=4|node=99999999999999999999|x\n", -EINVAL,
	  "a:2: ReqTRES: node \"99999999999999999999\" is no count" },
};

TEST_EACH(a_bad_file_is_named, LW_COUNT_OF(bad))
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(lw_workload_of_sacct(scratch_write("a", bad[_i].text), 0, &w, &notes,
					      &err),
			 bad[_i].rc);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "\"%s\" wants \"%s\"", err.text,
		      bad[_i].says);
}

/* One odd row in three months of accounting must not be the end of it. */
TEST(bad_rows_may_be_left_out)
{
	const char *rows = HEAD "8|8|bob|1030|1040|1035|5|FAILED|1|4|cpu=4|cpu=4|x\n" GANG
				"9|9|bob\n";
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", rows), LW_SACCT_LENIENT, &w, &notes,
					    &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, 1);
	ck_assert_uint_eq(notes.bad, 2);
	ck_assert_str_eq(notes.first_bad.text, "2: job 8 ends before it starts");
	lw_workload_fini(&w);
	ck_assert_int_eq(lw_workload_of_sacct(scratch_write("a", HEAD "9|9|bob\n"),
					      LW_SACCT_LENIENT, &w, &notes, &err),
			 -ENODATA);
	ck_assert_msg(strstr(err.text, ": 1 bad lines skipped, the first is line 2: 3 fields"),
		      "%s", err.text);
}

/* What no cluster has: a file that was edited or cut. */
static const char *const odd_rows[] = {
	"9|9|b|1|5|9|99999999999999999999|FAILED|||cpu=4|mem=-5G|x\n",
	"9|9|b|1|5|9|5|FAILED|1|1|cpu=1|cpu=1,mem=1e300T|x\n",
	"9|9|b|1|5|9|5|FAILED|1|1|cpu=1|cpu=1,mem=nanG|x\n",
	"9|9|b|1|5|9|5|FAILED|1|1|cpu=1|cpu=999999,gres/gpu=9999|--wrap\n",
	"9|9|b|1|5|1099511627776|4294967295|FAILED|1|1|cpu=1|cpu=1|\xc3\xa9\n",
	"9|9|b|1|5|1099511627776|UNLIMITED|FAILED|1|1|cpu=1|cpu=1|-\n",
	"9|9|b|1|None|1099511627776|5|CANCELLED|1|1||cpu=1|x\n",
};

/* What was made of it, leeway sim has to take. */
static void check_read_back(const struct lw_workload *w)
{
	FILE *out = fopen(scratch_path("back"), "w");
	struct lw_error err = { "" };
	struct lw_workload back;

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(lw_workload_write(w, NULL, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_msg(!lw_workload_read(&back, scratch_path("back"), &err), "%s", err.text);
	ck_assert_uint_eq(back.job_count, w->job_count);
	lw_workload_fini(&back);
}

TEST_EACH(an_odd_amount_is_bounded, LW_COUNT_OF(odd_rows))
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;
	char text[512];

	snprintf(text, sizeof(text), HEAD "%s", odd_rows[_i]);
	ck_assert_msg(!lw_workload_of_sacct(scratch_write("a", text), 0, &w, &notes, &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, 1);
	ck_assert_uint_ge(w.jobs[0].nodes, 1);
	ck_assert_uint_ge(w.jobs[0].cpus_per_node, 1);
	ck_assert_int_ge(w.jobs[0].mem_mib_per_node, 0);
	ck_assert_int_gt(w.jobs[0].limit_s, 0);
	check_read_back(&w);
	lw_workload_fini(&w);
}

/* Two nodes. The first job holds all memory of both, so the second waits; the third, for
 * more CPUs than a node has, can never run. */
#define WORK                                                                                     \
	"#lw-workload 1\n"                                                                       \
	"0\t1\t2\t0\t1\t1000\t600\t300\t-\t-\thpc\ta\n"                                          \
	"10\t1\t1\t4\t1\t1\t600\t300\t-\t-\ttrain1\tb\n"                                         \
	"20\t1\t1\t0\t9\t0\t600\t300\t-\t-\thpc\tc\n"

static const struct {
	uint32_t mem_mib;
	int64_t second_s;
} memories[] = { { 1000, 300 }, { 1001, 10 }, { 0, 10 } };

TEST_EACH(a_workload_is_simulated, LW_COUNT_OF(memories))
{
	struct lw_simtrace_options options = {
		.jobs = { .machine = { .nodes = 2,
				       .gpus_per_node = 4,
				       .cpus_per_node = 8,
				       .mem_mib_per_node = memories[_i].mem_mib } },
		.allow_dropped = true,
	};
	struct lw_simrepeat once = { .seed = 1 };
	struct lw_error err = { "" };
	struct lw_simtrace trace;
	struct lw_simspec spec;
	struct lw_simrun run;

	ck_assert_msg(!lw_simtrace_open(&trace, scratch_write("w", WORK), &options, &err), "%s",
		      err.text);
	ck_assert_uint_eq(trace.jobs.count, 2);
	ck_assert_uint_eq(trace.jobs.dropped_wide, 1);
	ck_assert_int_eq(parse_run("easy", &spec, &err), 0);
	ck_assert_int_eq(lw_simrun_do(&run, &trace, &spec, &once, &err), 0);
	ck_assert_int_eq(run.jobs[0].start_s, 0);
	ck_assert_int_eq(run.jobs[1].start_s, memories[_i].second_s);
	ck_assert_int_eq(lw_simtrace_number(&trace, &run.jobs[1]), 2);
	lw_simrun_fini(&run);
	lw_simtrace_close(&trace);
}

TEST(a_workload_needs_nodes)
{
	struct lw_simtrace_options options = { 0 };
	struct lw_error err = { "" };
	struct lw_simtrace trace;

	ck_assert_int_eq(lw_simtrace_open(&trace, scratch_write("w", WORK), &options, &err),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "--nodes"));
}
