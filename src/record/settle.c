/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one record a job and node, of what its steps left. */
#include "record/access.h"
#include "record/file.h"
#include "record/files.h"
#include "record/quota.h"
#include "record/write.h"

#include "base/io.h"
#include "base/savefile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A minute. */
#define LOCK_TRIES   1200
#define LOCK_WAIT_MS 50

/* Nothing that we shall ever read: damage, no file at all, or made up by a user. */
static bool settle_is_worthless(int rc)
{
	return rc == -EBADMSG || rc == -EFBIG || rc == -ELOOP || rc == -EPERM;
}

/* An administrator may still read it, but it must not keep the job from having a record. */
static int settle_set_aside(const char *dir, const char *name)
{
	int64_t stamp = (int64_t)time(NULL);
	char path[PATH_MAX];
	struct lw_error err;
	int rc = lw_files_path(path, dir, "%s", name);

	return rc ? rc : lw_savefile_set_aside(path, "damaged", &stamp, &err);
}

/*
 * Put all files that can be read into one record, and only their names into DONE. -errno
 * when what is to be replaced cannot be read now, or by this release.
 */
static int settle_merge_files(const char *dir, const struct lw_files *list, struct lw_files *done,
			      struct lw_record **all)
{
	for (uint32_t i = 0; i < list->count; i++) {
		bool growing = lw_files_ends_in(list->name[i], ".part");
		struct lw_record *one = NULL;
		int rc = lw_files_load(dir, list->name[i], growing, &one, NULL);

		if (rc && !growing)
			rc = settle_is_worthless(rc) ? settle_set_aside(dir, list->name[i]) : rc;
		if (rc && !growing)
			return rc;
		if (!one)
			continue;
		if (!*all) {
			*all = one;
		} else {
			rc = lw_record_merge(*all, one);
			lw_record_destroy(one);
			if (rc)
				continue;
		}
		if (lw_files_add(done, list->name[i]))
			break;
	}
	return 0;
}

/* Where the record of JOB_ID on NODE lies once it has ended, in a folder that there is then. */
static int settle_make_final(const char *dir, uint32_t job_id, const char *node, char *path)
{
	int rc = lw_files_path(path, dir, LW_FILES_JOBS);

	if (!rc)
		rc = lw_files_make_folder(path, 0755);
	if (!rc)
		rc = lw_files_path(path, dir, LW_FILES_JOBS "/%" PRIu32, job_id);
	if (!rc)
		rc = lw_files_make_folder(path, 0755);
	return rc ? rc
		  : lw_files_path(path, dir, LW_FILES_JOBS "/%" PRIu32 "/%" PRIu32 ".%s.gpu",
				  job_id, job_id, node);
}

static int settle_write_merged(const char *dir, const struct lw_record *record,
			       const struct lw_files *done)
{
	const struct lw_record_head *head = &record->head;
	struct lw_strbuf text = LW_STRBUF_INIT;
	char path[PATH_MAX];
	bool hidden;
	int fd = -1, rc;

	lw_record_print(record, &text);
	rc = text.error ? text.error : lw_quota_note(dir, head, text.len, false);
	/* not before, since what goes may be the last file of the same folder */
	if (!rc)
		rc = settle_make_final(dir, head->job_id, head->node, path);
	if (!rc)
		rc = lw_files_write_anew(path, record, &text, &fd, &hidden);
	lw_strbuf_fini(&text);
	if (fd >= 0)
		close(fd);
	for (uint32_t i = 0; !rc && i < done->count; i++)
		if (!lw_files_is_final(done->name[i]) &&
		    !lw_files_path(path, dir, "%s", done->name[i]))
			unlink(path);
	return rc;
}

/* A record of a later release is not read, and its user is not known. */
static int settle_note_only(const char *dir, const char *only, const struct lw_record *record,
			    uint32_t job_id, const char *node, bool old)
{
	struct lw_record_head head = { .job_id = job_id, .user_id = LW_RECORD_NO_USER };
	struct stat st;

	if (record)
		head.user_id = record->head.user_id;
	snprintf(head.node, sizeof(head.node), "%s", node);
	return lstat(only, &st) ? -errno : lw_quota_note(dir, &head, (uint64_t)st.st_size, old);
}

