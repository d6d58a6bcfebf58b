/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/sampler, record/watch and the plugin's options. */
#include "record/file.h"
#include "record/list.h"
#include "record/sampler.h"
#include "record/watch.h"
#include "unit/heard.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char dir[64], script[128];

static void make_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/leeway-check-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(script, sizeof(script), "%s/script", dir);
}

static void remove_dir(void)
{
	static const char *const names[] = { "script", ".lock", "9.n1.gpu", "9.n1.0.part",
					     "9.n1.batch.part", "9.n1.3.part", "9.n2.gpu" };
	char path[128];

	for (size_t i = 0; i < LW_COUNT_OF(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
}

static void write_script(const char *text)
{
	FILE *file = fopen(script, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static const char two_gpus[] = "# gpu t util mem power temp\n"
			       "*        0  90 1000 300 60\n"
			       "0       10  50 2000 200\n"
			       "FAKE-2  10   -    7   -  40 # no utilisation\n"
			       "\n"
			       "0       20   0    0\n"
			       "5        0  11   11\n"
			       "2       30 100 80000\n"
			       "0       40  70 1000 200 50 1 5000 900\n"
			       "0       50  70 1000 200 50 1 5000 900 33 21 60\n"
			       "2       40  70 1000 200 50 1 - 40\n";

static const struct {
	int64_t t_s;
	uint32_t gpu, has, util, mem;
} readings[] = {
	{ 0, 0, 15, 90, 1000 },    { 0, 1, 15, 90, 1000 },   { 9, 0, 15, 90, 1000 },
	{ 10, 0, 7, 50, 2000 },    { 10, 1, 10, 0, 7 },      { 19, 0, 7, 50, 2000 },
	{ 20, 0, 3, 0, 0 },        { 29, 1, 10, 0, 7 },      { 30, 1, 3, 100, 80000 },
	{ 39, 0, 3, 0, 0 },        { 40, 0, 127, 70, 1000 }, { 99999, 1, 95, 70, 1000 },
	{ 50, 0, 1023, 70, 1000 }, { -1, 0, 0, 0, 0 },
};

FIXTURE(make_dir, remove_dir);

TEST_EACH(fake_reads_what_the_script_says, LW_COUNT_OF(readings))
{
	struct lw_gpu gpus[2] = { { .index = 0 }, { .index = 2 } };
	struct lw_gpu_sample samples[2], *s = &samples[readings[_i].gpu];
	struct lw_error err;
	void *state = NULL;

	write_script(two_gpus);
	ck_assert_int_eq(lw_sampler_fake.open(script, gpus, 2, 5000, &state, &err), 0);
	ck_assert_str_eq(gpus[1].id, "FAKE-2");
	lw_sampler_fake.sample(state, 5000 + readings[_i].t_s, samples);
	ck_assert_uint_eq(s->has, readings[_i].has);
	if (s->has & 1u << LW_METRIC_UTIL)
		ck_assert_uint_eq(s->value[LW_METRIC_UTIL], readings[_i].util);
	if (s->has & 1u << LW_METRIC_MEM)
		ck_assert_uint_eq(s->value[LW_METRIC_MEM], readings[_i].mem);
	if (s->has & 1u << LW_METRIC_NVLINK)
		ck_assert_uint_eq(s->value[LW_METRIC_NVLINK], 5000);
	if (s->has & 1u << LW_METRIC_PCIE)
		ck_assert_uint_eq(s->value[LW_METRIC_PCIE], readings[_i].gpu ? 40 : 900);
	if (s->has & 1u << LW_METRIC_MEMBW) {
		ck_assert_uint_eq(s->value[LW_METRIC_SM], 33);
		ck_assert_uint_eq(s->value[LW_METRIC_TENSOR], 21);
		ck_assert_uint_eq(s->value[LW_METRIC_MEMBW], 60);
	}
	lw_sampler_fake.close(state);
}

static const char *const bad_scripts[] = {
	"0 0 50\n",
	"0 0 101 5\n",
	"0 x 5 5\n",
	"0 0 5 -5\n",
	"0 0 5 5x\n",
	"0 0 5 5 5 5 5 5 5 5 5 5 5 5\n",
	"0 0 5 5 5 5 5 5 5 5 5 5 x\n",
	"0 0 5 5 5 5 5 5 5 101\n",
	"0 0 5 5 5 5 5 5 5 5 5 101\n",
	"0 -1 5 5\n",
	"0 0 x 1\n",
	"0 0 5 99999999999999999999\n",
	"0 total x\n",
	"0 total\n",
	"0 processes here\n",
	"0 processes /tmp /tmp\n",
};

TEST_EACH(bad_script_is_named_with_its_line, LW_COUNT_OF(bad_scripts))
{
	struct lw_gpu gpu = { .index = 0 };
	struct lw_error err = { "" };
	char text[128];
	void *state = NULL;

	snprintf(text, sizeof(text), "# ok\n\n%s", bad_scripts[_i]);
	write_script(text);
	ck_assert_int_eq(lw_sampler_fake.open(script, &gpu, 1, 0, &state, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "/script:3: ") != NULL, "%s", err.text);
	ck_assert_ptr_null(state);
}

TEST(missing_script_is_named)
{
	struct lw_gpu gpu = { .index = 0 };
	struct lw_error err = { "" };
	void *state = NULL;

	ck_assert_int_eq(lw_sampler_fake.open("/no/such", &gpu, 1, 0, &state, &err), -ENOENT);
	ck_assert(strstr(err.text, "/no/such") != NULL);
	ck_assert_int_eq(lw_sampler_fake.open("/dev/null", &gpu, 1, 0, &state, &err), -EINVAL);
}

/* No machine that runs the tests needs a GPU; one that has it must not fail here. */
TEST(nvml_opens_or_says_why_not)
{
	struct lw_gpu gpu = { .index = 0 };
	struct lw_error err = { "" };
	struct lw_gpu_sample sample;
	void *state = NULL;

	if (lw_sampler_nvml.open("", &gpu, 1, 0, &state, &err)) {
		ck_assert_str_ne(err.text, "");
		return;
	}
	ck_assert_str_ne(gpu.id, "");
	lw_sampler_nvml.sample(state, 0, &sample);
	lw_sampler_nvml.close(state);
}

/* ---- options ---- */

/* ---- the thread ---- */

/* The clock of this program, which the watch goes by. */
static _Atomic int64_t clock_moved_s;

struct outcome {
	struct heard heard;
	struct lw_log log;
	struct lw_summary summary;
	bool done;
};

static bool finished(void *arg, struct lw_record *const *records, uint32_t count)
{
	struct outcome *outcome = arg;

	lw_summary_make(records, count, &outcome->summary);
	outcome->done = true;
	return true;
}

static struct lw_watch *start_watch(struct outcome *outcome, const char *source, const char *where,
				    const char *step)
{
	struct lw_watch_params params = {
		.options = { .source = source,
			     .dir = where,
			     .bin = "",
			     .group = "",
			     .interval_s = 1,
			     .summary = true },
		.head = { .job_id = 9,
			  .user_id = 65534,
			  .node = "n1",
			  .gpu_count = 2,
			  .start_s = time(NULL) },
		.log = &outcome->log,
		.done = finished,
		.arg = outcome,
	};
	struct lw_watch *watch = NULL;
	struct lw_error err;

	outcome->log = (struct lw_log){ hear, &outcome->heard, LW_LOG_DEBUG };
	snprintf(params.head.step, sizeof(params.head.step), "%s", step);
	params.head.gpu[1].index = 2;
	ck_assert_int_eq(lw_watch_start(&params, &watch, &err), 0);
	return watch;
}

/* The part is there with the first sample; at most 10 s. */
static void wait_for_part(const char *step)
{
	const struct timespec pause = { 0, 20000000 };

	for (int i = 0; i < 500 && !lw_record_is_watched(dir, 9, "n1", step); i++)
		nanosleep(&pause, NULL);
	ck_assert(lw_record_is_watched(dir, 9, "n1", step));
}

TEST(watch_writes_a_record_and_tells)
{
	struct outcome outcome = { .done = false };
	const char *const dirs[] = { dir };
	struct lw_record_list list;
	struct lw_watch *watch;
	char source[200];

	write_script("* 0 70 5000\n");
	snprintf(source, sizeof(source), "fake:%s", script);
	watch = start_watch(&outcome, source, dir, "batch");
	wait_for_part("batch");
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	ck_assert(outcome.done);
	ck_assert_uint_eq(outcome.summary.gpus, 2);
	ck_assert_uint_eq(outcome.summary.stat[LW_METRIC_UTIL].max, 70);
	ck_assert_uint_eq(outcome.heard.errors, 0);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 9, &list, NULL), 0);
	ck_assert_int_gt(list.records[0]->head.end_s, 0);
	ck_assert_str_eq(list.records[0]->head.gpu[1].id, "FAKE-2");
	ck_assert(lw_record_is_sent(list.records[0]));
	lw_record_list_fini(&list);
}

/*
 * The counter is read when the source is opened and at the end: what it ran on in between is the
 * step's, however few readings there were.
 */
TEST(watch_reads_the_counter_twice)
{
	struct outcome outcome = { .done = false };
	const char *const dirs[] = { dir };
	struct lw_record_list list;
	struct lw_watch *watch;
	char source[200];

	write_script("* 0 70 5000 300 60 - - - - - - 1000\n"
		     "* 3600 70 5000 300 60 - - - - - - 91000\n");
	snprintf(source, sizeof(source), "fake:%s", script);
	watch = start_watch(&outcome, source, dir, "batch");
	wait_for_part("batch");
	clock_moved_s = 3600;
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	clock_moved_s = 0;
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 9, &list, NULL), 0);
	for (int g = 0; g < 2; g++) {
		ck_assert_uint_eq(list.records[0]->head.gpu[g].energy.joules, 90000);
		ck_assert_uint_ge(list.records[0]->head.gpu[g].energy.covered_s, 3600);
	}
	ck_assert_uint_eq(outcome.summary.energy_gpus, 2);
	ck_assert_uint_ge(outcome.summary.energy_j, 180000);
	lw_record_list_fini(&list);
}

