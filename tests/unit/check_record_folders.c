/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of where records lie: what a look-up passes by, and what one user fills. */
#include "record/file.h"
#include "record/list.h"
#include "record/neighbours.h"
#include "record/quota.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define START 1700000000
#define MANY  300

/* ---- names that are looked at ---- */

static unsigned names_seen;

/* Job 7 ends once so many folders have been read to their end. */
static unsigned ends_after;

/* In the C library's place: every name of a directory comes through here. */
struct dirent *readdir(DIR *stream)
{
	static struct dirent *(*next)(DIR * stream);
	struct dirent *entry;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "readdir64");
	names_seen++;
	entry = next(stream);
	if (!entry && ends_after && !--ends_after)
		ck_assert_int_eq(lw_record_settle(scratch_dir, 7, "n1", NULL), 0);
	return entry;
}

/* So is the time that a lock is waited for: none of it passes. */
static unsigned waits;

int poll(struct pollfd *fds, nfds_t count, int ms)
{
	(void)fds;
	ck_assert_uint_eq(count, 0);
	ck_assert_int_gt(ms, 0);
	waits++;
	return 0;
}

/* ---- records ---- */

static struct lw_record *make_record(uint32_t job_id, uint32_t user_id)
{
	struct lw_record_head head = { .job_id = job_id,
				       .interval_s = 10,
				       .start_s = START,
				       .user_id = user_id,
				       .node = "n1",
				       .step = "0",
				       .gpu_count = 1,
				       .gpu[0].id = "GPU-0" };
	struct lw_gpu_sample sample = { 1u << LW_METRIC_UTIL, { [LW_METRIC_UTIL] = 50 } };
	struct lw_record *record = NULL;

	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	ck_assert_int_eq(lw_record_add(record, START, &sample), 0);
	return record;
}

/* A step of the job runs; its record is saved. */
static struct lw_record_file *begin_step(uint32_t job_id, uint32_t user_id,
					 struct lw_record **ret_record)
{
	struct lw_record_file *file = NULL;
	struct lw_error err = { "" };

	*ret_record = make_record(job_id, user_id);
	ck_assert_msg(!lw_record_file_create(scratch_dir, *ret_record, &file, &err), "%s",
		      err.text);
	return file;
}

static int run_job(uint32_t job_id, uint32_t user_id)
{
	struct lw_record *record;
	struct lw_record_file *file = begin_step(job_id, user_id, &record);
	int rc = lw_record_file_finish(file, record, NULL);

	lw_record_destroy(record);
	return rc;
}

/* As an earlier release left it: beside the parts. */
static void write_old(uint32_t job_id, uint32_t user_id)
{
	struct lw_record *record = make_record(job_id, user_id);
	struct lw_strbuf text = LW_STRBUF_INIT;
	char name[64];

	lw_record_print(record, &text);
	snprintf(name, sizeof(name), "%" PRIu32 ".n1.gpu", job_id);
	scratch_write(name, lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
	lw_record_destroy(record);
}

static const char *final_of(uint32_t job_id)
{
	char name[64];

	snprintf(name, sizeof(name), "jobs/%" PRIu32 "/%" PRIu32 ".n1.gpu", job_id, job_id);
	return scratch_path(name);
}

static bool is_kept(uint32_t job_id)
{
	return !access(final_of(job_id), F_OK);
}

static uint32_t records_of(uint32_t job_id)
{
	const char *const dirs[] = { scratch_dir };
	struct lw_record_list list;
	uint32_t count;

	if (lw_record_list_read(dirs, 1, job_id, &list, NULL))
		return 0;
	count = list.count;
	lw_record_list_fini(&list);
	return count;
}

/* ---- tests ---- */

static int visit_none(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	*(uint32_t *)arg = job_id;
	ck_assert(list->live);
	return 0;
}

FIXTURE(scratch_setup, scratch_teardown);

/* All that is done while jobs run, end and are looked after each few seconds. */
TEST(records_of_other_jobs_are_passed_by)
{
	const char *const dirs[] = { scratch_dir };
	const struct lw_record_search live = { dirs, 1, 0, true };
	const struct lw_record_head head = { .job_id = 5, .node = "n1" };
	struct lw_neighbours neighbours = { 0 };
	struct lw_record *record;
	struct lw_record_file *file;
	uint32_t seen = 0;

	for (uint32_t job = 1000; job < 1000 + MANY; job++)
		ck_assert_int_eq(run_job(job, 1), 0);
	file = begin_step(MANY, 1, &record);
	names_seen = 0;
	ck_assert(lw_record_job_is_live(scratch_dir, MANY));
	ck_assert_uint_eq(records_of(MANY), 1);
	ck_assert_uint_eq(records_of(1001), 1);
	lw_neighbours_look(&neighbours, scratch_dir, &head, "GPU-0");
	ck_assert_uint_eq(neighbours.count, 1);
	ck_assert_int_eq(lw_record_visit(&live, visit_none, &seen, NULL), 0);
	ck_assert_uint_eq(seen, MANY);
	ck_assert_int_eq(lw_record_file_finish(file, record, NULL), 0);
	ck_assert_int_eq(lw_record_settle(scratch_dir, 1001, "n1", NULL), 0);
	ck_assert_int_eq(lw_record_note_sent(scratch_dir, 1001, "n1"), 0);
	ck_assert_msg(names_seen > 0 && names_seen < MANY / 2, "%u", names_seen);
	lw_record_destroy(record);
}

/* A job that lives is told of with what its earlier steps left. */
TEST(a_living_jobs_earlier_steps_count)
{
	const char *const dirs[] = { scratch_dir };
	struct lw_record *record;
	struct lw_record_file *file;
	struct lw_record_list list;

	ck_assert_int_eq(run_job(7, 1), 0);
	record = make_record(7, 1);
	snprintf(record->head.step, sizeof(record->head.step), "1");
	record->head.start_s = START + 1000;
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 7, &list, NULL), 0);
	ck_assert(list.live);
	ck_assert_int_eq(list.records[0]->head.start_s, START);
	ck_assert_str_eq(list.records[0]->head.step, "-");
	lw_record_list_fini(&list);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

