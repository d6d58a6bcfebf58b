/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway tune: the settings that are best on a site's own log, and how sure that is. */
#ifndef LW_LAB_TUNE_TUNE_H
#define LW_LAB_TUNE_TUNE_H

#include "lab/cli_sim/sim.h"
#include "lab/sim/sample.h"

#include <jansson.h>
#include <stdio.h>

/* The base, and one for each row of candidates.def. */
#define LW_TUNE_MOST 24
/* What is chosen is shaken so often beside the base, by so much. */
#define LW_TUNE_SHAKES  5
#define LW_TUNE_SHAKE_S 600

/* The log is cut into weeks, or less; every second one is of the other half. */
enum lw_tune_half { LW_TUNE_EVEN, LW_TUNE_ODD, LW_TUNE_HALVES };

/* How the jobs of one half fared. */
struct lw_tune_part {
	uint32_t jobs;
	double wait_s, p99_s; /* the mean, and the 99th percentile */
	double longer; /* share of jobs that wait over an hour longer than under the base */
};

struct lw_tune_candidate {
	const char *settings, *words; /* "": the base */
	struct lw_tune_part part[LW_TUNE_HALVES];
	bool harms[LW_TUNE_HALVES]; /* there it may not be chosen */
};

struct lw_tune {
	struct lw_tune_candidate candidates[LW_TUNE_MOST];
	uint32_t count;
	uint32_t chosen[LW_TUNE_HALVES]; /* by each half: the best on it, 0: the base */
	uint32_t advised;                /* what both halves speak for, 0: to change nothing */
	double least, most; /* its mean wait by the base's: two standard deviations */
	uint32_t pieces; /* that the log was cut into */
	int64_t piece_s; /* of so long each */
	uint32_t of_weeks; /* the log has, if the pieces are a sample; else 0 */
};

struct lw_tune_request {
	const char *config; /* a leeway.yaml, the base; NULL: the defaults are */
	struct lw_simset *sets;
	const struct lw_sample *sample; /* of the trace; without weeks all jobs count */
	uint32_t set_count, at_once;
	double harm; /* the largest share of jobs that may wait over an hour longer */
};

/* Try all candidates on TRACE. -EINVAL, -EDOM with ERR; -ENOMEM. */
int lw_tune_do(struct lw_tune *tune, const struct lw_simtrace *trace,
	       const struct lw_tune_request *request, struct lw_error *err);

/* The mean wait of candidate I in that half, by the base's there. */
double lw_tune_by_base(const struct lw_tune *tune, uint32_t i, enum lw_tune_half half);

void lw_tune_print(const struct lw_tune *tune, FILE *out);
/* The advised settings as leeway.yaml has them. */
void lw_tune_print_yaml(const struct lw_tune *tune, FILE *out);
json_t *lw_tune_json(const struct lw_tune *tune);

#endif
