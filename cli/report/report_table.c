/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: the comparison, row by row, and as text. */
#include "cli/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/tools.h"
#include "cli/report/report_energy.h"
#include "cli/report/report_shared.h"

struct rows {
	const struct lw_report *report;
	const struct lw_report_units *units; /* or NULL */
	lw_report_row_f add;
	void *arg;
	bool has_ratios; /* the part that is being added */
	double values[LW_REPORT_RUNS_MAX][LW_REPORT_FIGURES];
	struct lw_report_row heading; /* of the rows to come; no name: it is told */
};

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
	default:
		snprintf(buf, size, "%.0f", value);
	}
}

/* In the one unit of the page; NULL: it is no time, or each has its own. */
static const struct lw_unit *unit_of(const struct rows *rows, enum lw_report_form form)
{
	if (rows->units && form == LW_REPORT_SPAN)
		return &rows->units->span;
	if (rows->units && (form == LW_REPORT_TIME || form == LW_REPORT_WHOLE_TIME))
		return &rows->units->wait;
	return NULL;
}

static void add_heading(struct rows *rows, const char *name)
{
	memset(&rows->heading, 0, sizeof(rows->heading));
	snprintf(rows->heading.name, sizeof(rows->heading.name), "%s", name);
	rows->heading.is_heading = true;
}

static bool is_known(const double *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (values[i] >= 0)
			return true;
	return false;
}

/* What no run tells takes no place, nor a heading with nothing below it. */
static void add_row(struct rows *rows, const char *name, enum lw_report_form form,
		    const double *values)
{
	const struct lw_unit *unit = unit_of(rows, form);
	struct lw_report_row row;
	uint32_t n = rows->report->count;

	if (!is_known(values, n))
		return;
	if (*rows->heading.name)
		rows->add(rows->arg, &rows->heading);
	*rows->heading.name = '\0';
	memset(&row, 0, sizeof(row));
	/* of a state of jobs, too, which may be anything */
	if (unit)
		snprintf(row.name, sizeof(row.name), "%s (%s)", name, unit->name);
	else
		snprintf(row.name, sizeof(row.name), "%s", lw_tools_plain(name));
	for (uint32_t i = 0; i < n; i++) {
		if (unit)
			lw_unit_print(values[i] >= 0 ? values[i] / unit->seconds : NAN,
				      row.cells[i]);
		else
			format_cell(form, values[i], row.cells[i], sizeof(row.cells[i]));
	}
	if (rows->has_ratios && values[0] > 0 && values[1] >= 0)
		snprintf(row.ratio, sizeof(row.ratio), "%.2f", values[1] / values[0]);
	rows->add(rows->arg, &row);
}

/* The wait of the jobs of each size. */
static void add_classes(struct rows *rows)
{
	const struct lw_runstat *stats = rows->report->stats;

	for (int c = 0; c < LW_RUNSTAT_CLASSES; c++) {
		double values[LW_REPORT_RUNS_MAX];
		char name[64];

		for (uint32_t i = 0; i < rows->report->count; i++)
			values[i] =
				stats[i].classes[c].jobs ? stats[i].classes[c].wait_mean_s : -1;
		snprintf(name, sizeof(name), "wait, mean, %s (%" PRIu32 " job%s)",
			 stats[0].classes[c].name, stats[0].classes[c].jobs,
			 stats[0].classes[c].jobs == 1 ? "" : "s");
		add_row(rows, name, LW_REPORT_TIME, values);
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

static void add_state(struct rows *rows, const char *state)
{
	double values[LW_REPORT_RUNS_MAX];

	for (uint32_t i = 0; i < rows->report->count; i++)
		values[i] = jobs_in(&rows->report->stats[i], state);
	add_row(rows, state, LW_REPORT_COUNT, values);
}

static void add_states(struct rows *rows)
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

/* Figure number AT. *SHOWN: its part is. */
static void add_figure(struct rows *rows, uint32_t at, bool *shown)
{
	const struct lw_report_figure *figure = &lw_report_figures[at];
	double values[LW_REPORT_RUNS_MAX];

	for (uint32_t i = 0; i < rows->report->count; i++)
		values[i] = rows->values[i][at];
	if (figure->form == LW_REPORT_PART) {
		*shown = is_known(values, rows->report->count);
		rows->has_ratios = figure->has_ratios && lw_report_has_ratios(rows->report);
		add_heading(rows, figure->name);
	} else if (*shown && figure->form == LW_REPORT_CLASSES) {
		add_classes(rows);
	} else if (*shown && figure->form == LW_REPORT_STATES) {
		add_states(rows);
	} else if (*shown && *figure->name) {
		add_row(rows, figure->name, figure->form, values);
	}
}

void lw_report_rows(const struct lw_report *report, const struct lw_report_units *units,
		    lw_report_row_f add, void *arg)
{
	struct rows rows = { .report = report, .units = units, .add = add, .arg = arg };
	bool shown = false;

	for (uint32_t i = 0; i < report->count; i++)
		lw_report_values(&report->runs[i], &report->stats[i], rows.values[i]);
	for (uint32_t at = 0; at < LW_REPORT_FIGURES; at++)
		add_figure(&rows, at, &shown);
	lw_report_energy_rows(report, add, arg);
	lw_report_shared_rows(report, add, arg);
}

struct printer {
	const struct lw_report *report;
	FILE *out;
};

static void print_row(void *arg, const struct lw_report_row *row)
{
	const struct printer *printer = arg;

	if (row->is_heading) {
		fprintf(printer->out, "\n%s\n", row->name);
		return;
	}
	fprintf(printer->out, "  %-36s", row->name);
	for (uint32_t i = 0; i < printer->report->count; i++)
		fprintf(printer->out, " %14s", row->cells[i]);
	if (lw_report_has_ratios(printer->report))
		fprintf(printer->out, " %8s", row->ratio);
	fputc('\n', printer->out);
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
	struct printer printer = { report, out };

	if (report->too_late)
		print_alarm(report, lw_report_say_late, out);
	if (lw_report_differ(report))
		print_alarm(report, lw_report_say_differ, out);
	fprintf(out, "%-38s", "");
	for (uint32_t i = 0; i < report->count; i++)
		fprintf(out, " %14.14s", lw_tools_plain(report->runs[i].label));
	if (lw_report_has_ratios(report))
		fprintf(out, " %8s", "ratio");
	fputc('\n', out);
	lw_report_rows(report, NULL, print_row, &printer);
	shout(report, out);
}
