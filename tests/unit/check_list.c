/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/list: the records of every job, in any number of directories. */
#include "record/list.h"

#include "record/file.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define START 1700000000

static struct lw_record *make_record(uint32_t job_id, const char *node)
{
	struct lw_record_head head = { .job_id = job_id, .interval_s = 10, .start_s = START,
				       .step = "batch", .gpu_count = 1 };
	struct lw_gpu_sample sample = { .has = 1u << LW_METRIC_UTIL };
	struct lw_record *record = NULL;

	snprintf(head.node, sizeof(head.node), "%s", node);
	snprintf(head.gpu[0].id, sizeof(head.gpu[0].id), "GPU-%s", node);
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	ck_assert_int_eq(lw_record_add(record, START, &sample), 0);
	return record;
}

/* Written by hand, since a real writer flushes each to the disk. */
static void write_job(const char *folder, uint32_t job_id, const char *node)
{
	struct lw_record *record = make_record(job_id, node);
	struct lw_strbuf text = LW_STRBUF_INIT;
	char name[64];

	lw_record_print(record, &text);
	snprintf(name, sizeof(name), "%s%u.%s.gpu", folder, job_id, node);
	scratch_write(name, lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
	lw_record_destroy(record);
}

struct visited {
	uint32_t jobs, records, last, unread, live;
};

static int count_job(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	struct visited *visited = arg;

	ck_assert_uint_gt(job_id, visited->last);
	visited->last = job_id;
	visited->jobs++;
	visited->records += list->count;
	visited->unread += list->unread;
	visited->live += list->live;
	return 0;
}

static struct visited visit(const char *const *dirs, uint32_t count, bool live_only,
			    struct lw_error *err)
{
	const struct lw_record_search search = { dirs, count, 0, live_only };
	struct visited visited = { 0 };

	ck_assert_int_eq(lw_record_visit(&search, count_job, &visited, err), 0);
	return visited;
}

FIXTURE(scratch_setup, scratch_teardown);

/*
 * A machine that has seen many jobs, more than most processes may have files open, a second
 * directory, and files that are no records.
 */
TEST(thousands_of_jobs_are_visited_in_order)
{
	const uint32_t many = 2000;
	char other[96];
	const char *const dirs[] = { scratch_dir, other };
	struct lw_error err = { "" };
	struct visited visited;

	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	ck_assert_int_eq(mkdir(other, 0755), 0);
	for (uint32_t job = 1; job <= many; job++)
		write_job("", job, "n1");
	write_job("other/", 9, "n2");
	write_job("other/", 40000, "n2");
	visited = visit(dirs, 2, false, &err);
	ck_assert_uint_eq(visited.jobs, many + 1);
	ck_assert_uint_eq(visited.records, many + 2);
	ck_assert_str_eq(err.text, "");
	scratch_write("77.n9.gpu", "");
	scratch_write("0.n9.gpu", "");
	scratch_write("x.n9.gpu", "");
	scratch_write("5.gpu.new", "");
	visited = visit(dirs, 2, false, &err);
	ck_assert_uint_eq(visited.jobs, many + 1);
	ck_assert_uint_eq(visited.unread, 1);
	ck_assert_msg(strstr(err.text, "77.n9.gpu") != NULL, "%s", err.text);
	ck_assert_uint_eq(visit(dirs, 2, true, &err).jobs, 0);
}

TEST(living_steps_are_told_from_dead_ones)
{
	struct lw_record *living = make_record(12, "n1"), *dead = make_record(13, "n1");
	struct lw_record_file *living_file = NULL, *dead_file = NULL;
	const char *const dirs[] = { scratch_dir };
	struct visited visited;

	ck_assert_int_eq(lw_record_file_create(scratch_dir, living, &living_file, NULL), 0);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, dead, &dead_file, NULL), 0);
	lw_record_file_abandon(dead_file);
	visited = visit(dirs, 1, true, NULL);
	ck_assert_uint_eq(visited.jobs, 1);
	ck_assert_uint_eq(visited.live, 1);
	ck_assert_uint_eq(visited.last, 12);
	ck_assert(lw_record_job_is_live(scratch_dir, 12));
	ck_assert(!lw_record_job_is_live(scratch_dir, 13));
	ck_assert_uint_eq(visit(dirs, 1, false, NULL).jobs, 2);
	lw_record_file_abandon(living_file);
	lw_record_destroy(living);
	lw_record_destroy(dead);
}

