/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of the scheduler plugin's agent, between cycle.c and setup.c. */
#ifndef LW_SLURM_AGENT_H
#define LW_SLURM_AGENT_H

#include "policy/policy.h"
#include "slurm/agent/handover.h"
#include "slurm/apply/show.h"
#include "slurm/budget.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/planned.h"
#include "slurm/pace.h"
#include "slurm/read/islands.h"
#include "slurm/read/read.h"
#include "slurm/read/sizes.h"
#include "slurm/settings.h"
#include "slurm/stock.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct lw_agent {
	/* shared with Slurm's threads, under mutex */
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop;
	bool reconfigure;
	/* set before the thread starts, then the thread's own */
	pthread_t thread;
	bool running;
	struct lw_settings settings;
	char *settings_path; /* xmalloc'ed by Slurm */
	struct lw_policy *policy;
	struct lw_promises *promises;
	struct lw_refusals *refusals;
	struct lw_learn *learn; /* NULL: nobody asks for predictions */
	struct lw_domains domains; /* Slurm's topology, once topology_known */
	struct lw_islands islands; /* those of leeway.yaml; as well */
	bool topology_known;
	uint64_t topology_mark; /* lw_topology_mark() of then */
	struct lw_sizes sizes; /* of the jobs that came of late */
	struct lw_plan plan;
	struct lw_plan outlook; /* of those that the plan leaves waiting */
	struct lw_planned planned; /* what the last one reserved */
	struct lw_show show;
	struct lw_handover stock;
	char stock_path[LW_STOCK_PATH_MAX]; /* "": there is none that works */
	struct lw_pace pace;
	uint32_t max_rpcs; /* SchedulerParameters=max_rpc_cnt, as of the last cycle */
	bool swept;     /* no planned start of somebody else is left on show */
	bool condemned; /* a self-check failed: stock for good */
	struct lw_budget budget; /* of this cycle */
	uint32_t stale; /* readings in a row that were in vain: -ESTALE */
	uint32_t failures;	 /* cycles in a row in which nothing could be planned ... */
	struct lw_error failure; /* ... and why */
	bool yielded;		 /* a cycle overran its budget, or too many failed: stock until
				  * reconfigured */
	uint64_t cycle;
};

/*
 * Read the settings, the promises and what was learned; made once, before the thread. 0, or
 * -errno, and then lw_agent_destroy() is still to be called.
 */
int lw_agent_create(struct lw_agent *agent);
/* Free all of it. The thread has ended. */
void lw_agent_destroy(struct lw_agent *agent);

/* Note where stock's plugin is, or log that there is none. */
void lw_agent_find_stock(struct lw_agent *agent);
/* Read Slurm's topology if that is to be done; it changes with the configuration, and with
 * nodes that come and go. Needs the locks of LW_LOCKS_ALL. */
void lw_agent_topology(struct lw_agent *agent, int64_t now_s);
/* The lines of the log that say who plans, by what, and what is known. */
void lw_agent_announce(const struct lw_agent *agent);

/* Read the settings anew, all or nothing: a file with a mistake is logged and changes nothing. */
void lw_agent_reload(struct lw_agent *agent);

#endif
