/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the figures of a simulation, by name, and their mean over several. */
#include "measure/figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/fairness.h"
#include "measure/metrics.h"

static const struct row {
	const char *key;
	const char *title;
	enum lw_figure_kind kind;
} rows[LW_FIGURES] = {
#define LW_FIGURE(symbol, key, title, kind) [LW_FIGURE_##symbol] = { key, title, kind },
#include "measure/figures.def"
#undef LW_FIGURE
};

const char *lw_figure_key(enum lw_figure figure)
{
	return rows[figure].key;
}

const char *lw_figure_title(enum lw_figure figure)
{
	return rows[figure].title;
}

enum lw_figure_kind lw_figure_kind(enum lw_figure figure)
{
	return rows[figure].kind;
}

void lw_figure_format(enum lw_figure figure, double value, char buf[LW_FIGURE_TEXT])
{
	if (isnan(value)) {
		snprintf(buf, LW_FIGURE_TEXT, "-");
		return;
	}
	switch (lw_figure_kind(figure)) {
	case LW_FIGURE_COUNT:
		snprintf(buf, LW_FIGURE_TEXT, "%.0f", value);
		break;
	case LW_FIGURE_SECONDS:
		snprintf(buf, LW_FIGURE_TEXT, "%.0f s", value);
		break;
	case LW_FIGURE_REAL:
		snprintf(buf, LW_FIGURE_TEXT, "%.2f", value);
		break;
	case LW_FIGURE_SHARE:
		snprintf(buf, LW_FIGURE_TEXT, "%.2f %%", 100 * value);
		break;
	}
}

int lw_figure_parse(const char *key)
{
	for (int i = 0; i < LW_FIGURES; i++) {
		if (strcmp(key, rows[i].key) == 0)
			return i;
	}
	return -EINVAL;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static struct lw_metrics_job metrics_job(const struct lw_sim_job *job,
					 const struct lw_machine *machine)
{
	uint32_t width = lw_machine_width(machine, &job->request);

	return (struct lw_metrics_job){
		.id = job->id,
		.submit_s = lw_sim_job_since_s(job),
		/* a preempted job counts as if it had run in one piece at the end */
		.start_s = job->start_s - job->spent_s,
		.end_s = lw_sim_job_end_s(job),
		.shown_s = job->promise_s == LW_NO_TIME ? LW_METRICS_NONE : job->promise_s,
		.width = width,
		.cpus = width,
	};
}

/* A GPU that several had together counts once. */
static double use_of(const struct lw_sim_job *jobs, uint32_t count,
		     const struct lw_machine *machine)
{
	int64_t from_s = count ? jobs[0].submit_s : 0, to_s = count ? jobs[count - 1].submit_s : 0;
	double cpu_s = 0;

	if (to_s <= from_s)
		return NAN;
	for (uint32_t i = 0; i < count; i++) {
		struct lw_metrics_job one = metrics_job(&jobs[i], machine);
		double one_s, gpu_s;

		if (jobs[i].start_s == LW_NO_TIME)
			continue;
		one.start_s = lw_sim_job_holds_since_s(&jobs[i]);
		lw_metrics_used(&one, 1, from_s, to_s, &one_s, &gpu_s);
		cpu_s += one_s;
	}
	return cpu_s / ((double)(to_s - from_s) * lw_machine_procs(machine));
}

static void figures_fill(struct lw_figures *figures, const struct lw_metrics *m)
{
	const double none = m->jobs ? 0 : NAN; /* no job, no wait */
	double *v = figures->value;

	v[LW_FIGURE_JOBS] = m->jobs;
	v[LW_FIGURE_WAIT] = none + m->wait_mean_s;
	v[LW_FIGURE_BSLD] = none + m->bsld_mean;
	v[LW_FIGURE_WAIT_MEDIAN] = none + (double)m->wait_median_s;
	v[LW_FIGURE_WAIT_P99] = none + (double)m->wait_p99_s;
	v[LW_FIGURE_WAIT_MAX] = none + (double)m->wait_max_s;
	v[LW_FIGURE_WAIT_WIDE] = none + m->wait_wide_mean_s;
	v[LW_FIGURE_WAIT_LONG] = none + m->wait_long_mean_s;
	v[LW_FIGURE_VIOLATION] = m->violation_mean_s;
	v[LW_FIGURE_VIOLATION_MAX] = (double)m->violation_max_s;
}

/*
 * A job that has not started in the end was cancelled, or its promise is still open. Here no job
 * is held, and no node is lost.
 */
struct lw_promise_totals lw_figures_promises(const struct lw_sim_job *jobs, uint32_t count)
{
	struct lw_promise_totals totals = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];
		int64_t start_s = job->stops ? job->first_start_s : job->start_s;
		int64_t latest_s = job->latest_s == LW_NO_TIME ? job->promise_s : job->latest_s;

		if (job->promise_s == LW_NO_TIME)
			continue;
		totals.made++;
		if (job->start_s != LW_NO_TIME)
			lw_promise_count(&totals,
					 lw_promise_judge(job->promise_s, latest_s, start_s),
					 lw_promise_late_s(latest_s, start_s));
		else if (job->cancel_after_s)
			lw_promise_count(&totals, LW_PROMISE_CANCELLED, 0);
	}
	return totals;
}

