/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is said of one waiting job, made so that nothing in it contradicts the rest. */
#ifndef LW_PLANNER_STATEMENT_H
#define LW_PLANNER_STATEMENT_H

#include "base/why.h"
#include "planner/model/plan.h"

/* What a statement is made of. */
struct lw_statement_case {
	const struct lw_snapshot *snap;
	const struct lw_decision *decision;
	int64_t planned_s;   /* the start that is shown; 0: none */
	uint32_t after_job;  /* the job that makes the room for it; 0: not known */
	uint32_t stopped_job; /* the job that was asked to stop for it; 0: none */
	bool sized;           /* the plan chooses how many nodes it gets */
	int64_t latest_s;    /* the promised latest start; 0: no promise */
	uint32_t nodes_then; /* how many nodes it could use when promised; 0: not known */
	int64_t deadline_s;  /* its deadline; 0: none */
	bool guards;         /* deadlines are accepted, and users are told so */
	const char *limit;   /* Slurm's name of a limit that never allows it; NULL: none */
};

/* The statement on the job of ABOUT, but for what is likely, what is ahead, and changes. */
void lw_statement_make(const struct lw_statement_case *about, struct lw_statement *ret_said);
/*
 * Make SAID consistent, after more was added to it. ABOUT may be NULL: then only by what SAID has
 * itself. What SAID gives up is what is less certain: a likely start that the plan contradicts, a
 * change that the deadline forbids.
 */
void lw_statement_settle(const struct lw_statement_case *about, struct lw_statement *said);
/* The first contradiction in SAID, in words; NULL: there is none. */
const char *lw_statement_fault(const struct lw_statement *said);

/* A wait of WAIT_S, rounded up: coarse, so that what is said does not change for nothing. */
uint32_t lw_statement_round_s(uint32_t wait_s);

/* The plan's reason of that name, or LW_REASON_COUNT: of a later Leeway. */
enum lw_reason lw_reason_find(const char *name);

#endif
