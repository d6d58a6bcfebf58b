/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the SWF reader: what it takes, and where it says an error is. */
#include "measure/swf.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>

#define JOB1 "1 0 45 5881 128 -1 -1 128 10800 -1 1 7 3 -1 2 1 -1 -1\n"
#define JOB2 "2 5898 66 5830 64 -1 -1 64 10800 -1 0 8 3 -1 2 1 1 30\n"
#define HEADER                                                                       \
	"; Version: 2.2\n; MaxProcs: 4392\n; UnixStartTime: 1672543325\n"             \
	";\n; Note: MaxNodes is not known\n"

static void check_two_jobs(const struct lw_swf *swf)
{
	ck_assert_uint_eq(swf->job_count, 2);
	ck_assert_int_eq(swf->max_procs, 4392);
	ck_assert_int_eq(swf->max_nodes, -1);
	ck_assert_int_eq(swf->unix_start_s, 1672543325);
	ck_assert_int_eq(swf->jobs[1].number, 2);
	ck_assert_int_eq(swf->jobs[1].submit_s, 5898);
	ck_assert_int_eq(swf->jobs[1].wait_s, 66);
	ck_assert_int_eq(swf->jobs[1].run_s, 5830);
	ck_assert_int_eq(swf->jobs[1].procs, 64);
	ck_assert_int_eq(swf->jobs[1].cpu_time_s, -1);
	ck_assert_int_eq(swf->jobs[1].memory_kib, -1);
	ck_assert_int_eq(swf->jobs[1].requested_procs, 64);
	ck_assert_int_eq(swf->jobs[1].requested_s, 10800);
	ck_assert_int_eq(swf->jobs[1].requested_kib, -1);
	ck_assert_int_eq(swf->jobs[1].status, 0);
	ck_assert_int_eq(swf->jobs[1].user, 8);
	ck_assert_int_eq(swf->jobs[1].group, 3);
	ck_assert_int_eq(swf->jobs[1].application, -1);
	ck_assert_int_eq(swf->jobs[1].queue, 2);
	ck_assert_int_eq(swf->jobs[1].partition, 1);
	ck_assert_int_eq(swf->jobs[1].preceding, 1);
	ck_assert_int_eq(swf->jobs[1].think_s, 30);
}