static void fill_promises(struct lw_figures *figures, const struct lw_promise_totals *totals)
{
	double *v = figures->value;

	v[LW_FIGURE_PROMISED] = (double)totals->made;
	v[LW_FIGURE_KEPT] = (double)totals->kept;
	v[LW_FIGURE_LATER] = (double)totals->later;
	v[LW_FIGURE_BROKEN] = (double)totals->broken;
	v[LW_FIGURE_WITHDRAWN] = (double)lw_promise_withdrawn(totals);
}

/* What became of chains. */
struct links {
	uint32_t count, zero;
	double interruption_s, overlap_s;
};

/* A job that has started: one that waited for others, and was not thought about, is a link. */
static void count_link(struct links *links, const struct lw_sim_job *job)
{
	int64_t gap_s = job->start_s - lw_sim_job_since_s(job);

	if (!lw_sim_job_waits(job) || job->think_s || job->awaited_s == LW_NO_TIME)
		return;
	links->count++;
	links->zero += gap_s <= LW_FIGURE_ZERO_S;
	if (gap_s > 0)
		links->interruption_s += (double)gap_s;
	if (job->awaited_s > job->start_s)
		links->overlap_s += (double)(job->awaited_s - job->start_s);
}

/* Of jobs in no chain, by these of JOBS that have STARTED. -ENOMEM. */
static int fill_others(struct lw_figures *figures, const struct lw_sim_job *jobs, uint32_t count,
		       const struct lw_metrics_job *started)
{
	struct lw_metrics_job *others = calloc((size_t)count + 1, sizeof(*others));
	double *v = figures->value;
	struct lw_metrics metrics;
	uint32_t n = 0;
	int rc = others ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < count; i++) {
		if (jobs[i].start_s == LW_NO_TIME)
			continue;
		if (!lw_sim_job_waits(&jobs[i]) && !jobs[i].leads)
			others[n++] = *started;
		started++;
	}
	if (!rc)
		rc = lw_metrics_compute(others, n, &metrics);
	free(others);
	if (rc)
		return rc;
	v[LW_FIGURE_WAIT_OTHERS] = n ? metrics.wait_mean_s : NAN;
	v[LW_FIGURE_WAIT_OTHERS_P99] = n ? (double)metrics.wait_p99_s : NAN;
	v[LW_FIGURE_WAIT_OTHERS_WIDE] = n ? metrics.wait_wide_mean_s : NAN;
	return 0;
}

