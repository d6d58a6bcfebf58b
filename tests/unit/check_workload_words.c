/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of version 2 of workload files, and of dependencies read from traces. */
#include "lab/sim/convert.h"
#include "lab/sim/tracejobs.h"
#include "measure/workload.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>

#define MAGIC "#lw-workload 2\n"
#define NAMES                                                                                      \
	"#submit_s\tuser\tnodes\tgpus_per_node\tcpus_per_node\tmem_mib_per_node\tlimit_s\trun_s\t" \
	"cancel_s\tarray\tkind\tname\n"
#define COLUMNS "0\t7\t2\t4\t16\t0\t3600\t1800\t-\t-\tgang\tlink"
#define ARRAY	"0\t7\t1\t4\t16\t0\t3600\t1800\t-\t3\tsweep\tlink"
#define OTHER	"0\t8\t1\t0\t1\t0\t60\t5\t-\t-\thpc\tlink"

static void read_text(const char *text, struct lw_workload *workload)
{
	struct lw_error err = { "" };

	ck_assert_msg(!lw_workload_read(workload, scratch_write("w", text), &err), "%s", err.text);
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(every_word_is_read)
{
	const struct lw_workload_job *job;
	struct lw_workload w;

	read_text(MAGIC COLUMNS "\tid=7\n" COLUMNS "\tid=9\texit=3\n" COLUMNS
				"\tafter=afterok:7:9,singleton\tthink_s=60\tdeadline_s=7200\t"
				"weight=5\tresumable=30,120\trecipe=resnet-50\n" OTHER "\n",
		  &w);
	ck_assert_uint_eq(w.job_count, 4);
	ck_assert_uint_eq(w.jobs[1].exit_code, 3);
	ck_assert_uint_eq(lw_workload_find(&w, 9)->first, 1);
	ck_assert_ptr_null(lw_workload_find(&w, 8));
	job = &w.jobs[2];
	ck_assert_uint_eq(job->after_count, 3);
	ck_assert_int_eq(w.afters[job->first_after].kind, LW_AFTER_OK);
	ck_assert_uint_eq(w.afters[job->first_after].job, 7);
	ck_assert_uint_eq(w.afters[job->first_after + 1].job, 9);
	ck_assert_int_eq(w.afters[job->first_after + 2].kind, LW_AFTER_SINGLETON);
	ck_assert_int_eq(job->think_s, 60);
	ck_assert_int_eq(job->deadline_s, 7200);
	ck_assert_uint_eq(job->weight, 5);
	ck_assert(job->resumable);
	ck_assert_int_eq(job->save_s, 30);
	ck_assert_int_eq(job->restart_s, 120);
	ck_assert_str_eq(job->recipe, "resnet-50");
	/* nothing is said of the last */
	ck_assert_uint_eq(w.jobs[3].id + w.jobs[3].after_count + w.jobs[3].weight, 0);
	lw_workload_fini(&w);
}

static const char *const same[] = {
	MAGIC NAMES COLUMNS "\tid=1\n" COLUMNS "\tid=2\tafter=afterany:1\n",
	MAGIC NAMES ARRAY "\tid=1\n" ARRAY "\tafter=aftercorr:1\n",
	MAGIC NAMES ARRAY "\tid=1\tat_most=2\n",
	MAGIC NAMES COLUMNS "\tafter=singleton\tthink_s=5\tdeadline_s=60\tweight=2\t"
			    "resumable=0,0\trecipe=x\texit=1\tsizes=1,900\n",
	MAGIC NAMES COLUMNS "\tid=1\n" COLUMNS "\tid=2\n" COLUMNS
			    "\tafter=afternotok:1:2,afterok:1\n",
	/* what version 1 can say is written so that it can be read by who knows only that */
	"#lw-workload 1\n" NAMES COLUMNS "\n",
};

TEST_EACH(a_round_trip_changes_nothing, LW_COUNT_OF(same))
{
	FILE *out = fopen(scratch_path("out"), "w");
	struct lw_workload w;
	char *text;

	read_text(same[_i], &w);
	ck_assert_int_eq(lw_workload_write(&w, NULL, out), 0);
	fclose(out);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, same[_i]);
	free(text);
	lw_workload_fini(&w);
}

