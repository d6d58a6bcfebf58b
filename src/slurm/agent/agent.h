/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler plugin's agent: its state, its settings, its files. */
#ifndef LW_SLURM_AGENT_H
#define LW_SLURM_AGENT_H

#include "config/starters.h"
#include "planner/policies/policy.h"
#include "planner/policies/whatif.h"
#include "slurm/agent/handover.h"
#include "slurm/agent/remedies.h"
#include "slurm/agent/settings.h"
#include "slurm/apply/publish.h"
#include "slurm/apply/recover.h"
#include "slurm/apply/stop.h"
#include "slurm/lock/budget.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/meter.h"
#include "slurm/keep/firsts.h"
#include "slurm/keep/outlook.h"
#include "slurm/keep/guarded.h"
#include "slurm/keep/leasing.h"
#include "slurm/keep/planned.h"
#include "slurm/keep/since.h"
#include "slurm/keep/slips.h"
#include "slurm/keep/suspects.h"
#include "slurm/keep/watched.h"
#include "slurm/lock/trigger.h"
#include "slurm/query/islands.h"
#include "slurm/read/read.h"
#include "slurm/read/sizes.h"
#include "slurm/read/stockplans.h"
#include "slurm/stock.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* The most jobs a cycle that are read in other partitions. */
#define LW_ASK_NEXT 16

/* The file of metrics (metering.h), and Slurm's counters of starts at the last look. */
struct lw_metering {
	struct lw_meter meter;
	uint64_t rounds; /* rounds begun, including the ones that came to nothing */
	uint32_t started, backfilled;
	uint32_t ours; /* starts of Leeway's own since then, if stock runs beside */
	int64_t tried_s; /* when it was last written, or when that last failed ... */
	bool tried;      /* ... if there was a try */
	bool failed;     /* the last try failed, and that was logged */
};

struct lw_agent {
	/* shared with Slurm's threads, under mutex */
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop;
	bool reconfigure;
	/* A stuck planner was left behind and uses all of this for ever. Set by the thread. */
	bool left;
	/* set before the thread starts, then the thread's own */
	pthread_t thread;
	bool running;
	struct lw_worker *worker; /* makes the plans; NULL: not started yet */
	struct lw_settings settings;
	char *settings_path; /* xmalloc'ed by Slurm */
	struct lw_error mistake; /* of the file, as logged at the start; "": none */
	bool unkept;         /* the settings are still to be written for a later start */
	struct lw_policy *policy;
	struct lw_promises *promises;
	struct lw_refusals *refusals;
	struct lw_since *since;
	struct lw_failures *node_failures;
	struct lw_suspects *suspects; /* nodes that failed */
	struct lw_recovered recovered;
	struct lw_stops *stops;
	struct lw_stopped stopped;
	struct lw_leasing leasing; /* of the last cycle */
	struct lw_guarded *guarded;
	struct lw_learn *learn; /* NULL: no predictions */
	struct lw_firsts firsts;
	struct lw_watched watched;
	struct lw_slips slips;        /* why planned starts become later */
	struct lw_outlooks *outlooks; /* NULL: users were never told why jobs wait */
	struct lw_whatif whatif;      /* its scratch */
	struct lw_remedies remedies;  /* what it found in this cycle */
	struct lw_whatif_part *parts; /* likewise: other partitions of a job */
	uint32_t part_room;
	uint32_t ask[LW_ASK_NEXT]; /* jobs that will be looked at in other partitions */
	uint32_t ask_count;
	bool tells;                   /* users are told */
	bool hide_others;             /* PrivateData=jobs at the last reading */
	struct lw_domains domains; /* Slurm's topology, once topology_known */
	struct lw_islands islands; /* of GPUs, from leeway.yaml, once topology_known */
	struct lw_share_house house; /* the rules of sharing GPUs */
	bool topology_known;
	uint64_t topology_mark; /* lw_topology_mark() at that time */
	struct lw_sizes sizes; /* of the jobs submitted lately */
	struct lw_plan plan;
	struct lw_lost lost; /* the time that jobs have lost to later ones */
	struct lw_gate gate; /* of the plan, until the select plugin has it */
	struct lw_plan estimate;   /* for the jobs that the plan leaves waiting */
	struct lw_planned planned; /* the reservations of the last plan ... */
	uint64_t planned_nodes;    /* ... on nodes with that lw_nodemark() */
	struct lw_publish show;
	struct lw_handover stock;
	struct lw_canary canary; /* of the settings: stock runs beside, for all other jobs */
	struct lw_stockplans stockplans; /* for them, at the last reading */
	char stock_path[LW_STOCK_PATH_MAX]; /* "": no usable one */
	struct lw_trigger trigger;
	struct lw_metering metering;
	uint32_t main_loops; /* Slurm's count at the last look */
	uint64_t shown_us;   /* when the texts were published again */
	uint32_t max_rpcs; /* SchedulerParameters=max_rpc_cnt at the last cycle */
	bool swept;     /* planned starts that another scheduler left are removed */
	/* copied from slurm.conf, because the next reconfigure frees its strings */
	bool off;	/* SchedulerParameters=bf_interval=-1: nothing is planned */
	struct lw_starters starters;       /* other programs that start jobs */
	char state_dir[LW_STOCK_PATH_MAX]; /* StateSaveLocation; "": it is too long */
	bool condemned; /* a self-check failed: stock plans for good */
	struct lw_budget budget; /* of this cycle */
	uint32_t stale; /* readings in a row that ended with -ESTALE */
	uint32_t overtaken; /* plans in a row that were dropped */
	uint32_t failures;	 /* cycles in a row without a plan ... */
	struct lw_error failure; /* ... and why */
	bool watches;		 /* sched.mode: watch is in force: no plan is applied */
	bool yielded;		 /* a cycle overran its budget, or too many failed: stock
				  * plans until slurmctld is reconfigured */
	uint64_t cycle;
};

