/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: what a trace says in its first lines of its zone and its queues. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/analyse/input.h"

#define LINE_MAX_LEN 256

/* The value of KEY in LINE, "; Key: value", or NULL. */
static const char *value_of(const char *line, const char *key)
{
	line += strspn(line, "; \t");
	if (strncasecmp(line, key, strlen(key)) != 0)
		return NULL;
	line += strlen(key);
	return line + strspn(line, " \t");
}

static int header_take(struct lw_ana_header *header, const char *line)
{
	const char *value = value_of(line, "TimeZoneString:");
	uint32_t number;
	int rc = 0;

	/* "Europe/Prague (assumed)" */
	if (value) {
		size_t len = strcspn(value, " \t\r(");

		if (len < sizeof(header->zone))
			snprintf(header->zone, sizeof(header->zone), "%.*s", (int)len, value);
	}
	value = value_of(line, "Queue:");
	if (value)
		rc = lw_ana_names_number(&header->queues, value, &number);
	value = value_of(line, "Partition:");
	if (!rc && value)
		rc = lw_ana_names_number(&header->partitions, value, &number);
	return rc;
}

int lw_ana_header_read(struct lw_ana_header *header, const struct lw_lines *lines)
{
	const char *p = lines->text;

	memset(header, 0, sizeof(*header));
	while (*p == ';' || *p == '\n' || *p == '\r') {
		char line[LINE_MAX_LEN];
		size_t len = strcspn(p, "\r\n");

		snprintf(line, sizeof(line), "%.*s",
			 (int)(len < LINE_MAX_LEN ? len : LINE_MAX_LEN), p);
		if (header_take(header, line)) {
			lw_ana_header_fini(header);
			return -ENOMEM;
		}
		p += len;
		p += *p ? 1 : 0;
	}
	return 0;
}

void lw_ana_header_fini(struct lw_ana_header *header)
{
	lw_ana_names_fini(&header->queues);
	lw_ana_names_fini(&header->partitions);
}

const char *lw_ana_header_name(const struct lw_ana_names *names, int32_t number)
{
	for (uint32_t i = 0; i < names->count; i++) {
		char *end;
		long found = strtol(names->texts[i], &end, 10);

		if (end != names->texts[i] && found == number && *end == ' ' && end[1])
			return end + 1;
	}
	return NULL;
}
