/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: which type of GPUs to ask for, by how jobs of that name fared on each. */
#ifndef LW_CLI_TYPES_TYPES_H
#define LW_CLI_TYPES_TYPES_H

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/common/field.h"
#include "cli/common/names.h"
#include "cli/common/runs.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- what there is now ---- */

/* GPUs of one type in one partition. */
struct lw_types_place {
	char *type, *partition;
	uint32_t gpus, up, free; /* up: on nodes that take jobs; free: for a job now */
};

/* Jobs that wait for GPUs of one type by name. */
struct lw_types_queue {
	char *type;
	uint32_t jobs; /* tasks of arrays are jobs */
};

/* Types are told apart as Slurm does: whatever the case. Zeroed there is none. */
struct lw_types_here {
	struct lw_types_place *places;
	uint32_t place_count, place_room;
	struct lw_types_queue *queues;
	uint32_t queue_count, queue_room;
	uint32_t any; /* jobs that wait for GPUs of no type in particular */
	bool untyped; /* some nodes have GPUs without a type */
};

/*
 * Ask sinfo for the GPUs and squeue for the waiting jobs. Rows that cannot be read are reported.
 * -EIO, -ENOMEM with ERR. Finish it in all cases.
 */
int lw_types_look(struct lw_types_here *here, struct lw_error *err);
void lw_types_here_fini(struct lw_types_here *here);
/* Those of TYPE in PARTITION, or NULL; PARTITION NULL: in the first that has them. */
const struct lw_types_place *lw_types_place(const struct lw_types_here *here, const char *type,
					    const char *partition);
/* How many jobs wait for TYPE by name. */
uint32_t lw_types_waiting(const struct lw_types_here *here, const char *type);

/* ---- what ran ---- */

/* Jobs of one kind on one type. */
struct lw_types_row {
	char *type;
	struct lw_runs runs; /* that ended well, sorted */
	uint32_t failed;     /* FAILED or OUT_OF_MEMORY */
	uint32_t cut;        /* ended by their limit */
	uint32_t mixed;      /* on GPUs of this and of other types */
	uint32_t metered;    /* runs of which the energy of all GPUs is known */
	double joules;       /* of these */
};

/* Jobs of one name that held so many GPUs, in all, on so many nodes. */
struct lw_types_kind {
	char *name;
	uint32_t gpus, nodes;         /* nodes 0: not told */
	struct lw_types_row *rows;    /* the fastest first, those without runs last */
	uint32_t count, room;
	uint32_t unknown; /* jobs on several types, or of which accounting keeps none */
	uint32_t ended;   /* all that are counted anywhere above */
	/* by the last of them: */
	char *asked; /* the type that it asked for, "a100 and v100"; "": none; NULL: not known */
	char *constraint; /* "": none */
	char *partition;  /* where it ran */
};

/* Of the user that was asked for. Zeroed there is none. */
struct lw_types_kinds {
	const char *wanted;     /* this name alone; NULL: all */
	const char *user;       /* NULL: the calling user */
	struct lw_ana_names
		texts; /* numbers of GPUs and nodes, and name: its number is the place */
	struct lw_types_kind *kinds;
	uint32_t count, room;
};

/*
 * Ask sacct for jobs as REQUEST says. What ran beside others
 * on its GPUs, or held parts of a GPU, is left out. The kind with most jobs comes first. Errors:
 * lw_runs_ask(). In either case it is to be finished.
 */
int lw_types_read(struct lw_types_kinds *kinds, const struct lw_runs_request *request,
		  struct lw_error *err);
void lw_types_kinds_fini(struct lw_types_kinds *kinds);

/*
 * Its partition, where that has GPUs of some type; else NULL: all partitions may be looked at.
 */
const char *lw_types_where(const struct lw_types_kind *kind, const struct lw_types_here *here);
/* GPUs of TYPE where jobs of KIND go, else in another partition, or NULL. */
const struct lw_types_place *lw_types_find(const struct lw_types_kind *kind,
					   const struct lw_types_here *here, const char *type);
/*
 * Has PLACE GPUs enough for KIND, on nodes that take jobs? If not, NOTE (or NULL) gets ", " and
 * what it has.
 */
bool lw_types_has_room(const struct lw_types_kind *kind, const struct lw_types_place *place,
		       struct lw_strbuf *note);
/* Is the type of place AT one that KIND never ran on, and this the first place of it? */
bool lw_types_is_new(const struct lw_types_kind *kind, const struct lw_types_here *here,
		     uint32_t at);

/* ---- what to do ---- */

enum lw_types_advice {
	TOOLS_TYPES_ONE,    /* one type is all that there is in its partition, or none */
	TOOLS_TYPES_FEW,    /* too few runs to compare two types */
	TOOLS_TYPES_ALIKE,  /* the types that it ran on make no clear difference */
	TOOLS_TYPES_FASTER, /* one is faster, but is not free, or others wait for it */
	TOOLS_TYPES_FREE,   /* one is faster and free, and no job waits for it by name */
	TOOLS_TYPES_FAILED, /* none ended well, and some failed */
};
const char *lw_types_advice_name(enum lw_types_advice advice);

struct lw_types_told {
	enum lw_types_advice advice;
	/*
	 * It is good to ask for no type: no type that it may get is one on which more failed than
	 * ended well, unless there is no better one, and there are GPUs enough.
	 */
	bool open;
	const struct lw_types_row *type; /* it is good to ask for this one; or NULL */
};

/*
 * What to ask for. Types are compared that have runs enough, none of them ended by its limit, and
 * GPUs enough on nodes that take jobs. Nor may more have failed than ended well. One is faster
 * than another if three of four of its runs took less time than three of four of the other's.
 */
void lw_types_advise(const struct lw_types_kind *kind, const struct lw_types_here *here,
		     struct lw_types_told *ret_told);
/* Why, and what to ask for, in words. */
void lw_types_words(const struct lw_types_kind *kind, const struct lw_types_here *here,
		    const struct lw_types_told *told, struct lw_strbuf *why,
		    struct lw_strbuf *request);

#define LW_TYPES_LEFT_TEXT 32
/* What is shown of ROW; its texts may be in LEFT. */
struct lw_fields lw_types_fields(const struct lw_types_kind *kind,
				 const struct lw_types_here *here, const struct lw_types_row *row,
				 char left[LW_TYPES_LEFT_TEXT]);

void lw_types_print(const struct lw_types_kinds *kinds, const struct lw_types_here *here);
/* To PATH, as lw_output_json(). -EIO, -ENOMEM with ERR. */
int lw_types_json(const char *path, const struct lw_types_kinds *kinds,
		  const struct lw_types_here *here, struct lw_error *err);

#endif
