/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler plugin's agent: its state, its settings, what it keeps on disk. */
#ifndef LW_SLURM_AGENT_H
#define LW_SLURM_AGENT_H

#include "config/starters.h"
#include "planner/policies/policy.h"
#include "planner/policies/whatif.h"
#include "slurm/agent/handover.h"
#include "slurm/agent/settings.h"
#include "slurm/apply/publish.h"
#include "slurm/lock/budget.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/meter.h"
#include "slurm/keep/outlook.h"
#include "slurm/keep/guarded.h"
#include "slurm/keep/planned.h"
#include "slurm/keep/since.h"
#include "slurm/lock/trigger.h"
#include "slurm/query/islands.h"
#include "slurm/read/read.h"
#include "slurm/read/sizes.h"
#include "slurm/stock.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* How many jobs at most are read in other partitions a cycle. */
#define LW_ASK_NEXT 16

/* The file of metrics (metering.h), and what Slurm's counters of starts were at the last look. */
struct lw_metering {
	struct lw_meter meter;
	uint64_t rounds; /* that began, and may have come to nothing */
	uint32_t started, backfilled;
	int64_t tried_s; /* when it was last written, or could not be ... */
	bool tried;      /* ... if ever */
	bool failed;     /* the last time, and that was logged */
};

struct lw_agent {
	/* shared with Slurm's threads, under mutex */
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop;
	bool reconfigure;
	/* A planner is stuck and was left behind: it uses all of this for ever. Set by the
	 * thread. */
	bool left;
	/* set before the thread starts, then the thread's own */
	pthread_t thread;
	bool running;
	struct lw_worker *worker; /* who thinks; NULL: nobody yet */
	struct lw_settings settings;
	char *settings_path; /* xmalloc'ed by Slurm */
	bool unkept;         /* the settings are to be written for a later start */
	struct lw_policy *policy;
	struct lw_promises *promises;
	struct lw_refusals *refusals;
	struct lw_since *since;
	struct lw_guarded *guarded;
	struct lw_learn *learn; /* NULL: nobody asks for predictions */
	struct lw_outlooks *outlooks; /* NULL: nobody was ever to be told why jobs wait */
	struct lw_whatif whatif;      /* its scratch */
	struct lw_whatif_part *parts; /* the same: other partitions of a job */
	uint32_t part_room;
	uint32_t ask[LW_ASK_NEXT]; /* jobs of which Slurm is asked where else they may start */
	uint32_t ask_count;
	bool tells;                   /* users are told */
	bool hide_others;             /* PrivateData=jobs, as of the last reading */
	struct lw_domains domains; /* Slurm's topology, once topology_known */
	struct lw_islands islands; /* of GPUs, from leeway.yaml, once topology_known */
	struct lw_share_house house; /* by what jobs share GPUs */
	bool topology_known;
	uint64_t topology_mark; /* lw_topology_mark() of then */
	struct lw_sizes sizes; /* of the jobs that came lately */
	struct lw_plan plan;
	struct lw_plan estimate;   /* of the jobs that the plan leaves waiting */
	struct lw_planned planned; /* what the last plan reserved ... */
	uint64_t planned_nodes;    /* ... on nodes with that lw_nodemark() */
	struct lw_publish show;
	struct lw_handover stock;
	char stock_path[LW_STOCK_PATH_MAX]; /* "": there is none that works */
	struct lw_trigger trigger;
	struct lw_metering metering;
	uint32_t main_loops; /* as many as Slurm had run when we last looked */
	uint32_t max_rpcs; /* SchedulerParameters=max_rpc_cnt, as of the last cycle */
	bool swept;     /* planned starts that another scheduler left on show are gone */
	/* copied from slurm.conf: the next reconfigure frees its strings */
	bool off;	/* SchedulerParameters=bf_interval=-1: nothing is planned */
	struct lw_starters starters;       /* what else starts jobs */
	char state_dir[LW_STOCK_PATH_MAX]; /* StateSaveLocation; "": it is too long */
	bool condemned; /* a self-check failed: stock plans for good */
	struct lw_budget budget; /* of this cycle */
	uint32_t stale; /* readings in a row that were given up: -ESTALE */
	uint32_t failures;	 /* cycles in a row in which nothing could be planned ... */
	struct lw_error failure; /* ... and why */
	bool yielded;		 /* a cycle overran its budget, or too many failed: stock plans
				  * until slurmctld is reconfigured */
	uint64_t cycle;
};

/*
 * Read the settings, the promises and what was learned; to be called once, before the thread
 * starts. 0, or -errno, and then lw_agent_destroy() is still to be called.
 */
int lw_agent_create(struct lw_agent *agent);
/* Free all of it. The thread has ended. */
void lw_agent_destroy(struct lw_agent *agent);

/* Note where stock's plugin is, or log that there is none. */
void lw_agent_find_stock(struct lw_agent *agent);
/*
 * Read Slurm's topology if it may have changed: with the configuration, or since nodes came or
 * went. Needs the locks of LW_LOCKS_ALL.
 */
void lw_agent_topology(struct lw_agent *agent, int64_t now_s);
/* By what jobs share GPUs; the select plugin is told. Needs the locks of LW_LOCKS_ALL. */
void lw_agent_house(struct lw_agent *agent);
/* The lines of the log that say who plans, by what, and what is known. */
void lw_agent_announce(const struct lw_agent *agent);

/* Copy what slurm.conf says to the agent. Needs its lock, and touches no file. */
void lw_agent_heed_conf(struct lw_agent *agent);

/*
 * Read the settings anew, all or nothing: a file with a mistake is logged and changes nothing.
 * Files are read and written, which may take long: no lock may be held.
 */
void lw_agent_reload(struct lw_agent *agent);

/* Write the settings, if they are new, for a later start that finds a mistake in the file. */
void lw_agent_keep(struct lw_agent *agent);

/* Once: take off show the planned starts that somebody else has left. Needs LW_LOCKS_ALL. */
void lw_agent_sweep(struct lw_agent *agent);

/* Is the agent to end, or all of slurmctld? Takes the mutex. */
bool lw_agent_must_stop(struct lw_agent *agent);

#endif