TEST(version_1_is_said_by_version_2_too)
{
	struct lw_workload w;

	read_text(MAGIC COLUMNS "\n", &w);
	ck_assert_uint_eq(w.job_count, 1);
	lw_workload_fini(&w);
}

static const struct {
	const char *text;
	const char *where;
} bad[] = {
	{ "#lw-workload 3\n", ":1: version 3 of lw-workload is of a later Leeway" },
	{ "#lw-workload 2x\n", ":1: the first line is not \"#lw-workload 1\" or" },
	{ "#lw-workload 0\n", ":1: the first line is not" },
	{ "#lw-workload 1\n" COLUMNS "\tid=1\n", ":2: 13 fields, 12 wanted" },
	{ MAGIC "0\t7\n", ":2: 2 fields, 12 wanted" },
	{ MAGIC COLUMNS "\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\n",
	  ":2: 23 fields, at most 22" },
	{ MAGIC COLUMNS "\tsizes=1\n", ":2: sizes: \"1\" is not two numbers" },
	{ MAGIC COLUMNS "\tsizes=0,900\n", ":2: sizes: \"0\" is not a whole number of 1 to" },
	{ MAGIC COLUMNS "\tsizes=1000,900\n", ":2: sizes: \"1000\" is not a whole number of" },
	{ MAGIC COLUMNS "\tsizes=1,1001\n", ":2: sizes: \"1001\" is not a whole number of" },
	{ MAGIC COLUMNS "\tid\n", ":2: \"id\" is not KEY=VALUE" },
	{ MAGIC COLUMNS "\tafer=1\n", ":2: there is no \"afer\"; there are id, after" },
	{ MAGIC COLUMNS "\tid=1\tid=2\n", ":2: id stands there twice" },
	{ MAGIC COLUMNS "\tid=0\n", ":2: id: \"0\" is not a whole number of 1 to" },
	{ MAGIC COLUMNS "\tid=2\n" COLUMNS "\tid=2\n", ":3: id: 2 is not above" },
	{ MAGIC COLUMNS "\tafter=afterany:1\n", ":2: after: no job above has id=1" },
	{ MAGIC COLUMNS "\tid=1\tafter=afterany:1\n", ":2: after: no job above has id=1" },
	{ MAGIC COLUMNS "\tafter=afterall:1\n", ":2: after: \"afterall\" is not afterany" },
	{ MAGIC COLUMNS "\tafter=afterok\n", ":2: after: afterok names a job" },
	{ MAGIC COLUMNS "\tafter=singleton:1\n", ":2: after: singleton names no job" },
	{ MAGIC COLUMNS "\tafter=\n", ":2: after: \"\" is not afterany" },
	{ MAGIC COLUMNS "\tid=1\n" COLUMNS "\tafter=afterok:1x\n", ":3: after: \"1x\" is not" },
	{ MAGIC COLUMNS "\tid=1\n" ARRAY "\tafter=aftercorr:1\n",
	  ":3: after: job 1 has 1 tasks, this one 3" },
	{ MAGIC COLUMNS "\tthink_s=5\n", ":2: think_s: after what?" },
	{ MAGIC COLUMNS "\tdeadline_s=0\n", ":2: deadline_s: \"0\" is not" },
	{ MAGIC COLUMNS "\tweight=0\n", ":2: weight: \"0\" is not" },
	{ MAGIC COLUMNS "\tresumable=30\n", ":2: resumable: \"30\" is not two numbers" },
	{ MAGIC COLUMNS "\tresumable=30,\n", ":2: resumable: \"\" is not" },
	{ MAGIC COLUMNS "\trecipe=a b\n", ":2: recipe: \"a b\" is not made of" },
	{ MAGIC COLUMNS "\texit=256\n", ":2: exit: \"256\" is not" },
	{ MAGIC COLUMNS "\tat_most=1\n", ":2: at_most: of what? there is no array" },
	{ MAGIC ARRAY "\tat_most=0\n", ":2: at_most: \"0\" is not" },
	{ MAGIC ARRAY "\tid=1\n" ARRAY "\tafter=aftercorr:1\tat_most=1\n",
	  ":3: at_most: not with aftercorr" },
};

