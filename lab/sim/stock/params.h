/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a model of stock Slurm reads from slurm.conf. */
#ifndef LW_LAB_SIM_STOCK_PARAMS_H
#define LW_LAB_SIM_STOCK_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

/* Times in seconds, by the names of slurm.conf(5): params.def. A bound of 0 is none. */
struct lw_stock_params {
#define LW_STOCK_PARAM(field, name, def, unit, least, most) int64_t field;
#include "lab/sim/stock/params.def"
	bool defer;      /* the submission starts nothing, nor does the end of a job at once */
	bool no_fill;    /* there is no backfill */
	int64_t lag_s;   /* so long after an event the main loop runs */
	int64_t cycle_s; /* what a cycle of backfill takes, which the next begins after */
	int64_t kill_wait_s; /* KillWait */
	/* the priority; without multifactor first come, first served */
	bool multifactor;
	int64_t age_weight, size_weight, age_max_s;
	bool favor_small;
};

/* Those of a Slurm with nothing set. */
void lw_stock_params_default(struct lw_stock_params *params);
/* Take those of SchedulerParameters TEXT; what Slurm ignores keeps its value. */
void lw_stock_params_take(struct lw_stock_params *params, const char *text);
/* Take VALUE of KEY in slurm.conf, in any case. False: the model does not go by it. */
bool lw_stock_params_set(struct lw_stock_params *params, const char *key, const char *value);

#endif
