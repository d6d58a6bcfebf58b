/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: the nodes that failed under two jobs within a day. */
#include "cli/live/live.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/savefile.h"
#include "base/suspect.h"
#include "cli/chart/chart.h"

static int add_name(void *arg, const struct lw_suspect *node)
{
	struct lw_strbuf *names = arg;

	if (lw_suspect_is(node))
		lw_strbuf_add(names, "%s%s", names->len ? ", " : "", node->name);
	return names->error;
}

int lw_live_read_suspects(struct live *live, struct lw_error *err)
{
	struct lw_strbuf names = LW_STRBUF_INIT;
	char path[PATH_MAX], *text = NULL;
	struct lw_error why;
	size_t size;
	int rc;

	snprintf(path, sizeof(path), "%s/" LW_SUSPECTS_FILE, live->state_dir);
	rc = lw_savefile_read(path, LW_SUSPECTS_KIND, LW_SUSPECTS_VERSION, &text, &size, &why);
	if (!rc)
		rc = lw_suspects_read(text, add_name, &names, &why);
	free(text);
	if (!rc && names.len)
		live->suspects = strdup(lw_strbuf_text(&names));
	if (rc == -ENOMEM || (!rc && names.len && !live->suspects))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	else /* a user that may not read it sees a page without */
		rc = 0;
	lw_strbuf_fini(&names);
	return rc;
}

void lw_live_show_suspects(const struct live *live, struct lw_strbuf *sb)
{
	if (!live->suspects)
		return;
	lw_strbuf_add(sb, "<p>Failed under two jobs within a day: ");
	lw_chart_add_text(sb, live->suspects);
	lw_strbuf_add(sb, ".</p>\n");
}
