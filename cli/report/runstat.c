/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the figures of one replay, ready to print. */
#include "cli/report/runstat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const gpu_class_names[LW_RUNSTAT_CLASSES] = {
	"no GPU", "1 GPU", "2 to 4 GPUs", "5 to 8 GPUs", "over 8 GPUs",
};
static const char *const node_class_names[LW_RUNSTAT_CLASSES] = {
	"1 node", "2 to 4 nodes", "5 to 8 nodes", "9 to 16 nodes", "over 16 nodes",
};

int lw_runstat_class_of(const struct lw_run_job *job, bool by_gpus)
{
	if (by_gpus)
		return job->gpus_held < 2    ? (int)job->gpus_held
		       : job->gpus_held <= 4 ? 2
		       : job->gpus_held <= 8 ? 3
					     : 4;
	return job->nodes < 2     ? 0
	       : job->nodes <= 4  ? 1
	       : job->nodes <= 8  ? 2
	       : job->nodes <= 16 ? 3
				  : 4;
}

static void count_state(struct lw_runstat *stat, const struct lw_run_job *job)
{
	uint32_t i = 0;

	while (i < stat->state_count && strcmp(stat->states[i].name, job->state) != 0)
		i++;
	if (i == LW_RUNSTAT_STATES)
		return;
	if (i == stat->state_count) {
		stat->state_count++;
		stat->states[i].name = job->state;
	}
	stat->states[i].jobs += job->tasks;
}

static int compare_states(const void *a, const void *b)
{
	const struct lw_runstat_state *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void count_job(struct lw_runstat *stat, const struct lw_run_job *job)
{
	if (job->start_s == LW_RUN_NONE) {
		if (job->end_s == LW_RUN_NONE)
			stat->waiting += job->tasks;
		else
			stat->never_ran += job->tasks;
	} else {
		stat->started++;
		stat->finished += job->end_s != LW_RUN_NONE;
		stat->running += job->end_s == LW_RUN_NONE;
		stat->starters[job->starter]++;
	}
	if (stat->first_submit_s == LW_RUN_NONE || job->submit_s < stat->first_submit_s)
		stat->first_submit_s = job->submit_s;
	if (job->submit_s > stat->last_submit_s)
		stat->last_submit_s = job->submit_s;
	if (job->end_s > stat->last_end_s)
		stat->last_end_s = job->end_s;
	stat->by_gpus = stat->by_gpus || job->gpus > 0;
	count_state(stat, job);
}

static void count_jobs(const struct lw_run *run, struct lw_runstat *stat)
{
	uint32_t known = 0;

	stat->first_submit_s = stat->last_submit_s = stat->last_end_s = LW_RUN_NONE;
	for (uint32_t i = 0; i < run->job_count; i++) {
		count_job(stat, &run->jobs[i]);
		known += run->jobs[i].tasks;
	}
	qsort(stat->states, stat->state_count, sizeof(stat->states[0]), compare_states);
	if (run->submitted > (int64_t)known + run->refused)
		stat->lost = (uint32_t)(run->submitted - known - run->refused);
}

/* The jobs that started, as the metrics want them. */
static struct lw_metrics_job *list_started(const struct lw_run *run,
					   const struct lw_runstat *stat)
{
	struct lw_metrics_job *jobs = calloc(stat->started + 1, sizeof(*jobs));
	uint32_t n = 0;

	if (!jobs)
		return NULL;
	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];

		if (job->start_s == LW_RUN_NONE)
			continue;
		jobs[n++] = (struct lw_metrics_job){
			.id = i,
			.submit_s = job->submit_s,
			.start_s = job->start_s,
			.end_s = job->end_s,
			.shown_s = job->shown_s,
			.width = stat->by_gpus ? job->gpus_held : job->nodes,
			.cpus = job->cpus,
			.gpus = job->gpus,
		};
	}
	return jobs;
}

static double runstat_share(double used_s, int64_t capacity, int64_t span_s)
{
	return capacity > 0 && span_s > 0 ? used_s / ((double)capacity * (double)span_s)
					  : -1;
}

