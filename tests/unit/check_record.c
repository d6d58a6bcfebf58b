/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/record and record/file. */
#include "record/file.h"
#include "record/list.h"
#include "record/record.h"
#include "record/summary.h"

#include "base/crc32.h"
#include "unit/records.h"
#include "unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];

static void make_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/leeway-check-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void remove_dir(void)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	char path[512];

	while (stream && (entry = readdir(stream))) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		unlink(path);
	}
	if (stream)
		closedir(stream);
	rmdir(dir);
}

static char *to_text(const struct lw_record *record, size_t *ret_size)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	lw_record_print(record, &text);
	ck_assert_int_eq(text.error, 0);
	*ret_size = text.len;
	return text.text;
}

static void same_text(const struct lw_record *a, const struct lw_record *b)
{
	size_t a_size, b_size;
	char *a_text = to_text(a, &a_size), *b_text = to_text(b, &b_size);

	ck_assert_str_eq(a_text, b_text);
	free(a_text);
	free(b_text);
}

TEST(a_million_samples_keep_the_size_and_the_sums)
{
	struct lw_record *record = make_record("batch", 2, 10);
	struct lw_gpu_summary sum;
	char *text;
	size_t size;
	const uint32_t count = 1000000;

	for (uint32_t i = 0; i < count; i++)
		add(record, (int64_t)i * 10, i % 100, i % 5000);
	ck_assert_uint_le(record->bucket_count, LW_RECORD_BUCKETS);
	ck_assert_uint_gt(record->bucket_count, LW_RECORD_BUCKETS / 4);
	sum = gpu_of(record, 1);
	ck_assert_uint_eq(sum.samples, count);
	ck_assert_uint_eq(sum.stat[LW_METRIC_UTIL].sum, UINT64_C(49500000));
	ck_assert_uint_eq(sum.stat[LW_METRIC_UTIL].max, 99);
	ck_assert_uint_eq(sum.stat[LW_METRIC_MEM].max, 4999);
	ck_assert_int_eq(sum.idle_s, 10 * (count / 100));
	text = to_text(record, &size);
	ck_assert_uint_lt(size, 100 * 1024);
	free(text);
	lw_record_destroy(record);
}

/* It is no reading, and no time; it is written, and read back. */
TEST(what_is_known_at_the_end_is_no_reading)
{
	struct lw_record *record = make_record("batch", 2, 10), *again = NULL;
	struct lw_gpu_sample end[2] = { { 1u << LW_METRIC_PCIE, { [LW_METRIC_PCIE] = 940 } },
					{ 0 } };
	struct lw_gpu_summary sum;
	struct lw_error err;
	char *text;
	size_t size;

	lw_record_add_at_end(record, end);
	ck_assert_uint_eq(record->bucket_count, 0);
	for (int i = 0; i < 3; i++)
		add(record, i * 10, 0, 500);
	lw_record_mark_saved(record);
	lw_record_add_at_end(record, end);
	ck_assert_uint_eq(record->changed_from, 2);
	text = to_text(record, &size);
	ck_assert_int_eq(lw_record_parse("x", text, size, &again, &err), 0);
	ck_assert_uint_eq(again->damaged, 0);
	sum = gpu_of(again, 0);
	ck_assert_uint_eq(sum.samples, 3);
	ck_assert_int_eq(sum.idle_s, 30);
	ck_assert_uint_eq(sum.stat[LW_METRIC_PCIE].count, 1);
	ck_assert_uint_eq(sum.stat[LW_METRIC_PCIE].sum, 940);
	ck_assert_uint_eq(gpu_of(again, 1).stat[LW_METRIC_PCIE].count, 0);
	free(text);
	lw_record_destroy(again);
	lw_record_destroy(record);
}

TEST(gaps_and_a_clock_set_back_are_kept)
{
	static const int64_t times[] = { 0, 1000000, 10, 999990, -500000, 5, 20000000 };
	struct lw_record *record = make_record("0", 1, 10);

	for (size_t i = 0; i < LW_COUNT_OF(times); i++)
		add(record, times[i], 50, 1);
	for (int i = 0; i < 5000; i++)
		add(record, i * 7919, 50, 1);
	ck_assert_uint_eq(gpu_of(record, 0).samples, 5000 + LW_COUNT_OF(times));
	ck_assert_uint_le(record->bucket_count, LW_RECORD_BUCKETS);
	for (uint32_t i = 1; i < record->bucket_count; i++)
		ck_assert_int_lt(record->slot[i - 1], record->slot[i]);
	lw_record_destroy(record);
}

