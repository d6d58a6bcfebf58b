/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: slurm.conf asked, and findings kept. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/grow.h"

/* far above any list of ours */
#define WHAT_MAX 2000

/*
 * What is quoted from a file may hold anything, and as much as a file holds: keep only what prints,
 * the newline before the remedy, and of what is before it no more than can be read.
 */
static void finder_clean(char *text)
{
	char *remedy = strchr(text, '\n');
	size_t len = remedy ? (size_t)(remedy - text) : strlen(text);

	for (size_t i = 0; text[i]; i++) {
		if ((unsigned char)text[i] >= 0x7f ||
		    ((unsigned char)text[i] < ' ' && text + i != remedy))
			text[i] = '?';
	}
	if (len <= WHAT_MAX)
		return;
	memcpy(text + WHAT_MAX - 3, "...", 3);
	memmove(text + WHAT_MAX, text + len, strlen(text + len) + 1);
}

/* Split TEXT at its newline into two strings of their own. */
static bool finder_split(const char *text, struct lw_check_finding *finding)
{
	const char *newline = strchr(text, '\n');

	finding->what = newline ? strndup(text, (size_t)(newline - text)) : strdup(text);
	finding->remedy = strdup(newline ? newline + 1 : "");
	return finding->what && finding->remedy;
}

static void finder_keep(struct lw_check *check, enum lw_check_severity severity, const char *id,
			struct lw_check_place place, const char *text)
{
	struct lw_check_finding *finding;

	if (lw_grow((void **)&check->findings, &check->finding_room, check->finding_count + 1,
		    sizeof(*check->findings))) {
		check->error = -ENOMEM;
		return;
	}
	finding = &check->findings[check->finding_count++];
	*finding =
		(struct lw_check_finding){ .severity = severity, .id = id, .line = place.line };
	finding->file = strdup(place.file ? place.file : "");
	if (!finder_split(text, finding) || !finding->file)
		check->error = -ENOMEM;
}

void lw_check_add(struct lw_check *check, enum lw_check_severity severity, const char *id,
		  struct lw_check_place place, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0) {
		check->error = -ENOMEM;
		return;
	}
	finder_clean(text);
	finder_keep(check, severity, id, place, text);
	free(text);
}

struct lw_check_place lw_check_at(const struct lw_slurmconf_line *line)
{
	return (struct lw_check_place){ line->file, line->number };
}

struct lw_check_place lw_check_at_slurm_conf(const struct lw_check *check)
{
	return (struct lw_check_place){ check->slurm_conf, 0 };
}

int lw_check_word(const char *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcasecmp(text, words[i]))
			return (int)i;
	}
	return -1;
}

enum lw_check_scope lw_check_scope(const struct lw_slurmconf_line *line)
{
	static const char *const others[] = { "NodeSet", "DownNodes", "FrontendName",
					      "PowerAction" };
	const char *key = line->pair_count ? line->pairs[0].key : "";

	if (!strcasecmp(key, "NodeName"))
		return LW_CHECK_NODE;
	if (!strcasecmp(key, "PartitionName"))
		return LW_CHECK_PARTITION;
	return LW_CHECK_WORD(key, others) < 0 ? LW_CHECK_GLOBAL : LW_CHECK_OTHER;
}

const char *lw_check_global(const struct lw_check *check, const char *key,
			    struct lw_check_place *ret_place)
{
	if (ret_place)
		*ret_place = lw_check_at_slurm_conf(check);
	for (uint32_t i = check->slurm.line_count; i-- > 0;) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *value = lw_slurmconf_value(line, key);

		if (!value || lw_check_scope(line) != LW_CHECK_GLOBAL)
			continue;
		if (ret_place)
			*ret_place = lw_check_at(line);
		return value;
	}
	return NULL;
}

bool lw_check_listed(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (list && *list) {
		size_t item = strcspn(list, ",");

		if (item == len && !strncasecmp(list, word, len))
			return true;
		list += item;
		list += *list == ',';
	}
	return false;
}

/* slurmctld looks for the word anywhere in the text, in any case, and takes the first. */
long lw_check_param(const struct lw_check *check, const char *key, long fallback)
{
	const char *params = lw_check_global(check, "SchedulerParameters", NULL);
	const char *found = params ? strcasestr(params, key) : NULL;

	if (!found || found[strlen(key)] != '=')
		return fallback;
	return strtol(found + strlen(key) + 1, NULL, 10);
}

const char *lw_check_path(const struct lw_check *check, const char *path, char *buf)
{
	snprintf(buf, PATH_MAX, "%s%s", check->root, path);
	return buf;
}

const char *lw_check_release(uint32_t release, char *buf, size_t size)
{
	int len = snprintf(buf, size, "%02u.%02u", release >> 16, release >> 8 & 0xff);

	if ((release & 0xff) != LW_SLURM_ANY_MICRO && (size_t)len < size)
		snprintf(buf + len, size - (size_t)len, ".%u", release & 0xff);
	return buf;
}

const char *lw_check_slurm(const struct lw_check *check, char *buf, size_t size)
{
	char release[16];

	if (check->release)
		snprintf(buf, size, "Slurm %s",
			 lw_check_release(check->release, release, sizeof(release)));
	else
		snprintf(buf, size, "Slurm");
	return buf;
}
