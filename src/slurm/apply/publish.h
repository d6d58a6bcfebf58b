/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: publish a plan to users and administrators: squeue --start, reasons, PLANNED nodes. */
#ifndef LW_SLURM_PUBLISH_H
#define LW_SLURM_PUBLISH_H

#include "base/bitset.h"
#include "base/lookup.h"
#include "planner/model/plan.h"
#include "planner/model/statement.h"
#include "slurm/keep/leasing.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/steady.h"
#include "slurm/lock/session.h"
#include "slurm/canary.h"
#include "slurm/reading.h"

#include <stdint.h>

#define LW_SHOW_TEXT_MAX 384

/* A job with a published start, and the published reason of its wait. */
struct lw_shown {
	uint32_t job_id;
	uint32_t leader_id; /* of a het job; of other jobs the same as job_id */
	uint32_t node_count;
	int64_t start_s;
	int64_t until_s; /* its latest start by the promise; 0: the same */
	uint32_t after_job;
	struct lw_statement said; /* all that is said of it; at_s is 0 of a component */
	char *nodes; /* xmalloc'ed by Slurm */
	/* published from the second plan on; until then Slurm's own reason stays */
	char text[LW_SHOW_TEXT_MAX];
	struct lw_steady steady;
	int64_t missed_s; /* since then plans have no start for it; 0: the last plan has */
	bool reserved;    /* a plan keeps, or kept, that room for it */
	bool again;       /* it was published in the plan before */
	bool follows;     /* it waits for the end of another job, and Slurm says so, too */
};

/* What is published, to be removed when a later plan differs. */
struct lw_publish {
	struct lw_shown *jobs;
	uint32_t job_count;
	uint32_t text_count;   /* how many of them have a text */
	uint32_t follow_count; /* how many of these wait for the end of another job */
	struct lw_shown *next; /* prepared, to replace them */
	int64_t next_s;        /* when that plan was made */
	const struct lw_leasing *leasing; /* which jobs were asked to stop for others; borrowed */
	bool hide_others;      /* PrivateData=jobs: no reason names another job */
	bool beside_stock;     /* stock's backfill plans other jobs, and wipes the starts shown */
	bool guards;           /* deadlines are accepted, and users are told so */
	uint32_t next_count, next_room;
	struct lw_lookup next_ids;
	struct lw_bitset planned;      /* nodes that Leeway called PLANNED */
	struct lw_bitset next_planned; /* scratch */
	struct lw_bitset mixed; /* prepared: nodes with some, but not all, CPUs in use */
};

/* All but prepare and fini need LW_LOCKS_ALL. If memory runs out, less is published. */

/*
 * Prepare what is published of PLAN, and of ESTIMATE for the jobs that wait in it. What is
 * published stays if a plan only wavers (keep/steady.h), and for LW_STEADY_S if the plan has no
 * start for a job that waits for room. This takes long and needs no locks.
 */
void lw_publish_prepare(struct lw_publish *show, const struct lw_plan *plan,
			const struct lw_plan *estimate, const struct lw_reading *reading,
			const struct lw_promises *promises);
/* What is said of JOB_ID as prepared; NULL: nothing of it is shown. Needs no locks. */
const struct lw_statement *lw_publish_said(const struct lw_publish *show, uint32_t job_id);
/* Add the promise and the deadline of the job to ABOUT, and which job makes room. No locks. */
void lw_publish_ask(const struct lw_publish *show, const struct lw_promises *promises,
		    struct lw_statement_case *about);
/*
 * Publish the reservations of PLAN and the start-time estimate, as prepared, and remove the
 * previous ones. A job of the estimate has a start and nodes, but its nodes are not PLANNED, and
 * without a promise its reason stays. Users can read promises in the job's comment
 * (keep/marking.h). SESSION holds the locks, and yields now and then.
 */
void lw_publish_plan(struct lw_publish *show, const struct lw_plan *plan,
		     struct lw_promises *promises, struct lw_session *session);
/* The prepared plan came to nothing: what is published stays, except for PLANNED nodes. */
void lw_publish_stay(struct lw_publish *show);
/*
 * Restore the texts, which Slurm's main loop wipes whenever it looks at a job, and beside stock
 * the planned starts. Needs only the lock of jobs for writing.
 */
void lw_publish_refresh(const struct lw_publish *show);
/* Is TEXT, which may be NULL, one of Leeway's reasons? Needs no lock. */
bool lw_publish_is_ours(const char *text);
/* Remove all that is published: another scheduler plans now. */
void lw_publish_clear(struct lw_publish *show, struct lw_promises *promises);
/*
 * Remove the planned starts that another scheduler left: stock, or a Leeway that was killed. All
 * waiting jobs, except those with one of PROMISES, and all nodes lose them. Stock runs beside, if
 * CANARY is set: then only its jobs lose them, and no node.
 */
void lw_publish_sweep(const struct lw_promises *promises, const struct lw_canary *canary);
void lw_publish_fini(struct lw_publish *show);

#endif
