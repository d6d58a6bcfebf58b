/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/promise: a promise outlives the process and never moves. */
#include "slurm/keep/promise.h"

#include "base/savefile.h"
#include "unit/last_error.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOW 1000

static char dir[64];
static char path[96];
static char aside[128];
static struct lw_promises *promises;

static void open_table(void)
{
	ck_assert_int_eq(lw_promises_create(path, NOW, &test_log, &promises), 0);
}

static void make(void)
{
	last_error[0] = '\0';
	snprintf(dir, sizeof(dir), "/tmp/lw-promise-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/leeway_promises", dir);
	snprintf(aside, sizeof(aside), "%s.damaged-%d", path, NOW);
	open_table();
}

static void destroy(void)
{
	char ended[4200];

	lw_promises_destroy(promises);
	unlink(path);
	unlink(aside);
	snprintf(ended, sizeof(ended), "%s_ended", path);
	unlink(ended);
	ck_assert_int_eq(rmdir(dir), 0);
}

static void reopen(void)
{
	lw_promises_destroy(promises);
	promises = NULL;
	open_table();
}

static void promise(uint32_t job_id, int64_t start_s, int64_t latest_s)
{
	const struct lw_promise made = {
		.job_id = job_id, .made_s = NOW, .start_s = start_s, .latest_s = latest_s
	};

	ck_assert_int_eq(lw_promises_make(promises, &made), 0);
}

static void save(void)
{
	struct lw_error err;

	ck_assert_int_eq(lw_promises_save(promises, &err), 0);
}

FIXTURE(make, destroy);

TEST(the_first_promise_stays)
{
	promise(7, 2000, 2100);
	promise(7, 5000, 9000);
	ck_assert_int_eq(lw_promises_find(promises, 7)->start_s, 2000);
	ck_assert_int_eq(lw_promises_find(promises, 7)->latest_s, 2100);
	ck_assert_uint_eq(lw_promises_count(promises), 1);
}

/* A deadline that is accepted may bring the latest start forward, and never puts it off. */
TEST(an_accepted_deadline_is_promised)
{
	promise(7, 2000, 2100);
	lw_promises_accept(promises, 7, 2050);
	lw_promises_accept(promises, 8, 2050);
	ck_assert_int_eq(lw_promises_find(promises, 7)->start_s, 2000);
	ck_assert_int_eq(lw_promises_find(promises, 7)->latest_s, 2050);
	ck_assert_ptr_null(lw_promises_find(promises, 8));
	lw_promises_accept(promises, 7, 2060);
	save();
	reopen();
	ck_assert_int_eq(lw_promises_find(promises, 7)->latest_s, 2050);
}

TEST(promises_and_totals_outlive_the_process)
{
	struct lw_promise_totals totals;

	promise(9, 3000, 3300);
	promise(7, 2000, 2100);
	promise(8, 2500, 2500);
	lw_promises_started(promises, 8, 2400);
	save();
	reopen();
	ck_assert_uint_eq(lw_promises_count(promises), 2);
	ck_assert_int_eq(lw_promises_find(promises, 7)->latest_s, 2100);
	ck_assert_int_eq(lw_promises_find(promises, 9)->made_s, NOW);
	ck_assert_ptr_null(lw_promises_find(promises, 8));
	lw_promises_totals(promises, &totals);
	ck_assert_uint_eq(totals.made, 3);
	ck_assert_uint_eq(totals.kept, 1);
}

/* Promised 2000, at the latest 2100. */
static const struct {
	int64_t start_s;
	unsigned kept, later, broken;
	int64_t late_s;
} starts[] = {
	{ 1500, 1, 0, 0, 0 },
	{ 2000, 1, 0, 0, 0 },
	{ 2000 + LW_PROMISE_GRACE_S, 1, 0, 0, 0 },
	{ 2001 + LW_PROMISE_GRACE_S, 1, 1, 0, 0 },
	{ 2100, 1, 1, 0, 0 },
	{ 2100 + LW_PROMISE_GRACE_S, 1, 1, 0, 0 },
	{ 2101 + LW_PROMISE_GRACE_S, 0, 0, 1, LW_PROMISE_GRACE_S + 1 },
	{ 5100, 0, 0, 1, 3000 },
	{ NOW - 1, 0, 0, 0, 0 }, /* an earlier run of a requeued job */
};