/* What slurmstepd is while it prepares a step, and with what umask. */
TEST(the_record_is_not_the_users)
{
	struct outcome outcome = { .done = false };
	struct lw_watch *watch;
	char source[200], path[200];
	struct stat st;
	mode_t old;

	if (geteuid())
		return; /* only root can be somebody else */
	write_script("* 0 70 5000\n");
	snprintf(source, sizeof(source), "fake:%s", script);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	old = umask(077);
	ck_assert_int_eq(setegid(65534), 0);
	ck_assert_int_eq(seteuid(65534), 0);
	watch = start_watch(&outcome, source, dir, "batch");
	wait_for_part("batch");
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(setegid(0), 0);
	umask(old);
	snprintf(path, sizeof(path), "%s/9.n1.batch.part", dir);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_uid, 0);
	ck_assert_uint_eq(st.st_gid, 0);
	/* what stat() calls the group's is the user's right to read, which the ACL gives */
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	ck_assert_uint_eq(outcome.heard.errors, 0);
}

/* How much it is set back whenever it is read. */
static _Atomic int64_t clock_back_s;

time_t time(time_t *ret_now)
{
	int64_t back_s = clock_back_s;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec += (time_t)(atomic_fetch_sub(&clock_moved_s, back_s) - back_s);
	if (ret_now)
		*ret_now = now.tv_sec;
	return now.tv_sec;
}

