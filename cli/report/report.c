/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: compare replays. */
#include "cli/report/report.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chart/jobscsv.h"
#include "cli/common/energy.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "cli/report/places.h"

struct request {
	const char *out, *json, *svg, *html, *charts, *config;
	bool quiet;
};

/* What is meant for programs must not stand below a table. */
static int check_stdout(struct request *request, struct lw_error *err)
{
	const char *const paths[] = { request->json, request->svg, request->html };
	bool taken = false;
	int rc = lw_output_shared(paths, sizeof(paths) / sizeof(paths[0]), &taken, err);

	request->quiet = request->quiet || taken;
	return rc;
}

/* For one release: the live page was a part of this command. */
static int refuse_live(int argc, char **argv, struct lw_error *err)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--live") == 0 || strncmp(argv[i], "--live=", 7) == 0)
			return lw_error_set(err, -EINVAL,
					    "--live is a command of its own: leeway live DIR");
	return 0;
}

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "cli/report/report_options.def"
	};
	int rc = refuse_live(argc, argv, err);

	if (!rc)
		rc = lw_options_read(options, NULL, argc, argv, err);
	return rc ? rc : check_stdout(request, err);
}

static bool is_label(const struct lw_report *report, const char *label, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(report->runs[i].label, label) == 0)
			return true;
	return false;
}

/* "LABEL (2)", or the next number that none of the COUNT runs has; NULL: out of memory. */
static char *number_label(const struct lw_report *report, const char *label, uint32_t count)
{
	size_t size = strlen(label) + 16;
	char *text = malloc(size);

	for (int n = 2; text; n++) {
		snprintf(text, size, "%s (%d)", label, n);
		if (!is_label(report, text, count))
			break;
	}
	return text;
}

/* Two runs of one label, as two under stock, could not be told apart. */
static int tell_apart(struct lw_report *report, struct lw_error *err)
{
	for (uint32_t i = 1; i < report->count; i++) {
		char *label = report->runs[i].label, *numbered;

		if (!is_label(report, label, i))
			continue;
		numbered = number_label(report, label, i);
		if (!numbered)
			return lw_error_set(err, -ENOMEM, "out of memory");
		report->runs[i].label = numbered;
		free(label);
	}
	return 0;
}

static int report_load(struct lw_report *report, char **dirs, uint32_t count,
		       struct lw_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < count && !rc; i++) {
		struct lw_runstat *stat = &report->stats[i];

		rc = lw_run_load(&report->runs[i], dirs[i], err);
		if (rc)
			return rc;
		report->count++;
		if (lw_runstat_compute(&report->runs[i], stat))
			return lw_error_set(err, -ENOMEM, "out of memory");
		rc = lw_places_judge(&report->runs[i], &stat->places, &stat->has_places, err);
	}
	report->too_late = lw_report_is_too_late(report);
	return rc ? rc : tell_apart(report, err);
}

static int read_watts(struct lw_report *report, const char *config, struct lw_error *err)
{
	struct lw_energy_watts watts;
	int rc = lw_energy_read_watts(config, &watts, err);

	report->cpu_w = rc ? 0 : watts.cpu;
	return rc;
}

static int write_svg(const struct lw_charts *charts, const char *path, struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_charts_svg(charts, &sb);
	return lw_output_text(path, &sb, err);
}

static int write_html(const struct lw_report *report, const struct lw_charts *charts,
		      const char *path, struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_report_html(report, charts, &sb);
	return lw_output_text(path, &sb, err);
}

/* Charts, and the jobs of each run. */
static int write_charts(const struct lw_report *report, const struct lw_charts *charts,
			const char *dir, struct lw_error *err)
{
	struct lw_jobnames names = { .dir = dir };
	int rc = lw_charts_write(charts, dir, err);

	for (uint32_t i = 0; !rc && i < report->count; i++) {
		struct lw_strbuf sb = LW_STRBUF_INIT;

		rc = lw_jobnames_next(&names, report->runs[i].label, err);
		if (rc)
			return rc;
		lw_report_jobs_csv(report, i, &sb);
		rc = lw_output_text(names.path, &sb, err);
	}
	return rc;
}

