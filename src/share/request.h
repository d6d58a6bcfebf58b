/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: may a job that is being submitted have a part of a GPU instead of a whole one? */
#ifndef LW_SHARE_REQUEST_H
#define LW_SHARE_REQUEST_H

#include "share/rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A GPU's budget (its time or its processors, and its memory) is divided into parts: units of a
 * gres that Slurm itself counts by device (shard, mps). A job gets as many as it needs of the
 * budget, rounded up, and at least so many that no more jobs than the rule allows find room.
 * Slurm gives a job all its parts on one GPU of a node, and no more of a GPU than it has. So
 * whichever jobs it puts together fit, and a job takes the place of one that left only if it
 * fits: no placement by Slurm can break the rule.
 */

/* Which jobs may share, and where, from leeway.yaml. NULL texts count as empty. */
struct lw_share_terms {
	struct lw_share_rule rule;
	const char *where;    /* "partition:NAME" and "qos:NAME"; empty: nowhere */
	const char *who;      /* "qos:NAME", "account:NAME" and "comment" */
	const char *gpu_type; /* of these nodes' GPUs; "": the cluster names none */
	uint32_t mem_mib;     /* of such a GPU; 0: not set, and no job shares */
	const char *gres;     /* "shard" or "mps" */
	const char *guests;   /* the QOS of guests; empty: there are none */
	uint32_t parts;	      /* parts of a GPU in units of gres */
};

/* A job's request, from sbatch; texts may be NULL, and 0 is not given. */
struct lw_share_ask {
	const char *partition, *qos, *account, *comment, *reservation;
	const char *tres_per_node, *tres_per_job, *tres_per_task, *tres_per_socket;
	const char *cpus_per_tres, *mem_per_tres, *tres_bind, *tres_freq;
	uint32_t nodes_min, nodes_max, tasks;
	bool batch;	/* it has a script */
	bool exclusive; /* it wants whole nodes */
	bool het;	/* a component of a het job */
	bool by_gpu;	/* it sets tasks by GPU */
	bool requeue;	/* it may be requeued */
	bool limited;	/* it sets a time limit */
};

enum lw_share_answer {
	LW_SHARE_SHARES,
	LW_SHARE_NOT_OPTED_IN, /* or it opted out, or sharing is off */
	LW_SHARE_NOT_HERE,     /* not in a partition or QOS of share.where */
	LW_SHARE_NOT_BATCH,
	LW_SHARE_WANTS_MORE,   /* than one GPU of one node, or of another type */
	LW_SHARE_WANTS_ALONE,
	LW_SHARE_NO_RECORD,
	LW_SHARE_NEEDS_MOST,   /* of a GPU: no other job would find room beside it */
	LW_SHARE_NO_REQUEUE,   /* a guest has to go when its owner works */
	LW_SHARE_NO_LIMIT,     /* and must end, by its limit, before its owner does */
	LW_SHARE_TURNS_ONLY,   /* under MPS it is not known which program runs when */
	LW_SHARE_NO_SCHEDULER, /* Leeway's, which knows what jobs use and the limits */
	LW_SHARE_EVADES,       /* a limit on GPUs, which would not count parts */
	LW_SHARE_OLD_SLURM,    /* its whole GPU may be one of which others have parts */
	LW_SHARE_ANSWERS,
};

/* How a user opts in or out with --comment. */
#define LW_SHARE_COMMENT_YES "leeway:share"
#define LW_SHARE_COMMENT_NO  "leeway:no-share"
/* And how a user lets guests use what the job leaves idle. */
#define LW_SHARE_COMMENT_LEND "leeway:lend"

/*
 * May the job share by its request? NOT_OPTED_IN goes before all other answers. What the job
 * uses is not checked.
 */
enum lw_share_answer lw_share_asks(const struct lw_share_terms *terms,
				   const struct lw_share_ask *ask);

/*
 * Does the job lend its GPU to guests: LW_SHARE_SHARES? It then gets all parts but one instead
 * of the whole GPU, so that only a guest, which has one part, finds room. NOT_OPTED_IN: it did
 * not ask to lend.
 */
enum lw_share_answer lw_share_lends(const struct lw_share_terms *terms,
				    const struct lw_share_ask *ask);
/* Is it a guest: LW_SHARE_SHARES? NOT_OPTED_IN: it is not in the QOS of guests. */
enum lw_share_answer lw_share_is_guest(const struct lw_share_terms *terms,
				       const struct lw_share_ask *ask);

/* The parts needed by a job that uses USE of a GPU; 0: the rest would be of no use to others. */
uint32_t lw_share_parts(const struct lw_share_terms *terms, const struct lw_share_use *use);

/* Why it gets a whole GPU: "nothing is known of earlier runs". */
const char *lw_share_answer_text(enum lw_share_answer answer);

#endif