TEST(a_clock_set_back_stops_no_reading)
{
	struct outcome outcome = { .done = false };
	const struct timespec pause = { 3, 500000000 };
	struct lw_watch *watch;
	char source[200];

	write_script("* 0 70 5000\n");
	snprintf(source, sizeof(source), "fake:%s", script);
	watch = start_watch(&outcome, source, dir, "batch");
	wait_for_part("batch");
	clock_moved_s = -3600;
	nanosleep(&pause, NULL);
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	clock_moved_s = 0;
	/* a reading a second, of each of two GPUs; one may be lost to the move */
	ck_assert_uint_ge(outcome.summary.samples, 6);
}

/* What a step on another node has still to write is waited for, though not for ever. */
TEST(a_clock_set_back_prolongs_no_end)
{
	struct lw_record_head head = { .job_id = 9, .node = "n2", .step = "batch",
				       .gpu_count = 1, .interval_s = 1,
				       .start_s = time(NULL), .gpu[0].id = "FAKE-0" };
	struct outcome outcome = { .done = false };
	struct lw_record_file *file = NULL;
	struct lw_record *other = NULL;
	struct lw_watch *watch;
	struct lw_error err;
	char source[200];

	write_script("* 0 70 5000\n");
	snprintf(source, sizeof(source), "fake:%s", script);
	ck_assert_int_eq(lw_record_create(&head, &other), 0);
	ck_assert_int_eq(lw_record_file_create(dir, other, &file, &err), 0);
	watch = start_watch(&outcome, source, dir, "batch");
	wait_for_part("batch");
	clock_back_s = 10;
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	clock_back_s = 0;
	clock_moved_s = 0;
	ck_assert(outcome.done);
	ck_assert(lw_record_job_is_live(dir, 9));
	ck_assert_int_eq(lw_record_file_finish(file, other, &err), 0);
	lw_record_destroy(other);
}

