/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPU records in a directory of the node: written as they grow, read by job. */
#include "record/file.h"

#include "record/access.h"
#include "record/files.h"

#include "base/io.h"
#include "base/savefile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* old lines that may pile up before all is written anew */
#define APPENDED_MAX (2 * LW_RECORD_BUCKETS)

struct lw_record_file {
	char dir[PATH_MAX];
	char path[PATH_MAX];
	int fd; /* -1 after a failure: then the next save writes all anew */
	uint32_t appended;
	bool hidden; /* from its user */
};

/* ---- bytes ---- */

static int write_through(int fd, const char *data, size_t size)
{
	int rc = lw_write_all(fd, data, size);

	return !rc && fdatasync(fd) && errno != EINVAL ? -errno : rc;
}

/*
 * Make PATH of TEXT, RECORD's, by way of PATH.new; *ret_fd is open and locked. *ret_hidden: its
 * user cannot read it, since there are no ACLs.
 */
static int write_anew(const char *path, const struct lw_record *record,
		      const struct lw_strbuf *text, int *ret_fd, bool *ret_hidden)
{
	char temp[PATH_MAX];
	int fd, rc, access_rc;

	if (text->error)
		return text->error;
	if (snprintf(temp, sizeof(temp), "%s.new", path) >= (int)sizeof(temp))
		return -ENAMETOOLONG;
	fd = lw_create_anew(temp, 0600);
	if (fd < 0)
		return fd;
	rc = lw_access_lock(fd);
	/* whatever the job's umask, which slurmstepd takes over */
	access_rc = rc ? 0 : lw_access_let_read(fd, &record->head);
	*ret_hidden = access_rc == -EOPNOTSUPP;
	if (access_rc && !*ret_hidden)
		rc = access_rc;
	if (!rc)
		rc = write_through(fd, text->text, text->len);
	if (!rc && rename(temp, path))
		rc = -errno;
	if (rc) {
		unlink(temp);
		close(fd);
		return rc;
	}
	lw_sync_dir_of(path);
	*ret_fd = fd;
	return 0;
}

/* ---- one step's part ---- */

static int make_dir(const char *dir, struct lw_error *err)
{
	int rc;

	if (!mkdir(dir, 0755))
		rc = chmod(dir, 0755) ? -errno : 0; /* the umask is the job's */
	else
		rc = errno == EEXIST ? 0 : -errno;
	if (rc)
		return lw_error_set(err, rc, "%s: cannot make the record directory: %s", dir,
				    strerror(-rc));
	return lw_access_check_dir(dir, err);
}

int lw_record_file_create(const char *dir, const struct lw_record *record,
			  struct lw_record_file **ret_file, struct lw_error *err)
{
	const struct lw_record_head *head = &record->head;
	struct lw_record_file *file = calloc(1, sizeof(*file));
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (!file)
		return lw_error_set(err, -ENOMEM, "%s: out of memory", dir);
	rc = make_dir(dir, err);
	if (rc) {
		free(file);
		return rc;
	}
	rc = lw_files_path(file->path, dir, "%" PRIu32 ".%s.%s.part", head->job_id,
		       head->node, head->step);
	/* what the node's crash left of an earlier run of the job */
	if (!rc && !access(file->path, F_OK))
		lw_record_settle(dir, head->job_id, head->node, NULL);
	lw_record_print(record, &text);
	if (!rc)
		rc = write_anew(file->path, record, &text, &file->fd, &file->hidden);
	lw_strbuf_fini(&text);
	if (rc) {
		lw_error_set(err, rc, "%s: cannot write: %s", file->path, strerror(-rc));
		free(file);
		return rc;
	}
	lw_sync_dir_of(file->path);
	snprintf(file->dir, sizeof(file->dir), "%s", dir);
	*ret_file = file;
	return 0;
}

static int rewrite(struct lw_record_file *file, const struct lw_record *record)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int fd = -1, rc;

	lw_record_print(record, &text);
	rc = write_anew(file->path, record, &text, &fd, &file->hidden);
	lw_strbuf_fini(&text);
	if (rc)
		return rc;
	if (file->fd >= 0)
		close(file->fd);
	file->fd = fd;
	file->appended = 0;
	return 0;
}

static int append(struct lw_record_file *file, const struct lw_record *record)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = 0;

	for (uint32_t i = record->changed_from; i < record->bucket_count; i++)
		lw_record_print_bucket(record, i, &text);
	if (text.error)
		rc = text.error;
	else if (text.len)
		rc = write_through(file->fd, text.text, text.len);
	file->appended += record->bucket_count - record->changed_from;
	lw_strbuf_fini(&text);
	return rc;
}

