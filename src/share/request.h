/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: may a job that is being submitted have a part of a GPU instead of the whole one? */
#ifndef LW_SHARE_REQUEST_H
#define LW_SHARE_REQUEST_H

#include "share/rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A GPU's budget, its time or its processors and its memory, is divided into parts: so many of a
 * gres that Slurm itself counts by device (shard, mps). A job gets as many as it needs of its
 * budget, rounded up, and at least so many that no more jobs than the rule allows find room. Slurm
 * gives all parts of a job on one GPU of a node, and no more of a GPU than it has. So whichever
 * jobs it puts together, they fit, and nobody comes in place of one that left unless they
 * fit: nothing can go wrong by where Slurm puts them.
 */

/* Who may share, and where: as leeway.yaml has it. Texts may be NULL, which is as empty. */
struct lw_share_terms {
	struct lw_share_rule rule;
	const char *where;    /* "partition:NAME" and "qos:NAME"; none: nowhere */
	const char *who;      /* "qos:NAME", "account:NAME" and "comment" */
	const char *gpu_type; /* of these nodes' GPUs; "": the cluster does not say */
	uint32_t mem_mib;     /* of such a GPU; 0: not said, and nobody shares */
	const char *gres;     /* "shard" or "mps" */
	const char *guests;   /* the QOS of those that use what others lend; none: nobody does */
	uint32_t parts;	      /* of it that a GPU has */
};

/* What a job asks for, as sbatch has put it; texts may be NULL, and 0 is not said. */
struct lw_share_ask {
	const char *partition, *qos, *account, *comment, *reservation;
	const char *tres_per_node, *tres_per_job, *tres_per_task, *tres_per_socket;
	const char *cpus_per_tres, *mem_per_tres, *tres_bind, *tres_freq;
	uint32_t nodes_min, nodes_max, tasks;
	bool batch;	/* it has a script */
	bool exclusive; /* it wants whole nodes */
	bool het;	/* it is a component of one */
	bool by_gpu;	/* it says how many tasks a GPU has */
	bool requeue;	/* it may be requeued */
	bool limited;	/* it says how long it takes */
};

enum lw_share_answer {
	LW_SHARE_SHARES,
	LW_SHARE_NOT_OPTED_IN, /* or it opted out, or sharing is off */
	LW_SHARE_NOT_HERE,     /* not in a partition or QOS of share.where */
	LW_SHARE_NOT_BATCH,
	LW_SHARE_WANTS_MORE,   /* than one GPU of one node, or of another type */
	LW_SHARE_WANTS_ALONE,
	LW_SHARE_NO_RECORD,
	LW_SHARE_NEEDS_MOST,   /* of a GPU: nobody would find room beside it */
	LW_SHARE_NO_REQUEUE,   /* a guest has to go when its owner comes */
	LW_SHARE_NO_LIMIT,     /* and to be gone, by its limit, before its owner is */
	LW_SHARE_TURNS_ONLY,   /* of programs of MPS nobody knows whose turn it is */
	LW_SHARE_NO_SCHEDULER, /* Leeway's, which knows what jobs use and which limits there are */
	LW_SHARE_EVADES,       /* a limit on GPUs, which would not count the parts */
	LW_SHARE_OLD_SLURM,    /* a whole GPU may be one of which others have parts */
	LW_SHARE_ANSWERS,
};

/* How a user opts in or out by --comment. */
#define LW_SHARE_COMMENT_YES "leeway:share"
#define LW_SHARE_COMMENT_NO  "leeway:no-share"
/* And how one says that guests may use what it leaves idle. */
#define LW_SHARE_COMMENT_LEND "leeway:lend"

/* Does TEXT (may be NULL) hold WORD among its words, parted by blanks, commas or semicolons? */
bool lw_share_has_word(const char *text, const char *word);

/*
 * May the job share by what it asks for? NOT_OPTED_IN before all other answers. Nothing is looked
 * at of what it uses.
 */
enum lw_share_answer lw_share_asks(const struct lw_share_terms *terms,
				   const struct lw_share_ask *ask);

/*
 * Does the job lend its GPU to guests: LW_SHARE_SHARES? It has all parts but one in place of the
 * whole, so that nobody but a guest, which has one, finds room. NOT_OPTED_IN: it did not ask to.
 */
enum lw_share_answer lw_share_lends(const struct lw_share_terms *terms,
				    const struct lw_share_ask *ask);
/* Is it a guest: LW_SHARE_SHARES? NOT_OPTED_IN: it is not in the QOS of guests. */
enum lw_share_answer lw_share_is_guest(const struct lw_share_terms *terms,
				       const struct lw_share_ask *ask);

/* How many parts a job needs that uses so much of a GPU; 0: none would be of use to others. */
uint32_t lw_share_parts(const struct lw_share_terms *terms, const struct lw_share_use *use);

/* Why it gets a whole GPU: "nothing is known of earlier runs". */
const char *lw_share_answer_text(enum lw_share_answer answer);

#endif
