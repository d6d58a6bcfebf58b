/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: the links of chains over time, and where they stand still. */
#include "cli/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A job of a chain: which, and when it ran. */
struct link {
	uint32_t root; /* by place: the job that the chain began with */
	int64_t start_s, end_s;
	uint32_t job;
};

struct links {
	struct link *links;
	uint32_t count;
};

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* The job that the chain of JOB began with. */
static uint32_t root_of(const struct lw_run *run, const struct lw_told_job *told, uint32_t job)
{
	for (uint32_t steps = 0; steps < run->job_count; steps++) {
		if (!lw_told_is_link(&run->jobs[job], &told[job]))
			break;
		job = told[job].before;
	}
	return job;
}

/* All that ran of chains, chain by chain in order of their first jobs. */
static int list_links(const struct lw_run *run, struct links *ret_links)
{
	struct lw_told_job *told = lw_told_jobs(run);
	struct link *links = calloc((size_t)run->job_count + 1, sizeof(*links));

	for (uint32_t i = 0; told && links && i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];

		if (job->start_s == LW_RUN_NONE ||
		    (!told[i].leads && !lw_told_is_link(job, &told[i])))
			continue;
		links[ret_links->count++] = (struct link){ .root = root_of(run, told, i),
							   .start_s = job->start_s,
							   .end_s = job->end_s,
							   .job = i };
	}
	free(told);
	if (!told || !links) {
		free(links);
		return -ENOMEM;
	}
	qsort(links, ret_links->count, sizeof(*links), compare_links);
	ret_links->links = links;
	return 0;
}

static uint32_t count_chains(const struct links *links)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < links->count; i++)
		count += !i || links->links[i].root != links->links[i - 1].root;
	return count;
}

static void name_row(struct lw_chart *chart, uint32_t row, const struct lw_run_job *job)
{
	if (row < LW_CHART_GROUPS && !chart->groups[row][0])
		snprintf(chart->groups[row], sizeof(chart->groups[row]), "%.20s %.20s", job->user,
			 job->name);
}

/* Two points a link: from where to where. */
static void add_links(struct lw_chart *chart, struct lw_chart_series *series,
		      const struct lw_report *report, uint32_t which, const struct links *links)
{
	const struct lw_run *run = &report->runs[which];
	const struct lw_runstat *stat = &report->stats[which];
	double unit_s = lw_report_span_unit(report).seconds;
	uint32_t n = 0, row = 0;

	for (uint32_t i = 0; i < links->count; i++) {
		const struct link *link = &links->links[i];
		int64_t end_s = link->end_s == LW_RUN_NONE ? stat->last_end_s : link->end_s;

		row += i && link->root != link[-1].root;
		if (row >= LW_CHART_GROUPS)
			break;
		name_row(chart, row, &run->jobs[link->root]);
		series->x[n] = (double)(link->start_s - stat->first_submit_s) / unit_s;
		series->x[n + 1] = (double)(end_s - stat->first_submit_s) / unit_s;
		series->y[n] = series->y[n + 1] = row;
		n += 2;
	}
	series->count = n;
}

static void set_axes(struct lw_chart *chart, const struct lw_report *report, uint32_t chains)
{
	struct lw_unit unit = lw_report_span_unit(report);
	uint32_t rows = chains < LW_CHART_GROUPS ? chains : LW_CHART_GROUPS;

	chart->key = "chains";
	chart->x_axis = LW_CHART_SPANS;
	chart->y_max = rows;
	snprintf(chart->title, sizeof(chart->title),
		 rows < chains
			 ? "Links of the first %u of %u chains; a thin line: it stands still"
			 : "Links of chains; a thin line: it stands still",
		 rows, chains);
	snprintf(chart->x_label, sizeof(chart->x_label),
		 "cluster time since the first submission (%s)", unit.name);
	snprintf(chart->x_key, sizeof(chart->x_key), "time_%s", unit.name);
	snprintf(chart->y_label, sizeof(chart->y_label), "user and first job of a chain");
	snprintf(chart->y_key, sizeof(chart->y_key), "chain");
}

bool lw_report_chart_chains(const struct lw_report *report, struct lw_chart *chart)
{
	struct lw_look looks[LW_REPORT_RUNS_MAX];
	uint32_t chains = 0;

	memset(chart, 0, sizeof(*chart));
	lw_report_looks(report, looks);
	for (uint32_t i = 0; i < report->count; i++) {
		struct links links = { 0 };
		struct lw_chart_series *series;

		if (list_links(&report->runs[i], &links)) {
			chart->error = -ENOMEM;
			break;
		}
		series = lw_chart_add(chart, report->runs[i].label, looks[i], 2 * links.count);
		if (series)
			add_links(chart, series, report, i, &links);
		if (count_chains(&links) > chains)
			chains = count_chains(&links);
		free(links.links);
	}
	set_axes(chart, report, chains);
	if (chains || chart->error)
		return true;
	lw_chart_fini(chart);
	return false;
}