TEST_EACH(text_gives_the_record_back, 3)
{
	struct lw_record *record = make_record("batch", 1 + (uint32_t)_i, 5), *again = NULL;
	struct lw_error err;
	char *text;
	size_t size;

	for (int i = 0; i < 2000; i++)
		add(record, i * 5, (uint32_t)i % 101, (uint32_t)i);
	record->head.end_s = _i ? START + 10000 : 0;
	text = to_text(record, &size);
	ck_assert_int_eq(lw_record_parse("x", text, size, &again, &err), 0);
	ck_assert_uint_eq(again->damaged, 0);
	same_text(record, again);
	free(text);
	lw_record_destroy(record);
	lw_record_destroy(again);
}

/* Whatever the place of the cut, all lines before it are read. */
TEST(cut_text_is_read_up_to_the_cut)
{
	struct lw_record *record = make_record("batch", 1, 5), *again = NULL;
	size_t size, head;
	char *text;

	for (int i = 0; i < 20; i++)
		add(record, i * 5, 10, 10);
	text = to_text(record, &size);
	head = (size_t)(strstr(text, "\nb ") + 1 - text);
	for (size_t cut = 0; cut < size; cut++) {
		char *copy = malloc(cut + 1);
		uint32_t lines = 0;
		int rc;

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, text, cut);
		rc = lw_record_parse("x", copy, cut, &again, NULL);
		ck_assert_int_eq(rc, cut > (size_t)(strchr(text, '\n') - text) ? 0 : -EBADMSG);
		for (size_t i = head; i < cut; i++)
			lines += copy[i] == '\n';
		if (cut >= head)
			ck_assert_uint_eq(again->bucket_count, lines);
		free(copy);
		if (!rc)
			lw_record_destroy(again);
	}
	free(text);
	lw_record_destroy(record);
}

/* One flipped bit anywhere loses at most the line it is in, and never goes unseen. */
TEST(damage_is_seen)
{
	struct lw_record *record = make_record("batch", 2, 5), *again = NULL;
	size_t size, first;
	char *text;

	for (int i = 0; i < 6; i++)
		add(record, i * 5, 10, 10);
	text = to_text(record, &size);
	first = (size_t)(strchr(text, '\n') - text);
	for (size_t at = 0; at < size; at++) {
		int rc;

		text[at] ^= (char)(1 << (at % 7));
		rc = lw_record_parse("x", text, size, &again, NULL);
		text[at] ^= (char)(1 << (at % 7));
		if (at <= first) {
			ck_assert_int_ne(rc, 0);
			continue;
		}
		ck_assert_int_eq(rc, 0);
		ck_assert_uint_ge(again->damaged, 1);
		lw_record_destroy(again);
	}
	free(text);
	lw_record_destroy(record);
}

static const struct {
	const char *line;
	int want;
} first_lines[] = {
	{ "lw-record 2 job=1", -ENOTSUP },
	{ "lw-record 1 job=1 node=n step=0 start=1 interval=1 bucket=1 metrics=util", 0 },
	{ "lw-record 1 job=1 node=n step=0 start=1 interval=1 bucket=1 metrics=new,util", 0 },
	{ "lw-record 1 job=1 node=n step=0 start=1 interval=0 bucket=1 metrics=util", -EBADMSG },
	{ "lw-record 1 job=1 node=n step=0 start=1 interval=1 metrics=util", -EBADMSG },
	{ "lw-record 1 job=x node=n step=0 start=1 interval=1 bucket=1 metrics=util", -EBADMSG },
	{ "lw-record x job=1", -EBADMSG },
	{ "lw-history 1 job=1", -EBADMSG },
};

TEST_EACH(first_line_is_read_or_refused, LW_COUNT_OF(first_lines))
{
	const char *first = first_lines[_i].line;
	struct lw_record *record = NULL;
	struct lw_error err = { "" };
	char line[256];

	snprintf(line, sizeof(line), "%s ~%08" PRIx32 "\n", first,
		 lw_crc32(first, strlen(first)));
	ck_assert_int_eq(lw_record_parse("x", line, strlen(line), &record, &err),
			 first_lines[_i].want);
	ck_assert_int_eq(err.text[0] != '\0', first_lines[_i].want != 0);
	lw_record_destroy(record);
}

static const struct lw_record_head bad_heads[] = {
	{ .job_id = 1, .node = "n", .step = "0" },
	{ .job_id = 1, .node = "", .step = "0", .interval_s = 1 },
	{ .job_id = 1, .node = "a b", .step = "0", .interval_s = 1 },
	{ .job_id = 1, .node = "../n", .step = "0", .interval_s = 1 },
	{ .job_id = 1, .node = "n", .step = "", .interval_s = 1 },
	{ .job_id = 1, .node = "n", .step = "0", .interval_s = 1, .gpu_count = 33 },
	{ .job_id = 1, .node = "n", .step = "0", .interval_s = 1, .gpu_count = 1 },
};

