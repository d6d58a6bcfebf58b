/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/access.h and what relies on it, as the users it is about. */
#include "record/access.h"
#include "record/file.h"
#include "record/list.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <glob.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define START 1700000000
/* The job's user, another, and a group of records' readers. */
#define USER  4242
#define OTHER 4243
#define GROUP 4244

static char spool[128];

/* Only root can be somebody else. */
static bool is_root(void)
{
	if (geteuid())
		printf("# skipped: needs root\n");
	return !geteuid();
}

static void setup(void)
{
	scratch_setup();
	ck_assert_int_eq(chmod(scratch_dir, 0755), 0);
	snprintf(spool, sizeof(spool), "%s/spool", scratch_dir);
	ck_assert_int_eq(mkdir(spool, 0755), 0);
	ck_assert_int_eq(chmod(spool, 0755), 0);
}

static const char *in_spool(const char *name)
{
	static char paths[4][192];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", spool, name);
	return path;
}

static struct lw_record *make_record(uint32_t job_id, const char *step, uint32_t group)
{
	struct lw_record_head head = { .job_id = job_id,
				       .interval_s = 10,
				       .start_s = START,
				       .user_id = USER,
				       .group_id = group,
				       .node = "n1",
				       .gpu_count = 1,
				       .gpu[0].id = "GPU-0" };
	struct lw_gpu_sample sample = { 1u << LW_METRIC_UTIL, { [LW_METRIC_UTIL] = 50 } };
	struct lw_record *record = NULL;

	snprintf(head.step, sizeof(head.step), "%s", step);
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	ck_assert_int_eq(lw_record_add(record, START, &sample), 0);
	return record;
}

/* A part of job 77 in the spool, and the job's record if FINISHED. False: no ACLs here. */
static bool write_record(const char *step, uint32_t group, bool finished)
{
	struct lw_record *record = make_record(77, step, group);
	struct lw_record_file *file = NULL;
	struct lw_error err = { "" };
	bool hidden;

	ck_assert_msg(!lw_record_file_create(spool, record, &file, &err), "%s", err.text);
	hidden = lw_record_file_is_hidden(file);
	if (finished)
		ck_assert_int_eq(lw_record_file_finish(file, record, &err), 0);
	else
		lw_record_file_abandon(file);
	lw_record_destroy(record);
	if (hidden)
		printf("# skipped: no ACLs in /tmp\n");
	return !hidden;
}

