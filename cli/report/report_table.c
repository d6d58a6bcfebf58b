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

/* How a figure is shown. */
enum format {
	FORMAT_COUNT,
	FORMAT_TIME, /* seconds */
	FORMAT_SPAN, /* the same, of the whole */
	FORMAT_REAL,
	FORMAT_SHARE, /* 0 to 1, negative is unknown */
	FORMAT_US,    /* microseconds, negative is unknown */
};

struct rows {
	const struct lw_report *report;
	const struct lw_report_units *units; /* or NULL */
	lw_report_row_f add;
	void *arg;
	bool has_ratios;
	struct lw_report_row *heading; /* of the rows to come; no name: it is told */
};

static void format_cell(enum format format, double value, char *buf, size_t size)
{
	if (value < 0) {
		snprintf(buf, size, "-");
		return;
	}
	switch (format) {
	case FORMAT_COUNT:
		snprintf(buf, size, "%.0f", value);
		break;
	case FORMAT_TIME:
	case FORMAT_SPAN:
		lw_duration_print((int64_t)(value + 0.5), buf, size);
		break;
	case FORMAT_REAL:
		snprintf(buf, size, "%.2f", value);
		break;
	case FORMAT_SHARE:
		snprintf(buf, size, "%.1f %%", 100 * value);
		break;
	case FORMAT_US:
		snprintf(buf, size, "%.1f ms", value / 1000);
		break;
	}
}

/* In the one unit of the page; NULL: it is no time, or each has its own. */
static const struct lw_unit *unit_of(const struct rows *rows, enum format format)
{
	if (!rows->units || (format != FORMAT_TIME && format != FORMAT_SPAN))
		return NULL;
	return format == FORMAT_TIME ? &rows->units->wait : &rows->units->span;
}

static void add_heading(const struct rows *rows, const char *name)
{
	memset(rows->heading, 0, sizeof(*rows->heading));
	snprintf(rows->heading->name, sizeof(rows->heading->name), "%s", name);
	rows->heading->is_heading = true;
}

static bool is_known(const double *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (values[i] >= 0)
			return true;
	return false;
}

/* What no run tells takes no place, nor a heading with nothing below it. */

static void add_row(const struct rows *rows, const char *name, enum format format,
		    const double *values)
{
	const struct lw_unit *unit = unit_of(rows, format);
	struct lw_report_row row;
	uint32_t n = rows->report->count;

	if (!is_known(values, n))
		return;
	if (*rows->heading->name)
		rows->add(rows->arg, rows->heading);
	*rows->heading->name = '\0';
	memset(&row, 0, sizeof(row));
	/* of a state of jobs, too, which may be anything */
	if (unit)
		snprintf(row.name, sizeof(row.name), "%s (%s)", name, unit->name);
	else
		snprintf(row.name, sizeof(row.name), "%s", lw_tools_plain(name));
	for (uint32_t i = 0; i < n; i++) {
		if (unit)
			lw_unit_print(values[i] < 0 ? NAN : values[i] / unit->seconds,
				      row.cells[i]);
		else
			format_cell(format, values[i], row.cells[i], sizeof(row.cells[i]));
	}
	if (rows->has_ratios && values[0] > 0 && values[1] >= 0)
		snprintf(row.ratio, sizeof(row.ratio), "%.2f", values[1] / values[0]);
	rows->add(rows->arg, &row);
}

/* One row from one expression over each run and its figures. */
#define ADD_ROW(rows, name, format, expression)                                          \
	do {                                                                             \
		double values[LW_REPORT_RUNS_MAX];                                       \
		for (uint32_t i = 0; i < (rows)->report->count; i++) {                   \
			const struct lw_run *run = &(rows)->report->runs[i];             \
			const struct lw_runstat *stat = &(rows)->report->stats[i];       \
			const struct lw_metrics *m = &stat->metrics;                     \
			(void)run;                                                       \
			(void)m;                                                         \
			values[i] = (double)(expression);                                \
		}                                                                        \
		add_row(rows, name, format, values);                                     \
	} while (0)

