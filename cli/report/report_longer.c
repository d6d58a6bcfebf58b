/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: which jobs waited longer than in the first run, job by job. */
/*
 * Means hide which jobs pay for them. A replay submits one workload in one order to an empty
 * cluster, so that a job has the same number in each run.
 */
#include "cli/report/report_longer.h"

#include <inttypes.h>
#include <string.h>

/* By more than this a job must wait longer, or less, to count: replays are of some hours. */
#define LONGER_S 600

struct longer {
	uint32_t jobs; /* that started in both runs */
	uint32_t longer, less;
	int64_t most_s;
	uint32_t of_class[LW_RUNSTAT_CLASSES]; /* of the jobs that waited longer */
};

static void longer_add(struct longer *sum, const struct lw_run_job *job,
		       const struct lw_run_job *before, bool by_gpus)
{
	int64_t more_s = (job->start_s - job->submit_s) - (before->start_s - before->submit_s);

	sum->jobs++;
	sum->less += more_s < -LONGER_S;
	if (more_s > sum->most_s)
		sum->most_s = more_s;
	if (more_s <= LONGER_S)
		return;
	sum->longer++;
	sum->of_class[lw_runstat_class_of(job, by_gpus)]++;
}

static struct longer longer_than(const struct lw_report *report, uint32_t number)
{
	const struct lw_run *first = &report->runs[0], *run = &report->runs[number];
	struct longer sum = { 0 };

	if (!first->sha256 || !run->sha256 || strcmp(first->sha256, run->sha256))
		return sum;
	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i], *before;

		before = job->start_s == LW_RUN_NONE ? NULL : lw_run_find(first, job->id);
		if (before && before->start_s != LW_RUN_NONE && !strcmp(before->name, job->name))
			longer_add(&sum, job, before, report->stats[0].by_gpus);
	}
	return sum;
}

static void longer_row(struct lw_report_rows *rows, const char *name, enum lw_report_form form,
		       const double *values)
{
	bool known = false;

	for (uint32_t i = 1; i < rows->report->count; i++)
		known |= values[i] >= 0;
	if (known)
		lw_report_add_row(rows, name, form, values);
}

void lw_report_longer_rows(struct lw_report_rows *rows)
{
	const struct lw_report *report = rows->report;
	struct longer sums[LW_REPORT_RUNS_MAX];
	double longer[LW_REPORT_RUNS_MAX] = { -1 }, less[LW_REPORT_RUNS_MAX] = { -1 };
	double most[LW_REPORT_RUNS_MAX] = { -1 };
	char name[96];

	for (uint32_t i = 1; i < report->count; i++) {
		sums[i] = longer_than(report, i);
		longer[i] = sums[i].jobs ? (double)sums[i].longer : -1;
		less[i] = sums[i].jobs ? (double)sums[i].less : -1;
		most[i] = sums[i].jobs ? (double)sums[i].most_s : -1;
	}
	lw_report_add_part(rows, "The same jobs as in the first run, one by one", false);
	longer_row(rows, "waited over 10 minutes less", LW_REPORT_COUNT, less);
	longer_row(rows, "waited over 10 minutes longer", LW_REPORT_COUNT, longer);
	for (int c = 0; c < LW_RUNSTAT_CLASSES; c++) {
		double values[LW_REPORT_RUNS_MAX] = { -1 };
		bool any = false;

		for (uint32_t i = 1; i < report->count; i++) {
			values[i] = sums[i].jobs ? (double)sums[i].of_class[c] : -1;
			any |= values[i] > 0;
		}
		snprintf(name, sizeof(name), "  of them %s", report->stats[0].classes[c].name);
		if (any)
			longer_row(rows, name, LW_REPORT_COUNT, values);
	}
	longer_row(rows, "the most that one waited longer", LW_REPORT_WHOLE_TIME, most);
}
