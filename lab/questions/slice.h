/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: classes of jobs by size and by length, and what is to be told of a class. */
#ifndef LW_LAB_QUESTIONS_SLICE_H
#define LW_LAB_QUESTIONS_SLICE_H

#include "lab/questions/dist.h"
#include "lab/questions/joblog.h"

/*
 * The classes of the cross-system study (lab/questions/questions.h), as its authors' tool has them.
 * Small: up to a tenth of the machine; middle: up to three tenths. On GPU clusters one GPU is
 * small, and up to eight are middle.
 */
enum lw_size_class { LW_SIZE_SMALL, LW_SIZE_MIDDLE, LW_SIZE_LARGE, LW_SIZES };
/* Up to a minute, up to an hour, up to a day, and longer. */
enum lw_length_class {
	LW_LENGTH_MINUTE,
	LW_LENGTH_HOUR,
	LW_LENGTH_DAY,
	LW_LENGTH_MORE,
	LW_LENGTHS
};

/* The largest size that counts as small, and as middle. */
struct lw_size_bounds {
	uint64_t small, middle;
};

/* Those of a machine of so many UNITs. */
struct lw_size_bounds lw_size_bounds_of(enum lw_joblog_unit unit, uint64_t machine);
/*
 * Where jobs get whole nodes, or whole boards of GPUs, the least that can be asked for is small:
 * raise BOUNDS to what nearly all jobs of LOG have, up to what is middle. -ENOMEM.
 */
int lw_size_bounds_raise(struct lw_size_bounds *bounds, const struct lw_joblog *log);
enum lw_size_class lw_size_class(const struct lw_size_bounds *bounds, uint32_t size);
enum lw_length_class lw_length_class(int64_t run_s);
/* "small"; "up to a minute". */
const char *lw_size_name(enum lw_size_class size);
const char *lw_length_name(enum lw_length_class length);

/* Some of the jobs of a log. */
struct lw_slice {
	uint32_t jobs;
	double area_s;                 /* unit-seconds */
	uint32_t outcome[LW_OUTCOMES]; /* jobs */
	double outcome_area_s[LW_OUTCOMES];
	uint32_t by_length[LW_LENGTHS];
	uint32_t by_size[LW_SIZES];
	struct lw_dist run, wait, size; /* wait: of jobs with a known wait */
};

/*
 * The number of jobs with a known outcome, and the share of these that did not complete, or NAN.
 */
uint32_t lw_slice_known(const struct lw_slice *slice);
double lw_slice_lost_share(const struct lw_slice *slice);

/*
 * GROUP has for each job of LOG the slice that it goes into, below COUNT, or UINT8_MAX. Fill in
 * RET_SLICES. -ENOMEM.
 */
int lw_slices_of(const struct lw_joblog *log, const struct lw_size_bounds *bounds,
		 const uint8_t *group, uint32_t count, struct lw_slice *ret_slices);

#endif
