/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: expected run times by type of GPU, set in a reading. */
#ifndef LW_SLURM_LEARN_TYPES_H
#define LW_SLURM_LEARN_TYPES_H

#include "predictor/history.h"
#include "slurm/reading.h"

#include <stdbool.h>

/*
 * The run time on a type of GPU comes from runs of the same kind (user, tag, name and number of
 * GPUs) if there are any. Otherwise it is the expected run time on any type, times the known
 * ratio of the types: from other jobs of the user, or of all users (predictor/speed.h). If no
 * type is known, nothing is set.
 */
/* The last answers, by hash of the kind: queues are full of like jobs. */
struct lw_learn_asked {
	bool known;
	struct lw_speed_key key;
	struct lw_speed_answer answer;
};
#define LW_LEARN_ASKED 256

struct lw_learn_types {
	bool on; /* a type is known */
	const struct lw_speeds *speeds;
	struct lw_speed_site site; /* with the snapshot's types, in its order */
	struct lw_learn_asked *asked; /* LW_LEARN_ASKED entries */
	uint32_t *of_set;          /* by set: bits of the types that its nodes have */
};

/* The kind of work of a job with that tag and NAME; both may be NULL. */
struct lw_job_kind lw_learn_kind(const char *admin_comment, const char *name);
/*
 * A number for jobs of USER with GPUS of KIND, so that they have a class of their own (struct
 * lw_waiting, recipe). 0: HISTORY knows nothing of them.
 */
uint32_t lw_learn_recipe(const struct lw_history *history, uint32_t user, uint32_t gpus,
			 const struct lw_job_kind *kind);

/*
 * The types of SNAP in order of speed over all jobs, the fastest first; returns how many. 0:
 * HISTORY knows no difference.
 */
uint32_t lw_learn_types_order(const struct lw_history *history, const struct lw_snapshot *snap,
			      uint32_t order[LW_GPU_TYPES_MAX]);

/* Begin with the types of READING, which has its kinds sorted; off if HISTORY knows none. */
void lw_learn_types_begin(struct lw_learn_types *types, const struct lw_history *history,
			  struct lw_reading *reading);
void lw_learn_types_fini(struct lw_learn_types *types);

/*
 * For CLASS, of KIND: set the run times by type in EXPECTED, which has a mean. The mean becomes
 * that of the fastest type that the jobs may have.
 */
void lw_learn_types_expect(const struct lw_learn_types *types, const struct lw_class *class,
			   const struct lw_job_kind *kind, struct lw_expectation *expected);
/*
 * For CLASS, of KIND: bits of the types of READING with less memory a GPU than runs of the same
 * user, tag and limit needed.
 */
uint64_t lw_learn_cramped(const struct lw_history *history, const struct lw_reading *reading,
			  const struct lw_class *class, const struct lw_job_kind *kind);
/*
 * For running job INDEX, expected to run MEAN_S at its start: the expected run time on the GPUs
 * that it has. 0: not known, or the job has run longer.
 */
int64_t lw_learn_types_running(const struct lw_learn_types *types,
			       const struct lw_reading *reading, uint32_t index, int64_t mean_s);

#endif
