/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files in StateSaveLocation: an unreadable file is kept beside its successor. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/statefile.h"

#include "base/savefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The file is damaged, or of a later version, as WHY says; WORD is which. */
static void statefile_set_aside(struct lw_statefile *file, const char *word,
				const struct lw_error *why)
{
	int64_t stamp = file->loaded_s;
	struct lw_error err;

	file->unread = lw_savefile_set_aside(file->path, word, &stamp, &err) != 0;
	if (file->unread)
		lw_log_error(file->log, "%s; it could not be set aside: %s", why->text, err.text);
	else
		lw_log_error(file->log, "%s; set aside as %s.%s-%" PRId64 ", %s afresh", why->text,
			     file->path, word, stamp, file->what);
}

int lw_statefile_load(struct lw_statefile *file, const char *path, int64_t now_s,
		      lw_statefile_parse_f parse, void *arg)
{
	struct lw_error err;
	char *text = NULL;
	size_t size;
	int rc;

	file->path = strdup(path);
	if (!file->path)
		return -ENOMEM;
	file->loaded_s = now_s;
	file->unread = false;
	rc = lw_savefile_read(path, file->kind, file->version, &text, &size, &err);
	if (rc == -ENOENT)
		return 0;
	/* all of them are text: a reader of lines would take what is before it for the whole */
	if (!rc && strlen(text) != size)
		rc = lw_error_set(&err, -EBADMSG, "%s: a NUL byte in it", path);
	if (!rc)
		rc = parse(arg, text, size, &err);
	free(text);
	if (!rc || rc == -ENOMEM)
		return rc;
	if (rc == -EBADMSG || rc == -ENOTSUP) {
		statefile_set_aside(file, rc == -ENOTSUP ? "newer" : "damaged", &err);
		return 0;
	}
	file->unread = true;
	lw_log_error(file->log, "%s; %s afresh, and it is set aside before it is replaced",
		     err.text, file->what);
	return 0;
}

void lw_statefile_fini(struct lw_statefile *file)
{
	free(file->path);
	file->path = NULL;
}

/* Make room for another file, unless an administrator took away what was there. */
static int statefile_make_way(struct lw_statefile *file, struct lw_error *err)
{
	int64_t stamp = file->loaded_s;
	int rc = lw_savefile_set_aside(file->path, "damaged", &stamp, err);

	if (rc && rc != -ENOENT)
		return rc;
	file->unread = false;
	if (!rc)
		lw_log_error(file->log, "%s could not be read: set aside as %s.damaged-%" PRId64,
			     file->path, file->path, stamp);
	return 0;
}

int lw_statefile_save(struct lw_statefile *file, const void *data, size_t size,
		      struct lw_error *err)
{
	int rc = file->unread ? statefile_make_way(file, err) : 0;

	return rc ? rc
		  : lw_savefile_write(file->path, file->kind, file->version, data, size, err);
}
