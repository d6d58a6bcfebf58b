/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many GPU records of one user a directory keeps. */
#include "record/quota.h"

#include "record/files.h"
#include "record/write.h"

#include "base/io.h"
#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USERS "users"
/* What a file, or its folder, takes of a disk: whole ones. */
#define BLOCK UINT64_C(4096)

/* So that a full list is not written anew for each record, a sixteenth goes at a time. */
#define SLACK 16

/* "JOB.NODE BYTES\n" */
struct line {
	const char *text;
	size_t name, len;
	uint64_t bytes;
};

/* The next line from *TEXT on, up to END. False: there is none. */
static bool quota_next_line(const char **text, const char *end, struct line *line)
{
	while (*text < end) {
		const char *stop = memchr(*text, '\n', (size_t)(end - *text));
		const char *at = *text;

		if (!stop)
			return false;
		*text = stop + 1;
		line->text = at;
		line->len = (size_t)(*text - at);
		line->name = strcspn(at, " \n");
		at += line->name + (at[line->name] == ' ');
		/* a line that a crash cut short is left out */
		if (lw_number_take(&at, UINT32_MAX, &line->bytes) && at == stop)
			return true;
	}
	return false;
}

static bool quota_is_named(const struct line *line, const char *name)
{
	return strlen(name) == line->name && !memcmp(line->text, name, line->name);
}

/* The record that LINE is of, and its job's folder when it was the last one there. */
static void quota_remove_record(const char *dir, const struct line *line)
{
	char name[LW_NODE_NAME_MAX + 16], path[PATH_MAX];
	uint32_t job_id;

	snprintf(name, sizeof(name), "%.*s", (int)line->name, line->text);
	job_id = lw_files_job(name);
	if (!job_id || strchr(name, '/'))
		return;
	if (!lw_files_path(path, dir, LW_FILES_JOBS "/%" PRIu32 "/%s.gpu", job_id, name))
		unlink(path);
	if (!lw_files_path(path, dir, LW_FILES_JOBS "/%" PRIu32, job_id))
		rmdir(path);
}

/* The records of a user, as its list has them. */
struct listed {
	const char *text, *end;
	uint32_t count;
	uint64_t bytes;
	bool again; /* with one of the name that comes now; it is not counted */
};

/* Whether there is no room for one more of BYTES. */
static bool quota_is_full(const struct listed *listed, uint64_t bytes)
{
	return listed->count >= LW_QUOTA_RECORDS || listed->bytes + bytes > LW_QUOTA_BYTES;
}

static struct listed quota_add_up(const char *text, size_t size, const char *name)
{
	struct listed listed = { .text = text, .end = text + size };
	struct line line;

	while (quota_next_line(&text, listed.end, &line)) {
		bool same = quota_is_named(&line, name);

		listed.again |= same;
		listed.count += !same;
		listed.bytes += same ? 0 : line.bytes;
	}
	return listed;
}

/* The lines of LISTED beside one called NAME, without the first where they are too many. */
static void quota_keep_newest(const char *dir, struct listed listed, const char *name,
			      struct lw_strbuf *out)
{
	const uint32_t count = LW_QUOTA_RECORDS - LW_QUOTA_RECORDS / SLACK;
	const uint64_t bytes = LW_QUOTA_BYTES - LW_QUOTA_BYTES / SLACK;
	bool full = quota_is_full(&listed, 0);
	struct line line;

	while (quota_next_line(&listed.text, listed.end, &line)) {
		if (quota_is_named(&line, name))
			continue;
		if (full && (listed.count >= count || listed.bytes > bytes)) {
			quota_remove_record(dir, &line);
			listed.bytes -= line.bytes;
			listed.count--;
		} else {
			lw_strbuf_add_bytes(out, line.text, line.len);
		}
	}
}

/* Behind what is there, also behind a line that a crash cut short. */
static int quota_append_record(const char *path, const struct listed *listed, const char *line)
{
	bool whole = listed->text == listed->end || listed->end[-1] == '\n';
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		      0600);
	int rc = fd < 0 ? -errno : 0;

	if (!rc && !whole)
		rc = lw_write_all(fd, "\n", 1);
	if (!rc)
		rc = lw_write_all(fd, line, strlen(line));
	if (fd >= 0)
		close(fd);
	return rc;
}

static int quota_note_record(const char *dir, const char *path, const char *name, uint64_t bytes,
			     bool old)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	char line[LW_NODE_NAME_MAX + 48], *text = NULL;
	struct listed listed;
	size_t size = 0;
	int rc = lw_files_read(path, &text, &size);
	bool read = !rc || rc == -ENOENT, full;

	listed = quota_add_up(text ? text : "", size, name);
	snprintf(line, sizeof(line), "%s %" PRIu64 "\n", name, bytes);
	full = quota_is_full(&listed, bytes);
	if (old && full) {
		rc = -E2BIG;
	} else if (read && !old && !listed.again && !full) {
		rc = quota_append_record(path, &listed, line);
	} else {
		/* where it cannot be read a new one begins: what it knew goes when it is old */
		listed.bytes += bytes;
		lw_strbuf_add(&out, "%s", old ? line : "");
		quota_keep_newest(dir, listed, name, &out);
		lw_strbuf_add(&out, "%s", old ? "" : line);
		rc = out.error ? out.error
			       : lw_replace_file(path, 0600, lw_strbuf_text(&out), out.len);
	}
	lw_strbuf_fini(&out);
	free(text);
	return rc;
}

int lw_quota_note(const char *dir, const struct lw_record_head *head, uint64_t bytes, bool old)
{
	char name[LW_NODE_NAME_MAX + 16], path[PATH_MAX];
	int rc = lw_files_path(path, dir, USERS);

	if (!rc)
		rc = lw_files_make_folder(path, 0700);
	if (!rc)
		rc = lw_files_path(path, dir, USERS "/%" PRIu32, head->user_id);
	if (rc)
		return rc;
	snprintf(name, sizeof(name), "%" PRIu32 ".%s", head->job_id, head->node);
	return quota_note_record(dir, path, name, (bytes + BLOCK - 1) / BLOCK * BLOCK + BLOCK,
				 old);
}
