/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: energy of jobs as the tools tell it: of their GPUs, and their share of the nodes. */
#ifndef LW_CLI_COMMON_ENERGY_H
#define LW_CLI_COMMON_ENERGY_H

#include "base/error.h"

#include "config/config.h"
#include "config/watts.h"

#include <stddef.h>
#include <stdint.h>

#define LW_JOULES_KWH 3.6e6
#define LW_ENERGY_TYPES_MAX 16
/* What lw_energy_print() needs at most. */
#define LW_ENERGY_TEXT_MAX 32

/* Watts by settings: leeway.yaml(5), energy.*. */
struct lw_energy_watts {
	double cpu;       /* of a node for each CPU that a job holds */
	double node;      /* of a node that is on, whether it works or not */
	double suspended; /* of one that is powered down */
	double gpu_idle, gpu_busy; /* of a GPU, where nothing measures it */
	struct lw_gpu_watts types[LW_ENERGY_TYPES_MAX]; /* and of some types */
	uint32_t type_count;
};

/*
 * From the file at PATH, or with NULL the defaults. -EINVAL, -ENOENT, ... with ERR, which names
 * file and line.
 */
int lw_energy_read_watts(const char *path, struct lw_energy_watts *ret_watts,
			 struct lw_error *err);

/* "12.3 kWh", "340 Wh", "27 J": three digits or more. */
void lw_energy_print(double joules, char *buf, size_t size);

#endif