TEST_EACH(what_is_wrong_is_refused, LW_COUNT_OF(bad))
{
	const char *path = scratch_write("bad", bad[_i].text);
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(lw_workload_read(&w, path, &err), -EINVAL);
	ck_assert_msg(strncmp(err.text + strlen(path), bad[_i].where, strlen(bad[_i].where)) == 0,
		      "\"%s\" wants \"%s\"", err.text, bad[_i].where);
	ck_assert_ptr_null(w.jobs);
	ck_assert_ptr_null(w.afters);
}

static void take(const char *text, struct lw_workload *w, struct lw_tracejobs *jobs)
{
	const struct lw_tracejobs_options options = {
		.machine = { .nodes = 2, .cpus_per_node = 16, .gpus_per_node = 4 },
	};

	read_text(text, w);
	ck_assert_int_eq(lw_tracejobs_of_workload(jobs, w, &options), 0);
}

static void check_after(const struct lw_sim_job *job, uint32_t i, enum lw_after_kind kind,
			uint32_t id)
{
	ck_assert_uint_lt(i, job->after_count);
	ck_assert_int_eq(job->afters[i].kind, kind);
	ck_assert_uint_eq(job->afters[i].job, id);
}

TEST(arrays_are_waited_for_whole_or_task_by_task)
{
	struct lw_tracejobs jobs;
	struct lw_workload w;

	take(MAGIC ARRAY "\tid=5\n" ARRAY "\tafter=aftercorr:5\n" OTHER
			 "\tafter=afternotok:5\tthink_s=9\texit=1\n",
	     &w, &jobs);
	ck_assert_uint_eq(jobs.count, 7);
	ck_assert_uint_eq(jobs.jobs[0].after_count, 0);
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(jobs.jobs[3 + i].after_count, 1);
		check_after(&jobs.jobs[3 + i], 0, LW_AFTER_CORR, i + 1);
		check_after(&jobs.jobs[6], i, LW_AFTER_NOTOK, i + 1);
	}
	ck_assert_int_eq(jobs.jobs[6].think_s, 9);
	ck_assert_uint_eq(jobs.jobs[6].exit_code, 1);
	lw_tracejobs_fini(&jobs);
	lw_workload_fini(&w);
}

/* Of one user and name alone, and back to the last singleton only. */
TEST(a_singleton_waits_for_its_namesakes)
{
	struct lw_tracejobs jobs;
	struct lw_workload w;

	take(MAGIC COLUMNS "\n" OTHER "\n" COLUMNS "\n" COLUMNS "\tafter=singleton\n" COLUMNS
			   "\n" COLUMNS "\tafter=singleton\n" OTHER "\tafter=singleton\n",
	     &w, &jobs);
	ck_assert_uint_eq(jobs.jobs[3].after_count, 2);
	check_after(&jobs.jobs[3], 0, LW_AFTER_SINGLETON, 1);
	check_after(&jobs.jobs[3], 1, LW_AFTER_SINGLETON, 3);
	ck_assert_uint_eq(jobs.jobs[5].after_count, 2);
	check_after(&jobs.jobs[5], 0, LW_AFTER_SINGLETON, 4);
	check_after(&jobs.jobs[5], 1, LW_AFTER_SINGLETON, 5);
	ck_assert_uint_eq(jobs.jobs[6].after_count, 1);
	check_after(&jobs.jobs[6], 0, LW_AFTER_SINGLETON, 2);
	lw_tracejobs_fini(&jobs);
	lw_workload_fini(&w);
}