/* First, since what follows is worth nothing where this is much. It is no merit of either. */
static void add_lateness(const struct rows *all)
{
	struct rows plain = *all, *rows = &plain;

	plain.has_ratios = false;
	add_heading(rows, "Submissions");
	ADD_ROW(rows, "late, mean", FORMAT_TIME, run->late_mean_s);
	ADD_ROW(rows, "late, greatest", FORMAT_TIME, run->late_max_s);
	ADD_ROW(rows, "late, mean, of the span of arrivals", FORMAT_SHARE,
		lw_report_late_share(run));
}

static void add_waits(const struct rows *rows)
{
	add_heading(rows, "Waiting");
	ADD_ROW(rows, "wait, mean", FORMAT_TIME, m->wait_mean_s);
	ADD_ROW(rows, "wait, median", FORMAT_TIME, m->wait_median_s);
	ADD_ROW(rows, "wait, 99th percentile", FORMAT_TIME, m->wait_p99_s);
	ADD_ROW(rows, "wait, longest", FORMAT_TIME, m->wait_max_s);
	ADD_ROW(rows, "wait, mean of the widest tenth", FORMAT_TIME, m->wait_wide_mean_s);
	ADD_ROW(rows, "wait, mean of the longest tenth", FORMAT_TIME,
		m->wait_long_mean_s);
	ADD_ROW(rows, "bounded slowdown, mean", FORMAT_REAL, m->bsld_mean);
	for (int c = 0; c < LW_RUNSTAT_CLASSES; c++) {
		char name[64];
		uint32_t jobs = 0;

		for (uint32_t i = 0; i < rows->report->count; i++)
			jobs += rows->report->stats[i].classes[c].jobs;
		if (!jobs)
			continue;
		snprintf(name, sizeof(name), "wait, mean, %s (%" PRIu32 " job%s)",
			 rows->report->stats[0].classes[c].name,
			 rows->report->stats[0].classes[c].jobs,
			 rows->report->stats[0].classes[c].jobs == 1 ? "" : "s");
		ADD_ROW(rows, name, FORMAT_TIME,
			stat->classes[c].jobs ? stat->classes[c].wait_mean_s : -1);
	}
}

static void add_machine(const struct rows *rows)
{
	add_heading(rows, "Machine");
	ADD_ROW(rows, "GPUs busy while jobs arrive", FORMAT_SHARE,
		stat->gpu_use_arrivals);
	ADD_ROW(rows, "GPUs busy until the last job ends", FORMAT_SHARE,
		stat->gpu_use_all);
	ADD_ROW(rows, "CPUs busy while jobs arrive", FORMAT_SHARE,
		stat->cpu_use_arrivals);
	ADD_ROW(rows, "CPUs busy until the last job ends", FORMAT_SHARE,
		stat->cpu_use_all);
	ADD_ROW(rows, "first submission to last end", FORMAT_SPAN,
		stat->last_end_s == LW_RUN_NONE
			? -1
			: stat->last_end_s - stat->first_submit_s);
}

/* A share that was found to be so; negative: nothing of that kind was there. */
static double table_share(double part, double whole)
{
	return whole > 0 ? part / whole : -1;
}

static bool knows_places(const struct lw_report *report)
{
	bool knows = false;

	for (uint32_t i = 0; i < report->count; i++)
		knows = knows || report->stats[i].has_places;
	return knows;
}

static void add_places(const struct rows *rows)
{
	if (!knows_places(rows->report))
		return;
	add_heading(rows, "Placement");
	ADD_ROW(rows, "gangs in one domain that could be", FORMAT_SHARE,
		table_share(stat->places.held, stat->places.holdable));
	ADD_ROW(rows, "domains a gang over the least", FORMAT_REAL,
		table_share((double)stat->places.domains, (double)stat->places.domains_least));
	ADD_ROW(rows, "nodes a GPU job over the least", FORMAT_REAL,
		table_share((double)stat->places.nodes, (double)stat->places.nodes_least));
	ADD_ROW(rows, "free GPUs of no use to the next job", FORMAT_SHARE,
		table_share(stat->places.useless_gpu_s, stat->places.free_gpu_s));
}

