/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one policy on one machine: a simulation from an empty machine to the last end. */
#ifndef LW_LAB_SIM_TRIAL_H
#define LW_LAB_SIM_TRIAL_H

#include "lab/sim/engine.h"
#include "lab/sim/noise.h"
#include "lab/sim/outlook.h"
#include "lab/sim/procmap.h"
#include "lab/sim/published.h"
#include "measure/energy.h"
#include "measure/locality.h"
#include "measure/machine.h"
#include "predictor/predict.h"
#include "predictor/survival.h"

struct lw_trial {
	struct lw_policy_params policy; /* outside is set by the run */
	struct lw_nets nets;            /* with a net for the order, that is LW_ORDER_OUTSIDE */
	lw_choose_f choose;             /* NULL, or chooses nodes in place of the planner */
	bool ends_before;               /* as in struct lw_outside */
	/*
	 * Where expected run times come from. Leeway and conservative only order by them. Under
	 * easy, relaxed and adaptive the planner treats them as the truth for running and
	 * backfilled jobs, and a job that outruns its time gets a new one; but promises use
	 * limits, and easy keeps them.
	 */
	enum lw_predictor runtime;
	struct lw_noise noise; /* zeroed: they stay as they are */
	enum lw_chain_mode chain;
	const struct lw_stock_params *stock; /* NULL, or a model of Slurm schedules */
	enum lw_published published; /* if another simulator's rule plans, which one */
	struct lw_lease_settings lease; /* agree 0: no job agrees to be stopped */
	bool sizes; /* with lease: jobs that agree may run on fewer nodes */
	bool one_event; /* plan after every single event (lab/sim/engine.h) */
	struct lw_machine machine;
	struct lw_sharing sharing;	  /* zeroed: no job shares GPUs */
	struct lw_sharing_found *shared;  /* what to fill in of it: zeroed; not NULL if they do */
	struct lw_locality *locality; /* NULL, or what to fill in: zeroed */
	struct lw_procmap *procs;     /* the same, for the caller to finish */
	struct lw_sim_outlook *outlook; /* NULL, or what to fill in */
	/* NULL, or by what energy is counted, and where it goes */
	const struct lw_energy_model *energy_model;
	struct lw_energy *energy;
};

/*
 * Run JOBS, in order of submission, and fill in what was found. What was learned of run
 * times starts from nothing and is gone afterwards. PROGRESS may be NULL. -ENOMEM.
 */
int lw_trial_run(const struct lw_trial *trial, struct lw_sim_job *jobs, uint32_t count,
		 lw_sim_progress_f progress, void *arg);

#endif