/* The one file NAME is all as it is; not one that grows, nor one of another user. */
static int settle_only(const char *dir, const char *name, uint32_t job_id, const char *node,
		       bool old)
{
	struct lw_record *record = NULL;
	char only[PATH_MAX], final[PATH_MAX];
	int rc = lw_files_path(only, dir, "%s", name);

	if (!rc)
		rc = lw_files_load(dir, name, true, &record, NULL);
	/* of a later release, too */
	if (!rc || rc == -ENOTSUP) {
		rc = settle_note_only(dir, only, record, job_id, node, old);
		if (!rc)
			rc = settle_make_final(dir, job_id, node, final);
		if (!rc && rename(only, final))
			rc = -errno;
		if (rc == -E2BIG && old)
			rc = unlink(only) ? -errno : 0;
	} else if (rc == -EBUSY) {
		rc = 0;
	} else if (settle_is_worthless(rc)) {
		rc = settle_set_aside(dir, name);
	}
	lw_record_destroy(record);
	return rc;
}

/* Make one record of LIST, all that there is of JOB_ID on NODE; OLD: it may be left out. */
static int settle_files(const char *dir, uint32_t job_id, const char *node,
			const struct lw_files *list, bool old)
{
	struct lw_files done = { 0 };
	struct lw_record *all = NULL;
	int rc;

	if (!list->count || (list->count == 1 && lw_files_is_final(list->name[0])))
		return 0;
	if (list->count == 1)
		return settle_only(dir, list->name[0], job_id, node, old);
	rc = settle_merge_files(dir, list, &done, &all);
	if (!rc && all)
		rc = settle_write_merged(dir, all, &done);
	lw_record_destroy(all);
	lw_files_fini(&done);
	return rc;
}

/* NAME, which an earlier release left beside the parts: "JOB.NODE.gpu". */
static void settle_move_old(const char *dir, const char *name)
{
	uint32_t job_id = lw_files_job(name);
	const char *node = strchr(name, '.') + 1;
	const char *end = strrchr(name, '.');
	char bare[LW_NODE_NAME_MAX], final[64 + LW_NODE_NAME_MAX], path[PATH_MAX];
	struct lw_files list = { 0 };
	int rc = 0;

	if (end < node || (size_t)(end - node) >= sizeof(bare))
		return;
	snprintf(bare, sizeof(bare), "%.*s", (int)(end - node), node);
	snprintf(final, sizeof(final), LW_FILES_JOBS "/%" PRIu32 "/%s", job_id, name);
	rc = lw_files_add(&list, name);
	if (!rc && !lw_files_path(path, dir, "%s", final) && !access(path, F_OK))
		rc = lw_files_add(&list, final);
	if (!rc)
		settle_files(dir, job_id, bare, &list, true);
	lw_files_fini(&list);
}

/* A few each time: until all are in their folders, each look-up passes by them. */
static void settle_move_old_ones(const char *dir)
{
	const struct lw_files_wanted wanted = { .kind = LW_FILES_FLAT };
	struct lw_files list = { 0 };

	if (!lw_files_list(dir, &wanted, &list))
		for (uint32_t i = 0; i < list.count; i++)
			settle_move_old(dir, list.name[i]);
	lw_files_fini(&list);
}

/* Make one record of whatever there is; the caller holds the directory's lock. */
static int settle_locked(const char *dir, uint32_t job_id, const char *node)
{
	const struct lw_files_wanted wanted = { .job_id = job_id, .node = node };
	struct lw_files list = { 0 };
	int rc = lw_files_list(dir, &wanted, &list);

	if (!rc)
		rc = settle_files(dir, job_id, node, &list, false);
	lw_files_fini(&list);
	settle_move_old_ones(dir);
	return rc;
}

/* The lock file, and none that a user left there to hold us up. */
static int settle_open_lock(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && lw_access_is_trusted(&st))
		return fd;
	if (fd < 0 && errno != ELOOP && errno != ENXIO)
		return -errno;
	if (fd >= 0)
		close(fd);
	return lw_create_anew(path, 0600);
}

/*
 * slurmd ends no job before its epilog has ended, so a process that hangs with the lock, as on a
 * file system that is gone, must not keep all others.
 */