/* Nothing is said of a trace without chains. -ENOMEM. */
static int fill_links(struct lw_figures *figures, const struct lw_sim_job *jobs, uint32_t count,
		      const struct lw_metrics_job *started)
{
	struct links links = { 0 };
	double *v = figures->value;

	for (uint32_t i = 0; i < count; i++)
		if (jobs[i].start_s != LW_NO_TIME)
			count_link(&links, &jobs[i]);
	v[LW_FIGURE_INTERRUPTION] = ratio(links.interruption_s, links.count);
	v[LW_FIGURE_INTERRUPTION_ZERO] = ratio(links.zero, links.count);
	v[LW_FIGURE_OVERLAP] = ratio(links.overlap_s, links.count);
	v[LW_FIGURE_WAIT_OTHERS] = v[LW_FIGURE_WAIT_OTHERS_P99] = NAN;
	v[LW_FIGURE_WAIT_OTHERS_WIDE] = NAN;
	return links.count ? fill_others(figures, jobs, count, started) : 0;
}

void lw_figures_fairness(struct lw_figures *figures, const struct lw_fairness *fairness)
{
	const struct lw_fares *jobs = &fairness->jobs, *users = &fairness->users;
	const struct lw_fares *accounts = &fairness->accounts;
	double *v = figures->value;

	v[LW_FIGURE_RHO] = jobs->mean;
	v[LW_FIGURE_RHO_WORST] = jobs->worst;
	v[LW_FIGURE_RHO_FAIR] = jobs->fair;
	v[LW_FIGURE_RHO_USERS] = users->mean;
	v[LW_FIGURE_RHO_USER] = users->worst;
	v[LW_FIGURE_RHO_USERS_FAIR] = users->fair;
	v[LW_FIGURE_JAIN] = users->jain;
	v[LW_FIGURE_RHO_ACCOUNTS] = accounts->mean;
	v[LW_FIGURE_RHO_ACCOUNT] = accounts->worst;
	v[LW_FIGURE_RHO_ACCOUNTS_FAIR] = accounts->fair;
	v[LW_FIGURE_JAIN_ACCOUNTS] = accounts->jain;
}

/* What became of deadlines. */
struct dues {
	uint32_t count, missed, accepted, accepted_missed, best_effort;
	double lost, jct_s;
};

static void count_due(struct dues *dues, const struct lw_sim_job *job)
{
	int64_t late_s = lw_sim_job_end_s(job) - job->finish_by_s;

	dues->count++;
	dues->accepted += job->accepted;
	if (late_s <= 0)
		return;
	dues->missed++;
	dues->accepted_missed += job->accepted;
	dues->lost += (double)late_s * (job->weight ? job->weight : 1);
}

/* No figures for a trace without deadlines; jobs cancelled in time are not known. */
static void fill_deadlines(struct lw_figures *figures, const struct lw_sim_job *jobs,
			   uint32_t count)
{
	struct dues dues = { 0 };
	double *v = figures->value, stops = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];

		stops += job->stops;
		if (job->start_s == LW_NO_TIME) {
			dues.count += job->finish_by_s && !job->cancel_after_s;
			dues.missed += job->finish_by_s && !job->cancel_after_s;
		} else if (job->finish_by_s) {
			count_due(&dues, job);
		} else {
			dues.best_effort++;
			dues.jct_s += (double)(lw_sim_job_end_s(job) - lw_sim_job_since_s(job));
		}
	}
	v[LW_FIGURE_DEADLINE_MISSED] = ratio(dues.missed, dues.count);
	v[LW_FIGURE_DEADLINE_LOST] = dues.count ? dues.lost : NAN;
	v[LW_FIGURE_ACCEPTED] = dues.count ? dues.accepted : NAN;
	v[LW_FIGURE_ACCEPTED_MISSED] = dues.count ? dues.accepted_missed : NAN;
	v[LW_FIGURE_JCT_BEST_EFFORT] = dues.count ? ratio(dues.jct_s, dues.best_effort) : NAN;
	v[LW_FIGURE_PREEMPTIONS] = dues.count ? stops : NAN;
}

/* If energy was not wanted. */
static void leave_energy(struct lw_figures *figures)
{
	for (int i = LW_FIGURE_ENERGY; i <= LW_FIGURE_CO2; i++)
		figures->value[i] = NAN;
}