static void compute_use(const struct lw_run *run, const struct lw_metrics_job *jobs,
			struct lw_runstat *stat)
{
	int64_t gpus = run->nodes * run->gpus_per_node,
		cpus = run->nodes * run->cpus_per_node;
	int64_t from_s = stat->first_submit_s, to_s = stat->last_submit_s;
	double cpu_s, gpu_s;

	lw_metrics_used(jobs, stat->started, from_s, to_s, &cpu_s, &gpu_s);
	stat->gpu_use_arrivals = runstat_share(gpu_s, gpus, to_s - from_s);
	stat->cpu_use_arrivals = runstat_share(cpu_s, cpus, to_s - from_s);
	to_s = stat->last_end_s;
	lw_metrics_used(jobs, stat->started, from_s, to_s, &cpu_s, &gpu_s);
	stat->gpu_use_all = runstat_share(gpu_s, gpus, to_s - from_s);
	stat->cpu_use_all = runstat_share(cpu_s, cpus, to_s - from_s);
}

static void compute_classes(const struct lw_run *run, struct lw_runstat *stat)
{
	uint32_t finished[LW_RUNSTAT_CLASSES] = { 0 };

	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];
		int c = lw_runstat_class_of(job, stat->by_gpus);
		struct lw_runstat_class *class = &stat->classes[c];
		int64_t wait_s = job->start_s - job->submit_s;

		if (job->start_s == LW_RUN_NONE)
			continue;
		class->jobs++;
		class->wait_mean_s += (double)wait_s;
		if (job->end_s == LW_RUN_NONE)
			continue;
		finished[c]++;
		class->bsld_mean += lw_metrics_bsld(wait_s, job->end_s - job->start_s);
	}
	for (int c = 0; c < LW_RUNSTAT_CLASSES; c++) {
		struct lw_runstat_class *class = &stat->classes[c];

		class->name = stat->by_gpus ? gpu_class_names[c] : node_class_names[c];
		class->wait_mean_s /= class->jobs ? class->jobs : 1;
		class->bsld_mean = finished[c] ? class->bsld_mean / finished[c] : -1;
	}
}

static void compute_planned(const struct lw_run *run, struct lw_runstat_planned *planned)
{
	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];

		if (job->start_s == LW_RUN_NONE || job->planned_s == LW_RUN_NONE)
			continue;
		planned->jobs++;
		if (job->start_s < job->planned_s)
			planned->early_mean_s += (double)(job->planned_s - job->start_s);
		else
			planned->late_mean_s += (double)(job->start_s - job->planned_s);
	}
	planned->early_mean_s = planned->jobs ? planned->early_mean_s / planned->jobs : -1;
	planned->late_mean_s = planned->jobs ? planned->late_mean_s / planned->jobs : -1;
}

/* Of no jobs there is none. */
static void drop_unknown(struct lw_runstat *stat)
{
	struct lw_metrics *m = &stat->metrics;

	if (!stat->started) {
		m->wait_mean_s = m->wait_wide_mean_s = -1;
		for (int percent = 0; percent <= 100; percent++)
			m->wait_s[percent] = -1;
	}
	if (!stat->finished)
		m->wait_long_mean_s = m->bsld_mean = -1;
}

int lw_runstat_compute(const struct lw_run *run, struct lw_runstat *ret_stat)
{
	struct lw_metrics_job *jobs;
	struct lw_runstat stat;
	int rc;

	memset(&stat, 0, sizeof(stat));
	count_jobs(run, &stat);
	jobs = list_started(run, &stat);
	if (!jobs)
		return -ENOMEM;
	rc = lw_metrics_compute(jobs, stat.started, &stat.metrics);
	if (!rc)
		rc = lw_runfair_compute(run, &stat.fairness);
	if (!rc)
		rc = lw_told_compute(run, stat.by_gpus, &stat.told);
	if (!rc) {
		drop_unknown(&stat);
		compute_use(run, jobs, &stat);
		compute_classes(run, &stat);
		compute_planned(run, &stat.planned);
		*ret_stat = stat;
	}
	free(jobs);
	return rc;
}