/* What ACT returns as USER_ID in GROUP_ID, and in no other group. */
static int as_user(uid_t user_id, gid_t group_id, int (*act)(void))
{
	pid_t pid = fork();
	int status = 0;

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		if (setgroups(0, NULL) || setgid(group_id) || setuid(user_id))
			_exit(99);
		_exit(act());
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* ---- who reads ---- */

static int read_job(void)
{
	const char *const dirs[] = { spool };
	struct lw_record_list list;
	struct lw_error err = { "" };
	int rc = lw_record_list_read(dirs, 1, 77, &list, &err);

	if (!rc)
		lw_record_list_fini(&list);
	if (rc == -EACCES && !strstr(err.text, "job 77 is another user's"))
		return 98;
	return -rc;
}

static void is_read_by_whom_it_should(bool group)
{
	ck_assert_int_eq(as_user(USER, USER, read_job), 0);
	ck_assert_int_eq(as_user(OTHER, OTHER, read_job), EACCES);
	ck_assert_int_eq(as_user(OTHER, GROUP, read_job), group ? 0 : EACCES);
	ck_assert_int_eq(read_job(), 0);
}

FIXTURE(setup, scratch_teardown);

/* While a step runs, when it has ended, and when it is merged with what others left. */
TEST_EACH(a_record_is_its_users_and_the_groups, 2)
{
	uint32_t group = _i ? GROUP : 0;

	if (!is_root() || !write_record("0", group, false))
		return;
	is_read_by_whom_it_should(_i);
	ck_assert_int_eq(lw_record_settle(spool, 77, "n1", NULL), 0);
	is_read_by_whom_it_should(_i);
	write_record("1", group, false);
	write_record("2", group, false);
	ck_assert_int_eq(lw_record_settle(spool, 77, "n1", NULL), 0);
	is_read_by_whom_it_should(_i);
	ck_assert_int_eq(lw_record_note_owed(spool, 77, "n1"), 0);
	is_read_by_whom_it_should(_i);
}

/* A job of root's, or of nobody that is known, is for root and the group alone. */
TEST_EACH(a_record_without_a_user_is_roots, 2)
{
	struct lw_record *record = make_record(77, "0", 0);
	struct lw_record_file *file = NULL;

	if (is_root()) {
		record->head.user_id = _i ? LW_RECORD_NO_USER : 0;
		ck_assert_int_eq(lw_record_file_create(spool, record, &file, NULL), 0);
		ck_assert(!lw_record_file_is_hidden(file));
		ck_assert_int_eq(as_user(OTHER, GROUP, read_job), EACCES);
		ck_assert_int_eq(as_user(USER, USER, read_job), EACCES);
		lw_record_file_abandon(file);
	}
	lw_record_destroy(record);
}

/* A directory whose group is what is made in it gives nobody anything. */
TEST(the_directorys_group_does_not_read)
{
	if (!is_root())
		return;
	ck_assert_int_eq(chown(spool, 0, GROUP), 0);
	ck_assert_int_eq(chmod(spool, 02755), 0);
	if (!write_record("0", 0, false))
		return;
	ck_assert_int_eq(as_user(OTHER, GROUP, read_job), EACCES);
	write_record("1", 0, true);
	ck_assert_int_eq(as_user(OTHER, GROUP, read_job), EACCES);
	ck_assert_int_eq(as_user(USER, USER, read_job), 0);
}

TEST(a_group_is_found_or_told)
{
	struct lw_error err = { "" };
	uint32_t group = 7;

	ck_assert_int_eq(lw_access_find_group("4244", &group, &err), 0);
	ck_assert_uint_eq(group, GROUP);
	ck_assert_int_eq(lw_access_find_group("root", &group, &err), 0);
	ck_assert_uint_eq(group, 0);
	ck_assert_int_eq(lw_access_find_group("no such group", &group, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "group=no such group: no such group here"));
	ck_assert_int_eq(lw_access_find_group("", &group, &err), -ENOENT);
}

/* ---- who writes ---- */

/* The number of the first thing that the job's user can do to its record. */
static int change_record(void)
{
	const char *gpu = in_spool("jobs/77/77.n1.gpu"), *own = in_spool("jobs/77/78.n1.gpu");

	if (open(gpu, O_WRONLY) >= 0 || open(gpu, O_RDWR) >= 0)
		return 1;
	if (!truncate(gpu, 0))
		return 2;
	if (!chmod(gpu, 0666) || !chown(gpu, USER, USER))
		return 3;
	if (!unlink(gpu) || !rename(gpu, own))
		return 4;
	if (!link(gpu, own) || !symlink(gpu, own))
		return 5;
	if (!mkdir(own, 0755) || !mkfifo(own, 0666) || open(own, O_WRONLY | O_CREAT, 0666) >= 0)
		return 6;
	if (open(in_spool(".lock"), O_RDONLY) >= 0 || !unlink(in_spool(".lock")))
		return 7;
	return 0;
}

TEST(a_user_cannot_change_its_record)
{
	if (!is_root() || !write_record("0", 0, true))
		return;
	ck_assert_int_eq(as_user(USER, USER, change_record), 0);
}

/* Locks the part in every way it can, says so, and holds on until the test goes. */
static void hold_part(int say, int wait)
{
	int fd = open(in_spool("77.n1.0.part"), O_RDONLY);
	char byte = 'n';

	if (setgroups(0, NULL) || setgid(USER) || setuid(USER))
		_exit(1);
	close(fd);
	fd = open(in_spool("77.n1.0.part"), O_RDONLY);
	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && lw_access_lock(fd))
		byte = 'y';
	if (write(say, &byte, 1) == 1 && read(wait, &byte, 1) < 0)
		_exit(1);
	_exit(0);
}