TEST_EACH(a_start_keeps_or_breaks, LW_COUNT_OF(starts))
{
	struct lw_promise_totals totals;

	promise(7, 2000, 2100);
	lw_promises_started(promises, 7, starts[_i].start_s);
	lw_promises_totals(promises, &totals);
	ck_assert_uint_eq(totals.kept, starts[_i].kept);
	ck_assert_uint_eq(totals.later, starts[_i].later);
	ck_assert_uint_eq(totals.broken, starts[_i].broken);
	ck_assert_int_eq(totals.late_s, starts[_i].late_s);
	ck_assert_uint_eq(lw_promises_count(promises),
			  starts[_i].kept || starts[_i].broken ? 0 : 1);
}

static bool waits(void *arg, uint32_t job_id)
{
	(void)arg;
	return job_id == 6;
}

TEST(who_waits_no_more_loses_the_promise)
{
	struct lw_promise_totals totals;

	promise(6, 2000, 2100);
	promise(7, 2000, 2100);
	promise(8, 2000, 2100);
	promise(9, 2000, 2100);
	lw_promises_begin(promises);
	lw_promises_seen(promises, 8);
	lw_promises_seen(promises, 9);
	ck_assert(lw_promises_any_unseen(promises));
	lw_promises_end(promises, waits, NULL);
	ck_assert(!lw_promises_any_unseen(promises));
	lw_promises_started(promises, 9, 2050);
	ck_assert_ptr_null(lw_promises_find(promises, 7));
	ck_assert_ptr_nonnull(lw_promises_find(promises, 8));
	ck_assert_ptr_null(lw_promises_find(promises, 9));
	lw_promises_totals(promises, &totals);
	ck_assert_uint_eq(totals.cancelled, 1);
	ck_assert_uint_eq(totals.held, 1);
	ck_assert_uint_eq(lw_promise_withdrawn(&totals), 2);
	ck_assert_uint_eq(totals.kept, 1);
}

/* To a job that could use ten nodes, at the latest 2100: where the plan has it, on how many. */
static const struct {
	int64_t start_s;
	uint32_t nodes;
	bool lost;
} bases[] = {
	{ 2100 + LW_PROMISE_GRACE_S, 9, false }, /* it can be kept yet */
	{ 2101 + LW_PROMISE_GRACE_S, 9, true },
	{ 9000, 0, true },
	{ 9000, 10, false }, /* somebody was put before it, or a job outran its limit */
	{ 9000, 11, false },
};

TEST_EACH(who_lost_nodes_is_not_told_of_a_broken_promise, LW_COUNT_OF(bases))
{
	struct lw_promise_totals totals;
	const struct lw_promise made = { .job_id = 7,
					 .made_s = NOW,
					 .start_s = 2000,
					 .latest_s = 2100,
					 .nodes = 10 };

	ck_assert_int_eq(lw_promises_make(promises, &made), 0);
	save();
	reopen();
	ck_assert(!lw_promises_lost(promises, 8, 9000, 0));
	ck_assert(lw_promises_lost(promises, 7, bases[_i].start_s, bases[_i].nodes) ==
		  bases[_i].lost);
	lw_promises_totals(promises, &totals);
	ck_assert_uint_eq(totals.lost, bases[_i].lost);
	ck_assert_uint_eq(lw_promises_count(promises), bases[_i].lost ? 0 : 1);
}

