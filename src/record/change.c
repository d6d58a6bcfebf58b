/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: change a job's admin_comment, which others write as well. */
#include "record/change.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

int lw_change(const struct lw_change_calls *calls, lw_change_f make, void *arg)
{
	char old[LW_COMMENT_MAX], new[LW_COMMENT_MAX];
	bool written = false;

	for (int reads = 0; reads <= LW_CHANGE_TRIES; reads++) {
		int rc = calls->read(calls->arg, old);

		if (rc)
			return written ? 0 : rc;
		rc = make(arg, old, new);
		if (rc || (written && !strcmp(old, new)))
			return rc;
		if (reads == LW_CHANGE_TRIES)
			break;
		rc = calls->write(calls->arg, new);
		if (rc)
			return rc;
		written = true;
	}
	return -EAGAIN;
}
