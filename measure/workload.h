/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the workload a replay submits, as text (lw-workload(5)). */
#ifndef LW_MEASURE_WORKLOAD_H
#define LW_MEASURE_WORKLOAD_H

#include "base/error.h"
#include "config/recipes.h"
#include "measure/after.h"
#include "measure/lines.h"
#include "measure/nodes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LW_WORKLOAD_NAME_MAX 48
#define LW_WORKLOAD_NEVER    (-1)
/* What a workload may say at most; times: a hundred years, in whole minutes. */
#define LW_WORKLOAD_TIME_MAX_S (INT64_C(100) * 366 * 86400)
#define LW_WORKLOAD_NODES_MAX  1000000
#define LW_WORKLOAD_GPUS_MAX   1000 /* of a node */
#define LW_WORKLOAD_CPUS_MAX   100000
#define LW_WORKLOAD_MEM_MAX    (INT64_C(1) << 40)
#define LW_WORKLOAD_WEIGHT_MAX 1000000
#define LW_WORKLOAD_AFTERS_MAX 1000 /* of one job */

/* VALUE, or MOST, one of these, if that is less. */
static inline int64_t lw_workload_cap(int64_t value, int64_t most)
{
	return value < most ? value : most;
}

enum lw_workload_kind {
	LW_WORKLOAD_HPC,      /* no deep learning */
	LW_WORKLOAD_TRAIN1,   /* training inside one node */
	LW_WORKLOAD_GANG,     /* training over several nodes */
	LW_WORKLOAD_SWEEP,    /* one trial of a parameter sweep */
	LW_WORKLOAD_INFER,    /* batch inference or a service */
	LW_WORKLOAD_NOTEBOOK, /* an interactive session */
	LW_WORKLOAD_KINDS,
};

struct lw_workload_job {
	int64_t submit_s;         /* from the start of the workload */
	int64_t limit_s;          /* whole minutes, as Slurm keeps them */
	int64_t run_s;            /* may pass the limit: then Slurm kills the job there */
	int64_t cancel_s;         /* after submission, whatever its state; NEVER */
	int64_t array;            /* the job array it is a task of, any number; NEVER */
	int64_t mem_mib_per_node; /* 0: asks for none */
	uint32_t user;            /* a number; the replay decides which user that is */
	uint32_t nodes;
	uint32_t gpus_per_node;
	uint32_t cpus_per_node;
	enum lw_workload_kind kind;
	char name[LW_WORKLOAD_NAME_MAX];
	/* of version 2; all 0: nothing is said */
	uint32_t id;                       /* by which others name it or its array; 0: none */
	uint32_t first_after, after_count; /* its run of the workload's afters */
	uint32_t at_most;                  /* tasks of its array at a time; 0: all */
	uint32_t weight;                   /* what being late costs; 0: not said, as 1 */
	uint32_t least_nodes, shared;      /* it may run on fewer (planner/place/size.h); 0: not */
	uint8_t exit_code;                 /* its program ends with it */
	bool resumable;
	int64_t think_s;                   /* submitted so long after what it waits for, at least */
	int64_t deadline_s;                /* after submission; 0: none */
	int64_t save_s, restart_s;         /* what it costs to stop and to go on, if resumable */
	char recipe[LW_WORKLOAD_NAME_MAX]; /* what the program does, by name; "": not said */
};

/* A job, or the tasks of an array, that others name. */
struct lw_workload_id {
	uint32_t id;
	uint32_t first, tasks; /* places in jobs */
};

/* Jobs in order of submission; the tasks of one array stand together. */
struct lw_workload {
	struct lw_workload_job *jobs;
	uint32_t job_count;
	uint32_t room;
	struct lw_after *afters; /* by ids */
	uint32_t after_count, after_room;
	struct lw_workload_id *ids; /* rising */
	uint32_t id_count, id_room;
	/* the machine it is for; none: not said */
	struct lw_nodes types[LW_NODES_TYPES_MAX];
	uint32_t type_count;
};

const char *lw_workload_kind_name(enum lw_workload_kind kind);

void lw_workload_fini(struct lw_workload *workload);
/* Append a copy of JOB. -ENOMEM. */
int lw_workload_add(struct lw_workload *workload, const struct lw_workload_job *job);
/* Append what the next job waits for, to its run of afters. -ENOMEM. */
int lw_workload_add_after(struct lw_workload *workload, struct lw_workload_job *job,
			  struct lw_after after);
/* Note that ID is TASKS jobs from FIRST on. -EINVAL: it is not above the one before; -ENOMEM. */
int lw_workload_add_id(struct lw_workload *workload, uint32_t id, uint32_t first, uint32_t tasks);
/* The entry of ID, or NULL. */
const struct lw_workload_id *lw_workload_find(const struct lw_workload *workload, uint32_t id);
/* Sort by submission, then by array, keeping the order of equals. -ENOMEM. */
int lw_workload_sort(struct lw_workload *workload);

/*
 * Read PATH, plain or gzip. A line with a job array becomes one job a task. -EINVAL with
 * ERR naming file, line and field; -ENOMEM; -errno of the file.
 */
int lw_workload_read(struct lw_workload *workload, const char *path,
		     struct lw_error *err);
/* The same of LINES, of which none was taken yet; PATH is what messages call them. */
int lw_workload_parse(struct lw_workload *workload, struct lw_lines *lines, const char *path,
		      struct lw_error *err);
/* Do they begin as such a file does? Takes none of them. */
bool lw_workload_is(const struct lw_lines *lines);
/* "afterok": what sbatch calls it. */
const char *lw_workload_after_name(enum lw_after_kind kind);
/*
 * Write it, an array as one line, in the first version that has a place for all it says;
 * COMMENTS, one or more lines of "# ..." each ended by a newline, says where it came from and may
 * be NULL. 0 or -EIO.
 */
int lw_workload_write(const struct lw_workload *workload, const char *comments,
		      FILE *out);

#endif
