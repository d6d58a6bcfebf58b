/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users and admins see of a plan: squeue --start, reasons, PLANNED. */
#ifndef LW_SLURM_PUBLISH_H
#define LW_SLURM_PUBLISH_H

#include "base/bitset.h"
#include "base/lookup.h"
#include "planner/model/plan.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/steady.h"
#include "slurm/lock/session.h"
#include "slurm/reading.h"

#include <stdint.h>

#define LW_SHOW_TEXT_MAX 340
#define LW_SHOW_TYPE_MAX 24

/* A job with a planned start, and what it is said to wait for. */
struct lw_shown {
	uint32_t job_id;
	uint32_t leader_id; /* of a het job; of others the same */
	uint32_t node_count;
	int64_t start_s;
	int64_t until_s; /* how far a promised start may slip; 0: not at all */
	uint32_t after_job;
	int64_t deadline_s; /* its deadline, where it is told what comes of it; 0 */
	bool accepted;
	/* of one that waits for GPUs of another type than it could have: both, and its ends */
	char type[LW_SHOW_TYPE_MAX], other[LW_SHOW_TYPE_MAX];
	int64_t done_s, other_done_s;
	bool cramped; /* the other has too little memory */
	char *nodes; /* xmalloc'ed by Slurm */
	/* said from the second plan on: until then Slurm's own reason is there to be seen */
	char text[LW_SHOW_TEXT_MAX];
	struct lw_steady steady;
	int64_t missed_s; /* since then plans have no start for it; 0: the last one has */
	bool reserved;    /* the plan keeps that room for it, or did */
	bool again;       /* it was on show in the plan before */
	bool follows;     /* it waits for the end of another job, as Slurm says, too */
};

/* What is on show, to be taken down when a later plan says otherwise. */
struct lw_publish {
	struct lw_shown *jobs;
	uint32_t job_count;
	uint32_t text_count;   /* of them, those with a text */
	struct lw_shown *next; /* prepared, to be shown in place of them */
	int64_t next_s;        /* when their plan was made */
	bool hide_others;      /* PrivateData=jobs: no reason names another job */
	bool guards;           /* deadlines are accepted, and jobs are told whether theirs is */
	uint32_t next_count, next_room;
	struct lw_lookup next_ids;
	struct lw_bitset planned;      /* nodes that we called PLANNED */
	struct lw_bitset next_planned; /* scratch */
	struct lw_bitset mixed; /* prepared: nodes of which some CPUs are in use, not all */
};

/* All but prepare and fini need LW_LOCKS_ALL. Memory running out only means less is shown. */

/*
 * Prepare what there is to show of PLAN, and of the OUTLOOK for those that wait in it: what is on
 * show stays where a plan only wavers (keep/steady.h), and for as long as LW_STEADY_S where it
 * has no start for a job that waits for room. Takes long, and needs no locks.
 */
void lw_publish_prepare(struct lw_publish *show, const struct lw_plan *plan,
			const struct lw_plan *estimate, const struct lw_reading *reading);
/*
 * Show the reservations of PLAN and the start-time estimate, as prepared, and take down those
 * before. A job of the start-time estimate has start and nodes, but its nodes are not PLANNED
 * and, if it was promised nothing, its reason stays. Who was promised a start can read of it
 * (keep/marking.h). The locks are held by SESSION, and given up now and then.
 */
void lw_publish_plan(struct lw_publish *show, const struct lw_plan *plan,
		     struct lw_promises *promises, struct lw_session *session);
/* Nothing came of the plan that was prepared: what is on show stays, but for the nodes. */
void lw_publish_stay(struct lw_publish *show);
/*
 * Put back the texts that Slurm's main loop wipes whenever it looks at a job. Needs the
 * lock of jobs for writing, no other.
 */
void lw_publish_refresh(const struct lw_publish *show);
/* Is TEXT, which may be NULL, a reason of ours? Needs no lock. */
bool lw_publish_is_ours(const char *text);
/* Take everything down: somebody else plans now. */
void lw_publish_clear(struct lw_publish *show, struct lw_promises *promises);
/*
 * Forget planned starts that somebody else left behind: stock, or a run of ours that
 * was killed. Jobs that wait and all nodes lose them, but for who is promised a start by
 * PROMISES.
 */
void lw_publish_sweep(const struct lw_promises *promises);
void lw_publish_fini(struct lw_publish *show);

#endif
