/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which part of a GPU a job was given, by its word in AdminComment, in a line and JSON. */
#include "cli/gpu/gpu_shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

/* "shard:4" */
static void name_parts(const struct lw_sharemark *mark, char *buf, size_t size)
{
	snprintf(buf, size, "%s:%" PRIu32, mark->gres, mark->parts);
}

static void say_left(const struct lw_sharemark *mark, char *buf, size_t size)
{
	if (!strcmp(mark->left, "memory"))
		snprintf(buf, size, "had to leave a shared GPU: memory ran out there");
	else if (mark->left[0])
		snprintf(buf, size, "had to leave a shared GPU: %s", lw_tools_plain(mark->left));
	else
		snprintf(buf, size, "has no part of a shared GPU any more");
}

static void say_lends(const struct lw_sharemark *mark, char *buf, size_t size)
{
	char after[32];

	lw_duration_print(mark->lend_s, after, sizeof(after));
	if (mark->idle)
		snprintf(buf, size, "lends its GPU, and left it idle: guests may be there now");
	else
		snprintf(buf, size, "lends its GPU while it leaves it idle, after %s", after);
}

void lw_gpu_parts_line(const struct lw_sharemark *mark, char *buf, size_t size)
{
	char parts[32], was[LW_SHAREMARK_GRES];

	name_parts(mark, parts, sizeof(parts));
	snprintf(was, sizeof(was), "%s", lw_tools_plain(mark->was));
	if (!mark->parts)
		say_left(mark, buf, size);
	else if (mark->guest)
		snprintf(buf, size, "is a guest on a GPU that another job lends");
	else if (mark->lend_s)
		say_lends(mark, buf, size);
	else
		snprintf(buf, size, "shares a GPU: %s in place of %s", lw_tools_plain(parts),
			 was);
}

json_t *lw_gpu_parts_json(const struct lw_sharemark *mark)
{
	char parts[32];

	if (!mark)
		return json_null();
	name_parts(mark, parts, sizeof(parts));
	return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b}", "parts",
			 mark->parts ? lw_output_string(parts) : json_null(), "was",
			 lw_output_string(mark->was), "left",
			 mark->left[0] ? lw_output_string(mark->left) : json_null(), "lend_s",
			 mark->lend_s ? json_integer((json_int_t)mark->lend_s) : json_null(),
			 "idle", (int)mark->idle, "guest", (int)mark->guest);
}
