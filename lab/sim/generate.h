/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: make a workload from the models, for a machine and an offered load. */
#ifndef LW_LAB_SIM_GENERATE_H
#define LW_LAB_SIM_GENERATE_H

#include "base/error.h"
#include "config/recipes.h"
#include "measure/workload.h"

#include <stdint.h>

enum lw_generate_model {
	LW_GENERATE_LUBLIN, /* lublin.h: HPC jobs on whole nodes */
	LW_GENERATE_DL,     /* dlmix.h */
	LW_GENERATE_MIX,    /* both; HPC jobs take half of a node's CPUs and no GPU */
};

struct lw_generate_options {
	enum lw_generate_model model;
	/* two of these three; 0 means: follows from the other two */
	uint32_t jobs;
	int64_t span_s;
	/* work offered / (nodes x span), by dominant share, on an equal share of all GPU types */
	double load;
	uint32_t nodes;
	uint32_t gpus_per_node;
	uint32_t cpus_per_node;
	int64_t mem_mib_per_node; /* 0: jobs ask for no memory */
	uint32_t users;
	uint64_t seed;
	int64_t max_run_s; /* 0: what the models have */
	double compress;   /* every time is divided by it; 0 is 1 */
	double hpc_share;  /* of the work of a mix */
	/* so many chains besides (chains.h); jobs, span and load are the others' */
	uint32_t chains;
	double chain_early, chain_fails; /* shares of their links */
	uint32_t chain_links, chain_nodes; /* of each; 0: as chains.h has it */
	int64_t chain_limit_s;             /* of each link, not compressed; 0: the same */
	uint32_t deadlines;                /* so many submissions have one (dues.h) */
	/* for GPU jobs, and the types of the nodes (recipegive.h); NULL: they have none */
	const struct lw_recipes *recipes;
};

/* The model called NAME, or -EINVAL. */
int lw_generate_model_parse(const char *name, enum lw_generate_model *ret_model);
const char *lw_generate_model_name(enum lw_generate_model model);

/*
 * Make the workload, with its machine; the same options make the same one everywhere. -EINVAL with
 * ERR filled when the options do not go together, -ENOMEM.
 */
int lw_generate(const struct lw_generate_options *options,
		struct lw_workload *ret_workload, struct lw_error *err);

#endif
