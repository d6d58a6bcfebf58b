/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files of ours in StateSaveLocation that may be lost, but not in silence. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/statefile.h"

#include "base/savefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static void set_aside(const struct lw_statefile *file, int64_t now_s, const struct lw_error *why)
{
	struct lw_error err;

	if (lw_savefile_set_aside(file->path, now_s, &err))
		lw_log_error(file->log, "%s; it could not be set aside: %s", why->text, err.text);
	else
		lw_log_error(file->log, "%s; set aside as %s.damaged-%" PRId64 ", %s afresh",
			     why->text, file->path, now_s, file->what);
}

int lw_statefile_load(const struct lw_statefile *file, int64_t now_s, lw_statefile_parse_f parse,
		      void *arg)
{
	struct lw_error err;
	char *text = NULL;
	size_t size;
	int rc = lw_savefile_read(file->path, file->kind, file->version, &text, &size, &err);

	if (rc == -ENOENT)
		return 0;
	if (!rc)
		rc = parse(arg, text, size, &err);
	free(text);
	if (rc == -EBADMSG || rc == -ENOTSUP)
		set_aside(file, now_s, &err);
	else if (rc && rc != -ENOMEM)
		lw_log_error(file->log, "%s", err.text);
	return rc == -ENOMEM ? rc : 0;
}
