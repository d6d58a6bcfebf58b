/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many GPU records of one user a directory keeps. */
#include "record/quota.h"

#include "record/files.h"
#include "record/write.h"

#include "base/io.h"
#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USERS "users"
/* What a file, or its folder, takes of a disk: whole ones. */
#define BLOCK UINT64_C(4096)

/* "JOB.NODE BYTES\n" */
struct line {
	const char *text;
	size_t name, len;
	uint64_t bytes;
};

/* The next line from *TEXT on, up to END. False: there is none. */
static bool next_line(const char **text, const char *end, struct line *line)
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

static bool is_named(const struct line *line, const char *name)
{
	return strlen(name) == line->name && !memcmp(line->text, name, line->name);
}

/* The record that LINE is of, and its job's folder when it was the last one there. */
static void remove_record(const char *dir, const struct line *line)
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

/* How many there are but that called NAME, and their bytes. */
static uint64_t add_up(const char *text, const char *end, const char *name, uint32_t *ret_count)
{
	uint64_t bytes = 0;
	struct line line;

	*ret_count = 0;
	while (next_line(&text, end, &line))
		if (!is_named(&line, name)) {
			bytes += line.bytes;
			(*ret_count)++;
		}
	return bytes;
}

/* What is kept of TEXT beside a record called NAME of BYTES; the rest is removed. */
static void keep_newest(const char *dir, const char *text, const char *end, const char *name,
			uint64_t bytes, struct lw_strbuf *out)
{
	uint32_t count;
	uint64_t sum = add_up(text, end, name, &count) + bytes;
	struct line line;

	while (next_line(&text, end, &line)) {
		if (is_named(&line, name))
			continue;
		if (count >= LW_QUOTA_RECORDS || sum > LW_QUOTA_BYTES) {
			remove_record(dir, &line);
			sum -= line.bytes;
			count--;
		} else {
			lw_strbuf_add_bytes(out, line.text, line.len);
		}
	}
}

int lw_quota_note(const char *dir, const struct lw_record_head *head, uint64_t bytes)
{
	char name[LW_NODE_NAME_MAX + 16], path[PATH_MAX], *text = NULL;
	struct lw_strbuf out = LW_STRBUF_INIT;
	size_t size = 0;
	int rc = lw_files_path(path, dir, USERS);

	if (!rc)
		rc = lw_files_make_folder(path, 0700);
	if (!rc)
		rc = lw_files_path(path, dir, USERS "/%" PRIu32, head->user_id);
	if (rc)
		return rc;
	snprintf(name, sizeof(name), "%" PRIu32 ".%s", head->job_id, head->node);
	bytes = (bytes + BLOCK - 1) / BLOCK * BLOCK + BLOCK;
	/* where it cannot be read a new one begins: what it knew goes when it is 30 days old */
	if (!lw_files_read(path, &text, &size))
		keep_newest(dir, text, text + size, name, bytes, &out);
	free(text);
	lw_strbuf_add(&out, "%s %" PRIu64 "\n", name, bytes);
	rc = out.error ? out.error : lw_replace_file(path, 0600, lw_strbuf_text(&out), out.len);
	lw_strbuf_fini(&out);
	return rc;
}
