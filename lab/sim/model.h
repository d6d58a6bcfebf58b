/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the workload models share: the machine, and one submission. */
#ifndef LW_LAB_SIM_MODEL_H
#define LW_LAB_SIM_MODEL_H

#include "measure/workload.h"

#include <stdint.h>

/* largest job array a model makes */
#define LW_MODEL_ARRAY_MAX 40

struct lw_model_machine {
	uint32_t nodes;
	uint32_t gpus_per_node;
	uint32_t cpus_per_node; /* what a job of this model may take of a node */
	int64_t max_run_s;      /* no job runs or asks longer */
	uint32_t users;
};

/* One sbatch: one job, or the jobs of one array. submit_s and mem_mib are not set. */
struct lw_model_submission {
	double gap_s; /* busy seconds (arrival.h) since the submission before */
	uint32_t count;
	struct lw_workload_job jobs[LW_MODEL_ARRAY_MAX];
};

#endif