/* The same two jobs, however they are laid out. */
static const char *const good[] = {
	HEADER JOB1 JOB2,
	HEADER "\n" JOB1 "\n\n" JOB2 "\n",
	"\xef\xbb\xbf" HEADER JOB1 JOB2,
	";maxprocs:4392\n;UNIXSTARTTIME: 1672543325 (a note)\n" JOB1 JOB2,
	"  " JOB1 "\t" JOB2 "; MaxProcs: 4392\n; UnixStartTime: 1672543325\n",
	HEADER JOB1 "2 5898 66.2 5829.5 64 -1 -1 64 10800 -1 0 8 3 -1 2 1 1 30",
	"; MaxProcs: 4392\r\n; UnixStartTime: 1672543325\r\n" JOB1
	"2 5898 66 5830 64 -1 -1 64 10800 -1 0 8 3 -1 2 1 1 30\r\n",
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(test_good, LW_COUNT_OF(good))
{
	struct lw_error err = { "" };
	struct lw_swf swf;

	ck_assert_msg(!lw_swf_read(&swf, scratch_write("t.swf", good[_i]), false, &err),
		      "%s", err.text);
	check_two_jobs(&swf);
	lw_swf_fini(&swf);
}

/* Users have any numbers as names. */
TEST(a_number_that_names_may_be_large)
{
	static const char text[] =
		"1 0 0 10 1 -1 -1 1 10 -1 1 92605928607567 1 -1 -1 -1 -1 -1\n"
		"2 0 0 10 1 -1 -1 1 10 -1 1 7 98765432109876543210 -1 -1 -1 -1 -1\n"
		"3 0 0 10 1 -1 -1 1 10 -1 1 92605928607567 1 -1 -1 -1 -1 -1\n"
		"4 0 0 10 1 -1 -1 1 10 -1 1 92605928607568 1 -1 -1 -1 -1 -1\n";
	struct lw_error err = { "" };
	struct lw_swf swf;

	ck_assert_msg(!lw_swf_read(&swf, scratch_write("t.swf", text), false, &err), "%s",
		      err.text);
	ck_assert_uint_eq(swf.job_count, 4);
	ck_assert_int_eq(swf.jobs[1].user, 7);
	ck_assert_int_eq(swf.jobs[0].user, swf.jobs[2].user);
	ck_assert_int_ne(swf.jobs[0].user, swf.jobs[3].user);
	ck_assert_int_gt(swf.jobs[0].user, 7);
	ck_assert_int_gt(swf.jobs[1].group, 1);
	lw_swf_fini(&swf);
}

static const struct {
	const char *text;
	const char *where; /* what the error must say after the path */
} bad[] = {
	{ JOB1 "2 5898 66\n", ":2: field 4 (run time): missing" },
	{ "#lw-workload 1\n" JOB1, ": a workload, as in lw-workload(5), and no trace" },
	{ JOB1 "2 5898 66 58x 64 -1 -1 64 10800 -1 0 8 3 -1 2 1 1 30\n",
	  ":2: field 4 (run time): \"58x\"" },
	{ HEADER "1 0 45 5881 12.5 -1 -1 128 10800 -1 1 7 3 -1 2 1 -1 -1\n",
	  ":6: field 5 (allocated processors): \"12.5\"" },
	{ "1 0 45 5881 128 -1 -1 128 10800 -1 1 7 3 -1 2 1 -1 -1 99\n", ":1: more than 18" },
	{ "1 -5 45 5881 128 -1 -1 128 10800 -1 1 7 3 -1 2 1 -1 -1\n",
	  ":1: field 2 (submit time): -5 is out of range" },
	{ "1 0 -2 5881 128 -1 -1 128 10800 -1 1 7 3 -1 2 1 -1 -1\n",
	  ":1: field 3 (wait time): -2" },
	{ "1 0 45 5881 128 -1 -1 128 10800 -1 6 7 3 -1 2 1 -1 -1\n", ":1: field 11 (status): 6" },
	{ "1 0 45 5881 99999999999 -1 -1 1 1 -1 1 7 3 -1 2 1 -1 -1\n",
	  ":1: field 5 (allocated processors)" },
	{ "1 0 45 99999999999999999999999 1 -1 -1 1 1 -1 1 7 3 -1 2 1 -1 -1\n",
	  ":1: field 4 (run time)" },
	{ JOB2 JOB1, ":2: field 2 (submit time): 0 is before the line above: sort the "
		     "trace by submit time" },
	{ "job submit wait\n", ":1: field 1 (job number): \"job\"" },
	{ "- 0 45 5881 128 -1 -1 128 10800 -1 1 7 3 -1 2 1 -1 -1\n", ":1: field 1" },
};

TEST_EACH(test_bad, LW_COUNT_OF(bad))
{
	const char *path = scratch_write("bad.swf", bad[_i].text);
	struct lw_error err = { "" };
	struct lw_swf swf;

	ck_assert_int_eq(lw_swf_read(&swf, path, false, &err), -EINVAL);
	ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "no file: %s",
		      err.text);
	ck_assert_msg(strncmp(err.text + strlen(path), bad[_i].where,
			      strlen(bad[_i].where)) == 0,
		      "\"%s\" wants \"%s\"", err.text, bad[_i].where);
	ck_assert_ptr_null(swf.jobs);
}

TEST(test_lenient)
{
	const char *path = scratch_write("t.swf", HEADER JOB1 "nonsense\n1 2 3\n" JOB2);
	struct lw_error err = { "" };
	struct lw_swf swf;

	ck_assert_int_eq(lw_swf_read(&swf, path, true, &err), 0);
	check_two_jobs(&swf);
	ck_assert_uint_eq(swf.skipped, 2);
	ck_assert_uint_eq(swf.bad_line, 7);
	ck_assert_ptr_nonnull(strstr(swf.bad.text, "field 1"));
	lw_swf_fini(&swf);
}

