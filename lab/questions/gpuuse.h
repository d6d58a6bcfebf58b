/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what jobs make of their GPUs, where that is recorded. */
#ifndef LW_LAB_QUESTIONS_GPUUSE_H
#define LW_LAB_QUESTIONS_GPUUSE_H

#include "lab/questions/dist.h"
#include "lab/questions/joblog.h"

/* Up to 5 %, 25 %, 50 %, 75 %, and more. */
#define LW_GPU_PARTS 5

struct lw_gpu_report {
	uint32_t recorded;              /* jobs with a mean utilisation */
	struct lw_dist util;            /* in per cent */
	double util_area;               /* the same, weighted by what they held */
	double part_area[LW_GPU_PARTS]; /* share of what they held by utilisation */
	uint32_t asked;                 /* jobs of which it is said how much of a GPU they want */
	uint32_t shared;                /* and that want less than one */
	double milli_mean;              /* of one GPU, in thousandths; NAN */
};

const char *lw_gpu_part_name(uint32_t part);
/* -ENOMEM. */
int lw_gpu_report_of(const struct lw_joblog *log, struct lw_gpu_report *ret_report);

#endif
