/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what was found, for people and as JSON. */
#include "cli/check/check.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fold.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

static const char *const severities[] = { "note", "warning", "error", "error" };

uint32_t lw_check_count(const struct lw_check *check, enum lw_check_severity severity)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < check->finding_count; i++)
		count += check->findings[i].severity == severity ||
			 (severity == LW_CHECK_ERROR &&
			  check->findings[i].severity == LW_CHECK_FATAL);
	return count;
}

static int compare_findings(const void *left, const void *right)
{
	const struct lw_check_finding *a = left, *b = right;
	int by_file = strcmp(a->file, b->file);

	if (by_file)
		return by_file;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (strcmp(a->id, b->id))
		return strcmp(a->id, b->id);
	return strcmp(a->what, b->what);
}

static void print_sort(const struct lw_check *check)
{
	if (check->finding_count)
		qsort(check->findings, check->finding_count, sizeof(*check->findings),
		      compare_findings);
}

static void print_count(FILE *out, uint32_t count, const char *word)
{
	fprintf(out, "%u %s%s", count, word, count == 1 ? "" : "s");
}

/*
 * What an administrator that switches Leeway on wants to know first; with errors slurmctld may
 * not start.
 */
static void print_outcome(const struct lw_check *check, FILE *out)
{
	char release[16] = "";

	if (!check->readable || lw_check_count(check, LW_CHECK_ERROR))
		return;
	if (check->release)
		lw_check_release(check->release, release, sizeof(release));
	fprintf(out, "slurmctld%s%s %s Leeway's scheduler plugin\n", *release ? " " : "", release,
		check->loads ? "loads" : "does not load");
}

/* One finding; its remedy is deeper than what goes on of it. */
static void add_finding(const struct lw_check_finding *finding, size_t width,
			struct lw_strbuf *text)
{
	char id[40];

	lw_strbuf_add(text, "%s:", lw_tools_plain(finding->file));
	if (finding->line)
		lw_strbuf_add(text, "%u:", finding->line);
	lw_strbuf_add(text, " %s:", severities[finding->severity]);
	lw_fold(finding->what, "  ", width, text);
	snprintf(id, sizeof(id), "[%s]", finding->id);
	lw_fold(id, "  ", width, text);
	lw_strbuf_add(text, "\n");
	if (*finding->remedy) {
		lw_strbuf_add(text, "    ");
		lw_fold(finding->remedy, "    ", width, text);
		lw_strbuf_add(text, "\n");
	}
}

int lw_check_print(const struct lw_check *check, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	size_t width = lw_tools_width();
	int rc = 0;

	print_sort(check);
	for (uint32_t i = 0; i < check->finding_count; i++)
		add_finding(&check->findings[i], width, &text);
	if (text.error)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	fputs(lw_strbuf_text(&text), stdout);
	lw_strbuf_fini(&text);
	if (rc)
		return rc;
	print_outcome(check, stdout);
	print_count(stdout, lw_check_count(check, LW_CHECK_ERROR), "error");
	printf(", ");
	print_count(stdout, lw_check_count(check, LW_CHECK_WARNING), "warning");
	printf(", ");
	print_count(stdout, lw_check_count(check, LW_CHECK_NOTE), "note");
	printf("\n");
	return 0;
}

static json_t *make_findings(const struct lw_check *check)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < check->finding_count; i++) {
		const struct lw_check_finding *finding = &check->findings[i];
		json_t *line = finding->line ? json_integer(finding->line) : json_null();

		json_array_append_new(
			list, json_pack("{s:s, s:b, s:s, s:o, s:o, s:o, s:o}", "severity",
					severities[finding->severity], "stops_slurmctld",
					finding->severity == LW_CHECK_FATAL, "id", finding->id,
					"file", lw_output_string(finding->file), "line", line,
					"what", lw_output_string(finding->what), "remedy",
					lw_output_string(finding->remedy)));
	}
	return list;
}

int lw_check_print_json(const struct lw_check *check, const char *path, struct lw_error *err)
{
	char release[16];
	json_t *slurm, *all;

	print_sort(check);
	slurm = check->release
			? json_string(lw_check_release(check->release, release, sizeof(release)))
			: json_null();
	all = json_pack("{s:o, s:b, s:i, s:i, s:i, s:o}", "slurm", slurm, "leeway_loads",
			check->loads, "errors", (int)lw_check_count(check, LW_CHECK_ERROR),
			"warnings", (int)lw_check_count(check, LW_CHECK_WARNING), "notes",
			(int)lw_check_count(check, LW_CHECK_NOTE), "findings",
			make_findings(check));
	return lw_output_json(path, lw_json_named("leeway.check", all), err);
}
