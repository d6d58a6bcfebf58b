/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPU records in a directory of the node: written as they grow, read by job. */
#include "record/file.h"

#include "base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* old lines that may pile up before all is written anew */
#define APPENDED_MAX (2 * LW_RECORD_BUCKETS)
/* far above any record of ours */
#define FILE_SIZE_MAX (16 * 1024 * 1024)

struct lw_record_file {
	char dir[PATH_MAX];
	char path[PATH_MAX];
	int fd; /* -1 after a failure: then the next save writes all anew */
	uint32_t appended;
};

/* ---- paths and bytes ---- */

static int make_path(char *path, const char *dir, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int make_path(char *path, const char *dir, const char *fmt, ...)
{
	int len = snprintf(path, PATH_MAX, "%s/", dir);
	va_list ap;

	if (len < 0 || len >= PATH_MAX)
		return -ENAMETOOLONG;
	va_start(ap, fmt);
	len += vsnprintf(path + len, (size_t)(PATH_MAX - len), fmt, ap);
	va_end(ap);
	return len < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static int write_through(int fd, const char *data, size_t size)
{
	int rc = lw_write_all(fd, data, size);

	return !rc && fdatasync(fd) && errno != EINVAL ? -errno : rc;
}

/* Make PATH of TEXT by way of PATH.new; *ret_fd is open and locked. */
static int write_anew(const char *path, const struct lw_strbuf *text, int *ret_fd)
{
	char temp[PATH_MAX];
	int fd, rc;

	if (text->error)
		return text->error;
	if (snprintf(temp, sizeof(temp), "%s.new", path) >= (int)sizeof(temp))
		return -ENAMETOOLONG;
	fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
		  0644);
	if (fd < 0)
		return -errno;
	rc = flock(fd, LOCK_EX | LOCK_NB) ? -errno : write_through(fd, text->text, text->len);
	if (!rc && rename(temp, path))
		rc = -errno;
	if (rc) {
		unlink(temp);
		close(fd);
		return rc;
	}
	*ret_fd = fd;
	return 0;
}

static int read_fd(int fd, char **ret_text, size_t *ret_size)
{
	struct stat st;
	size_t got = 0;
	char *text;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_SIZE_MAX)
		return -EFBIG;
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		return -ENOMEM;
	while (got < (size_t)st.st_size) {
		ssize_t n = read(fd, text + got, (size_t)st.st_size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	*ret_text = text;
	*ret_size = got;
	return 0;
}

/* ---- one step's part ---- */

int lw_record_file_create(const char *dir, const struct lw_record *record,
			  struct lw_record_file **ret_file, struct lw_error *err)
{
	const struct lw_record_head *head = &record->head;
	struct lw_record_file *file = calloc(1, sizeof(*file));
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (!file)
		return lw_error_set(err, -ENOMEM, "%s: out of memory", dir);
	if (mkdir(dir, 0755) && errno != EEXIST) {
		rc = -errno;
		free(file);
		return lw_error_set(err, rc, "%s: cannot make the record directory: %s",
				    dir, strerror(-rc));
	}
	rc = make_path(file->path, dir, "%" PRIu32 ".%s.%s.part", head->job_id,
		       head->node, head->step);
	lw_record_print(record, &text);
	if (!rc)
		rc = write_anew(file->path, &text, &file->fd);
	lw_strbuf_fini(&text);
	if (rc) {
		lw_error_set(err, rc, "%s: cannot write: %s", file->path, strerror(-rc));
		free(file);
		return rc;
	}
	snprintf(file->dir, sizeof(file->dir), "%s", dir);
	*ret_file = file;
	return 0;
}

static int rewrite(struct lw_record_file *file, const struct lw_record *record)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int fd = -1, rc;

	lw_record_print(record, &text);
	rc = write_anew(file->path, &text, &fd);
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

int lw_record_file_save(struct lw_record_file *file, struct lw_record *record,
			struct lw_error *err)
{
	bool anew = record->reshaped || file->fd < 0 || file->appended > APPENDED_MAX;
	int rc = 0;

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

void lw_record_file_abandon(struct lw_record_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	free(file);
}

/* ---- all files of a job ---- */

static bool ends_in(const char *text, const char *tail)
{
	size_t len = strlen(text), tail_len = strlen(tail);

	return len >= tail_len && !strcmp(text + len - tail_len, tail);
}

/* After "JOB.NODE.": "gpu", or "STEP.part" where no step has a dot. */
static bool is_of_node(const char *name, const char *prefix)
{
	const char *rest = name + strlen(prefix);

	if (strncmp(name, prefix, strlen(prefix)))
		return false;
	return !strcmp(rest, "gpu") ||
	       (ends_in(rest, ".part") && !strcmp(strchr(rest, '.'), ".part"));
}

struct file_list {
	char **name;
	uint32_t count;
};

static void list_fini(struct file_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		free(list->name[i]);
	free(list->name);
}

static int list_add(struct file_list *list, const char *name)
{
	char **bigger = reallocarray(list->name, list->count + 1, sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	list->name = bigger;
	list->name[list->count] = strdup(name);
	if (!list->name[list->count])
		return -ENOMEM;
	list->count++;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The records in DIR of a job (NODE is NULL) or of a job on a node, sorted by name. */
static int list_files(const char *dir, uint32_t job_id, const char *node,
		      struct file_list *list)
{
	char prefix[LW_NODE_NAME_MAX + 16];
	DIR *stream = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	if (!stream)
		return -errno;
	snprintf(prefix, sizeof(prefix), "%" PRIu32 ".%s%s", job_id, node ? node : "",
		 node ? "." : "");
	while (!rc && (entry = readdir(stream))) {
		const char *name = entry->d_name;

		if (node ? is_of_node(name, prefix)
			 : !strncmp(name, prefix, strlen(prefix)) &&
				    (ends_in(name, ".gpu") || ends_in(name, ".part")))
			rc = list_add(list, name);
	}
	closedir(stream);
	if (list->count)
		qsort(list->name, list->count, sizeof(*list->name), by_name);
	return rc;
}

/* IDLE_ONLY: -EBUSY for a part that a living step writes. */
static int load(const char *dir, const char *name, bool idle_only,
		struct lw_record **ret_record, struct lw_error *err)
{
	char path[PATH_MAX], *text = NULL;
	size_t size = 0;
	int fd, rc = make_path(path, dir, "%s", name);

	if (rc)
		return rc;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	if (idle_only && flock(fd, LOCK_SH | LOCK_NB))
		rc = -EBUSY;
	if (!rc)
		rc = read_fd(fd, &text, &size);
	close(fd);
	if (rc)
		return lw_error_set(err, rc, "%s: %s", path, strerror(-rc));
	rc = lw_record_parse(path, text, size, ret_record, err);
	free(text);
	return rc;
}

/* Put all files that can be read into one record, and only their names into DONE. */
static struct lw_record *merge_files(const char *dir, const struct file_list *list,
				     struct file_list *done)
{
	struct lw_record *all = NULL, *one = NULL;

	for (uint32_t i = 0; i < list->count; i++) {
		if (load(dir, list->name[i], ends_in(list->name[i], ".part"), &one, NULL))
			continue;
		if (!all) {
			all = one;
		} else {
			int rc = lw_record_merge(all, one);

			lw_record_destroy(one);
			if (rc)
				continue;
		}
		if (list_add(done, list->name[i]))
			break;
	}
	return all;
}

static int write_merged(const char *dir, const char *final,
			const struct lw_record *record, const struct file_list *done)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	char path[PATH_MAX];
	int fd = -1, rc;

	lw_record_print(record, &text);
	rc = write_anew(final, &text, &fd);
	lw_strbuf_fini(&text);
	if (fd >= 0)
		close(fd);
	for (uint32_t i = 0; !rc && i < done->count; i++)
		if (ends_in(done->name[i], ".part") &&
		    !make_path(path, dir, "%s", done->name[i]))
			unlink(path);
	return rc;
}

/* Make JOB.NODE.gpu of whatever there is; the caller holds the directory's lock. */
static int settle_locked(const char *dir, uint32_t job_id, const char *node)
{
	struct file_list list = { 0 }, done = { 0 };
	struct lw_record *all = NULL;
	char final[PATH_MAX], only[PATH_MAX];
	int rc = make_path(final, dir, "%" PRIu32 ".%s.gpu", job_id, node);

	if (!rc)
		rc = list_files(dir, job_id, node, &list);
	if (!rc && list.count == 1 && ends_in(list.name[0], ".part")) {
		rc = make_path(only, dir, "%s", list.name[0]);
		if (!rc && rename(only, final))
			rc = -errno;
	} else if (!rc && list.count > 1) {
		all = merge_files(dir, &list, &done);
		if (all)
			rc = write_merged(dir, final, all, &done);
	}
	lw_record_destroy(all);
	list_fini(&list);
	list_fini(&done);
	return rc;
}

/* Call CHANGE while nobody else of this machine settles records in DIR. */
static int with_lock(int (*change)(const char *dir, uint32_t job_id, const char *node),
		     const char *dir, uint32_t job_id, const char *node)
{
	char path[PATH_MAX];
	int fd, rc = make_path(path, dir, ".lock");

	if (rc)
		return rc;
	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	rc = flock(fd, LOCK_EX) ? -errno : change(dir, job_id, node);
	close(fd);
	return rc;
}

int lw_record_settle(const char *dir, uint32_t job_id, const char *node,
		     struct lw_error *err)
{
	int rc = with_lock(settle_locked, dir, job_id, node);

	/* no directory: no record */
	return rc && rc != -ENOENT
		       ? lw_error_set(err, rc, "%s: cannot merge the records of job %" PRIu32
					       ": %s",
				      dir, job_id, strerror(-rc))
		       : 0;
}

/* One more line to what is there. */
static int note_sent_locked(const char *dir, uint32_t job_id, const char *node)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record = NULL;
	char name[LW_NODE_NAME_MAX + 32], path[PATH_MAX];
	int fd, rc;

	snprintf(name, sizeof(name), "%" PRIu32 ".%s.gpu", job_id, node);
	rc = load(dir, name, false, &record, NULL);
	if (rc)
		return rc;
	lw_record_print_sent(record->head.end_s, &text);
	lw_record_destroy(record);
	rc = text.error ? text.error : make_path(path, dir, "%s", name);
	fd = rc ? -1 : open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	if (!rc)
		rc = fd < 0 ? -errno : write_through(fd, text.text, text.len);
	if (fd >= 0)
		close(fd);
	lw_strbuf_fini(&text);
	return rc;
}

int lw_record_note_sent(const char *dir, uint32_t job_id, const char *node)
{
	return with_lock(note_sent_locked, dir, job_id, node);
}

/* The writer of a part holds a lock on it as long as it lives. */
static bool is_locked(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool locked;

	if (fd < 0)
		return false;
	locked = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return locked;
}

bool lw_record_job_is_live(const char *dir, uint32_t job_id)
{
	struct file_list list = { 0 };
	char path[PATH_MAX];
	bool live = false;

	if (list_files(dir, job_id, NULL, &list)) {
		list_fini(&list);
		return false;
	}
	for (uint32_t i = 0; i < list.count && !live; i++)
		live = ends_in(list.name[i], ".part") &&
		       !make_path(path, dir, "%s", list.name[i]) && is_locked(path);
	list_fini(&list);
	return live;
}

int lw_record_file_finish(struct lw_record_file *file, struct lw_record *record,
			  struct lw_error *err)
{
	int rc;

	record->reshaped = true; /* the end is told once, in a file without old lines */
	rc = lw_record_file_save(file, record, err);
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

	return !make_path(path, dir, "%" PRIu32 ".%s.%s.part", job_id, node, step) &&
	       is_locked(path);
}

/* ---- reading a job ---- */

static int by_node(const void *a, const void *b)
{
	return strcmp((*(struct lw_record *const *)a)->head.node,
		      (*(struct lw_record *const *)b)->head.node);
}

/* Add RECORD to the list, merged when its node is there already. */
static void place(struct lw_record **records, uint32_t *count, struct lw_record *record)
{
	for (uint32_t i = 0; i < *count; i++)
		if (!strcmp(records[i]->head.node, record->head.node)) {
			lw_record_merge(records[i], record);
			lw_record_destroy(record);
			return;
		}
	records[(*count)++] = record;
}

int lw_record_list_read(const char *dir, uint32_t job_id, struct lw_record ***ret_records,
			uint32_t *ret_count, struct lw_error *err)
{
	struct file_list list = { 0 };
	struct lw_record **records = NULL, *one = NULL;
	uint32_t count = 0;
	int rc = list_files(dir, job_id, NULL, &list);

	if (err)
		err->text[0] = '\0';
	if (!rc && list.count &&
	    !(records = calloc(list.count, sizeof(struct lw_record *))))
		rc = -ENOMEM;
	for (uint32_t i = 0; !rc && i < list.count; i++)
		if (!load(dir, list.name[i], false, &one, err))
			place(records, &count, one);
	list_fini(&list);
	if (!rc && !count)
		rc = -ENOENT;
	if (rc) {
		free(records);
		if (err && err->text[0])
			return rc;
		return lw_error_set(err, rc, "%s: no record of job %" PRIu32 ": %s", dir,
				    job_id, strerror(-rc));
	}
	qsort(records, count, sizeof(struct lw_record *), by_node);
	*ret_records = records;
	*ret_count = count;
	return 0;
}

void lw_record_list_destroy(struct lw_record **records, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		lw_record_destroy(records[i]);
	free(records);
}