/* What Leeway wrote before it told kept from later, and why a promise was withdrawn. */
TEST(a_file_of_version_1_is_read)
{
	static const char payload[] = "totals 9 4 2 1 95\njob 7 1 2000 2100\njob 8 1 5 6\n";
	struct lw_promise_totals totals;
	struct lw_error err;

	ck_assert_int_eq(lw_savefile_write(path, "promises", 1, payload, strlen(payload), &err), 0);
	reopen();
	lw_promises_totals(promises, &totals);
	ck_assert_uint_eq(totals.made, 9);
	ck_assert_uint_eq(totals.kept, 4);
	ck_assert_uint_eq(totals.broken, 2);
	ck_assert_uint_eq(lw_promise_withdrawn(&totals), 1);
	ck_assert_int_eq(totals.late_s, 95);
	ck_assert_uint_eq(lw_promises_count(promises), 2);
	ck_assert_int_eq(lw_promises_find(promises, 7)->latest_s, 2100);
	/* of that nobody knows how many nodes it counted on */
	ck_assert(!lw_promises_lost(promises, 7, 9000, 0));
}

/* What others read of the file: leeway report. */
TEST(the_totals_of_a_file_are_read)
{
	struct lw_promise_totals totals = { 0 };
	struct lw_error err;
	uint32_t open = 0;

	promise(7, 2000, 2100);
	promise(8, 2000, 2100);
	promise(9, 2000, 2100);
	lw_promises_started(promises, 8, 2090);
	lw_promises_started(promises, 9, 3000);
	save();
	ck_assert_int_eq(lw_promise_read_totals(path, &totals, &open, &err), 0);
	ck_assert_uint_eq(open, 1);
	ck_assert_uint_eq(totals.made, 3);
	ck_assert_uint_eq(totals.kept, 1);
	ck_assert_uint_eq(totals.later, 1);
	ck_assert_uint_eq(totals.broken, 1);
	ck_assert_int_eq(totals.late_s, 900);
	ck_assert_int_eq(lw_promise_read_totals(dir, &totals, &open, &err), -EBADMSG);
	unlink(path);
	ck_assert_int_eq(lw_promise_read_totals(path, &totals, &open, &err), -ENOENT);
}

static const char *const payloads[] = {
	"jobs 7 1 2 3\n", "job 7 1 2\n", "job 7 1 2 3 4 5\n", "totals 1 2 3\n", "job 7 1 2 3x\n",
	"job 7 1 2 3\njob 7 1 2 3\n", /* twice */
	"totals 5 3 1 1 99999999999999999999\njob 2 100 400 500\n",
	"totals 5 3 1 1 1000000000000001\n",
	"totals 5 3 1 1 -1\n",
	"totals 18446744073709551616 3 1 1 0\n",
	"totals -1 3 1 1 0\n",
	"totals 1 2 3 4 5 6\n",
	"totals 1 2 3 4 5 6 7 8 9\n",
	"totals 1 2 3 4 5 6 -7 8\n",
	"job 7 1 2 3 -1\n",
	"job 7 1 2 3 4294967296\n",
	"totals 1 0 0 1 0\ntotals 1 0 0 1 0\n",
	"job 7 1 2 3\ntotals 1 0 0 1 0\n",
	"job 4294967303 1 2 3\n", /* would be 7 */
	"job -1 1 2 3\n",
	"job +7 1 2 3\n",
	"job  7 1 2 3\n",
	"job 7 1 2 1000000000001\n",
	"job 7 -1000000000001 2 3\n",
	"job 7 1 2 99999999999999999999\n",
};

TEST_EACH(a_strange_payload_is_set_aside, LW_COUNT_OF(payloads))
{
	struct lw_error err;

	ck_assert_int_eq(lw_savefile_write(path, "promises", 1, payloads[_i],
					   strlen(payloads[_i]), &err),
			 0);
	reopen();
	ck_assert_uint_eq(lw_promises_count(promises), 0);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(access(aside, F_OK), 0);
	ck_assert_ptr_nonnull(strstr(last_error, "afresh"));
}

/* Before, what stood behind a NUL was as good as not there. */
TEST(a_nul_hides_nothing)
{
	static const char payload[] = "job 7 1 2 3\n\0job 8 1 2 3\n";
	struct lw_error err;

	ck_assert_int_eq(lw_savefile_write(path, "promises", 1, payload, sizeof(payload) - 1, &err),
			 0);
	reopen();
	ck_assert_uint_eq(lw_promises_count(promises), 0);
	ck_assert_int_eq(access(aside, F_OK), 0);
}

