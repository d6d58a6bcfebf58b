/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/file.h in a directory that holds more than our own files. */
#include "record/file.h"
#include "record/list.h"
#include "record/record.h"
#include "record/summary.h"

#include "base/crc32.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define START 1700000000

static struct lw_record *make_record(const char *step)
{
	struct lw_record_head head = { .job_id = 77, .interval_s = 10, .start_s = START,
				       .node = "n1", .gpu_count = 1, .gpu[0].id = "GPU-0" };
	struct lw_record *record = NULL;

	snprintf(head.step, sizeof(head.step), "%s", step);
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	return record;
}

static void add(struct lw_record *record, int64_t t_s, uint32_t util)
{
	struct lw_gpu_sample sample = { 1u << LW_METRIC_UTIL, { [LW_METRIC_UTIL] = util } };

	ck_assert_int_eq(lw_record_add(record, START + t_s, &sample), 0);
}

/* Write a part with COUNT samples from FROM on. */
static struct lw_record_file *begin_step(const char *step, int from, int count,
					 struct lw_record **ret_record)
{
	struct lw_record *record = make_record(step);
	struct lw_record_file *file = NULL;
	struct lw_error err = { "" };

	for (int i = from; i < from + count; i++)
		add(record, i * 10, 50);
	ck_assert_msg(!lw_record_file_create(scratch_dir, record, &file, &err), "%s", err.text);
	*ret_record = record;
	return file;
}

static int end_step(struct lw_record_file *file, struct lw_record *record)
{
	int rc = lw_record_file_finish(file, record, NULL);

	lw_record_destroy(record);
	return rc;
}

static void kill_step(struct lw_record_file *file, struct lw_record *record)
{
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

/* How many samples there are of the job, on its one node. */
static uint64_t samples_of_job(void)
{
	const char *const dirs[] = { scratch_dir };
	struct lw_gpu_summary sum;
	struct lw_record_list list;

	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, NULL), 0);
	ck_assert_uint_eq(list.count, 1);
	lw_summary_gpu(list.records[0], 0, &sum);
	lw_record_list_fini(&list);
	return sum.samples;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	ck_assert_int_eq(lstat(path, &st), 0);
	return st.st_mode;
}

FIXTURE(scratch_setup, scratch_teardown);

/* A release that knows more wrote it, and is back tomorrow. */
TEST(a_record_of_a_newer_release_is_not_replaced)
{
	static const char newer[] = "lw-record 2 job=77 ~5aec1a4c\n";
	struct lw_record_file *file;
	struct lw_record *record;
	char *text;

	/* the check of this line is right: see that it is taken for newer, not for damaged */
	scratch_write("77.n1.gpu", newer);
	ck_assert_int_eq(lw_record_note_sent(scratch_dir, 77, "n1"), -ENOTSUP);
	file = begin_step("0", 0, 5, &record);
	ck_assert_int_eq(end_step(file, record), -ENOTSUP);
	text = scratch_read(scratch_path("jobs/77/77.n1.gpu"));
	ck_assert_str_eq(text, newer);
	free(text);
	ck_assert_uint_eq(samples_of_job(), 5);
}

/* Of no use to us: it must not keep the job from having a record, and lies beside that. */
TEST_EACH(what_is_no_record_is_set_aside, 3)
{
	static const mode_t kinds[] = { S_IFREG, S_IFIFO, S_IFLNK };
	struct lw_record_file *file;
	struct lw_record *record;
	glob_t asides;
	struct stat st;

	if (_i == 0)
		scratch_write("77.n1.gpu", "garbage\n");
	else if (_i == 1)
		ck_assert_int_eq(mkfifo(scratch_path("77.n1.gpu"), 0644), 0);
	else
		ck_assert_int_eq(symlink("/no/such", scratch_path("77.n1.gpu")), 0);
	file = begin_step("0", 0, 5, &record);
	ck_assert_int_eq(end_step(file, record), 0);
	ck_assert(S_ISREG(mode_of(scratch_path("jobs/77/77.n1.gpu"))));
	ck_assert_uint_eq(samples_of_job(), 5);
	ck_assert_int_eq(glob(scratch_path("77.n1.gpu.damaged-*"), 0, NULL, &asides), 0);
	ck_assert_uint_eq(asides.gl_pathc, 1);
	ck_assert_int_eq(lstat(asides.gl_pathv[0], &st), 0);
	ck_assert_uint_eq(st.st_mode & S_IFMT, kinds[_i]);
	globfree(&asides);
}