/* Negative, as all that is not known. */
static double known_or_none(double value)
{
	return isnan(value) ? -1 : value;
}

static void add_fairness(const struct rows *rows)
{
	add_heading(rows, "Finish-time fairness (rho: up to 1 nothing was lost by sharing)");
#define ADD_FARES(of, name)                                                                     \
	do {                                                                                    \
		ADD_ROW(rows, name ", mean", FORMAT_REAL, known_or_none(stat->fairness.of.mean)); \
		ADD_ROW(rows, name ", worst", FORMAT_REAL,                                      \
			known_or_none(stat->fairness.of.worst));                                \
		ADD_ROW(rows, name ", at most 1", FORMAT_SHARE,                                 \
			known_or_none(stat->fairness.of.fair));                                 \
	} while (0)
	ADD_FARES(jobs, "jobs");
	ADD_FARES(users, "users");
	ADD_ROW(rows, "users, Jain's index", FORMAT_REAL,
		known_or_none(stat->fairness.users.jain));
	ADD_FARES(accounts, "accounts");
	ADD_ROW(rows, "accounts, Jain's index", FORMAT_REAL,
		known_or_none(stat->fairness.accounts.jain));
#undef ADD_FARES
}

static bool has_told(const struct lw_report *report, bool of_links)
{
	bool has = false;

	for (uint32_t i = 0; i < report->count; i++)
		has = has ||
		      (of_links ? report->stats[i].told.links : report->stats[i].told.dues);
	return has;
}

/* By the names of leeway sim. */
static void add_chains(const struct rows *rows)
{
	if (!has_told(rows->report, true))
		return;
	add_heading(rows, "Chains");
	ADD_ROW(rows, "links that started", FORMAT_COUNT, stat->told.links);
	ADD_ROW(rows, "interruption, mean", FORMAT_TIME, stat->told.interruption_mean_s);
	ADD_ROW(rows, "links with at most 10 minutes of it", FORMAT_SHARE,
		stat->told.interruption_zero);
	ADD_ROW(rows, "overlap, mean", FORMAT_TIME, stat->told.overlap_mean_s);
	ADD_ROW(rows, "wait of jobs in no chain, mean", FORMAT_TIME,
		stat->told.wait_others_mean_s);
	ADD_ROW(rows, "  99th percentile", FORMAT_TIME, stat->told.wait_others_p99_s);
	ADD_ROW(rows, "  mean of the widest tenth", FORMAT_TIME,
		stat->told.wait_others_wide_mean_s);
}

static void add_dues(const struct rows *rows)
{
	if (!has_told(rows->report, false))
		return;
	add_heading(rows, "Deadlines");
	ADD_ROW(rows, "jobs with one", FORMAT_COUNT, stat->told.dues);
	ADD_ROW(rows, "missed", FORMAT_COUNT, stat->told.missed);
	ADD_ROW(rows, "missed, of all", FORMAT_SHARE, stat->told.missed_share);
	ADD_ROW(rows, "weighted seconds after them", FORMAT_COUNT, stat->told.value_lost);
	ADD_ROW(rows, "submission to end without one, mean", FORMAT_TIME,
		stat->told.jct_best_effort_s);
	ADD_ROW(rows, "preemptions", FORMAT_COUNT, run->preempted);
}

/* By the file that Leeway keeps; "-" where there is none, as under stock. */
static void add_promises(const struct rows *rows)
{
	add_heading(rows, "Promises");
#define ADD_PROMISES(name, format, value)                                                        \
	ADD_ROW(rows, name, format, run->has_promises ? (double)(value) : -1)
	ADD_PROMISES("made", FORMAT_COUNT, run->promises.made);
	ADD_PROMISES("kept", FORMAT_COUNT, run->promises.kept);
	ADD_PROMISES("  of them later than shown", FORMAT_COUNT, run->promises.later);
	ADD_PROMISES("broken", FORMAT_COUNT, run->promises.broken);
	ADD_PROMISES("  late in all", FORMAT_TIME, run->promises.late_s);
	ADD_PROMISES("withdrawn", FORMAT_COUNT, lw_promise_withdrawn(&run->promises));
	ADD_PROMISES("  cancelled", FORMAT_COUNT, run->promises.cancelled);
	ADD_PROMISES("  held", FORMAT_COUNT, run->promises.held);
	ADD_PROMISES("  lost nodes", FORMAT_COUNT, run->promises.lost);
	ADD_PROMISES("open", FORMAT_COUNT, run->open_promises);
#undef ADD_PROMISES
}

