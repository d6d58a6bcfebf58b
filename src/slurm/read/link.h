/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for whose end, or until when, a job waits that depends on others. */
#ifndef LW_SLURM_LINK_H
#define LW_SLURM_LINK_H

#include <stdbool.h>
#include <stdint.h>

/* One condition of a job: what has to happen before it may start. */
enum lw_link_state {
	LW_LINK_MET,    /* it has happened */
	LW_LINK_FAILED, /* it never will */
	LW_LINK_OPEN,   /* nobody knows when: that job waits itself, say */
	LW_LINK_RUNS,   /* when that job ends, at the latest at when_s */
	LW_LINK_DUE,    /* at when_s: that job is being cleaned up, or has run for so long */
};

struct lw_link {
	enum lw_link_state state;
	uint32_t job_id; /* who runs */
	int64_t when_s;
};

/* What the planner is told: struct lw_constraints has both. */
struct lw_follow {
	uint32_t job_id; /* of the job that waits */
	uint32_t after;  /* that job has to end first, 0: none */
	int64_t after_s; /* at the latest then */
	int64_t earliest_s;
};

/*
 * All of LINKS[COUNT] are to be met, or with ANY one of them. Of several jobs that run the one that
 * ends last decides; with ANY the one that ends first, or what comes before. False: nothing can be
 * planned: it is known of nobody, may start already, or never will. *RET_FOLLOW's job_id is left
 * alone.
 */
bool lw_links_join(const struct lw_link *links, uint32_t count, bool any,
		   struct lw_follow *ret_follow);

/*
 * The job is not to begin before BEGIN_S either. False: that is after the end of whom it waits for,
 * or nobody is: Slurm looks at such a job when its time has come.
 */
bool lw_link_begin(struct lw_follow *follow, int64_t begin_s, int64_t now_s);

/* Of two links of one thing, the one that comes later; one that is open comes last of all. */
struct lw_link lw_link_later(struct lw_link a, struct lw_link b);
/* The one that comes first of those that are known to come, else A. */
struct lw_link lw_link_sooner(struct lw_link a, struct lw_link b);

#endif