/* The node crashed, and the job begins anew there: the step has the same name. */
TEST(a_part_of_an_earlier_run_is_kept)
{
	struct lw_record_file *file;
	struct lw_record *record;

	file = begin_step("batch", 0, 20, &record);
	kill_step(file, record);
	file = begin_step("batch", 100, 30, &record);
	ck_assert_int_eq(end_step(file, record), 0);
	ck_assert_uint_eq(samples_of_job(), 50);
}

/* A step with COUNT samples from FROM on; only a batch step begins a run. */
static void write_run(const char *node, const char *step, int from, int count)
{
	struct lw_record *record = make_record(step);
	struct lw_record_file *file = NULL;

	snprintf(record->head.node, sizeof(record->head.node), "%s", node);
	record->head.start_s = START + from * 10;
	record->head.run_s = strcmp(step, "batch") ? 0 : record->head.start_s;
	record->head.end_s = START + (from + count) * 10;
	for (int i = from; i < from + count; i++)
		add(record, i * 10, 50);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	ck_assert_int_eq(end_step(file, record), 0);
}

/* It has its GPUs once, and what was sent of the first run says nothing of the second. */
TEST(of_a_requeued_job_the_last_run_counts)
{
	const char *const dirs[] = { scratch_dir };
	struct lw_record_list list;
	struct lw_summary summary;

	write_run("n1", "batch", 0, 9);
	write_run("n2", "0", 1, 5);
	write_run("n2", "1", 6, 2);
	ck_assert_int_eq(lw_record_note_sent(scratch_dir, 77, "n2"), 0);
	write_run("n3", "0", 101, 3);
	write_run("n3", "1", 105, 3);
	write_run("n2", "batch", 100, 9);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, NULL), 0);
	lw_summary_make(list.records, list.count, &summary);
	ck_assert_uint_eq(summary.nodes, 2);
	ck_assert_uint_eq(summary.gpus, 2);
	ck_assert_uint_eq(summary.samples, 15);
	ck_assert_str_eq(list.records[0]->head.node, "n2");
	ck_assert_int_eq(list.records[0]->head.start_s, START + 1000);
	ck_assert_int_eq(list.records[0]->head.end_s, START + 1090);
	ck_assert(!lw_record_is_sent(list.records[0]));
	lw_record_list_fini(&list);
}

/* Which a user can put there where all may write. */
TEST_EACH(what_stands_in_the_way_is_not_written_to, 3)
{
	const char *part = scratch_path("77.n1.0.part.new"), *mine = scratch_path("mine");
	struct lw_record_file *file;
	struct lw_record *record;
	char *text;

	scratch_write("mine", "mine\n");
	if (_i == 0)
		ck_assert_int_eq(mkfifo(part, 0666), 0);
	else if (_i == 1)
		ck_assert_int_eq(link(mine, part), 0);
	else
		ck_assert_int_eq(symlink(mine, part), 0);
	file = begin_step("0", 0, 5, &record);
	ck_assert_int_eq(end_step(file, record), 0);
	ck_assert_uint_eq(samples_of_job(), 5);
	text = scratch_read(mine);
	ck_assert_str_eq(text, "mine\n");
	free(text);
}

/* slurmstepd takes the umask of the job, and its user reads the record. */
TEST(the_umask_of_a_job_does_not_hide_records)
{
	mode_t old = umask(0777);
	struct lw_record *record = make_record("0");
	struct lw_record_file *file = NULL;
	char *dir = strdup(scratch_path("spool")), path[256];
	struct lw_error err = { "" };
	int rc;

	add(record, 0, 50);
	record->head.user_id = 4242424;
	rc = lw_record_file_create(dir, record, &file, &err);
	umask(old);
	ck_assert_msg(!rc, "%s", err.text);
	snprintf(path, sizeof(path), "%s/77.n1.0.part", dir);
	ck_assert_uint_eq(mode_of(dir) & 07777, 0755);
	ck_assert_uint_eq(mode_of(path) & 07777, 0640);
	ck_assert_int_eq(end_step(file, record), 0);
	free(dir);
}

