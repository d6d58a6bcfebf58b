/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where a setting stands in leeway.yaml. */
#include "cli/common/setting.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/tools.h"

/* "  slack: 0.2" or "sched.slack: 0.2" */
static bool sets(const char *line, const char *key)
{
	size_t len = strlen(key);
	const char *word = line + strspn(line, " \t{"), *colon = strchr(word, ':');

	if (!colon || (size_t)(colon - word) < len || strncmp(colon - len, key, len))
		return false;
	return colon - len == word || colon[-(ptrdiff_t)len - 1] == '.';
}

/* "sched:", of the LEN bytes before the dot of KEY. */
static bool begins_section(const char *line, const char *key, size_t len)
{
	return strncmp(line, key, len) == 0 && line[len] == ':';
}

/* Where is a line? In the section of a key, before it or behind it. */
struct section {
	bool inside;
	uint32_t line; /* where it begins; 0: not seen yet */
};

/* Does LINE, of that NUMBER, set KEY? Of one with a dot, in its section. */
static bool sets_in(const char *line, uint32_t number, const char *key, struct section *section)
{
	const char *dot = strchr(key, '.');

	if (!dot || sets(line, key))
		return sets(line, key);
	if (!strchr(" \t\n#", *line)) {
		section->inside = begins_section(line, key, (size_t)(dot - key));
		if (section->inside)
			section->line = number;
		return false;
	}
	return section->inside && sets(line, dot + 1);
}

uint32_t lw_setting_line(const char *path, const char *key)
{
	struct section section = { false, 0 };
	uint32_t number = 1, found = 0;
	FILE *stream = NULL;
	char line[256];
	bool whole = true;

	(void)lw_tools_open_plain(path, &stream);
	while (stream && !found && fgets(line, sizeof(line), stream)) {
		if (whole && sets_in(line, number, key, &section))
			found = number;
		whole = strchr(line, '\n');
		number += whole;
	}
	if (stream)
		fclose(stream);
	return found ? found : section.line;
}
