/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the figures of a simulation, by name, and their mean over several. */
#ifndef LW_MEASURE_FIGURES_H
#define LW_MEASURE_FIGURES_H

#include "base/promise.h"
#include "measure/energy.h"
#include "measure/fairness.h"
#include "measure/harm.h"
#include "measure/job.h"
#include "measure/locality.h"
#include "measure/machine.h"
#include "measure/sharing.h"

enum lw_figure {
#define LW_FIGURE(symbol, key, title, kind, value) LW_FIGURE_##symbol,
#include "measure/figures.def"
#undef LW_FIGURE
	LW_FIGURES
};

/* How a figure is shown. */
enum lw_figure_kind {
	LW_FIGURE_COUNT,
	LW_FIGURE_SECONDS,
	LW_FIGURE_REAL,
	LW_FIGURE_SHARE, /* 0 .. 1 */
};

/* NAN: there was nothing to tell it by, as of gangs without a gang. */
struct lw_figures {
	double value[LW_FIGURES];
};

#define LW_FIGURE_TEXT 32
/* A link that starts so long after what it waited for has had no interruption. */
#define LW_FIGURE_ZERO_S 600

/* "wait_mean_s": what it is called in JSON. */
const char *lw_figure_key(enum lw_figure figure);
/* "mean wait": what it is called in tables. */
const char *lw_figure_title(enum lw_figure figure);
enum lw_figure_kind lw_figure_kind(enum lw_figure figure);
/* VALUE with its unit, or "-" for NAN. */
void lw_figure_format(enum lw_figure figure, double value, char buf[LW_FIGURE_TEXT]);
/* The figure of that key, or -EINVAL. */
int lw_figure_parse(const char *key);

/* What was watched while jobs ran. What was not is NULL: its figures are NAN. */
struct lw_figures_watched {
	const struct lw_locality *locality;
	const struct lw_energy *energy;
	const struct lw_sharing_found *shared; /* NULL: no job could share */
	const struct lw_harm *harm;            /* beside the base */
	bool factors;			       /* the energy has a price */
	double wall_s;
};

/*
 * The figures of figures.def of JOBS, which have run on MACHINE. Jobs that never started count as
 * such only. WATCHED may be NULL. -ENOMEM.
 */
int lw_figures_of(const struct lw_sim_job *jobs, uint32_t count, const struct lw_machine *machine,
		  const struct lw_figures_watched *watched, struct lw_figures *ret_figures);

/* What became of the promises to JOBS, which have run: as slurmctld's keeper of them counts. */
struct lw_promise_totals lw_figures_promises(const struct lw_sim_job *jobs, uint32_t count);

/* How jobs that shared GPUs fared. */
struct lw_figures_slow {
	uint32_t shared;
	uint32_t cut;	 /* of them, ended by their limit before their work */
	double sum, p99; /* of the run times of COUNT of them to those alone */
	uint32_t count;
	double span_s; /* of all jobs, from the first submission to the last end */
};

/* -ENOMEM. */
int lw_figures_slow_of(const struct lw_sim_job *jobs, uint32_t count,
		       struct lw_figures_slow *ret_slow);

/* How jobs fared that were stopped for others. */
struct lw_figures_stops {
	double agree; /* jobs that could be stopped; 0: nothing else counts */
	double count, late;
	double used, lost; /* GPU seconds; on a machine without GPUs, CPU seconds */
	uint32_t jobs;     /* that were stopped */
	double stretch, worst; /* from the first start to the end, in run times: sum, worst */
};

void lw_figures_stops_of(const struct lw_sim_job *jobs, uint32_t count,
			 const struct lw_machine *machine, struct lw_figures_stops *ret_stops);

/* Sums over several simulations. A zeroed one is empty. */
struct lw_figures_sum {
	uint32_t count[LW_FIGURES]; /* of values that are not NAN */
	uint32_t all;
	double mean[LW_FIGURES];
	double square[LW_FIGURES]; /* sum of squared distances from the mean */
};

/* Welford, Note on a method for calculating corrected sums of squares, 1962. */
void lw_figures_add(struct lw_figures_sum *sum, const struct lw_figures *figures);
/* NAN for a figure that was NAN in all of them. */
struct lw_figures lw_figures_mean(const struct lw_figures_sum *sum);
/* The standard deviation of one simulation from the next; 0 for fewer than two, or NAN as above. */
struct lw_figures lw_figures_sd(const struct lw_figures_sum *sum);

#endif
