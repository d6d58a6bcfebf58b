/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: all that is found in a log. */
#ifndef LW_LAB_QUESTIONS_ANALYSIS_H
#define LW_LAB_QUESTIONS_ANALYSIS_H

#include "lab/questions/arrivals.h"
#include "lab/questions/behaviour.h"
#include "lab/questions/elapsed.h"
#include "lab/questions/gpuuse.h"
#include "lab/questions/limits.h"
#include "lab/questions/load.h"
#include "lab/questions/people.h"
#include "lab/questions/repeat.h"
#include "lab/questions/slice.h"
#include "lab/questions/steps.h"

/* Sizes of jobs: 1, 2, 3-4, 5-8, ... in steps that reach over eight groups. */
#define LW_WIDTHS 8

struct lw_width {
	uint32_t low, high;
	uint32_t jobs;
	double area_s;
};

struct lw_analysis {
	enum lw_joblog_unit unit;
	struct lw_size_bounds bounds;
	struct lw_slice all;
	struct lw_slice size[LW_SIZES];
	struct lw_slice length[LW_LENGTHS];
	struct lw_slice outcome[LW_OUTCOMES];
	struct lw_slice kind[LW_JOBLOG_KINDS];
	double grid_area_s[LW_SIZES][LW_LENGTHS];
	double grid_wait_s[LW_SIZES][LW_LENGTHS]; /* mean; NAN: none is known */
	uint32_t width_count;
	struct lw_width width[LW_WIDTHS];
	struct lw_arrivals arrivals;
	struct lw_load load;
	struct lw_limits limits;
	struct lw_repeat repeat;
	struct lw_steps steps[LW_STEPS_KINDS];
	struct lw_behaviour behaviour;
	struct lw_elapsed elapsed;
	struct lw_people people[LW_PEOPLE_KINDS];
	struct lw_gpu_report gpu;
	/* rising, for curves: all jobs' run times, and the waits that are known by size class */
	double *runs;
	uint32_t run_count;
	double *waits[LW_SIZES];
	uint32_t wait_count[LW_SIZES];
};

/* -ENOMEM leaves nothing to finish. */
int lw_analysis_of(const struct lw_joblog *log, struct lw_analysis *ret_analysis);
void lw_analysis_fini(struct lw_analysis *analysis);

#endif