static int count_records(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	if (job_id == 7)
		*(uint32_t *)arg += list->count;
	ck_assert_uint_eq(list->unread, 0);
	return 0;
}

/* Between any two folders of a look at all; a part, or one of an earlier release. */
TEST_EACH(a_job_that_ends_meanwhile_is_told_of, 6)
{
	const char *const dirs[] = { scratch_dir };
	const struct lw_record_search all = { dirs, 1, 0, false };
	struct lw_record *record;
	struct lw_error err = { "" };
	uint32_t seen = 0;

	ck_assert_int_eq(run_job(9, 1), 0);
	if (_i % 2) {
		write_old(7, 1);
	} else {
		lw_record_file_abandon(begin_step(7, 1, &record));
		lw_record_destroy(record);
	}
	ends_after = 1 + (unsigned)_i / 2;
	ck_assert_int_eq(lw_record_visit(&all, count_records, &seen, &err), 0);
	ck_assert(!ends_after && is_kept(7));
	ck_assert_str_eq(err.text, "");
	ck_assert_uint_eq(seen, 1);
}

/* Found where they are, and moved when the next job ends. */
TEST(records_of_an_earlier_release_are_moved)
{
	write_old(40, 0);
	write_old(41, 0);
	scratch_write("42.n1.gpu", "garbage\n");
	ck_assert_uint_eq(records_of(40), 1);
	ck_assert_int_eq(lw_record_note_owed(scratch_dir, 40, "n1"), 0);
	ck_assert_int_eq(run_job(41, 0), 0);
	ck_assert(is_kept(40) && is_kept(41) && !is_kept(42));
	ck_assert_int_ne(access(scratch_path("40.n1.gpu"), F_OK), 0);
	ck_assert_int_ne(access(scratch_path("41.n1.gpu"), F_OK), 0);
	ck_assert_uint_eq(records_of(40), 1);
	ck_assert_uint_eq(records_of(41), 1);
	/* a slurmstepd of the earlier release ends after it */
	write_old(40, 0);
	ck_assert_int_eq(run_job(43, 0), 0);
	ck_assert_int_ne(access(scratch_path("40.n1.gpu"), F_OK), 0);
	ck_assert_uint_eq(records_of(40), 1);
}

/* User 1 has COUNT records of BYTES, from job 100000 on; the first is there. */
static void note_many(unsigned count, uint64_t bytes)
{
	FILE *out;

	ck_assert_int_eq(run_job(100000, 1), 0);
	ck_assert_int_eq(run_job(99, 2), 0);
	ck_assert(is_kept(100000) && is_kept(99));
	out = fopen(scratch_path("users/1"), "w");
	ck_assert_ptr_nonnull(out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "%u.n1 %" PRIu64 "\n", 100000 + i, bytes);
	fclose(out);
}

static const struct {
	unsigned count;
	uint64_t bytes;
	bool kept;
} fills[] = {
	{ LW_QUOTA_RECORDS - 1, 8192, true },
	{ LW_QUOTA_RECORDS, 8192, false },
	{ 16, LW_QUOTA_BYTES / 17, true },
	{ 16, LW_QUOTA_BYTES / 16, false },
};

/* The oldest of the same user goes, and no other's. */
TEST_EACH(a_user_has_so_many_records, LW_COUNT_OF(fills))
{
	note_many(fills[_i].count, fills[_i].bytes);
	ck_assert_int_eq(run_job(7, 1), 0);
	ck_assert(is_kept(7) && is_kept(99));
	ck_assert_int_eq(is_kept(100000), fills[_i].kept);
	ck_assert_int_eq(!access(scratch_path("jobs/100000"), F_OK), fills[_i].kept);
	/* the same job again is no other one */
	ck_assert_int_eq(run_job(7, 1), 0);
	ck_assert_int_eq(is_kept(100000), fills[_i].kept);
}