/* While the batch step watches, a step of the same job on the node does not. */
TEST(step_beside_the_batch_step_does_not_watch)
{
	struct outcome batch = { .done = false }, step = { .done = false };
	struct lw_watch *first, *second;
	const struct timespec pause = { 0, 800000000 };
	char source[200];

	write_script("* 0 70 5000\n");
	snprintf(source, sizeof(source), "fake:%s", script);
	first = start_watch(&batch, source, dir, "batch");
	wait_for_part("batch");
	second = start_watch(&step, source, dir, "3");
	nanosleep(&pause, NULL); /* longer than a watch waits before it opens anything */
	ck_assert(!lw_record_is_watched(dir, 9, "n1", "3"));
	ck_assert_int_eq(lw_watch_stop(second, 20), 0);
	ck_assert(!step.done);
	ck_assert_int_eq(lw_watch_stop(first, 20), 0);
	ck_assert(batch.done);
}

static void wait_for_line(const struct outcome *outcome)
{
	const struct timespec pause = { 0, 20000000 };

	for (int i = 0; i < 500 && !outcome->heard.lines; i++)
		nanosleep(&pause, NULL);
}

TEST(missing_source_is_told_once_and_nothing_else)
{
	struct outcome outcome = { .done = false };
	struct lw_watch *watch = start_watch(&outcome, "fake:/no/such/file", dir, "0");

	wait_for_line(&outcome);
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	ck_assert_uint_eq(outcome.heard.errors, 1);
	ck_assert_msg(strstr(outcome.heard.last, "/no/such/file") != NULL, "%s",
		      outcome.heard.last);
	ck_assert(!outcome.done);
}

TEST(missing_directory_costs_the_file_not_the_summary)
{
	struct outcome outcome = { .done = false };
	struct lw_watch *watch;
	char source[200];

	write_script("* 0 70 5000\n");
	snprintf(source, sizeof(source), "fake:%s", script);
	watch = start_watch(&outcome, source, "/proc/leeway", "0");
	wait_for_line(&outcome);
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	ck_assert_uint_eq(outcome.heard.errors, 1);
	ck_assert(outcome.done);
	ck_assert_uint_eq(outcome.summary.gpus, 2);
}

/* Nothing was opened, and still there is a record that says so. */
TEST(a_short_step_leaves_a_record_without_readings)
{
	struct outcome outcome = { .done = false };
	struct lw_watch *watch = start_watch(&outcome, "fake:/no/such/file", dir, "0");
	const char *const dirs[] = { dir };
	struct lw_record_list list;

	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	ck_assert(outcome.done);
	ck_assert_uint_eq(outcome.heard.errors, 0);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 9, &list, NULL), 0);
	ck_assert_uint_eq(list.records[0]->bucket_count, 0);
	ck_assert_str_eq(list.records[0]->head.gpu[1].id, "index-2");
	lw_record_list_fini(&list);
	ck_assert_int_eq(lw_watch_stop(NULL, 1), 0);
}
