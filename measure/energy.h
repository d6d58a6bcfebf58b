/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the energy of a machine while jobs of a simulation ran on it. */
#ifndef LW_MEASURE_ENERGY_H
#define LW_MEASURE_ENERGY_H

#include "base/error.h"
#include "measure/job.h"

#include <stdint.h>

/* Of one hour. */
struct lw_energy_factor {
	double price;    /* of a kWh */
	double co2_g;    /* of a kWh */
};

/* A type of GPUs; what is 0 is not known. */
struct lw_energy_type {
	const char *name; /* borrowed */
	double idle_w, busy_w;
};

#define LW_ENERGY_HOURS_MAX 8784 /* of a year */

/*
 * A node that is on draws NODE_W, its GPUs idle or busy watts each, by their type if known, and
 * CPU_W for each CPU that a job holds. If a job's recipe gives its draw there, a GPU of the job
 * draws that. A node with no job for SUSPEND_AFTER_S is powered down and draws SUSPENDED_W,
 * until a job is given it, which then begins RESUME_S later; meanwhile the node draws what it
 * does without a job.
 */
struct lw_energy_model {
	double gpu_idle_w, gpu_busy_w, cpu_w, node_w, suspended_w;
	int64_t suspend_after_s; /* negative: never */
	int64_t resume_s;
	struct lw_energy_type types[LW_GPU_TYPES_MAX];
	uint32_t type_count;
	/* one an hour from the first submission on, and then from the first again; or none */
	struct lw_energy_factor *factors;
	uint32_t factor_count;
};

/* In joules, over the time from the first submission to the last end. */
struct lw_energy {
	double all_j;
	double empty_j;  /* of nodes without any job, that were on */
	double price;
	double co2_g;
	double suspended_share; /* of the time of all nodes */
	uint64_t wakes;
};

/* Tell SNAP, which has all nodes, what they draw. */
void lw_energy_tell(const struct lw_energy_model *model, struct lw_snapshot *snap);

struct lw_energymeter;

/* The machine of SNAP has no job yet; JOBS are JOB_COUNT. All are borrowed. -ENOMEM. */
int lw_energymeter_create(const struct lw_energy_model *model, const struct lw_snapshot *snap,
			  const struct lw_sim_job *jobs, uint32_t job_count,
			  struct lw_energymeter **ret_meter);
void lw_energymeter_destroy(struct lw_energymeter *meter);

/* Is any node of ALLOCS powered down at NOW_S? */
bool lw_energymeter_wakes(const struct lw_energymeter *meter, int64_t now_s,
			  const struct lw_alloc *allocs, uint32_t count);
/* JOB is given ALLOCS at NOW_S, or gives all back. */
void lw_energymeter_take(struct lw_energymeter *meter, uint32_t job, int64_t now_s,
			 const struct lw_alloc *allocs, uint32_t count);
void lw_energymeter_give(struct lw_energymeter *meter, uint32_t job, int64_t now_s);

/* What it comes to, from FROM_S on; 0, or -ENOMEM: then and before something was lost. */
int lw_energymeter_read(struct lw_energymeter *meter, int64_t from_s, struct lw_energy *ret_energy);

/*
 * Read factors from PATH: a line "price co2" for each hour, parted by blanks or a comma, the price
 * of a kWh and grams of CO2 of a kWh; lines that begin with # or a letter are passed over. -EINVAL
 * with ERR names the line; -ENOMEM, or -errno of the file.
 */
int lw_energy_read_factors(const char *path, struct lw_energy_model *model, struct lw_error *err);
/* The types of RECIPES, with borrowed names, except names that MODEL has already. */
void lw_energy_add_recipes(struct lw_energy_model *model, const struct lw_recipes *recipes);
void lw_energy_model_fini(struct lw_energy_model *model);

#endif
