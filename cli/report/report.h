/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the parts of leeway report: table, JSON, chart and page. */
#ifndef LW_CLI_REPORT_REPORT_H
#define LW_CLI_REPORT_REPORT_H

#include "base/strbuf.h"
#include "cli/chart/chart.h"
#include "cli/chart/table.h"
#include "cli/common/run.h"
#include "cli/report/runstat.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* one colour each in the charts */
#define LW_REPORT_RUNS_MAX 6

struct lw_report {
	struct lw_run runs[LW_REPORT_RUNS_MAX];
	struct lw_runstat stats[LW_REPORT_RUNS_MAX];
	uint32_t count;
	double cpu_w;  /* watts for each CPU that a job holds */
	bool too_late; /* lw_report_is_too_late() of the runs */
};

/* How a figure is shown, and what it is in JSON. */
enum lw_report_form {
	LW_REPORT_COUNT,        /* a whole number */
	LW_REPORT_SUM,          /* the same, in JSON a real one */
	LW_REPORT_TIME,         /* seconds, in JSON a real number */
	LW_REPORT_WHOLE_TIME,   /* seconds, in JSON a whole number */
	LW_REPORT_SPAN,         /* seconds, on the page in the unit of the whole */
	LW_REPORT_REAL,         /* a real number */
	LW_REPORT_SHARE,        /* 0 to 1 */
	LW_REPORT_MICROSECONDS, /* only in the table */
	/* no rows of report.def */
	LW_REPORT_PERCENT, /* 0 to 100 */
	LW_REPORT_JOULES,
	/* of what is no row */
	LW_REPORT_PART,    /* a heading */
	LW_REPORT_CLASSES, /* the waits of each size of jobs */
	LW_REPORT_STATES,  /* the jobs of each state */
};

/* A line of report.def. */
struct lw_report_figure {
	const char *name, *key;
	enum lw_report_form form;
	bool has_ratios; /* of a part */
};

enum {
#define LW_PART(heading, shown, ratios)       +1
#define LW_ROW(name, key, form, known, value) +1
#define LW_MORE(form)                         +1
	LW_REPORT_FIGURES = 0
#include "cli/report/report.def"
#undef LW_PART
#undef LW_ROW
#undef LW_MORE
};
extern const struct lw_report_figure lw_report_figures[LW_REPORT_FIGURES];
/*
 * What each is of RUN: negative if it is unknown, NAN if JSON does not have its key. Of a part a
 * negative value says that RUN has nothing to show there.
 */
void lw_report_values(const struct lw_run *run, const struct lw_runstat *stat,
		      double values[LW_REPORT_FIGURES]);

/* The mean lateness of submissions as a share of the span of arrivals; negative: not known. */
double lw_report_late_share(const struct lw_run *run);
/* Is a mean above 2 % of that span, or do two differ by more? What is not known is not judged. */
bool lw_report_is_too_late(const struct lw_report *report);
/* The sentence that says so. */
void lw_report_say_late(const struct lw_report *report, struct lw_strbuf *sb);
/* Do so many more jobs start in one run than in another that their means are of different jobs? */
bool lw_report_differ(const struct lw_report *report);
/* The sentence that says so. */
void lw_report_say_differ(const struct lw_report *report, struct lw_strbuf *sb);
/* Two runs of which it makes sense to divide the one by the other. */
bool lw_report_has_ratios(const struct lw_report *report);

/* Of waits and all that is like them, and of the whole. */
struct lw_report_units {
	struct lw_unit wait, span;
};
/* The comparison on its way to a table. */
struct lw_report_rows {
	const struct lw_report *report;
	const struct lw_report_units *units; /* NULL: each time has the unit that suits it */
	struct lw_table *table;
	const char *part; /* the heading of the row to come; NULL: it is there */
	bool has_ratios;  /* the rows of the part */
};
/* The rows to come are of the part NAME, which is there once one of them is. */
void lw_report_add_part(struct lw_report_rows *rows, const char *name, bool has_ratios);
/* A row of VALUES, one a run, "-" where negative or NAN, and the ratio to the first run. */
void lw_report_add_row(struct lw_report_rows *rows, const char *name, enum lw_report_form form,
		       const double *values);
/* All of the comparison, UNITS as above. */
void lw_report_table(const struct lw_report *report, const struct lw_report_units *units,
		     struct lw_table *table);

void lw_report_print(const struct lw_report *report, FILE *out);
/* A new reference; NULL: out of memory. */
json_t *lw_report_json(const struct lw_report *report);
/* What each run looks like, in charts and tables. */
void lw_report_looks(const struct lw_report *report, struct lw_look looks[LW_REPORT_RUNS_MAX]);
/* The units of all waits of a page, and of the time that the runs took. */
struct lw_unit lw_report_unit(const struct lw_report *report);
struct lw_unit lw_report_span_unit(const struct lw_report *report);
/* Use of the machine, queue, distribution of waits, and chains, for the caller to finish. */
void lw_report_charts(const struct lw_report *report, struct lw_charts *charts);
/* When links of chains ran; false: there are none, and nothing is to be finished. */
bool lw_report_chart_chains(const struct lw_report *report, struct lw_chart *chart);
/* A page that needs no other file. */
void lw_report_html(const struct lw_report *report, const struct lw_charts *charts,
		    struct lw_strbuf *sb);
/* For run number RUN a line a job, as evalys reads it. */
void lw_report_jobs_csv(const struct lw_report *report, uint32_t run, struct lw_strbuf *sb);

#endif
