/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job waits for, as sbatch's --dependency has it. */
#ifndef LW_MEASURE_AFTER_H
#define LW_MEASURE_AFTER_H

#include <stdint.h>

enum lw_after_kind {
	LW_AFTER_ANY,       /* that it has ended, in whatever way */
	LW_AFTER_OK,        /* that it has ended well */
	LW_AFTER_NOTOK,     /* that it has failed, or was killed or cancelled */
	LW_AFTER_CORR,      /* as OK, task by task of two arrays */
	LW_AFTER_SINGLETON, /* all earlier jobs of the user with the same name have ended */
	LW_AFTER_KINDS,
};

struct lw_after {
	enum lw_after_kind kind;
	uint32_t job; /* its number; 0 with SINGLETON in a workload */
};

#endif
