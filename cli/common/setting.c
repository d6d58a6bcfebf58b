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

uint32_t lw_setting_line(const char *path, const char *key)
{
	uint32_t number = 1, found = 0;
	FILE *stream = NULL;
	char line[256];
	bool whole = true;

	(void)lw_tools_open_plain(path, &stream);
	while (stream && !found && fgets(line, sizeof(line), stream)) {
		if (whole && sets(line, key))
			found = number;
		whole = strchr(line, '\n');
		number += whole;
	}
	if (stream)
		fclose(stream);
	return found;
}