static int write_table(const struct lw_report *report, const char *path,
		       struct lw_error *err)
{
	struct lw_output output;
	int rc = lw_output_open(path, &output, err);

	if (rc)
		return rc;
	lw_report_print(report, output.to);
	return lw_output_close(&output, 0, err);
}

/* Everything, under names of its own, into one folder. */
static int write_folder(const struct lw_report *report, const struct lw_charts *charts,
			const char *dir, struct lw_error *err)
{
	static const char *const names[] = { "txt", "json", "svg", "html" };
	char paths[4][PATH_MAX];
	int rc;

	for (int i = 0; i < 4; i++)
		if (snprintf(paths[i], PATH_MAX, "%s/report.%s", dir, names[i]) >=
		    PATH_MAX)
			return lw_error_set(err, -ENAMETOOLONG, "%s: path too long", dir);
	rc = lw_output_folder(dir, err);
	if (!rc)
		rc = write_table(report, paths[0], err);
	if (!rc)
		rc = lw_output_json(paths[1],
				    lw_json_named("leeway.report", lw_report_json(report)), err);
	if (!rc)
		rc = write_svg(charts, paths[2], err);
	if (!rc)
		rc = write_html(report, charts, paths[3], err);
	return rc ? rc : write_charts(report, charts, dir, err);
}

static int write_all(const struct lw_report *report, const struct request *request,
		     struct lw_error *err)
{
	struct lw_charts charts;
	int rc = 0;

	if (!request->quiet)
		lw_report_print(report, stdout);
	lw_report_charts(report, &charts);
	if (request->out)
		rc = write_folder(report, &charts, request->out, err);
	if (!rc && request->json)
		rc = lw_output_json(request->json,
				    lw_json_named("leeway.report", lw_report_json(report)), err);
	if (!rc && request->svg)
		rc = write_svg(&charts, request->svg, err);
	if (!rc && request->html)
		rc = write_html(report, &charts, request->html, err);
	if (!rc && request->charts)
		rc = write_charts(report, &charts, request->charts, err);
	lw_charts_fini(&charts);
	return rc;
}

static int check_lost(const struct lw_report *report)
{
	int result = LW_TOOLS_OK;

	for (uint32_t i = 0; i < report->count; i++) {
		if (!report->stats[i].lost)
			continue;
		fprintf(stderr, "leeway report: %s: %u jobs were lost\n",
			lw_tools_plain(report->runs[i].label), report->stats[i].lost);
		result = LW_TOOLS_FAILED;
	}
	return result;
}

/* Without -q the table says so. */
static int check_late(const struct lw_report *report, bool quiet)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	if (report->too_late && quiet) {
		lw_report_say_late(report, &sb);
		fprintf(stderr, "leeway report: %s\n", lw_strbuf_text(&sb));
		lw_strbuf_fini(&sb);
	}
	return report->too_late ? LW_TOOLS_LATE : LW_TOOLS_OK;
}

int lw_tools_report(int argc, char **argv)
{
	struct request request = { .quiet = false };
	struct lw_error err = { "" };
	struct lw_report *report;
	int result, dirs;

	result = read_options(&request, argc, argv, &err);
	if (result)
		return lw_options_refused("report", result, &err);
	dirs = argc - optind;
	if (dirs < 1 || dirs > LW_REPORT_RUNS_MAX)
		return lw_tools_usage("report", "give 1 to %d folders",
				      LW_REPORT_RUNS_MAX);
	report = calloc(1, sizeof(*report));
	if (!report)
		return lw_tools_failed("report", &(struct lw_error){ "out of memory" });
	if (read_watts(report, request.config, &err) ||
	    report_load(report, argv + optind, (uint32_t)dirs, &err) ||
	    write_all(report, &request, &err))
		result = lw_tools_failed("report", &err);
	else
		result = check_lost(report);
	if (!result)
		result = check_late(report, request.quiet);
	for (uint32_t i = 0; i < report->count; i++)
		lw_run_fini(&report->runs[i]);
	free(report);
	return result;
}
