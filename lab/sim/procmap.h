/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which processors, by number, each job of a simulation had. */
#ifndef LW_LAB_SIM_PROCMAP_H
#define LW_LAB_SIM_PROCMAP_H

#include "base/strbuf.h"
#include "planner/model/snapshot.h"

#include <stdbool.h>
#include <stdio.h>

/* From FIRST to LAST, with both. */
struct lw_procrun {
	uint32_t first, last;
};

/*
 * Processors count through the nodes from 0: GPUs of a machine that has some, else CPUs. The
 * planner chooses nodes; here a job gets those with the lowest numbers that are free on each.
 */
struct lw_procmap {
	uint32_t *first; /* of each node, and behind the last */
	bool by_gpus;
	struct lw_procrun *free; /* in order, with none side by side */
	uint32_t free_count, free_room;
	struct lw_procjob {
		struct lw_procrun *runs;
		uint32_t count;
		bool guest; /* they are another one's */
	} * jobs; /* by number; they stay when a job ends */
	uint32_t job_count;
	int error; /* 0 or -ENOMEM: what is missing is not known */
};

/* All nodes of SNAP are free. -ENOMEM leaves nothing to finish. */
int lw_procmap_init(struct lw_procmap *map, const struct lw_snapshot *snap, bool by_gpus,
		    uint32_t job_count);
/* Free all it holds; safe on a zeroed one. */
void lw_procmap_fini(struct lw_procmap *map);

/* JOB, which has none, takes what ALLOCS say; what it had before is forgotten. */
void lw_procmap_take(struct lw_procmap *map, uint32_t job, const struct lw_alloc *allocs,
		     uint32_t count);
/* JOB, which has none, has those of HOLDER with that one. */
void lw_procmap_join(struct lw_procmap *map, uint32_t job, uint32_t holder);
/* Those of HOLDER are those of HEIR, which has them with that one, alone from now on. */
void lw_procmap_pass(struct lw_procmap *map, uint32_t holder, uint32_t heir);
/* JOB has ended, or was stopped: others may take them, unless they are another one's. */
void lw_procmap_give(struct lw_procmap *map, uint32_t job);
/* Add the processors of JOB, as "0-3 8"; nothing if it had none. */
void lw_procmap_print(const struct lw_procmap *map, uint32_t job, struct lw_strbuf *sb);

/* Write what jobs have to FILE, for another process of this program. -EIO. */
int lw_procmap_write(const struct lw_procmap *map, FILE *file);
/* Make MAP, which is zeroed, of it: only to be printed. -ENOMEM, or -EIO. */
int lw_procmap_read(struct lw_procmap *map, FILE *file);

#endif