/* *ret_anew: the part has a new entry in its directory. */
static int bring_up_to_date(struct lw_record_file *file, struct lw_record *record, bool *ret_anew,
			    struct lw_error *err)
{
	bool anew = record->reshaped || file->fd < 0 || file->appended > APPENDED_MAX;
	int rc = 0;

	*ret_anew = anew;
	if (anew)
		rc = rewrite(file, record);
	else if (record->changed_from < record->bucket_count)
		rc = append(file, record);
	if (!rc) {
		lw_record_mark_saved(record);
		return 0;
	}
	record->reshaped = true;
	return lw_error_set(err, rc, "%s: cannot write: %s", file->path, strerror(-rc));
}

int lw_record_file_save(struct lw_record_file *file, struct lw_record *record,
			struct lw_error *err)
{
	bool anew;
	int rc = bring_up_to_date(file, record, &anew, err);

	if (!rc && anew)
		lw_sync_dir_of(file->path);
	return rc;
}

bool lw_record_file_is_hidden(const struct lw_record_file *file)
{
	return file->hidden;
}

void lw_record_file_abandon(struct lw_record_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	free(file);
}

/* ---- all files of a job ---- */

/* Nothing that we shall ever read: damage, no file at all, or made up by a user. */
static bool is_worthless(int rc)
{
	return rc == -EBADMSG || rc == -EFBIG || rc == -ELOOP || rc == -EPERM;
}

/* Somebody may still make sense of it, but it must not keep the job from having a record. */
static int set_aside(const char *dir, const char *name)
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
static int merge_files(const char *dir, const struct lw_files *list, struct lw_files *done,
		       struct lw_record **all)
{
	for (uint32_t i = 0; i < list->count; i++) {
		bool growing = lw_files_ends_in(list->name[i], ".part");
		struct lw_record *one = NULL;
		int rc = lw_files_load(dir, list->name[i], growing, &one, NULL);

		if (rc && !growing)
			rc = is_worthless(rc) ? set_aside(dir, list->name[i]) : rc;
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

static int write_merged(const char *dir, const char *final,
			const struct lw_record *record, const struct lw_files *done)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	char path[PATH_MAX];
	bool hidden;
	int fd = -1, rc;

	lw_record_print(record, &text);
	rc = write_anew(final, record, &text, &fd, &hidden);
	lw_strbuf_fini(&text);
	if (fd >= 0)
		close(fd);
	for (uint32_t i = 0; !rc && i < done->count; i++)
		if (lw_files_ends_in(done->name[i], ".part") &&
		    !lw_files_path(path, dir, "%s", done->name[i]))
			unlink(path);
	return rc;
}

/* The one part NAME becomes FINAL as it is; not one that grows, nor one of somebody else. */
static int settle_only(const char *dir, const char *name, const char *final)
{
	struct lw_record *record = NULL;
	char only[PATH_MAX];
	int rc = lw_files_path(only, dir, "%s", name);

	if (!rc)
		rc = lw_files_load(dir, name, true, &record, NULL);
	lw_record_destroy(record);
	if (rc == -EBUSY)
		return 0;
	if (is_worthless(rc))
		return set_aside(dir, name);
	/* of a later release, too */
	return (!rc || rc == -ENOTSUP) && rename(only, final) ? -errno : rc == -ENOTSUP ? 0 : rc;
}

/* Make JOB.NODE.gpu of whatever there is; the caller holds the directory's lock. */
static int settle_locked(const char *dir, uint32_t job_id, const char *node)
{
	struct lw_files list = { 0 }, done = { 0 };
	struct lw_record *all = NULL;
	char final[PATH_MAX];
	int rc = lw_files_path(final, dir, "%" PRIu32 ".%s.gpu", job_id, node);

	if (!rc)
		rc = lw_files_list(dir, job_id, node, &list);
	if (!rc && list.count == 1 && lw_files_ends_in(list.name[0], ".part")) {
		rc = settle_only(dir, list.name[0], final);
	} else if (!rc && list.count > 1) {
		rc = merge_files(dir, &list, &done, &all);
		if (!rc && all)
			rc = write_merged(dir, final, all, &done);
	}
	lw_record_destroy(all);
	lw_files_fini(&list);
	lw_files_fini(&done);
	return rc;
}

/* The lock file, and none that a user left there to hold us up. */
static int open_lock(const char *path)
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

/* Call CHANGE while nobody else of this machine settles records in DIR. */
static int with_lock(int (*change)(const char *dir, uint32_t job_id, const char *node),
		     const char *dir, uint32_t job_id, const char *node, struct lw_error *err)
{
	char path[PATH_MAX];
	int fd, rc = lw_access_check_dir(dir, err);

	if (rc)
		return rc;
	rc = lw_files_path(path, dir, ".lock");
	if (rc)
		return lw_error_set(err, rc, "%s: %s", dir, strerror(-rc));
	fd = open_lock(path);
	if (fd < 0)
		return lw_error_set(err, fd, "%s: %s", path, strerror(-fd));
	rc = flock(fd, LOCK_EX) ? -errno : change(dir, job_id, node);
	close(fd);
	return rc ? lw_error_set(err, rc, "%s: %s", dir, strerror(-rc)) : 0;
}

int lw_record_settle(const char *dir, uint32_t job_id, const char *node,
		     struct lw_error *err)
{
	int rc = with_lock(settle_locked, dir, job_id, node, err);

