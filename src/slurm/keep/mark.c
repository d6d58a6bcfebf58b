/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Leeway's word in the comment that Slurm's daemon keeps of a job. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/mark.h"

#include "base/items.h"
#include "base/strbuf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void lw_mark_word(int64_t latest_s, char word[LW_MARK_MAX])
{
	char when[32] = "later"; /* beyond the calendar */
	time_t latest = (time_t)latest_s;
	struct tm then;

	if (localtime_r(&latest, &then))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", &then);
	snprintf(word, LW_MARK_MAX, LW_MARK_START "%s", when);
}

static bool mark_is_word(const char *at, size_t len, const char *word)
{
	return word && strlen(word) == len && !memcmp(at, word, len);
}

/* COMMENT without the LEN bytes AT, and without the blank that parted them from the rest. */
static void mark_cut(const char *comment, const char *at, size_t len, struct lw_strbuf *out)
{
	const char *rest = at + len;

	if (at > comment)
		at--;
	else if (*rest)
		rest++;
	lw_strbuf_add(out, "%.*s%s", (int)(at - comment), comment, rest);
}

static int mark_finish(struct lw_strbuf *out, char **ret_comment)
{
	char *comment = NULL;
	int rc = out->error;

	if (!rc && out->len) {
		comment = strdup(lw_strbuf_text(out));
		rc = comment ? 0 : -ENOMEM;
	}
	lw_strbuf_fini(out);
	if (!rc)
		*ret_comment = comment;
	return rc;
}

int lw_mark_put_word(const char *comment, const char *start, const char *word, char **ret_comment)
{
	const char *old = comment ? comment : "", *at = lw_items_find(old, start);
	struct lw_strbuf out = LW_STRBUF_INIT;
	size_t len = at ? strcspn(at, LW_ITEMS_BLANKS) : 0;

	if (at ? mark_is_word(at, len, word) : !word)
		return -EALREADY;
	if (at && word)
		lw_strbuf_add(&out, "%.*s%s%s", (int)(at - old), old, word, at + len);
	else if (at)
		mark_cut(old, at, len, &out);
	else
		lw_strbuf_add(&out, "%s%s%s", old, *old ? " " : "", word);
	return mark_finish(&out, ret_comment);
}

int lw_mark_put(const char *comment, const char *word, char **ret_comment)
{
	return lw_mark_put_word(comment, LW_MARK_START, word, ret_comment);
}