/* However late jobs start, what is added up is read back. */
TEST(a_full_sum_stays)
{
	static const char payload[] = "totals 4 0 3 0 999999999999999\njob 7 1 2 3\n";
	struct lw_promise_totals totals;
	struct lw_error err;

	ck_assert_int_eq(lw_savefile_write(path, "promises", 1, payload, strlen(payload), &err), 0);
	reopen();
	lw_promises_started(promises, 7, 1000000);
	save();
	reopen();
	lw_promises_totals(promises, &totals);
	ck_assert_int_eq(totals.late_s, INT64_C(1000000000000000));
	ck_assert_uint_eq(totals.broken, 4);
}

TEST(a_damaged_file_is_set_aside_and_work_goes_on)
{
	FILE *file;

	promise(7, 2000, 2100);
	save();
	file = fopen(path, "r+");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fseek(file, -3, SEEK_END), 0);
	ck_assert_int_eq(fputc('#', file), '#');
	ck_assert_int_eq(fclose(file), 0);
	reopen();
	ck_assert_uint_eq(lw_promises_count(promises), 0);
	ck_assert_int_eq(access(aside, F_OK), 0);
	promise(8, 3000, 3000);
	save();
	reopen();
	ck_assert_ptr_nonnull(lw_promises_find(promises, 8));
}

/* A link to itself, as a file whose permissions are wrong, cannot be opened; root may read all. */
TEST(a_file_that_cannot_be_read_is_set_aside_before_it_is_replaced)
{
	struct stat st;

	ck_assert_int_eq(symlink(path, path), 0);
	reopen();
	ck_assert_ptr_nonnull(strstr(last_error, "cannot open"));
	ck_assert_uint_eq(lw_promises_count(promises), 0);
	save();
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	last_error[0] = '\0';
	promise(8, 3000, 3000);
	save();
	ck_assert_ptr_nonnull(strstr(last_error, aside));
	ck_assert_int_eq(lstat(aside, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	promise(9, 3000, 3000);
	save();
	reopen();
	ck_assert_uint_eq(lw_promises_count(promises), 2);
}

/* Its name leaves no room for another word. */
TEST(what_cannot_be_set_aside_is_not_replaced)
{
	char name[320], bytes[32] = "";
	struct lw_error err;
	FILE *file;

	snprintf(name, sizeof(name), "%s/%0240d", dir, 0);
	file = fopen(name, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs("damaged", file), 0);
	ck_assert_int_eq(fclose(file), 0);
	lw_promises_destroy(promises);
	ck_assert_int_eq(lw_promises_create(name, INT64_C(1795356000), &test_log, &promises), 0);
	ck_assert_ptr_nonnull(strstr(last_error, "could not be set aside"));
	promise(8, 3000, 3000);
	ck_assert_int_eq(lw_promises_save(promises, &err), -ENAMETOOLONG);
	file = fopen(name, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fread(bytes, 1, sizeof(bytes), file), 7);
	fclose(file);
	ck_assert_str_eq(bytes, "damaged");
	/* an administrator takes it away */
	ck_assert_int_eq(unlink(name), 0);
	ck_assert_msg(!lw_promises_save(promises, &err), "%s", err.text);
	ck_assert_int_eq(unlink(name), 0);
}

TEST(an_unchanged_table_is_not_written)
{
	promise(7, 2000, 2100);
	save();
	ck_assert_int_eq(unlink(path), 0);
	save();
	ck_assert_int_eq(access(path, F_OK), -1);
}

TEST(a_failed_save_is_tried_again)
{
	char away[96];
	struct lw_error err;

	promise(7, 2000, 2100);
	snprintf(away, sizeof(away), "%s-away", dir);
	ck_assert_int_eq(rename(dir, away), 0);
	ck_assert_int_lt(lw_promises_save(promises, &err), 0);
	ck_assert_int_eq(rename(away, dir), 0);
	save();
	reopen();
	ck_assert_ptr_nonnull(lw_promises_find(promises, 7));
}
