/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: the comparison, row by row, and as text. */
#include "cli/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/energy.h"
#include "cli/common/tools.h"
#include "cli/report/report_energy.h"
#include "cli/report/report_longer.h"
#include "cli/report/report_shared.h"

_Static_assert(LW_REPORT_RUNS_MAX < LW_TABLE_COLUMNS, "too few columns");

static void format_cell(enum lw_report_form form, double value, char *buf, size_t size)
{
	if (!(value >= 0)) {
		snprintf(buf, size, "-");
		return;
	}
	switch (form) {
	case LW_REPORT_TIME:
	case LW_REPORT_WHOLE_TIME:
	case LW_REPORT_SPAN:
		lw_duration_print((int64_t)(value + 0.5), buf, size);
		break;
	case LW_REPORT_REAL:
		snprintf(buf, size, "%.2f", value);
		break;
	case LW_REPORT_SHARE:
		snprintf(buf, size, "%.1f %%", 100 * value);
		break;
	case LW_REPORT_MICROSECONDS:
		snprintf(buf, size, "%.1f ms", value / 1000);
		break;
	case LW_REPORT_PERCENT:
		snprintf(buf, size, "%.1f %%", value);
		break;
	case LW_REPORT_JOULES:
		lw_energy_print(value, buf, size);
		break;
	default:
		snprintf(buf, size, "%.0f", value);
	}
}

/* In the one unit of the page; NULL: it is no time, or each has its own. */
static const struct lw_unit *unit_of(const struct lw_report_rows *rows, enum lw_report_form form)
{
	if (rows->units && form == LW_REPORT_SPAN)
		return &rows->units->span;
	if (rows->units && (form == LW_REPORT_TIME || form == LW_REPORT_WHOLE_TIME))
		return &rows->units->wait;
	return NULL;
}

void lw_report_add_part(struct lw_report_rows *rows, const char *name, bool has_ratios)
{
	rows->part = name;
	rows->has_ratios = has_ratios && lw_report_has_ratios(rows->report);
}

void lw_report_add_row(struct lw_report_rows *rows, const char *name, enum lw_report_form form,
		       const double *values)
{
	const struct lw_unit *unit = unit_of(rows, form);
	char text[64], cell[LW_TABLE_CELL];

	if (rows->part)
		lw_table_part(rows->table, rows->part);
	rows->part = NULL;
	/* of a state of jobs, too, which may be anything */
	if (unit)
		snprintf(text, sizeof(text), "%s (%s)", name, unit->name);
	else
		snprintf(text, sizeof(text), "%s", lw_tools_plain(name));
	lw_table_row(rows->table, text);
	for (uint32_t i = 0; i < rows->report->count; i++) {
		if (unit)
			lw_unit_print(values[i] >= 0 ? values[i] / unit->seconds : NAN, cell);
		else
			format_cell(form, values[i], cell, sizeof(cell));
		lw_table_cell(rows->table, cell, NULL);
	}
	if (!lw_report_has_ratios(rows->report))
		return;
	if (rows->has_ratios && values[0] > 0 && values[1] >= 0)
		snprintf(cell, sizeof(cell), "%.2f", values[1] / values[0]);
	else
		*cell = '\0';
	lw_table_cell(rows->table, cell, NULL);
}

static bool is_known(const double *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (values[i] >= 0)
			return true;
	return false;
}

/* What no run tells takes no place, nor a heading with nothing below it. */
static void add_known(struct lw_report_rows *rows, const char *name, enum lw_report_form form,
		      const double *values)
{
	if (is_known(values, rows->report->count))
		lw_report_add_row(rows, name, form, values);
}

/* "238 jobs", or "238 and 241 jobs" where the runs differ. */
static void count_jobs(const struct lw_report *report, int class_number, char *text, size_t size)
{
	uint32_t first = report->stats[0].classes[class_number].jobs;
	bool differ = false;

	snprintf(text, size, "%" PRIu32, first);
	for (uint32_t i = 1; i < report->count; i++)
		differ |= report->stats[i].classes[class_number].jobs != first;
	for (uint32_t i = 1; differ && i < report->count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%" PRIu32,
			 i + 1 < report->count ? ", " : " and ",
			 report->stats[i].classes[class_number].jobs);
	snprintf(text + strlen(text), size - strlen(text),
		 !differ && first == 1 ? " job" : " jobs");
}

/* The wait of the jobs of each size. */
static void add_classes(struct lw_report_rows *rows)
{
	const struct lw_runstat *stats = rows->report->stats;

	for (int c = 0; c < LW_RUNSTAT_CLASSES; c++) {
		double values[LW_REPORT_RUNS_MAX];
		char name[160], jobs[96];

		for (uint32_t i = 0; i < rows->report->count; i++)
			values[i] =
				stats[i].classes[c].jobs ? stats[i].classes[c].wait_mean_s : -1;
		count_jobs(rows->report, c, jobs, sizeof(jobs));
		snprintf(name, sizeof(name), "wait, mean, %s (%s)", stats[0].classes[c].name,
			 jobs);
		add_known(rows, name, LW_REPORT_TIME, values);
	}
}

static uint32_t jobs_in(const struct lw_runstat *stat, const char *state)
{
	for (uint32_t i = 0; i < stat->state_count; i++)
		if (strcmp(stat->states[i].name, state) == 0)
			return stat->states[i].jobs;
	return 0;
}