/* What an observer of squeue saw, under whatever scheduler. */
static void add_shown(const struct rows *rows)
{
	add_heading(rows, "Starts shown to the first in the queue");
#define ADD_SHOWN(name, format, value)                                                           \
	ADD_ROW(rows, name, format, run->has_samples ? (double)(value) : -1)
	ADD_SHOWN("shown", FORMAT_COUNT, m->shown);
	ADD_SHOWN("started later than first shown", FORMAT_COUNT, m->later);
	ADD_SHOWN("violation, mean over those shown", FORMAT_TIME, m->violation_mean_s);
	ADD_SHOWN("violation, longest", FORMAT_TIME, m->violation_max_s);
#undef ADD_SHOWN
}

static void add_scheduler(const struct rows *rows)
{
	add_heading(rows, "Started by");
	ADD_ROW(rows, "submission", FORMAT_COUNT, stat->starters[LW_RUN_BY_SUBMIT]);
	ADD_ROW(rows, "main loop", FORMAT_COUNT, stat->starters[LW_RUN_BY_MAIN]);
	ADD_ROW(rows, "backfill", FORMAT_COUNT, stat->starters[LW_RUN_BY_BACKFILL]);
	ADD_ROW(rows, "not recorded", FORMAT_COUNT, stat->starters[LW_RUN_BY_NOBODY]);
	ADD_ROW(rows, "sdiag: backfilled", FORMAT_COUNT, run->sdiag_backfilled);
	ADD_ROW(rows, "sdiag: main cycle, mean", FORMAT_US, run->sdiag_main_mean_us);
	ADD_ROW(rows, "sdiag: backfill cycle, mean", FORMAT_US,
		run->sdiag_backfill_mean_us);
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

static void add_jobs(const struct rows *rows)
{
	const struct lw_report *report = rows->report;

	add_heading(rows, "Jobs");
	ADD_ROW(rows, "submitted", FORMAT_COUNT, run->submitted);
	ADD_ROW(rows, "refused by sbatch", FORMAT_COUNT, run->refused);
	ADD_ROW(rows, "started", FORMAT_COUNT, stat->started);
	ADD_ROW(rows, "still running", FORMAT_COUNT, stat->running);
	ADD_ROW(rows, "still waiting", FORMAT_COUNT, stat->waiting);
	ADD_ROW(rows, "ended without having started", FORMAT_COUNT, stat->never_ran);
	ADD_ROW(rows, "requeues", FORMAT_COUNT, run->requeues);
	ADD_ROW(rows, "LOST", FORMAT_COUNT, stat->lost);
	for (uint32_t k = 0; k < report->count; k++) {
		for (uint32_t s = 0; s < report->stats[k].state_count; s++) {
			const char *state = report->stats[k].states[s].name;

			if (!has_row(report, k, state))
				ADD_ROW(rows, state, FORMAT_COUNT, jobs_in(stat, state));
		}
	}
}

void lw_report_rows(const struct lw_report *report, const struct lw_report_units *units,
		    lw_report_row_f add, void *arg)
{
	struct lw_report_row heading = { .name = "" };
	struct rows rows = { report, units, add, arg, lw_report_has_ratios(report), &heading };

	add_lateness(&rows);
	add_waits(&rows);
	add_chains(&rows);
	add_dues(&rows);
	add_machine(&rows);
	add_places(&rows);
	add_fairness(&rows);
	add_promises(&rows);
	add_shown(&rows);
	add_scheduler(&rows);
	add_jobs(&rows);
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