/* The first is wider than the machine. */
TEST(nobody_waits_for_what_is_not_there)
{
	struct lw_tracejobs jobs;
	struct lw_workload w;

	take(MAGIC "0\t7\t3\t4\t16\t0\t3600\t1800\t-\t-\tgang\tx\tid=1\n" COLUMNS
		   "\tafter=afterok:1\n",
	     &w, &jobs);
	ck_assert_uint_eq(jobs.count, 1);
	ck_assert_uint_eq(jobs.jobs[0].after_count, 0);
	ck_assert_uint_eq(jobs.afters_lost, 1);
	lw_tracejobs_fini(&jobs);
	lw_workload_fini(&w);
}

/* Job 5 comes twice; 9 is nobody; the last one waits for one that comes later. */
static struct lw_swf_job trace[] = {
	{ .number = 5, .run_s = 60, .requested_s = 60, .procs = 1, .preceding = -1 },
	{ .number = 5, .run_s = 60, .requested_s = 60, .procs = 1, .preceding = -1 },
	{ .number = 6, .run_s = 60, .requested_s = 60, .procs = 1, .preceding = 5, .think_s = 30 },
	{ .number = 7, .run_s = 60, .requested_s = 60, .procs = 1, .preceding = 6, .think_s = -1 },
	{ .number = 8, .run_s = 60, .requested_s = 60, .procs = 1, .preceding = 9 },
	{ .number = 10, .run_s = 60, .requested_s = 60, .procs = 1, .preceding = 11 },
	{ .number = 11, .run_s = 60, .requested_s = 60, .procs = 1, .preceding = 0 },
};

TEST(a_trace_says_who_precedes_whom)
{
	const struct lw_tracejobs_options options = { .machine = { .pool = 4 } };
	struct lw_swf swf = { .jobs = trace, .job_count = LW_COUNT_OF(trace) };
	struct lw_tracejobs jobs;

	ck_assert_int_eq(lw_tracejobs_init(&jobs, &swf, &options), 0);
	ck_assert_uint_eq(jobs.count, LW_COUNT_OF(trace));
	check_after(&jobs.jobs[2], 0, LW_AFTER_ANY, 2);
	ck_assert_int_eq(jobs.jobs[2].think_s, 30);
	check_after(&jobs.jobs[3], 0, LW_AFTER_ANY, 3);
	ck_assert_int_eq(jobs.jobs[3].think_s, 0);
	ck_assert_uint_eq(jobs.after_count, 2);
	ck_assert_uint_eq(jobs.afters_lost, 2);
	lw_tracejobs_fini(&jobs);
}

TEST(and_so_does_the_workload_made_of_it)
{
	struct lw_swf swf = { .jobs = trace, .job_count = LW_COUNT_OF(trace) };
	struct lw_convert_options o = {
		.unit = LW_CONVERT_CPU, .nodes = 1, .cpus_per_node = 1, .compress = 2
	};
	struct lw_convert_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), 0);
	ck_assert_uint_eq(w.jobs[0].id, 0);
	ck_assert_uint_eq(w.jobs[1].id, 2);
	ck_assert_uint_eq(w.jobs[2].after_count, 1);
	ck_assert_uint_eq(w.afters[w.jobs[2].first_after].job, 2);
	ck_assert_int_eq(w.jobs[2].think_s, 15);
	ck_assert_uint_eq(w.jobs[3].after_count, 1);
	ck_assert_uint_eq(lw_workload_find(&w, 3)->first, 2);
	ck_assert_uint_eq(notes.afters_lost, 2);
	lw_workload_fini(&w);
}