TEST_EACH(bad_head_is_refused, LW_COUNT_OF(bad_heads))
{
	struct lw_record *record = NULL;

	ck_assert_int_eq(lw_record_create(&bad_heads[_i], &record), -EINVAL);
	ck_assert_ptr_null(record);
}

/* ---- files ---- */

static struct lw_record *read_one(uint32_t want_count)
{
	const char *const dirs[] = { dir };
	struct lw_record_list list;
	struct lw_record *first;
	struct lw_error err;

	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, &err), 0);
	ck_assert_uint_eq(list.count, want_count);
	ck_assert_str_eq(err.text, "");
	first = list.records[0];
	list.records[0] = NULL;
	lw_record_list_fini(&list);
	return first;
}

static long size_of(const char *name)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return stat(path, &st) ? -1 : (long)st.st_size;
}

FIXTURE(make_dir, remove_dir);

TEST(file_follows_the_record)
{
	struct lw_record *record = make_record("batch", 1, 1), *read;
	struct lw_record_file *file = NULL;
	struct lw_error err;

	ck_assert_int_eq(lw_record_file_create(dir, record, &file, &err), 0);
	for (int i = 0; i < 20000; i++) {
		add(record, i, 50, 10);
		if (i % 60 == 0) {
			ck_assert_int_eq(lw_record_file_save(file, record, &err), 0);
			ck_assert_int_lt(size_of("77.n1.batch.part"), 120 * 1024);
		}
		if (i % 1860 == 0) {
			read = read_one(1);
			same_text(read, record);
			lw_record_destroy(read);
		}
	}
	ck_assert(lw_record_is_watched(dir, 77, "n1", "batch"));
	ck_assert(!lw_record_is_watched(dir, 77, "n1", "0"));
	ck_assert_int_eq(lw_record_file_finish(file, record, &err), 0);
	ck_assert_int_gt(size_of("jobs/77/77.n1.gpu"), 0);
	ck_assert_int_eq(size_of("77.n1.batch.part"), -1);
	read = read_one(1);
	ck_assert_uint_eq(gpu_of(read, 0).samples, 20000);
	lw_record_destroy(read);
	lw_record_destroy(record);
}

static void write_step(const char *step, int from, int to, bool finish)
{
	struct lw_record *record = make_record(step, 1, 10);
	struct lw_record_file *file = NULL;
	struct lw_error err;

	ck_assert_int_eq(lw_record_file_create(dir, record, &file, &err), 0);
	for (int i = from; i < to; i++)
		add(record, i * 10, 50, 10);
	if (finish) {
		ck_assert_int_eq(lw_record_file_finish(file, record, &err), 0);
	} else {
		ck_assert_int_eq(lw_record_file_save(file, record, &err), 0);
		lw_record_file_abandon(file);
	}
	lw_record_destroy(record);
}

TEST(many_steps_make_one_file)
{
	struct lw_record *read;

	for (int i = 0; i < 10; i++) {
		char step[16];

		snprintf(step, sizeof(step), "%d", i);
		/* step 4 is killed: its part is left for the next to take in */
		write_step(step, i * 20, i * 20 + 20, i != 4);
	}
	ck_assert_int_eq(size_of("77.n1.4.part"), -1);
	read = read_one(1);
	ck_assert_uint_eq(gpu_of(read, 0).samples, 200);
	lw_record_destroy(read);
}

TEST(part_of_a_dead_step_is_read)
{
	struct lw_record *read;

	write_step("batch", 0, 50, false);
	ck_assert(!lw_record_is_watched(dir, 77, "n1", "batch"));
	read = read_one(1);
	ck_assert_uint_eq(gpu_of(read, 0).samples, 50);
	ck_assert_int_eq(read->head.end_s, 0);
	lw_record_destroy(read);
}

TEST(no_record_and_no_directory_are_told)
{
	struct lw_record *record = make_record("0", 1, 1);
	const char *const dirs[] = { dir, "/no/such" };
	struct lw_record_file *file = NULL;
	struct lw_error err = { "" };
	struct lw_record_list list;

	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, &err), -ENOENT);
	ck_assert(strstr(err.text, "job 77") != NULL);
	ck_assert_int_eq(lw_record_list_read(dirs, 2, 77, &list, &err), -ENOENT);
	ck_assert(strstr(err.text, "/no/such") != NULL);
	ck_assert_int_eq(lw_record_file_create("/proc/leeway", record, &file, &err), -ENOENT);
	ck_assert(strstr(err.text, "/proc/leeway") != NULL);
	ck_assert_ptr_null(file);
	lw_record_file_abandon(NULL);
	lw_record_destroy(record);
}