/* It reads its record, so it may flock() it: that would make it live for ever, and never merged.
 */
TEST(a_users_lock_means_nothing)
{
	int say[2], wait_for[2];
	char byte = 0;
	pid_t pid;

	if (!is_root() || !write_record("0", 0, false))
		return;
	ck_assert_int_eq(pipe(say) + pipe(wait_for), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		close(wait_for[1]);
		hold_part(say[1], wait_for[0]);
	}
	ck_assert_int_eq(read(say[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 'y');
	ck_assert(!lw_record_job_is_live(spool, 77));
	ck_assert(!lw_record_is_watched(spool, 77, "n1", "0"));
	ck_assert_int_eq(lw_record_settle(spool, 77, "n1", NULL), 0);
	ck_assert_int_eq(access(in_spool("jobs/77/77.n1.gpu"), F_OK), 0);
	close(wait_for[1]);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	for (int i = 0; i < 2; i++)
		close(say[i]);
	close(wait_for[0]);
}

/* ---- where ---- */

/* What the spool, or the directory that it is in, is. */
static const struct {
	uid_t owner;
	mode_t mode;
	uid_t parent_owner;
	mode_t parent_mode;
	bool link; /* the spool is reached by a link of the parent's owner */
	int want;
} places[] = {
	{ 0, 0755, 0, 0755, false, 0 },         { 0, 0700, 0, 01777, false, 0 },
	{ 0, 0755, 0, 0755, true, 0 },          { USER, 0755, 0, 0755, false, -EPERM },
	{ 0, 0777, 0, 0755, false, -EPERM },    { 0, 01777, 0, 0755, false, -EPERM },
	{ 0, 0755, USER, 0755, false, -EPERM }, { 0, 0755, 0, 0777, false, -EPERM },
	{ 0, 0755, USER, 01755, true, -EPERM },
};

TEST_EACH(records_are_kept_where_root_alone_writes, LW_COUNT_OF(places))
{
	char parent[160], dir[200];
	struct lw_record *record;
	struct lw_record_file *file = NULL;
	struct lw_error err = { "" };
	int rc;

	if (!is_root())
		return;
	snprintf(parent, sizeof(parent), "%s/parent", scratch_dir);
	snprintf(dir, sizeof(dir), "%s/leeway", parent);
	ck_assert_int_eq(mkdir(parent, 0755), 0);
	if (places[_i].link)
		ck_assert_int_eq(symlink(spool, dir), 0);
	else
		ck_assert_int_eq(mkdir(dir, 0755), 0);
	ck_assert_int_eq(
		lchown(dir, places[_i].link ? places[_i].parent_owner : places[_i].owner, 0), 0);
	ck_assert_int_eq(chmod(dir, places[_i].mode), 0);
	ck_assert_int_eq(chown(parent, places[_i].parent_owner, 0), 0);
	ck_assert_int_eq(chmod(parent, places[_i].parent_mode), 0);
	record = make_record(77, "0", 0);
	rc = lw_record_file_create(dir, record, &file, &err);
	ck_assert_msg(rc == places[_i].want, "%d: %s", rc, err.text);
	if (rc)
		ck_assert_msg(strstr(err.text, "false records") != NULL, "%s", err.text);
	ck_assert_int_eq(lw_record_settle(dir, 77, "n1", &err), rc);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

/* ---- what was put there while it was open to all ---- */

/* A record that looks right, and says that the job's GPU was busy. */
static void plant(const char *name)
{
	struct lw_record *record = make_record(77, "0", 0);
	struct lw_strbuf text = LW_STRBUF_INIT;
	FILE *out = fopen(in_spool(name), "w");

	lw_record_print(record, &text);
	ck_assert_ptr_nonnull(out);
	fputs(lw_strbuf_text(&text), out);
	fclose(out);
	ck_assert_int_eq(chmod(in_spool(name), 0666), 0);
	ck_assert_int_eq(chown(in_spool(name), USER, USER), 0);
	lw_strbuf_fini(&text);
	lw_record_destroy(record);
}

static const char *const planted[] = { "77.n1.gpu", "77.n1.0.part", "77.n1.1.part" };

TEST_EACH(what_a_user_planted_is_not_believed, LW_COUNT_OF(planted))
{
	const char *const dirs[] = { spool };
	struct lw_record_list list;
	struct lw_error err = { "" };
	glob_t asides;

	if (!is_root())
		return;
	plant(planted[_i]);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "belongs to user 4242"));
	/* a step comes, and ends */
	if (!write_record("0", 0, true))
		return;
	ck_assert_int_eq(lw_record_list_read(dirs, 1, 77, &list, &err), 0);
	ck_assert_uint_eq(list.count, 1);
	ck_assert_uint_eq(list.records[0]->bucket_count, 1);
	ck_assert_uint_eq(lw_record_at(list.records[0], 0, 0)->samples, 1);
	lw_record_list_fini(&list);
	glob(in_spool("77.n1.*.damaged-*"), 0, NULL, &asides);
	/* what stood in the way */
	ck_assert_uint_eq(asides.gl_pathc, _i < 2);
	globfree(&asides);
}

/* One alone must not become the job's record by being renamed. */
TEST(a_planted_part_is_not_settled)
{
	if (!is_root())
		return;
	plant("77.n1.0.part");
	ck_assert_int_eq(lw_record_settle(spool, 77, "n1", NULL), 0);
	ck_assert_int_ne(access(in_spool("jobs/77/77.n1.gpu"), F_OK), 0);
	ck_assert_int_eq(lw_record_note_owed(spool, 77, "n1"), -ENOENT);
}

/* Whoever holds a lock file of its own must not hold us: 0 a file, 1 a pipe, 2 a link. */
TEST_EACH(a_users_lock_file_does_not_hold_us, 3)
{
	const char *lock = in_spool(".lock");
	struct stat st;
	int fd = -1;

	if (!is_root() || !write_record("0", 0, false))
		return;
	if (_i == 0)
		fd = open(lock, O_RDWR | O_CREAT, 0666);
	else if (_i == 1)
		ck_assert_int_eq(mkfifo(lock, 0666), 0);
	else
		ck_assert_int_eq(symlink(scratch_write("mine", "mine"), lock), 0);
	ck_assert_int_eq(lchown(lock, USER, USER), 0);
	if (fd >= 0)
		ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(lw_record_settle(spool, 77, "n1", NULL), 0);
	ck_assert_int_eq(access(in_spool("jobs/77/77.n1.gpu"), F_OK), 0);
	ck_assert_int_eq(lstat(lock, &st), 0);
	ck_assert(S_ISREG(st.st_mode) && st.st_uid == 0);
	close(fd);
}

/* As a link of one's own would be, from a busy job's record to an idle one's name. */
TEST_EACH(another_jobs_record_is_not_this_ones, 2)
{
	const char *const dirs[] = { spool };
	struct lw_record_list list;
	struct lw_error err = { "" };

	write_record("0", 0, true);
	ck_assert_int_eq(link(in_spool("jobs/77/77.n1.gpu"),
			      in_spool(_i ? "78.n1.gpu" : "77.n2.gpu")),
			 0);
	ck_assert_int_eq(unlink(in_spool("jobs/77/77.n1.gpu")), 0);
	ck_assert_int_eq(lw_record_list_read(dirs, 1, _i ? 78 : 77, &list, &err), -ENOENT);
	ck_assert_msg(strstr(err.text, "is the record of job 77 on n1") != NULL, "%s", err.text);
}