static int stop(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	(void)list;
	*(uint32_t *)arg = job_id;
	return job_id == 2 ? -EINTR : 0;
}

TEST(visitor_may_end_it)
{
	const char *const dirs[] = { scratch_dir }, *const none[] = { scratch_dir, "/no/such" };
	const struct lw_record_search one = { dirs, 1, 0, false }, both = { none, 2, 0, false },
				      gone = { none + 1, 1, 0, false };
	struct lw_error err = { "" };
	uint32_t last = 0;

	for (uint32_t job = 1; job <= 3; job++)
		write_job("", job, "n1");
	ck_assert_int_eq(lw_record_visit(&one, stop, &last, NULL), -EINTR);
	ck_assert_uint_eq(last, 2);
	/* one directory that is not there hides nothing of the other, and is told of */
	last = 0;
	ck_assert_int_eq(lw_record_visit(&both, stop, &last, &err), -EINTR);
	ck_assert_uint_eq(last, 2);
	ck_assert_msg(strstr(err.text, "/no/such") != NULL, "%s", err.text);
	ck_assert_int_eq(lw_record_visit(&gone, stop, &last, &err), -ENOENT);
}

/* All that cannot be read is named, not the last of it alone. */
TEST(each_unreadable_one_is_named)
{
	const char *const dirs[] = { scratch_dir, "/no/such", "/nor/this" };
	struct lw_record_list list;
	struct lw_error err;

	write_job("", 77, "n1");
	scratch_write("77.n8.gpu", "not one");
	scratch_write("77.n9.gpu", "nor that");
	ck_assert_int_eq(lw_record_list_read(dirs, 3, 77, &list, &err), 0);
	ck_assert_uint_eq(list.count, 1);
	ck_assert_uint_eq(list.unread, 2);
	lw_record_list_fini(&list);
	ck_assert_msg(strstr(err.text, "77.n8.gpu") && strstr(err.text, "77.n9.gpu") &&
			      strstr(err.text, "/no/such") && strstr(err.text, "/nor/this"),
		      "%s", err.text);
}

/* Room on the disk is gone in the middle of a line, and comes back later. */
TEST(full_disk_loses_nothing_in_the_end)
{
	struct lw_record *record = make_record(5, "n1");
	const char *const dirs[] = { scratch_dir };
	struct lw_gpu_sample sample = { .has = 1u << LW_METRIC_UTIL };
	struct lw_record_file *file = NULL;
	struct lw_error err = { "" };
	struct lw_record_list list;
	struct rlimit room = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &room);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	for (int i = 1; i < 100; i++) {
		ck_assert_int_eq(lw_record_add(record, START + i * 10, &sample), 0);
		if (i != 20 && i != 50)
			continue;
		/* from reading 20 to 50 no file may grow beyond 500 bytes */
		room.rlim_cur = i == 20 ? 500 : room.rlim_max;
		ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &room), 0);
		ck_assert_int_eq(lw_record_file_save(file, record, &err), i == 20 ? -EFBIG : 0);
		if (i == 20)
			ck_assert_msg(strstr(err.text, "5.n1.batch.part: cannot write: ") != NULL,
				      "%s", err.text);
		/* what was saved before can be read all the while */
		ck_assert_int_eq(lw_record_list_read(dirs, 1, 5, &list, NULL), 0);
		ck_assert_uint_ge(list.records[0]->bucket_count, 1);
		lw_record_list_fini(&list);
	}
	ck_assert_int_eq(lw_record_file_finish(file, record, &err), 0);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 5, &list, NULL), 0);
	ck_assert_uint_eq(list.records[0]->bucket_count, 100);
	ck_assert_uint_eq(list.records[0]->damaged, 0);
	lw_record_list_fini(&list);
	lw_record_destroy(record);
}