TEST(test_gzip)
{
	const char *path = scratch_path("t.swf.gz");
	gzFile out = gzopen(path, "wb");
	struct lw_error err = { "" };
	struct lw_swf swf;
	struct stat st;

	ck_assert_int_gt(gzputs(out, HEADER JOB1 JOB2), 0);
	gzclose(out);
	ck_assert_int_eq(lw_swf_read(&swf, path, false, &err), 0);
	check_two_jobs(&swf);
	lw_swf_fini(&swf);
	/* cut short: an error, not a shorter trace */
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(truncate(path, st.st_size - 9), 0);
	ck_assert_int_eq(lw_swf_read(&swf, path, false, &err), -EIO);
	ck_assert_ptr_nonnull(strstr(err.text, path));
}

TEST(test_missing)
{
	struct lw_error err = { "" };
	struct lw_swf swf;

	ck_assert_int_eq(lw_swf_read(&swf, scratch_path("none"), false, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot open"));
	ck_assert_int_eq(lw_swf_read(&swf, scratch_write("empty", ""), true, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "/empty: the file is empty"));
	ck_assert_int_eq(lw_swf_read(&swf, scratch_write("empty", ";\n"), false, &err), 0);
	ck_assert_uint_eq(swf.job_count, 0);
	lw_swf_fini(&swf);
}

/* The jobs that were read, as the file has them. */
static void print(const struct lw_swf *swf, FILE *out)
{
	for (uint32_t i = 0; i < swf->job_count; i++) {
		const struct lw_swf_job *j = &swf->jobs[i];

		fprintf(out,
			"%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d %" PRId64
			" %" PRId64 " %d %" PRId64 " %" PRId64
			" %d %d %d %d %d %d %" PRId64 " %" PRId64 "\n",
			j->number, j->submit_s, j->wait_s, j->run_s, j->procs,
			j->cpu_time_s, j->memory_kib, j->requested_procs, j->requested_s,
			j->requested_kib, j->status, j->user, j->group, j->application,
			j->queue, j->partition, j->preceding, j->think_s);
	}
}

TEST(every_field_is_read)
{
	const char *path = scratch_write("t.swf", HEADER JOB1 JOB2);
	FILE *out = fopen(scratch_path("out.swf"), "w");
	struct lw_error err = { "" };
	struct lw_swf swf;
	char *text;

	ck_assert_int_eq(lw_swf_read(&swf, path, false, &err), 0);
	print(&swf, out);
	fclose(out);
	text = scratch_read(scratch_path("out.swf"));
	ck_assert_str_eq(text, JOB1 JOB2);
	free(text);
	lw_swf_fini(&swf);
}

/* Real traces, where they are: counts as their own header has them, and speed. */
static const struct {
	const char *name;
	uint32_t jobs;
	int64_t max_procs;
} traces[] = {
	{ "KTH-SP2-1996", 28489, 100 },
	{ "TACC-LS6-A100-2022", 11397, 240 },
	{ "RICC-2010", 447786, 8192 },
};

TEST_EACH(test_trace, LW_COUNT_OF(traces))
{
	const char *folder = getenv("LEEWAY_TRACES");
	struct timespec from, to;
	struct lw_error err = { "" };
	struct lw_swf swf;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.swf.gz", folder ? folder : "",
		 traces[_i].name);
	if (!folder || access(path, R_OK)) {
		printf("# skipped: no %s.swf.gz in LEEWAY_TRACES\n", traces[_i].name);
		return;
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	ck_assert_msg(!lw_swf_read(&swf, path, false, &err), "%s", err.text);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	ck_assert_uint_eq(swf.job_count, traces[_i].jobs);
	ck_assert_int_eq(swf.max_procs, traces[_i].max_procs);
	/* the largest takes 0.3 s; sanitizers and valgrind are given more */
	ck_assert_int_lt(to.tv_sec - from.tv_sec, getenv("LW_QUICK") ? 100 : 10);
	lw_swf_fini(&swf);
}
