/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a node that failed under two different jobs within a day, as a line of its file. */
#include "base/suspect.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* No time is beyond. */
#define SUSPECT_TIME_MAX_S UINT64_C(1000000000000)

void lw_suspect_print(const struct lw_suspect *node, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "node %s %" PRIu32 " %" PRId64 " %" PRIu32 " %" PRId64 "\n",
		      node->name, node->job, node->at_s, node->job_before, node->before_s);
}

bool lw_suspect_parse(const char *line, struct lw_suspect *ret_node)
{
	static const uint64_t most[] = { UINT32_MAX, SUSPECT_TIME_MAX_S, UINT32_MAX,
					 SUSPECT_TIME_MAX_S };
	uint64_t value[4];
	size_t len;

	if (strncmp(line, "node ", 5))
		return false;
	line += 5;
	len = strcspn(line, " ");
	if (!len || len >= LW_SUSPECT_NAME_MAX)
		return false;
	memset(ret_node, 0, sizeof(*ret_node));
	memcpy(ret_node->name, line, len);
	line += len;
	if (!lw_number_take_row(&line, most, 4, value) || *line || !value[0])
		return false;
	ret_node->job = (uint32_t)value[0];
	ret_node->at_s = (int64_t)value[1];
	ret_node->job_before = (uint32_t)value[2];
	ret_node->before_s = (int64_t)value[3];
	return value[0] != value[2] && value[3] <= value[1];
}

int lw_suspects_read(char *payload, lw_suspect_f each, void *arg, struct lw_error *err)
{
	struct lw_suspect node;
	char *line;
	int rc = 0;

	while (!rc && (line = strsep(&payload, "\n"))) {
		if (!*line)
			continue;
		if (!lw_suspect_parse(line, &node))
			return lw_error_set(err, -EBADMSG, "a line is wrong: %s", line);
		rc = each(arg, &node);
	}
	return rc;
}