	/* no directory: no record */
	return rc && rc != -ENOENT
		       ? lw_error_prefix(err, rc, "cannot merge the records of job %" PRIu32 ": ",
					 job_id)
		       : 0;
}

static void print_sent(const struct lw_record *record, struct lw_strbuf *out)
{
	lw_record_print_sent(record->head.end_s, out);
}

static void print_owed(const struct lw_record *record, struct lw_strbuf *out)
{
	if (!lw_record_is_owed(record))
		lw_record_print_owed(record->head.end_s, out);
}

/* TEXT as a line of its own, also behind one that a full disk cut short. */
static int append_line(const char *path, const struct lw_strbuf *text)
{
	int fd = open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char last = '\n';
	off_t size;
	int rc = 0;

	if (fd < 0)
		return -errno;
	size = lseek(fd, 0, SEEK_END);
	if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
		rc = write_through(fd, "\n", 1);
	if (!rc && text->len)
		rc = write_through(fd, text->text, text->len);
	close(fd);
	return rc;
}

/* One more line to what is there. */
static int file_note(const char *dir, uint32_t job_id, const char *node,
		     void (*print)(const struct lw_record *record, struct lw_strbuf *out))
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record = NULL;
	char name[LW_NODE_NAME_MAX + 32], path[PATH_MAX];
	int rc;

	snprintf(name, sizeof(name), "%" PRIu32 ".%s.gpu", job_id, node);
	rc = lw_files_load(dir, name, false, &record, NULL);
	if (rc)
		return rc;
	print(record, &text);
	lw_record_destroy(record);
	rc = text.error ? text.error : lw_files_path(path, dir, "%s", name);
	if (!rc)
		rc = append_line(path, &text);
	lw_strbuf_fini(&text);
	return rc;
}

static int note_sent_locked(const char *dir, uint32_t job_id, const char *node)
{
	return file_note(dir, job_id, node, print_sent);
}

static int note_owed_locked(const char *dir, uint32_t job_id, const char *node)
{
	return file_note(dir, job_id, node, print_owed);
}

int lw_record_note_sent(const char *dir, uint32_t job_id, const char *node)
{
	return with_lock(note_sent_locked, dir, job_id, node, NULL);
}

int lw_record_note_owed(const char *dir, uint32_t job_id, const char *node)
{
	return with_lock(note_owed_locked, dir, job_id, node, NULL);
}

bool lw_record_job_is_live(const char *dir, uint32_t job_id)
{
	struct lw_files list = { 0 };
	char path[PATH_MAX];
	bool live = false;

	if (lw_files_list(dir, job_id, NULL, &list)) {
		lw_files_fini(&list);
		return false;
	}
	for (uint32_t i = 0; i < list.count && !live; i++)
		live = lw_files_ends_in(list.name[i], ".part") &&
		       !lw_files_path(path, dir, "%s", list.name[i]) &&
		       lw_files_is_locked(path) > 0;
	lw_files_fini(&list);
	return live;
}

int lw_record_file_finish(struct lw_record_file *file, struct lw_record *record,
			  struct lw_error *err)
{
	bool anew;
	int rc;

	record->reshaped = true; /* the end is told once, in a file without old lines */
	/* the job waits for this, but not for the directory: the last saving is at hand */
	rc = bring_up_to_date(file, record, &anew, err);
	if (file->fd >= 0)
		close(file->fd);
	if (!rc)
		rc = lw_record_settle(file->dir, record->head.job_id, record->head.node, err);
	free(file);
	return rc;
}

bool lw_record_is_watched(const char *dir, uint32_t job_id, const char *node,
			  const char *step)
{
	char path[PATH_MAX];

	return !lw_files_path(path, dir, "%" PRIu32 ".%s.%s.part", job_id, node, step) &&
	       lw_files_is_locked(path) > 0;
}
