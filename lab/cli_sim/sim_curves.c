/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what the charts show of a run, and how far it is off in another shake. */
#include "lab/cli_sim/sim_curves.h"

#include <math.h>
#include <string.h>

#include "cli/chart/chart.h"

#define WIDTH_BIT 32

_Static_assert(LW_SIM_CLASSES <= LW_CHART_GROUPS, "too few groups of bars");

static uint32_t width_of(const struct lw_simgrid *grid, const struct lw_sim_job *job)
{
	return lw_machine_width(grid->machine, &job->request);
}

/* Class 0 is width 1, class n is 2^(n-1)+1 .. 2^n. */
static uint32_t doubling_of(uint32_t width)
{
	uint32_t n = 0;

	while (n < WIDTH_BIT - 1 && (UINT32_C(1) << n) < width)
		n++;
	return n;
}

/* Put the two neighbours with the fewest jobs together. */
static void join_two(struct lw_simclass *classes, uint32_t count)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i + 1 < count; i++) {
		if (classes[i].jobs + classes[i + 1].jobs <
		    classes[best].jobs + classes[best + 1].jobs)
			best = i;
	}
	classes[best].high = classes[best + 1].high;
	classes[best].jobs += classes[best + 1].jobs;
	memmove(&classes[best + 1], &classes[best + 2], (count - best - 2) * sizeof(*classes));
}

static void make_classes(struct lw_simgrid *grid, const struct lw_sim_job *jobs, uint32_t n)
{
	struct lw_simclass classes[WIDTH_BIT] = { { 0 } };
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t width = width_of(grid, &jobs[i]);
		struct lw_simclass *class = &classes[doubling_of(width)];

		if (!class->jobs || width < class->low)
			class->low = width;
		if (width > class->high)
			class->high = width;
		class->jobs++;
	}
	for (uint32_t i = 0; i < WIDTH_BIT; i++) {
		if (classes[i].jobs)
			classes[count++] = classes[i];
	}
	while (count > LW_SIM_CLASSES)
		join_two(classes, count--);
	memcpy(grid->classes, classes, sizeof(grid->classes));
	grid->class_count = count;
}

void lw_simgrid_init(struct lw_simgrid *grid, const struct lw_sim_job *jobs, uint32_t count,
		     const struct lw_machine *machine)
{
	int64_t span_s = jobs[count - 1].submit_s - jobs[0].submit_s;

	*grid = (struct lw_simgrid){ .machine = machine,
				     .zero_s = jobs[0].submit_s,
				     .span_s = span_s > 0 ? (double)span_s : 1 };
	make_classes(grid, jobs, count);
}

double lw_simgrid_time_s(const struct lw_simgrid *grid, uint32_t period)
{
	return (period + 0.5) / LW_SIM_PERIODS * grid->span_s;
}

/* Which period the second is in: a shaken one may lie outside. */
static uint32_t period_of(const struct lw_simgrid *grid, int64_t at_s)
{
	double period = (double)(at_s - grid->zero_s) / grid->span_s * LW_SIM_PERIODS;

	return period < 0 ? 0 : period >= LW_SIM_PERIODS ? LW_SIM_PERIODS - 1 : (uint32_t)period;
}

static uint32_t class_of(const struct lw_simgrid *grid, const struct lw_sim_job *job)
{
	uint32_t c = 0;

	while (c + 1 < grid->class_count && width_of(grid, job) > grid->classes[c].high)
		c++;
	return c;
}

/* Welford, as of figures. */
static void add_value(struct lw_simpoint *point, double value)
{
	double off = value - point->mean;

	point->count++;
	point->mean += off / point->count;
	point->square += off * (value - point->mean);
}

static void add_means(struct lw_simpoint *points, const double *sums, const uint32_t *counts,
		      uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (counts[i])
			add_value(&points[i], sums[i] / counts[i]);
}

void lw_simcurves_add(struct lw_simcurves *curves, const struct lw_simgrid *grid,
		      const struct lw_sim_job *jobs, uint32_t count)
{
	double wait[LW_SIM_PERIODS] = { 0 }, use[LW_SIM_PERIODS] = { 0 };
	double class_wait[LW_SIM_CLASSES] = { 0 }, period_s = grid->span_s / LW_SIM_PERIODS;
	uint32_t started[LW_SIM_PERIODS] = { 0 }, class_started[LW_SIM_CLASSES] = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];
		uint32_t period = period_of(grid, job->submit_s), class = class_of(grid, job);

		if (job->start_s == LW_NO_TIME)
			continue;
		wait[period] += (double)(job->start_s - lw_sim_job_since_s(job));
		started[period]++;
		class_wait[class] += (double)(job->start_s - lw_sim_job_since_s(job));
		class_started[class]++;
		lw_chart_spread(use, LW_SIM_PERIODS, period_s,
				(double)(lw_sim_job_holds_since_s(job) - grid->zero_s),
				(double)(lw_sim_job_end_s(job) - grid->zero_s),
				width_of(grid, job));
	}
	add_means(curves->wait, wait, started, LW_SIM_PERIODS);
	add_means(curves->class_wait, class_wait, class_started, LW_SIM_CLASSES);
	for (uint32_t p = 0; p < LW_SIM_PERIODS; p++)
		add_value(&curves->use[p],
			  use[p] * 100 / period_s / lw_machine_procs(grid->machine));
}

double lw_simpoint_sd(const struct lw_simpoint *point)
{
	return point->count > 1 ? sqrt(point->square / (point->count - 1)) : 0;
}
