/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rows with fields parted by a mark that the users of jobs cannot know. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/grow.h"
#include "cli/common/sacct.h"

int lw_sacct_make_mark(char mark[LW_SACCT_MARK], struct lw_error *err)
{
	uint64_t secret;

	if (getrandom(&secret, sizeof(secret), 0) != (ssize_t)sizeof(secret))
		return lw_error_set(err, -errno, "no random number: %s", strerror(errno));
	snprintf(mark, LW_SACCT_MARK, "|%016" PRIx64 "|", secret);
	return 0;
}

/* Cut TEXT at each mark into the names of the columns. */
static int marked_names(struct lw_sacct *sacct, char *text, struct lw_error *err)
{
	size_t len = strlen(sacct->mark);
	uint32_t room = 0;

	while (text) {
		char *end = strstr(text, sacct->mark);

		if (lw_grow((void **)&sacct->names, &room, sacct->count + 1,
			    sizeof(*sacct->names)))
			return lw_error_set(err, -ENOMEM, "out of memory");
		sacct->names[sacct->count++] = text;
		text = end ? end + len : NULL;
		if (end)
			*end = '\0';
	}
	if (lw_grow((void **)&sacct->fields, &sacct->room, sacct->count, sizeof(*sacct->fields)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	return 0;
}

int lw_sacct_of_marked(struct lw_sacct *sacct, const char *text, const char *mark,
		       const char *source, struct lw_error *err)
{
	char *header;
	int rc;

	*sacct = (struct lw_sacct){ .path = source };
	snprintf(sacct->mark, sizeof(sacct->mark), "%s", mark);
	sacct->lines.text = sacct->lines.next = strdup(text);
	header = sacct->lines.text ? lw_lines_next(&sacct->lines) : NULL;
	if (!sacct->lines.text)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	else if (!header)
		rc = lw_error_set(err, -EINVAL, "%s printed nothing, not even a header line",
				  source);
	else
		rc = marked_names(sacct, header, err);
	if (rc)
		lw_sacct_fini(sacct);
	return rc;
}

/* Where the last field of a row ends: the next row begins behind the last line end before a mark.
 */
static char *marked_end(const struct lw_sacct *sacct, char *last)
{
	char *mark = strstr(last, sacct->mark), *end;

	if (mark)
		end = memrchr(last, '\n', (size_t)(mark - last));
	else
		end = last + strlen(last) - (*last && last[strlen(last) - 1] == '\n');
	return end ? end : mark;
}

/* Cut the row at TEXT. What follows it, or NULL: it has too few fields. */
static char *marked_cut(struct lw_sacct *sacct, char *text)
{
	char *end;

	for (uint32_t i = 0; i < sacct->count; i++) {
		bool last = i + 1 == sacct->count;

		end = last ? marked_end(sacct, text) : strstr(text, sacct->mark);
		sacct->fields[i] = text;
		if (!end)
			return NULL;
		text = last ? end + (*end == '\n') : end + strlen(sacct->mark);
		*end = '\0';
		for (char *at = sacct->fields[i]; (at = strchr(at, '\n'));)
			*at = ' ';
	}
	return text;
}

int lw_sacct_next_marked(struct lw_sacct *sacct, char ***ret_fields, struct lw_error *err)
{
	char *text = sacct->lines.next, *rest;

	text += strspn(text, "\n");
	if (!*text)
		return 0;
	sacct->line = ++sacct->lines.number;
	rest = marked_cut(sacct, text);
	if (!rest) {
		sacct->lines.next = text + strlen(text);
		return lw_error_set(err, -EINVAL, "fewer than %" PRIu32 " fields", sacct->count);
	}
	sacct->lines.next = rest;
	*ret_fields = sacct->fields;
	return 1;
}