static int settle_lock_records(int fd)
{
	for (int tries = 0; tries < LOCK_TRIES; tries++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		poll(NULL, 0, LOCK_WAIT_MS);
	}
	return -EAGAIN;
}

/* Call CHANGE while no other process of this machine settles records in DIR. */
static int settle_with_lock(int (*change)(const char *dir, uint32_t job_id, const char *node),
			    const char *dir, uint32_t job_id, const char *node,
			    struct lw_error *err)
{
	char path[PATH_MAX];
	int fd, rc = lw_access_check_dir(dir, err);

	if (rc)
		return rc;
	rc = lw_files_path(path, dir, ".lock");
	if (rc)
		return lw_error_set(err, rc, "%s: %s", dir, strerror(-rc));
	fd = settle_open_lock(path);
	if (fd < 0)
		return lw_error_set(err, fd, "%s: %s", path, strerror(-fd));
	rc = settle_lock_records(fd);
	if (!rc)
		rc = change(dir, job_id, node);
	close(fd);
	return rc ? lw_error_set(err, rc, "%s: %s", dir, strerror(-rc)) : 0;
}

int lw_record_settle(const char *dir, uint32_t job_id, const char *node, struct lw_error *err)
{
	int rc = settle_with_lock(settle_locked, dir, job_id, node, err);

	/* no directory: no record */
	return rc && rc != -ENOENT
		       ? lw_error_prefix(err, rc, "cannot merge the records of job %" PRIu32 ": ",
					 job_id)
		       : 0;
}

static void settle_print_sent(const struct lw_record *record, struct lw_strbuf *out)
{
	lw_record_print_sent(record->head.end_s, out);
}

static void settle_print_owed(const struct lw_record *record, struct lw_strbuf *out)
{
	if (!lw_record_is_owed(record))
		lw_record_print_owed(record->head.end_s, out);
}

/* TEXT as a line of its own, also behind one that a full disk cut short. */
static int settle_append_line(const char *path, const struct lw_strbuf *text)
{
	int fd = open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char last = '\n';
	off_t size;
	int rc = 0;

	if (fd < 0)
		return -errno;
	size = lseek(fd, 0, SEEK_END);
	if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
		rc = lw_files_write_through(fd, "\n", 1);
	if (!rc && text->len)
		rc = lw_files_write_through(fd, text->text, text->len);
	close(fd);
	return rc;
}

/* One more line to what is there. */
static int settle_file_note(const char *dir, uint32_t job_id, const char *node,
			    void (*print)(const struct lw_record *record, struct lw_strbuf *out))
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record = NULL;
	char name[LW_NODE_NAME_MAX + 64], path[PATH_MAX];
	int rc;

	snprintf(name, sizeof(name), LW_FILES_JOBS "/%" PRIu32 "/%" PRIu32 ".%s.gpu", job_id,
		 job_id, node);
	rc = lw_files_load(dir, name, false, &record, NULL);
	if (rc == -ENOENT) {
		/* where no step of this release was yet */
		snprintf(name, sizeof(name), "%" PRIu32 ".%s.gpu", job_id, node);
		rc = lw_files_load(dir, name, false, &record, NULL);
	}
	if (rc)
		return rc;
	print(record, &text);
	lw_record_destroy(record);
	rc = text.error ? text.error : lw_files_path(path, dir, "%s", name);
	if (!rc)
		rc = settle_append_line(path, &text);
	lw_strbuf_fini(&text);
	return rc;
}

static int settle_note_sent_locked(const char *dir, uint32_t job_id, const char *node)
{
	return settle_file_note(dir, job_id, node, settle_print_sent);
}

static int settle_note_owed_locked(const char *dir, uint32_t job_id, const char *node)
{
	return settle_file_note(dir, job_id, node, settle_print_owed);
}

int lw_record_note_sent(const char *dir, uint32_t job_id, const char *node)
{
	return settle_with_lock(settle_note_sent_locked, dir, job_id, node, NULL);
}

int lw_record_note_owed(const char *dir, uint32_t job_id, const char *node)
{
	return settle_with_lock(settle_note_owed_locked, dir, job_id, node, NULL);
}
