/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a plan: for each job start, reserve or wait, and the reason. */
#ifndef LW_PLANNER_PLAN_H
#define LW_PLANNER_PLAN_H

#include "planner/model/snapshot.h"

enum lw_verdict {
	LW_START,   /* offer it to Slurm now, on exactly these nodes */
	LW_RESERVE, /* promise it a start and keep the room free for it */
	LW_WAIT,
};

enum lw_reason {
#define LW_REASON(symbol, name, sentence) LW_REASON_##symbol,
#include "planner/model/reason.def"
#undef LW_REASON
	LW_REASON_COUNT
};

/* The planner's choice for a job that may have GPUs of several types. */
struct lw_type_choice {
	bool made;
	int8_t type;       /* on which it is expected to end first */
	uint32_t types;    /* bits: the types given to it, or to jobs of its class */
	int8_t other;      /* the type that it could have had at once, or LW_GPU_ANY: none */
	int64_t done_s;    /* the expected end on type */
	int64_t other_done_s;
	bool cramped; /* other has less memory than its earlier runs needed */
};

struct lw_decision {
	uint32_t waiting; /* index into snapshot->waiting */
	uint32_t job_id;
	enum lw_verdict verdict;
	enum lw_reason reason;
	int64_t start_s;   /* now for a start, the planned one of a reservation, or LW_NO_TIME */
	int64_t promise_s; /* its first promise: the snapshot's, or made in this cycle */
	int64_t latest_s;  /* the latest start that a promise allows; LW_NO_TIME: no promise */
	uint32_t after_job; /* running job that makes the room by its end, or 0 */
	uint32_t first_alloc; /* its run of plan->allocs */
	uint32_t alloc_count;
	/*
	 * of a start, if sizes are known: the GPUs that it makes useless to jobs of the mix
	 * (planner/place/fragment.h), in 1 / LW_MIX_ONE
	 */
	int64_t useless;
	bool weighed; /* is useless known? */
	struct lw_type_choice choice;
};

/*
 * The output of a cycle. Every waiting record has at least one decision; a terse plan leaves out
 * records that only wait. A record of several array tasks may have several starts before its
 * last decision. Policies that follow the queue decide in its order. Others put starts and
 * reservations first, or (conservative) sort by planned start. All starts of a plan fit
 * together.
 */
struct lw_plan {
	struct lw_decision *decisions;
	struct lw_alloc *allocs;
	uint32_t decision_count, alloc_count;
	uint32_t decision_room, alloc_room;
	uint32_t started, backfilled, reserved; /* of the decisions */
};

void lw_plan_init(struct lw_plan *plan);
/* Free all it holds; safe on a zeroed one. */
void lw_plan_fini(struct lw_plan *plan);
/* Empty the plan but keep its memory. */
void lw_plan_clear(struct lw_plan *plan);

/*
 * Append a decision with COUNT allocs (copied); the alloc fields of DECISION are
 * ignored. Counts starts and reservations. 0 or -ENOMEM.
 */
int lw_plan_add(struct lw_plan *plan, const struct lw_decision *decision,
		const struct lw_alloc *allocs, uint32_t count);

/* What DECISION of PLAN takes: alloc_count entries. NULL if the plan takes nothing at all. */
static inline const struct lw_alloc *lw_decision_allocs(const struct lw_plan *plan,
							const struct lw_decision *decision)
{
	return plan->allocs ? plan->allocs + decision->first_alloc : NULL;
}

/*
 * The job reserved at INDEX starts now after all: replace the reservation by DECISION, a start.
 * 0 or -ENOMEM.
 */
int lw_plan_start_reserved(struct lw_plan *plan, uint32_t index,
			   const struct lw_decision *decision, const struct lw_alloc *allocs,
			   uint32_t count);

/* "in-order", "backfilled", ...; never NULL. */
const char *lw_reason_name(enum lw_reason reason);
/* One sentence for people; never NULL. */
const char *lw_reason_sentence(enum lw_reason reason);
/* "start", "reserve", "wait"; never NULL. */
const char *lw_verdict_name(enum lw_verdict verdict);

#endif
