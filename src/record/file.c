/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPU records in a directory of the node: written as they grow, read by job. */
#include "record/file.h"

#include "record/files.h"
#include "record/write.h"

#include "base/io.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int lw_record_file_create(const char *dir, const struct lw_record *record,
			  struct lw_record_file **ret_file, struct lw_error *err)
{
	const struct lw_record_head *head = &record->head;
	struct lw_record_file *file = calloc(1, sizeof(*file));
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (!file)
		return lw_error_set(err, -ENOMEM, "%s: out of memory", dir);
	rc = lw_files_make_dir(dir, err);
	if (rc) {
		free(file);
		return rc;
	}
	rc = lw_files_path(file->path, dir, "%" PRIu32 ".%s.%s.part", head->job_id, head->node,
			   head->step);
	/* what the node's crash left of an earlier run of the job */
	if (!rc && !access(file->path, F_OK))
		lw_record_settle(dir, head->job_id, head->node, NULL);
	lw_record_print(record, &text);
	if (!rc)
		rc = lw_files_write_anew(file->path, record, &text, &file->fd, &file->hidden);
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

static int file_rewrite(struct lw_record_file *file, const struct lw_record *record)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int fd = -1, rc;

	lw_record_print(record, &text);
	rc = lw_files_write_anew(file->path, record, &text, &fd, &file->hidden);
	lw_strbuf_fini(&text);
	if (rc)
		return rc;
	if (file->fd >= 0)
		close(file->fd);
	file->fd = fd;
	file->appended = 0;
	return 0;
}

static int file_append(struct lw_record_file *file, const struct lw_record *record)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = 0;

	for (uint32_t i = record->changed_from; i < record->bucket_count; i++)
		lw_record_print_bucket(record, i, &text);
	if (text.error)
		rc = text.error;
	else if (text.len)
		rc = lw_files_write_through(file->fd, text.text, text.len);
	file->appended += record->bucket_count - record->changed_from;
	lw_strbuf_fini(&text);
	return rc;
}

/* *ret_anew: the part has a new entry in its directory. */
static int file_bring_up_to_date(struct lw_record_file *file, struct lw_record *record,
				 bool *ret_anew, struct lw_error *err)
{
	bool anew = record->reshaped || file->fd < 0 || file->appended > APPENDED_MAX;
	int rc = 0;

	*ret_anew = anew;
	if (anew)
		rc = file_rewrite(file, record);
	else if (record->changed_from < record->bucket_count)
		rc = file_append(file, record);
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
	int rc = file_bring_up_to_date(file, record, &anew, err);

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

int lw_record_file_finish(struct lw_record_file *file, struct lw_record *record,
			  struct lw_error *err)
{
	bool anew;
	int rc;

	record->reshaped = true; /* the end is told once, in a file without old lines */
	/* the job waits for this, but not for the directory: the last saving is at hand */
	rc = file_bring_up_to_date(file, record, &anew, err);
	if (file->fd >= 0)
		close(file->fd);
	if (!rc)
		rc = lw_record_settle(file->dir, record->head.job_id, record->head.node, err);
	free(file);
	return rc;
}

bool lw_record_is_watched(const char *dir, uint32_t job_id, const char *node, const char *step)
{
	char path[PATH_MAX];

	return !lw_files_path(path, dir, "%" PRIu32 ".%s.%s.part", job_id, node, step) &&
	       lw_files_is_locked(path) > 0;
}

bool lw_record_job_is_live(const char *dir, uint32_t job_id)
{
	const struct lw_files_wanted wanted = { .job_id = job_id, .kind = LW_FILES_PARTS };
	struct lw_files list = { 0 };
	char path[PATH_MAX];
	bool live = false;

	if (lw_files_list(dir, &wanted, &list)) {
		lw_files_fini(&list);
		return false;
	}
	for (uint32_t i = 0; i < list.count && !live; i++)
		live = !lw_files_path(path, dir, "%s", list.name[i]) &&
		       lw_files_is_locked(path) > 0;
	lw_files_fini(&list);
	return live;
}
