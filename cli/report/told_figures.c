/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what became of chains and of deadlines in one replay: the figures. */
#include "cli/report/told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/figures.h"
#include "measure/metrics.h"

/* Sums on the way. */
struct sums {
	uint32_t zero, best_effort;
	double interruption_s, overlap_s, jct_s;
};

static bool waits(const struct lw_told_job *told)
{
	return told->told && (*told->told->after || told->told->at_most);
}

bool lw_told_is_link(const struct lw_run_job *job, const struct lw_told_job *told)
{
	return waits(told) && job->start_s != LW_RUN_NONE && told->awaited_s > job->submit_s;
}

/* Since when nothing but room was missing. */
static int64_t since(const struct lw_run_job *job, const struct lw_told_job *told)
{
	return told->awaited_s > job->submit_s ? told->awaited_s : job->submit_s;
}

static void add_link(struct lw_told *figures, struct sums *sums, const struct lw_run_job *job,
		     const struct lw_told_job *told)
{
	int64_t gap_s = job->start_s - since(job, told);

	figures->links++;
	sums->zero += gap_s <= LW_FIGURE_ZERO_S;
	if (gap_s > 0)
		sums->interruption_s += (double)gap_s;
	else
		sums->overlap_s += (double)-gap_s;
}

/* How long the program of a task was to run, at its limit at the latest. */
static int64_t run_of_task(const struct lw_run_job *job, const struct lw_run_told *told)
{
	const char *at = told->run_s, *task = strchr(job->id, '_');
	int64_t run_s;

	for (long n = task ? strtol(task + 1, NULL, 10) : 0; n > 0 && strchr(at, ','); n--)
		at = strchr(at, ',') + 1;
	run_s = (int64_t)strtoul(at, NULL, 10);
	return job->limit_s != LW_RUN_NONE && run_s > job->limit_s ? job->limit_s : run_s;
}

static void add_missed(struct lw_told *figures, const struct lw_run_told *told, uint32_t tasks,
		       int64_t late_s)
{
	figures->missed += tasks;
	if (late_s > 0)
		figures->value_lost += (double)late_s * told->weight * tasks;
}

static void add_due(struct lw_told *figures, const struct lw_run_job *job,
		    const struct lw_run_told *told)
{
	bool removed = strcmp(job->state, "DEADLINE") == 0;
	bool started = job->start_s != LW_RUN_NONE;
	int64_t left_s = 0;

	if (job->end_s == LW_RUN_NONE || (!started && !removed))
		return;
	figures->dues += job->tasks;
	if (removed)
		left_s = run_of_task(job, told) - (started ? job->end_s - job->start_s : 0);
	if (removed || job->end_s > told->due_s)
		add_missed(figures, told, job->tasks,
			   removed ? left_s : job->end_s - told->due_s);
}

/* sbatch refuses what could not end in time even at once. */
static void add_refused(struct lw_told *figures, const struct lw_run *run)
{
	for (uint32_t i = 0; i < run->told_count; i++) {
		const struct lw_run_told *told = &run->told[i];

		if (told->id || told->due_s == LW_RUN_NONE)
			continue;
		figures->dues += told->tasks;
		add_missed(figures, told, told->tasks, (int64_t)strtoul(told->run_s, NULL, 10));
	}
}

static void add_best_effort(struct sums *sums, const struct lw_run_job *job,
			    const struct lw_told_job *told)
{
	if (job->start_s == LW_RUN_NONE || job->end_s == LW_RUN_NONE)
		return;
	sums->best_effort++;
	sums->jct_s += (double)(job->end_s - since(job, told));
}

/* Waits of those in no chain. */
static int add_others(struct lw_told *figures, const struct lw_run *run,
		      const struct lw_told_job *told, bool by_gpus)
{
	struct lw_metrics_job *others = calloc((size_t)run->job_count + 1, sizeof(*others));
	struct lw_metrics metrics;
	uint32_t n = 0;
	int rc = others ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];

		if (job->start_s == LW_RUN_NONE || told[i].leads || waits(&told[i]))
			continue;
		others[n++] =
			(struct lw_metrics_job){ .id = i,
						 .submit_s = job->submit_s,
						 .start_s = job->start_s,
						 .end_s = job->end_s,
						 .shown_s = LW_METRICS_NONE,
						 .width = by_gpus ? job->gpus_held : job->nodes };
	}
	if (!rc)
		rc = lw_metrics_compute(others, n, &metrics);
	free(others);
	if (rc || !n)
		return rc;
	figures->wait_others_mean_s = metrics.wait_mean_s;
	figures->wait_others_p99_s = (double)metrics.wait_s[99];
	figures->wait_others_wide_mean_s = metrics.wait_wide_mean_s;
	return 0;
}

static void divide(struct lw_told *figures, const struct sums *sums)
{
	if (figures->links) {
		figures->interruption_mean_s = sums->interruption_s / figures->links;
		figures->interruption_zero = (double)sums->zero / figures->links;
		figures->overlap_mean_s = sums->overlap_s / figures->links;
	}
	if (!figures->dues) {
		figures->value_lost = -1;
		return;
	}
	figures->missed_share = (double)figures->missed / figures->dues;
	if (sums->best_effort)
		figures->jct_best_effort_s = sums->jct_s / sums->best_effort;
}

int lw_told_compute(const struct lw_run *run, bool by_gpus, struct lw_told *ret_told)
{
	struct lw_told figures = { .interruption_mean_s = -1,
				   .interruption_zero = -1,
				   .overlap_mean_s = -1,
				   .wait_others_mean_s = -1,
				   .wait_others_p99_s = -1,
				   .wait_others_wide_mean_s = -1,
				   .missed_share = -1,
				   .jct_best_effort_s = -1 };
	struct lw_told_job *told = lw_told_jobs(run);
	struct sums sums = { 0 };
	int rc = told ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];

		if (lw_told_is_link(job, &told[i]))
			add_link(&figures, &sums, job, &told[i]);
		if (told[i].told && told[i].told->due_s != LW_RUN_NONE)
			add_due(&figures, job, told[i].told);
		else
			add_best_effort(&sums, job, &told[i]);
	}
	if (!rc) {
		add_refused(&figures, run);
		divide(&figures, &sums);
	}
	if (!rc && figures.links)
		rc = add_others(&figures, run, told, by_gpus);
	free(told);
	if (!rc)
		*ret_told = figures;
	return rc;
}