int lw_figures_of(const struct lw_sim_job *jobs, uint32_t count, const struct lw_machine *machine,
		  struct lw_figures *ret_figures)
{
	struct lw_figures figures = { { 0 } };
	struct lw_fairness fairness;
	struct lw_metrics metrics;
	struct lw_metrics_job *started = calloc((size_t)count + 1, sizeof(*started));
	uint32_t n = 0;
	int rc = started ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < count; i++) {
		if (jobs[i].start_s != LW_NO_TIME)
			started[n++] = metrics_job(&jobs[i], machine);
	}
	if (!rc)
		rc = lw_metrics_compute(started, n, &metrics);
	if (!rc)
		rc = lw_fairness_of(jobs, count, machine, &fairness);
	if (!rc) {
		struct lw_promise_totals promises = lw_figures_promises(jobs, count);

		figures_fill(&figures, &metrics);
		fill_promises(&figures, &promises);
		lw_figures_fairness(&figures, &fairness);
		fill_deadlines(&figures, jobs, count);
		leave_energy(&figures);
		figures.value[LW_FIGURE_NEVER] = count - n;
		figures.value[LW_FIGURE_UTILISATION] = use_of(jobs, count, machine);
		rc = fill_links(&figures, jobs, count, started);
	}
	free(started);
	if (!rc)
		*ret_figures = figures;
	return rc;
}

void lw_figures_locality(struct lw_figures *figures, const struct lw_locality *locality)
{
	double *v = figures->value;

	v[LW_FIGURE_ONE_DOMAIN] = ratio(locality->held, locality->holdable);
	v[LW_FIGURE_DOMAINS] =
		ratio((double)locality->domains, (double)locality->domains_least);
	v[LW_FIGURE_GANG_DOMAINS] = ratio((double)locality->domains, locality->gangs);
	v[LW_FIGURE_ONE_ISLAND] = ratio(locality->linked, locality->linkable);
	v[LW_FIGURE_NODES] = ratio((double)locality->nodes, (double)locality->nodes_least);
	v[LW_FIGURE_FRAGMENTED] = ratio(locality->useless_gpu_s, locality->free_gpu_s);
	v[LW_FIGURE_UNUSABLE] = ratio(locality->unusable_gpu_s, locality->any_gpu_s);
}

void lw_figures_energy(struct lw_figures *figures, const struct lw_energy *energy, bool factors)
{
	double *v = figures->value;

	v[LW_FIGURE_ENERGY] = energy->all_j / 3.6e6;
	v[LW_FIGURE_ENERGY_EMPTY] = ratio(energy->empty_j, energy->all_j);
	v[LW_FIGURE_SUSPENDED] = energy->suspended_share;
	v[LW_FIGURE_WAKES] = (double)energy->wakes;
	v[LW_FIGURE_PRICE] = factors ? energy->price : NAN;
	v[LW_FIGURE_CO2] = factors ? energy->co2_g / 1000 : NAN;
}

void lw_figures_add(struct lw_figures_sum *sum, const struct lw_figures *figures)
{
	sum->all++;
	for (int i = 0; i < LW_FIGURES; i++) {
		double away = figures->value[i] - sum->mean[i];

		if (isnan(away))
			continue;
		sum->count[i]++;
		sum->mean[i] += away / sum->count[i];
		sum->square[i] += away * (figures->value[i] - sum->mean[i]);
	}
}

static bool is_unknown(const struct lw_figures_sum *sum, int figure)
{
	return sum->all && !sum->count[figure];
}

struct lw_figures lw_figures_mean(const struct lw_figures_sum *sum)
{
	struct lw_figures mean;

	for (int i = 0; i < LW_FIGURES; i++)
		mean.value[i] = is_unknown(sum, i) ? NAN : sum->mean[i];
	return mean;
}

struct lw_figures lw_figures_sd(const struct lw_figures_sum *sum)
{
	struct lw_figures sd = { { 0 } };

	for (int i = 0; i < LW_FIGURES; i++) {
		if (is_unknown(sum, i))
			sd.value[i] = NAN;
		else if (sum->count[i] > 1)
			sd.value[i] = sqrt(sum->square[i] / (sum->count[i] - 1));
	}
	return sd;
}