/*
 * Read the settings, the promises and the history. Call it once, before the thread starts. 0, or
 * -errno; lw_agent_destroy() must be called in both cases.
 */
int lw_agent_create(struct lw_agent *agent);
/* Free all of it, once the thread has ended. */
void lw_agent_destroy(struct lw_agent *agent);

/* Note the path of the stock plugin, or log that there is none. */
void lw_agent_find_stock(struct lw_agent *agent);
/*
 * Read Slurm's topology if it may have changed: with the configuration, or because nodes were
 * made or deleted. Needs the locks of LW_LOCKS_ALL.
 */
void lw_agent_topology(struct lw_agent *agent, int64_t now_s);
/* Read the rules of sharing GPUs and tell the select plugin. Needs the locks of LW_LOCKS_ALL. */
void lw_agent_house(struct lw_agent *agent);
/* Log which scheduler plans, with which policy and data. */
void lw_agent_announce(const struct lw_agent *agent);

/* Copy the settings of slurm.conf. Needs its lock, and touches no file. */
void lw_agent_heed_conf(struct lw_agent *agent);

/*
 * Read the settings again, all or nothing: a file with a mistake is logged and changes nothing.
 * It reads and writes files, which may take long, so the caller must hold no lock.
 */
void lw_agent_reload(struct lw_agent *agent);

/* Write the settings, if they are new, for a later start that finds a mistake in the file. */
void lw_agent_keep(struct lw_agent *agent);

/* Once: remove the planned starts that another scheduler left. Needs LW_LOCKS_ALL. */
void lw_agent_sweep(struct lw_agent *agent);

/*
 * Does Slurm choose the nodes of the job of that waiting record in a way that no plan has, or has
 * it refused the job where plans saw room?
 */
bool lw_agent_cannot_place(const struct lw_agent *agent, const struct lw_reading *reading,
			 uint32_t waiting);

/* Must the agent, or all of slurmctld, end? Takes the mutex. */
bool lw_agent_must_stop(struct lw_agent *agent);

#endif