/* Was the state seen in a run before number RUN, so that it has its row already? */
static bool has_row(const struct lw_report *report, uint32_t run, const char *state)
{
	for (uint32_t i = 0; i < run; i++)
		if (jobs_in(&report->stats[i], state))
			return true;
	return false;
}

static void add_state(struct lw_report_rows *rows, const char *state)
{
	double values[LW_REPORT_RUNS_MAX];

	for (uint32_t i = 0; i < rows->report->count; i++)
		values[i] = jobs_in(&rows->report->stats[i], state);
	add_known(rows, state, LW_REPORT_COUNT, values);
}

static void add_states(struct lw_report_rows *rows)
{
	const struct lw_report *report = rows->report;

	for (uint32_t k = 0; k < report->count; k++) {
		for (uint32_t s = 0; s < report->stats[k].state_count; s++) {
			const char *state = report->stats[k].states[s].name;

			if (!has_row(report, k, state))
				add_state(rows, state);
		}
	}
}

/* *SHOWN: the part that FIGURE is in is. */
static void add_figure(struct lw_report_rows *rows, const struct lw_report_figure *figure,
		       const double *values, bool *shown)
{
	if (figure->form == LW_REPORT_PART) {
		*shown = is_known(values, rows->report->count);
		lw_report_add_part(rows, figure->name, figure->has_ratios);
	} else if (*shown && figure->form == LW_REPORT_CLASSES) {
		add_classes(rows);
	} else if (*shown && figure->form == LW_REPORT_STATES) {
		add_states(rows);
	} else if (*shown && *figure->name) {
		add_known(rows, figure->name, figure->form, values);
	}
}

static void add_figures(struct lw_report_rows *rows)
{
	const struct lw_report *report = rows->report;
	double all[LW_REPORT_RUNS_MAX][LW_REPORT_FIGURES], values[LW_REPORT_RUNS_MAX];
	bool shown = false;

	for (uint32_t i = 0; i < report->count; i++)
		lw_report_values(&report->runs[i], &report->stats[i], all[i]);
	for (uint32_t at = 0; at < LW_REPORT_FIGURES; at++) {
		for (uint32_t i = 0; i < report->count; i++)
			values[i] = all[i][at];
		add_figure(rows, &lw_report_figures[at], values, &shown);
	}
}

void lw_report_table(const struct lw_report *report, const struct lw_report_units *units,
		     struct lw_table *table)
{
	struct lw_report_rows rows = { .report = report, .units = units, .table = table };
	struct lw_look looks[LW_REPORT_RUNS_MAX];

	lw_report_looks(report, looks);
	for (uint32_t i = 0; i < report->count; i++)
		lw_table_add(table, report->runs[i].label, &looks[i], 14);
	if (lw_report_has_ratios(report))
		lw_table_add(table, "ratio", NULL, 8);
	lw_table_begin(table, "");
	add_figures(&rows);
	lw_report_longer_rows(&rows);
	lw_report_energy_rows(&rows);
	lw_report_shared_rows(&rows);
	lw_table_end(table);
}

/* Figures of different jobs side by side mean little. */
static bool is_same_workload(const struct lw_run *a, const struct lw_run *b)
{
	return !a->sha256 || !b->sha256 || strcmp(a->sha256, b->sha256) == 0;
}

static void shout(const struct lw_report *report, FILE *out)
{
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_runstat *stat = &report->stats[i];

		if (stat->lost)
			fprintf(out,
				"\n*** %s: %" PRIu32
				" JOBS LOST: submitted, but sacct does "
				"not know them ***\n",
				lw_tools_plain(report->runs[i].label), stat->lost);
		if (stat->running || stat->waiting)
			fprintf(out,
				"\n%s: not drained, %" PRIu32 " jobs still run and %" PRIu32
				" wait: waits are of those that started\n",
				lw_tools_plain(report->runs[i].label), stat->running,
				stat->waiting);
		if (i && !is_same_workload(&report->runs[0], &report->runs[i]))
			fprintf(out, "\n%s: another workload than %s\n",
				lw_tools_plain(report->runs[i].label),
				lw_tools_plain(report->runs[0].label));
		if (report->runs[i].late_mean_s < 0)
			fprintf(out, "\n%s: how late its jobs were submitted is not known\n",
				lw_tools_plain(report->runs[i].label));
		if (!report->runs[i].job_count)
			fprintf(out, "\n%s: no job at all\n",
				lw_tools_plain(report->runs[i].label));
	}
}

static void print_alarm(const struct lw_report *report,
			void (*say)(const struct lw_report *, struct lw_strbuf *), FILE *out)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	say(report, &sb);
	fprintf(out, "%s\n\n", lw_strbuf_text(&sb));
	lw_strbuf_fini(&sb);
}

void lw_report_print(const struct lw_report *report, FILE *out)
{
	struct lw_table table = { .out = out, .name_width = 38, .indent = 2 };

	if (report->too_late)
		print_alarm(report, lw_report_say_late, out);
	if (lw_report_differ(report))
		print_alarm(report, lw_report_say_differ, out);
	lw_report_table(report, NULL, &table);
	shout(report, out);
}
