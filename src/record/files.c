/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: names and contents of the files in a directory of GPU records. */
#include "record/files.h"

#include "record/access.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* far above any record of ours */
#define FILE_SIZE_MAX (16 * 1024 * 1024)
/* and above any first line */
#define HEAD_MAX 8192

int lw_files_path(char *path, const char *dir, const char *fmt, ...)
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

/* At most MOST bytes. */
static int files_read_fd(int fd, const struct stat *st, size_t most, char **ret_text,
			 size_t *ret_size)
{
	size_t got = 0, size = (size_t)st->st_size < most ? (size_t)st->st_size : most;
	char *text;

	if (st->st_size > FILE_SIZE_MAX)
		return -EFBIG;
	text = malloc(size + 1);
	if (!text)
		return -ENOMEM;
	while (got < size) {
		ssize_t n = read(fd, text + got, size - got);

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

bool lw_files_ends_in(const char *text, const char *tail)
{
	size_t len = strlen(text), tail_len = strlen(tail);

	return len >= tail_len && !strcmp(text + len - tail_len, tail);
}

/* NAME without its folder. */
static const char *files_base_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

/* After "JOB.NODE.": "gpu", or "STEP.part" where no step has a dot. */
static bool files_is_of_node(const char *name, const char *prefix)
{
	const char *rest = name + strlen(prefix);

	if (strncmp(name, prefix, strlen(prefix)))
		return false;
	return !strcmp(rest, "gpu") ||
	       (lw_files_ends_in(rest, ".part") && !strcmp(strchr(rest, '.'), ".part"));
}

void lw_files_fini(struct lw_files *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		free(list->name[i]);
	free(list->name);
}

int lw_files_add(struct lw_files *list, const char *name)
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

/* The job id that NAME begins with, up to STOP; 0 when there is none, as no job has. */
static uint32_t files_job_before(const char *name, char stop)
{
	char *end;
	unsigned long job = *name >= '1' && *name <= '9' ? strtoul(name, &end, 10) : 0;

	return job && *end == stop && job <= UINT32_MAX ? (uint32_t)job : 0;
}

uint32_t lw_files_job(const char *name)
{
	return files_job_before(files_base_of(name), '.');
}

bool lw_files_is_final(const char *name)
{
	return files_base_of(name) != name;
}

static int files_by_name(const void *a, const void *b)
{
	const char *left = *(char *const *)a, *right = *(char *const *)b;
	uint32_t left_job = lw_files_job(left), right_job = lw_files_job(right);

	if (left_job != right_job)
		return left_job < right_job ? -1 : 1;
	return strcmp(left, right);
}

static bool files_is_of_kind(const char *name, enum lw_files_kind kind)
{
	if (lw_files_ends_in(name, ".gpu"))
		return kind != LW_FILES_PARTS;
	return lw_files_ends_in(name, ".part") && kind != LW_FILES_FLAT;
}

static bool files_is_wanted(const char *name, const struct lw_files_wanted *wanted)
{
	char prefix[LW_NODE_NAME_MAX + 16];
	uint32_t job = lw_files_job(name);

	if (!job || (wanted->job_id && job != wanted->job_id) ||
	    !files_is_of_kind(name, wanted->kind))
		return false;
	if (!wanted->node)
		return true;
	snprintf(prefix, sizeof(prefix), "%" PRIu32 ".%s.", job, wanted->node);
	return files_is_of_node(name, prefix);
}

/* The entries of DIR/FOLDER, which is no link. NULL with errno. */
static DIR *files_open_folder(const char *dir, const char *folder)
{
	char path[PATH_MAX];
	DIR *stream = NULL;
	int fd = -1;

	if (lw_files_path(path, dir, "%s", folder))
		errno = ENAMETOOLONG;
	else
		fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		stream = fdopendir(fd);
	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

/* What a folder of ours is not: there is none, or something else has its name. */
static bool files_is_no_folder(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

/* Add what is wanted of the folder of job JOB_ID. */
static int files_list_folder(const char *dir, uint32_t job_id,
			     const struct lw_files_wanted *wanted, struct lw_files *files)
{
	char folder[32], name[NAME_MAX + 64];
	struct dirent *entry;
	DIR *stream;
	int rc = 0;

	snprintf(folder, sizeof(folder), LW_FILES_JOBS "/%" PRIu32, job_id);
	stream = files_open_folder(dir, folder);
	if (!stream)
		return files_is_no_folder(errno) ? 0 : -errno;
	while (!rc && (entry = readdir(stream))) {
		snprintf(name, sizeof(name), "%s/%s", folder, entry->d_name);
		if (lw_files_job(name) == job_id && files_is_wanted(entry->d_name, wanted))
			rc = lw_files_add(files, name);
	}
	closedir(stream);
	return rc;
}

static int files_list_folders(const char *dir, const struct lw_files_wanted *wanted,
			      struct lw_files *files)
{
	DIR *stream = files_open_folder(dir, LW_FILES_JOBS);
	struct dirent *entry;
	int rc = 0;

	if (!stream)
		return files_is_no_folder(errno) ? 0 : -errno;
	while (!rc && (entry = readdir(stream))) {
		uint32_t job_id = files_job_before(entry->d_name, '\0');

		if (job_id)
			rc = files_list_folder(dir, job_id, wanted, files);
	}
	closedir(stream);
	return rc;
}

/* Parts, and records of releases before there were folders. */
static int files_list_flat(const char *dir, const struct lw_files_wanted *wanted,
			   struct lw_files *files)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	if (!stream)
		return -errno;
	while (!rc && (wanted->kind != LW_FILES_FLAT || files->count < LW_FILES_FLAT_MAX) &&
	       (entry = readdir(stream)))
		if (files_is_wanted(entry->d_name, wanted))
			rc = lw_files_add(files, entry->d_name);
	closedir(stream);
	return rc;
}

static void sort_files(struct lw_files *files)
{
	if (files->count)
		qsort(files->name, files->count, sizeof(*files->name), files_by_name);
}

int lw_files_list(const char *dir, const struct lw_files_wanted *wanted, struct lw_files *files)
{
	int rc = files_list_flat(dir, wanted, files);

	if (!rc && wanted->kind == LW_FILES_ALL)
		rc = wanted->job_id ? files_list_folder(dir, wanted->job_id, wanted, files)
				    : files_list_folders(dir, wanted, files);
	sort_files(files);
	return rc;
}

int lw_files_list_folder(const char *dir, uint32_t job_id, struct lw_files *files)
{
	const struct lw_files_wanted wanted = { .job_id = job_id };
	int rc = files_list_folder(dir, job_id, &wanted, files);

	sort_files(files);
	return rc;
}

static int files_open_record(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int lw_files_is_locked(const char *path)
{
	int fd = files_open_record(path), locked;

	if (fd < 0)
		return fd == -EACCES ? fd : 0;
	locked = lw_access_is_locked(fd);
	close(fd);
	return locked;
}

/* The content of a file, and its owner and mode. */
struct content {
	char *text;
	size_t size;
	struct stat st;
};

/* How a record is read. */
enum how { ALL, IDLE_ONLY, HEAD_ONLY };

/* The open file PATH; nothing that another user made. */
static int files_read_trusted(int fd, const char *path, enum how how, struct content *ret_content,
			      struct lw_error *err)
{
	const struct stat *st = &ret_content->st;
	int rc;

	if (fstat(fd, &ret_content->st))
		return lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!lw_access_is_trusted(st))
		return lw_error_set(err, -EPERM,
				    "%s: belongs to user %" PRIu32 ", who may have made it up",
				    path, (uint32_t)st->st_uid);
	if (!S_ISREG(st->st_mode))
		return lw_error_set(err, -EBADMSG, "%s: %s, and no file", path,
				    S_ISDIR(st->st_mode)    ? "a directory"
				    : S_ISFIFO(st->st_mode) ? "a FIFO"
							    : "a device or a socket");
	if (how == IDLE_ONLY && lw_access_is_locked(fd))
		rc = -EBUSY;
	else
		rc = files_read_fd(fd, st, how == HEAD_ONLY ? HEAD_MAX : SIZE_MAX,
				   &ret_content->text, &ret_content->size);
	return rc ? lw_error_set(err, rc, "%s: %s", path, strerror(-rc)) : 0;
}

/* A record of another job under this one's name would be told as this one's. */
static int files_check_name(const char *path, const char *name, const struct lw_record *record,
			    struct lw_error *err)
{
	char prefix[LW_NODE_NAME_MAX + 16];

	snprintf(prefix, sizeof(prefix), "%" PRIu32 ".%s.", record->head.job_id,
		 record->head.node);
	if (files_is_of_node(files_base_of(name), prefix))
		return 0;
	return lw_error_set(err, -EBADMSG, "%s: is the record of job %" PRIu32 " on %s", path,
			    record->head.job_id, record->head.node);
}

/* What is behind the first line may be long, and was cut somewhere. */
static void files_keep_first_line(struct content *content)
{
	const char *end = content->size ? memchr(content->text, '\n', content->size) : NULL;

	content->size = end ? (size_t)(end - content->text) + 1 : 0;
}

int lw_files_read(const char *path, char **ret_text, size_t *ret_size)
{
	struct content content = { .text = NULL };
	int fd = files_open_record(path), rc;

	if (fd < 0)
		return fd;
	rc = files_read_trusted(fd, path, ALL, &content, NULL);
	close(fd);
	if (rc)
		return rc;
	*ret_text = content.text;
	*ret_size = content.size;
	return 0;
}

static int files_load(const char *dir, const char *name, enum how how,
		      struct lw_record **ret_record, struct lw_error *err)
{
	struct content content = { .text = NULL };
	struct lw_record *record = NULL;
	char path[PATH_MAX];
	int fd, rc = lw_files_path(path, dir, "%s", name);

	if (rc)
		return rc;
	fd = files_open_record(path);
	if (fd < 0)
		return lw_error_set(err, fd, "%s: %s", path, strerror(-fd));
	rc = files_read_trusted(fd, path, how, &content, err);
	close(fd);
	if (!rc && how == HEAD_ONLY)
		files_keep_first_line(&content);
	if (!rc)
		rc = lw_record_parse(path, content.text, content.size, &record, err);
	free(content.text);
	if (!rc)
		rc = files_check_name(path, name, record, err);
	if (rc) {
		lw_record_destroy(record);
		return rc;
	}
	record->head.group_id = lw_access_group_of(&content.st);
	*ret_record = record;
	return 0;
}

int lw_files_load(const char *dir, const char *name, bool idle_only,
		  struct lw_record **ret_record, struct lw_error *err)
{
	return files_load(dir, name, idle_only ? IDLE_ONLY : ALL, ret_record, err);
}

int lw_files_check(const char *dir, const char *name, struct lw_error *err)
{
	struct lw_record *head = NULL;
	int rc = files_load(dir, name, HEAD_ONLY, &head, err);

	if (!rc)
		lw_record_destroy(head);
	return rc;
}
