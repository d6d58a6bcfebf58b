/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the result of reading Slurm's records: a snapshot, and how to find its jobs again. */
#ifndef LW_SLURM_READING_H
#define LW_SLURM_READING_H

#include "base/lookup.h"
#include "planner/model/snapshot.h"
#include "planner/place/size.h"
#include "slurm/caps.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A job is planned to end this long before its deadline: Slurm checks limits twice a minute, a
 * job needs time to clean up, and the next job starts a cycle later.
 */
#define LW_DEADLINE_MARGIN_S 120

/* The nodes of the snapshot that are licences have names that begin so. */
#define LW_LICENCE_NODE "licence/"

/* The kind of work of a job, for the predictor: as in struct lw_speed_key. */
struct lw_job_kind {
	uint32_t tag, name;
};

/* The kind of a running job. */
struct lw_running_kind {
	uint32_t job_id;
	struct lw_job_kind kind;
};

/* How to find the records of a waiting job again after the locks were given up. */
struct lw_ticket {
	uint32_t job_id;
	uint32_t qos_id;  /* 0: none */
	uint32_t resv_id; /* a reservation that the queue gave it without a request, or 0 */
	int64_t limit_s;  /* as planned: a job with a longer limit at the start is refused */
	uint32_t width;   /* CPUs the job asks for, for the predictor */
	struct lw_job_kind kind; /* of a GPU job, if types of GPUs are chosen; else 0 */
	uint32_t priority; /* in that partition, with that QOS */
	const char *part; /* the name is the reading's */
	uint32_t stretch; /* in thousandths: how much longer it takes beside others on its GPU */
	uint32_t slower;  /* in thousandths: so much longer than on all nodes that it may have; 0:
			   * not known (read/sized.h) */
	bool sized;       /* it is to have the planned nodes and no others (size.mode) */
	bool prefer;      /* on the nodes that it prefers (--prefer) */
	bool follows;     /* Slurm does not let it start yet: it waits for the end of another
			   * job */
	bool segments;    /* the planner does not know which nodes Slurm will give it */
	bool unplaced;    /* nor where some go, since it has to have other nodes as well */
	/* Slurm's name of the limit that never allows what it asks for, or NULL */
	const char *never;
	/* the other components of a het job, in the reading's parts, from need 1 on */
	uint32_t first_part, part_count;
};

/* A running job that shares its GPU, and how much longer it takes for that. */
struct lw_stretch {
	uint32_t job_id, thousandths;
};

/* A waiting job as it would be in another partition, in which Slurm would let it start. */
struct lw_elsewhere {
	const char *part; /* the name is the reading's */
	struct lw_waiting waiting;
};

struct lw_again {
	uint32_t running; /* in the snapshot */
	struct lw_waiting waiting;
};

/* A running job that might go on on more nodes, as it would wait for these. */
struct lw_grower {
	uint32_t running; /* in the snapshot */
	uint32_t nodes;   /* that it has */
	struct lw_size size;
	struct lw_waiting waiting;
};

/* One reading; node i < slurm_nodes of the snapshot is Slurm's node record i. */
struct lw_reading {
	struct lw_snapshot snap;
	struct lw_ticket *tickets; /* by waiting record */
	uint32_t ticket_room;
	struct lw_ticket *parts; /* of het jobs: all components but the first of each */
	uint32_t part_count, part_room;
	/* of jobs that run on GPUs, if types of GPUs are chosen; sorted by id in the end */
	struct lw_running_kind *kinds;
	uint32_t kind_count, kind_room;
	/* memory of a GPU, by type of the snapshot, from select.gpu_memory; 0: not known */
	uint32_t gpu_memory_mib[LW_GPU_TYPES_MAX];
	struct lw_lookup said;    /* total run time of running jobs, by their own progress */
	struct lw_lookup slower;  /* as of tickets, of running jobs */
	struct lw_lookup leaving; /* running jobs that were told to go, for a preemptor */
	struct lw_stretch *stretches;
	uint32_t stretch_count, stretch_room;
	struct lw_caps caps;
	uint64_t nodes;       /* lw_nodemark() of the reading */
	uint32_t slurm_nodes; /* the snapshot's nodes from this number on are licences */
	struct lw_elsewhere *elsewhere;
	uint32_t elsewhere_count, elsewhere_room;
	/* how running jobs would wait that may move; in order of the running ones */
	struct lw_again *agains;
	uint32_t again_count, again_room;
	/* if no job waits, and stops are ordered for that */
	struct lw_grower *growers;
	uint32_t grower_count, grower_room;
	char **names; /* of partitions */
	uint32_t name_count, name_room;
};

/*
 * Component I of the job of TICKET, by need: 0 is the ticket itself, others those of a het job.
 */
static inline const struct lw_ticket *lw_reading_part(const struct lw_reading *reading,
						      const struct lw_ticket *ticket, uint32_t i)
{
	return i ? &reading->parts[ticket->first_part + i - 1] : ticket;
}

#endif
