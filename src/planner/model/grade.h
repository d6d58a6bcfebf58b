/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes by the weights that the site gave them: lower ones are used first. */
#ifndef LW_PLANNER_GRADE_H
#define LW_PLANNER_GRADE_H

#include "base/bitset.h"

/* With more different weights the heaviest nodes share the last grade. */
#define LW_GRADES_MAX 32

/* A grade is all nodes of one weight; grades are in order of weight. */
struct lw_grades {
	uint32_t count; /* 0: all nodes weigh the same */
	uint8_t *of;	/* by node */
	struct lw_bitset upto[LW_GRADES_MAX]; /* by grade: its nodes and those before */
};

/*
 * Make GRADES, zeroed or made before, from the weights of COUNT nodes. O(count) if all weights
 * are equal, else O(count log count). 0; after -ENOMEM there are no grades.
 */
int lw_grades_make(struct lw_grades *grades, const uint64_t *weights, uint32_t count);
/* Free all it holds; safe on a zeroed one. */
void lw_grades_fini(struct lw_grades *grades);

#endif
