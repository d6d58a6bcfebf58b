/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the figures of a simulation, by name, and their mean over several. */
#ifndef LW_MEASURE_FIGURES_H
#define LW_MEASURE_FIGURES_H

#include "base/promise.h"
#include "measure/energy.h"
#include "measure/fairness.h"
#include "measure/job.h"
#include "measure/locality.h"
#include "measure/machine.h"
#include "measure/sharing.h"

enum lw_figure {
#define LW_FIGURE(symbol, key, title, kind) LW_FIGURE_##symbol,
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

/*
 * What metrics.h finds in JOBS, which have run on MACHINE, and the utilisation: processor
 * time held between the first and the last submission, as a share. Jobs that never started
 * count as such only. What only a clock knows stays 0. -ENOMEM.
 */
int lw_figures_of(const struct lw_sim_job *jobs, uint32_t count, const struct lw_machine *machine,
		  struct lw_figures *ret_figures);

/* What became of the promises to JOBS, which have run: as slurmctld's keeper of them counts. */
struct lw_promise_totals lw_figures_promises(const struct lw_sim_job *jobs, uint32_t count);

/* Fill in what FAIRNESS, or LOCALITY, found. */
void lw_figures_fairness(struct lw_figures *figures, const struct lw_fairness *fairness);
void lw_figures_locality(struct lw_figures *figures, const struct lw_locality *locality);

/* Fill in what ENERGY found; what costs, only where there are FACTORS. */
void lw_figures_energy(struct lw_figures *figures, const struct lw_energy *energy, bool factors);

/*
 * Fill in what FOUND has of jobs that shared GPUs, and how they fared, from JOBS, which have
 * run. NULL: no job could share, and there are no such figures. -ENOMEM.
 */
int lw_figures_sharing(struct lw_figures *figures, const struct lw_sim_job *jobs, uint32_t count,
		       const struct lw_sharing_found *found);

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
