/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin tells our select plugin, which reads no file. */
#ifndef LW_SLURM_SELECT_LINK_H
#define LW_SLURM_SELECT_LINK_H

#include "planner/model/gate.h"
#include "planner/model/snapshot.h"
#include "share/tenants.h"
#include "slurm/query/islands.h"
#include "slurm/caps.h"
#include "slurm/select/wishes.h"

#include <stdbool.h>

/* The name of the thread in which Leeway asks Slurm as backfill would. */
#define LW_AGENT_THREAD "leeway"

struct lw_avoids;
struct lw_canary;
struct lw_failed_list;

/* NULL members leave things as they are; all others are copied. */
struct lw_select_news {
	const bool *narrow;		  /* select.narrow */
	const struct lw_canary *canary;	  /* which jobs are Leeway's */
	const bool *idle_only;		  /* until changed, no job gets cores that other jobs
					   * have */
	const struct lw_domains *domains; /* the locality domains */
	const struct lw_islands *islands; /* of leeway.yaml */
	const struct lw_wishes *wishes;	  /* types of GPUs of waiting jobs */
	const struct lw_wish_sizes *sizes; /* numbers of nodes of waiting jobs */
	const struct lw_snapshot *mix;	  /* its mix is the current one, with its GPU types */
	const struct lw_share_house *house; /* the rules of sharing GPUs */
	bool reads;	      /* the coming plan does not know what changes from now on */
	bool shut;	      /* there are promises that no plan has seen yet */
	struct lw_gate *gate; /* of the plan: taken; the gate before is given back in it */
	const struct lw_caps *caps; /* of the plan */
	/* If not NULL, it becomes true if a start since the reading takes what GATE keeps. */
	bool *overtaken;
	bool insists;	      /* GATE is taken even then; else the one before stays */
	bool applied;	      /* its starts are made, or were refused */
	const bool *ours;     /* the starts that follow are of the plan */
	struct lw_failed_list *failed; /* becomes the jobs that lost a node (failed.h) */
	const struct lw_avoids *avoids; /* the nodes that such jobs do without */
};

/*
 * Find the select plugin that lies beside ours. Until then, and if Slurm has not loaded it, it is
 * told nothing.
 */
void lw_select_link_begin(void);
/* Has Slurm loaded that plugin? */
bool lw_select_link_is_there(void);
/* Needs the locks of LW_LOCKS_ALL for all but narrow. */
void lw_select_link_tell(const struct lw_select_news *news);
void lw_select_link_end(void);

#endif