/* The disk was full when the step was killed. */
TEST(a_note_behind_half_a_line_is_read)
{
	const char *const dirs[] = { scratch_dir };
	struct lw_record_file *file;
	struct lw_record *record;
	struct lw_record_list list;
	FILE *out;

	file = begin_step("0", 0, 5, &record);
	kill_step(file, record);
	out = fopen(scratch_path("77.n1.0.part"), "a");
	ck_assert_ptr_nonnull(out);
	fputs("b 1700000", out);
	fclose(out);
	ck_assert_int_eq(lw_record_settle(scratch_dir, 77, "n1", NULL), 0);
	ck_assert_int_eq(lw_record_note_owed(scratch_dir, 77, "n1"), 0);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, NULL), 0);
	ck_assert(lw_record_is_owed(list.records[0]));
	ck_assert_uint_eq(list.records[0]->damaged, 1);
	lw_record_list_fini(&list);
}

/* A step whose own part is gone settles, and the one beside it goes on. */
TEST(a_part_that_grows_is_not_taken_away)
{
	struct lw_record_file *file;
	struct lw_record *record;

	file = begin_step("1", 0, 5, &record);
	ck_assert_int_eq(lw_record_settle(scratch_dir, 77, "n1", NULL), 0);
	ck_assert(lw_record_is_watched(scratch_dir, 77, "n1", "1"));
	ck_assert_int_eq(end_step(file, record), 0);
	ck_assert_uint_eq(samples_of_job(), 5);
}

/* Lines whose check is right, and that no writer of ours makes. */
static const struct {
	const char *line;
	bool damaged;
} strange[] = {
	{ "b 19675 2,1,90/50", false },
	{ "b 19675 2,3,90/50", true },
	{ "b 19675 2,1,90/50/3", true },
	{ "b 19675 2,1,101/50", true },
	{ "b 19675 2,1,5/5/0", true },
	{ "b 19675 4294967295,1,18446744073709551615/4294967295", true },
	{ "b 19675 4294967295,4294967295,0/0", false },
	{ "b 92233720368547758 2,1,90/50", true },
	{ "e 9223372036854775807", true },
	{ "s 9223372036854775807", true },
};

static void add_line(FILE *out, const char *line)
{
	fprintf(out, "%s ~%08" PRIx32 "\n", line, lw_crc32(line, strlen(line)));
}

/* Whatever is read can be added up and shown. */
TEST_EACH(a_strange_line_is_damage, LW_COUNT_OF(strange))
{
	const char *const dirs[] = { scratch_dir };
	FILE *out = fopen(scratch_path("77.n1.gpu"), "w");
	struct lw_record_list list;
	struct lw_gpu_summary sum;

	ck_assert_ptr_nonnull(out);
	add_line(out, "lw-record 1 job=77 node=n1 step=0 start=1700000000 interval=86400 "
		      "bucket=86400 metrics=util");
	add_line(out, "g index=0 mem=0 id=GPU-0");
	add_line(out, strange[_i].line);
	fclose(out);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, NULL), 0);
	ck_assert_uint_eq(list.records[0]->damaged, strange[_i].damaged);
	lw_summary_gpu(list.records[0], 0, &sum);
	ck_assert_uint_le(lw_stat_mean(&sum.stat[LW_METRIC_UTIL]),
			  sum.stat[LW_METRIC_UTIL].max);
	ck_assert_int_ge(sum.idle_s, 0);
	lw_record_list_fini(&list);
}

/* No record of ours is as large, and no line as long: they cost nobody memory. */
TEST(what_is_far_too_large_is_not_read)
{
	static char line[17000];
	const char *const dirs[] = { scratch_dir };
	FILE *out = fopen(scratch_path("77.n1.gpu"), "w");
	struct lw_record_list list;
	struct lw_error err = { "" };

	ck_assert_ptr_nonnull(out);
	memset(line, 'x', sizeof(line) - 1);
	add_line(out, "lw-record 1 job=77 node=n1 step=0 start=1700000000 interval=86400 "
		      "bucket=86400 metrics=util");
	add_line(out, line);
	fclose(out);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, NULL), 0);
	ck_assert_uint_eq(list.records[0]->damaged, 1);
	lw_record_list_fini(&list);
	ck_assert_int_eq(truncate(scratch_path("77.n1.gpu"), 17 << 20), 0);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, strerror(EFBIG)));
}
