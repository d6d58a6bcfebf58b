/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long jobs are expected to run by type of GPU, written into a reading. */
#ifndef LW_SLURM_LEARN_TYPES_H
#define LW_SLURM_LEARN_TYPES_H

#include "predictor/history.h"
#include "slurm/reading.h"

#include <stdbool.h>

/*
 * How long a job runs on a type of GPU is taken from runs of its own kind where there are some:
 * user, tag, name and number of GPUs. Else it is what is expected of it on any type, times what
 * is known of the types: by its user's other jobs, or by all (predictor/speed.h). Where nothing is
 * known by type nothing is said.
 */
/* What was asked last of kinds whose hashes are alike: queues are full of like jobs. */
struct lw_learn_asked {
	bool known;
	struct lw_speed_key key;
	struct lw_speed_answer answer;
};
#define LW_LEARN_ASKED 256

struct lw_learn_types {
	bool on; /* something is known */
	const struct lw_speeds *speeds;
	struct lw_speed_site site; /* of the snapshot's types, in its order */
	struct lw_learn_asked *asked; /* LW_LEARN_ASKED of them */
	uint32_t *of_set;          /* by set: bits of the types that its nodes have */
};

/* What kind of work a job of that tag and NAME is; both may be NULL. */
struct lw_job_kind lw_learn_kind(const char *admin_comment, const char *name);
/*
 * A number for jobs of USER with GPUS that are of KIND, so that they make a class of their own
 * (struct lw_waiting, recipe). 0: HISTORY knows nothing of them.
 */
uint32_t lw_learn_recipe(const struct lw_history *history, uint32_t user, uint32_t gpus,
			 const struct lw_job_kind *kind);

/*
 * The types of SNAP, those on which all jobs together end first before others; how many. 0: HISTORY
 * knows of no difference.
 */
uint32_t lw_learn_types_order(const struct lw_history *history, const struct lw_snapshot *snap,
			      uint32_t order[LW_GPU_TYPES_MAX]);

/* Begin with the types of READING, whose kinds are sorted; off if HISTORY knows none. */
void lw_learn_types_begin(struct lw_learn_types *types, const struct lw_history *history,
			  struct lw_reading *reading);
void lw_learn_types_fini(struct lw_learn_types *types);

/*
 * Of CLASS, whose jobs are of KIND: EXPECTED, of which the mean is known, says it by type, and
 * its mean becomes that on the fastest that the jobs may have.
 */
void lw_learn_types_expect(const struct lw_learn_types *types, const struct lw_class *class,
			   const struct lw_job_kind *kind, struct lw_expectation *expected);
/*
 * Of CLASS, whose jobs are of KIND: bits of the types of READING of which a GPU has less memory
 * than runs of the same user, tag and limit needed.
 */
uint64_t lw_learn_cramped(const struct lw_history *history, const struct lw_reading *reading,
			  const struct lw_class *class, const struct lw_job_kind *kind);
/*
 * Running job INDEX, of which MEAN_S was expected when it started: what is expected of it on the
 * GPUs that it has. 0: that is not known, or it has outrun it.
 */
int64_t lw_learn_types_running(const struct lw_learn_types *types,
			       const struct lw_reading *reading, uint32_t index, int64_t mean_s);

#endif