/* Whatever is moved, what was recorded since is newer. */
TEST_EACH(records_of_an_earlier_release_are_the_oldest, LW_COUNT_OF(fills))
{
	const bool kept = fills[_i].kept;
	char *text;

	note_many(fills[_i].count, fills[_i].bytes);
	write_old(40, 1);
	ck_assert_int_eq(run_job(99, 2), 0);
	ck_assert(is_kept(100000));
	ck_assert_int_eq(is_kept(40), kept);
	ck_assert_int_eq(!access(scratch_path("jobs/40"), F_OK), kept);
	ck_assert_int_ne(access(scratch_path("40.n1.gpu"), F_OK), 0);
	text = scratch_read(scratch_path("users/1"));
	ck_assert_int_eq(!strncmp(text, "40.n1 ", 6), kept);
	ck_assert_ptr_null(strstr(text, "\n40.n1 "));
	free(text);
}

/* Of the same job: its folder is about to have another record. */
TEST(a_record_goes_where_the_oldest_was)
{
	struct lw_record *record;
	struct lw_record_file *file;

	note_many(LW_QUOTA_RECORDS, 8192);
	record = make_record(100000, 1);
	snprintf(record->head.node, sizeof(record->head.node), "n2");
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	ck_assert_int_eq(lw_record_file_finish(file, record, NULL), 0);
	ck_assert(!is_kept(100000));
	ck_assert_int_eq(access(scratch_path("jobs/100000/100000.n2.gpu"), F_OK), 0);
	ck_assert_int_ne(access(scratch_path("100000.n2.0.part"), F_OK), 0);
	lw_record_destroy(record);
}

/* As a crash leaves it, and as nobody of ours writes it. */
static const char *const damaged[] = {
	"",
	"100000.n1",
	"100000.n1 x\n",
	"../../x 1\n",
	"\n\n1 1\n.. 1\n",
	"4711.n1/../x 4000000000\n",
};

TEST_EACH(a_damaged_list_is_no_harm, LW_COUNT_OF(damaged))
{
	char *text;

	ck_assert_int_eq(run_job(6, 1), 0);
	scratch_write("users/1", damaged[_i]);
	ck_assert_int_eq(run_job(7, 1), 0);
	ck_assert(is_kept(6) && is_kept(7));
	text = scratch_read(scratch_path("users/1"));
	ck_assert_ptr_nonnull(strstr(text, "7.n1 "));
	free(text);
}

/* Put there while the directory was open to all: 0 a file, 1 a link, 2 a FIFO. */
static void plant(const char *name, int kind)
{
	const char *path = scratch_path(name);

	ck_assert_int_eq(mkdir(scratch_path("elsewhere"), 0755) && errno != EEXIST, 0);
	if (kind == 0)
		scratch_write(name, "mine\n");
	else if (kind == 1)
		ck_assert_int_eq(symlink(scratch_path("elsewhere"), path), 0);
	else
		ck_assert_int_eq(mkfifo(path, 0666), 0);
}

TEST_EACH(what_stands_in_a_folders_place_is_set_aside, 3)
{
	glob_t there;

	plant("jobs", _i);
	plant("users", _i);
	ck_assert_int_eq(run_job(7, 1), 0);
	ck_assert(is_kept(7));
	ck_assert_int_eq(glob(scratch_path("*.damaged-*"), 0, NULL, &there), 0);
	ck_assert_uint_eq(there.gl_pathc, 2);
	globfree(&there);
	ck_assert_int_eq(glob(scratch_path("elsewhere/*"), 0, NULL, &there), GLOB_NOMATCH);
	plant("jobs/8", _i);
	ck_assert_uint_eq(records_of(8), 0);
	ck_assert_int_eq(run_job(8, 1), 0);
	ck_assert(is_kept(8));
	ck_assert_int_eq(glob(scratch_path("elsewhere/*"), 0, NULL, &there), GLOB_NOMATCH);
}

/* Which user has which jobs is no other user's business. */
TEST(the_lists_of_users_are_roots)
{
	struct stat folder, list;

	ck_assert_int_eq(run_job(7, 1), 0);
	ck_assert_int_eq(stat(scratch_path("users"), &folder), 0);
	ck_assert_int_eq(stat(scratch_path("users/1"), &list), 0);
	ck_assert_uint_eq(folder.st_mode & 07777, 0700);
	ck_assert_uint_eq(list.st_mode & 07777, 0600);
}

/* Whoever hangs with the lock does not keep a job's end for ever; the part is not lost. */
TEST(a_lock_that_stays_is_not_waited_for_without_end)
{
	int fd;

	ck_assert_int_eq(run_job(6, 1), 0);
	fd = open(scratch_path(".lock"), O_RDWR);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(run_job(7, 1), -EAGAIN);
	ck_assert_uint_ge(waits, 100);
	ck_assert_uint_eq(records_of(7), 1);
	close(fd);
	ck_assert_int_eq(lw_record_settle(scratch_dir, 7, "n1", NULL), 0);
	ck_assert(is_kept(7));
}
