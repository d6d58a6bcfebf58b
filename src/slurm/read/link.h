/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job that depends on others waits for: the end of a job, or a time. */
#ifndef LW_SLURM_LINK_H
#define LW_SLURM_LINK_H

#include <stdbool.h>
#include <stdint.h>

/* The state of one dependency. */
enum lw_link_state {
	LW_LINK_MET,    /* satisfied */
	LW_LINK_FAILED, /* it can never be satisfied */
	LW_LINK_OPEN,   /* unknown when: the other job waits itself, for example */
	LW_LINK_RUNS,   /* when that job ends, at the latest at when_s */
	LW_LINK_DUE,    /* at when_s: that job is being cleaned up, or will have run long
			 * enough */
};

struct lw_link {
	enum lw_link_state state;
	uint32_t job_id; /* the running job */
	int64_t when_s;
};

/* The result for the planner, in struct lw_constraints. */
struct lw_follow {
	uint32_t job_id; /* of the job that waits */
	uint32_t after;  /* this job must end first, 0: none */
	int64_t after_s; /* its latest end */
	int64_t earliest_s;
};

/*
 * Combine LINKS[COUNT]: all must be satisfied, or with ANY one of them. Of several running jobs
 * the last to end counts; with ANY the first to end, or an earlier time. False: it cannot be
 * planned, because its time is not known, it may start already, or it never can. *RET_FOLLOW's
 * job_id is unchanged.
 */
bool lw_links_join(const struct lw_link *links, uint32_t count, bool any,
		   struct lw_follow *ret_follow);

/*
 * The job must not begin before BEGIN_S either. False: BEGIN_S is after the end of the job that
 * it waits for, or it waits for no job: Slurm looks at it at that time.
 */
bool lw_link_begin(struct lw_follow *follow, int64_t begin_s, int64_t now_s);

/* Of two links of one dependency, the later one; an open link is the latest. */
struct lw_link lw_link_later(struct lw_link a, struct lw_link b);
/* The earlier one of those with a known time, else A. */
struct lw_link lw_link_sooner(struct lw_link a, struct lw_link b);

#endif
