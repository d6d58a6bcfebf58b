/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one run of the simulator; only engine*.c and expect.c include this. */
#ifndef LW_LAB_SIM_ENGINE_STATE_H
#define LW_LAB_SIM_ENGINE_STATE_H

#include "lab/sim/agenda.h"
#include "lab/sim/chain.h"
#include "lab/sim/completing.h"
#include "lab/sim/engine.h"
#include "lab/sim/engine_share.h"
#include "lab/sim/guarantee.h"
#include "planner/order/lost.h"

#include <stdbool.h>
#include <stdint.h>

/* What the engine knows of a class. */
struct lw_engine_kind {
	uint32_t runs;	 /* how many of it run */
	int64_t renew_s; /* when what is expected of it is to be asked again, or INT64_MAX */
};

struct lw_engine {
	struct lw_snapshot *snap;
	struct lw_policy *policy;
	struct lw_stock *stock; /* or NULL: of hooks->stock */
	uint32_t told_submitted; /* of the jobs, it knows so many */
	uint32_t told_finished;
	struct lw_plan plan;
	struct lw_sim_job *jobs;
	const struct lw_sim_hooks *hooks;
	uint32_t job_count;
	uint32_t finished;
	struct lw_agenda agenda;
	struct lw_completing completing;
	struct lw_chain chain;
	struct lw_seats seats; /* of jobs that may share GPUs */
	uint32_t put_behind; /* how often a job joined behind a promised one */
	uint64_t kept_seq;   /* the place of a job that joins again, or 0 */
	struct lw_lost lost; /* the time that jobs have lost to later ones */
	struct lw_gate gate; /* of the last plan, if hooks->gated */
	struct lw_plan shown; /* of hooks->shown */
	uint32_t *job_of; /* by place in snap->waiting */
	uint32_t job_of_room;
	struct lw_engine_kind *kinds; /* by class */
	uint32_t kind_room;
	/* only when the planner is told to believe */
	struct lw_guarantee *guarantee;
	uint32_t *index_of; /* by job id: when believing, when stays are asked, or jobs stop */
	struct lw_engine_lease *lease; /* NULL: no job agrees to be stopped */
};

/* What of snap->running is no job but a node that takes none yet? */
static inline bool lw_engine_is_completing(const struct lw_engine *run, uint32_t running_id)
{
	return running_id >= run->completing.first_id;
}

/*
 * Put the job into the queue. AFTER: place of the running job that it follows, or UINT32_MAX.
 * -ENOMEM.
 */
int lw_engine_queue(struct lw_engine *run, uint32_t index, int64_t now_s, uint32_t after);
/* JOB gives back what it holds; with COMPLETING its nodes are closed for a while. -ENOMEM. */
int lw_engine_release(struct lw_engine *run, struct lw_sim_job *job);
/* Something has happened: tell run->stock what. */
void lw_engine_tell_stock(struct lw_engine *run, int64_t now_s);
/* run->stock does what is due at NOW_S. -ENOMEM. */
int lw_engine_let_stock(struct lw_engine *run, int64_t now_s);
/* What Slurm's main loop starts, it starts by itself, as far as the last plan lets it. -ENOMEM. */
int lw_engine_main_loop(struct lw_engine *run);
/* Execute run->plan; with PROMISES, its reservations become promises. -ENOMEM. */
int lw_engine_obey(struct lw_engine *run, bool promises);
/* Turn each start of run->plan, which the main loop made, into a wait if the gate refuses it. */
void lw_engine_judge(struct lw_engine *run);
/* The job, which runs, gives up its nodes, and goes on from there later. -ENOMEM. */
int lw_engine_leave(struct lw_engine *run, uint32_t index, int64_t now_s);
/* The same, and it waits again at once. -ENOMEM. */
int lw_engine_stop(struct lw_engine *run, uint32_t index, int64_t now_s);
/* Jobs that outran what was believed of them: believe something else. -ENOMEM. */
int lw_engine_believe(struct lw_engine *run, int64_t now_s);

/* How a job is: bits. */
enum lw_agrees { LW_AGREES = 1, LW_AGREES_DEAF = 2, LW_AGREES_ANEW = 4 };

/* Jobs of one kind are deaf, or begin anew, or not. */
uint64_t lw_engine_agree_kind(const struct lw_sim_job *job);
/* Drawn by the seed of LEASE. */
uint32_t lw_engine_agree(const struct lw_lease_settings *lease, const struct lw_sim_job *job);

/* hooks->lease: which jobs agree to be stopped. -ENOMEM; safe to finish in any case. */
int lw_engine_lease_init(struct lw_engine *run);
void lw_engine_lease_fini(struct lw_engine *run);
/* After a plan, before its starts: ask jobs to stop for others. -ENOMEM. */
int lw_engine_lease(struct lw_engine *run, int64_t now_s);
/* Jobs that were asked leave their nodes, wait, and are due. -ENOMEM. */
int lw_engine_lease_step(struct lw_engine *run, int64_t now_s);
/* After the starts of a plan: ask a job to stop that can go on on more nodes. -ENOMEM. */
int lw_engine_lease_grow(struct lw_engine *run, int64_t now_s);
/* The time of the next step, or of a look for deadlines, or INT64_MAX. */
int64_t lw_engine_lease_next_s(const struct lw_engine *run);

/* Is the job one that may run on fewer nodes? */
bool lw_engine_has_sizes(const struct lw_engine *run, const struct lw_sim_job *job);
/* It starts on NODES, as RUNNING: how long it is expected to run there. */
void lw_engine_size_start(const struct lw_engine *run, struct lw_sim_job *job, uint32_t nodes,
			  struct lw_running *running);
/* So much is expected of it on the nodes that WAITING asks for, of MEAN_S on most. */
int64_t lw_engine_size_s(const struct lw_engine *run, const struct lw_sim_job *job,
			 const struct lw_request *req, int64_t limit_s, int64_t mean_s);
/* Before a plan: how many nodes waiting jobs ask for. -ENOMEM. */
int lw_engine_size(struct lw_engine *run, int64_t now_s);
/* Nothing waits: how much sooner it would end on more nodes, if a stop costs COST_S. */
int64_t lw_engine_size_gain_s(const struct lw_engine *run, uint32_t index,
			      const struct lw_running *running, int64_t cost_s);

/* Keep PLACES[COUNT] for the job, by number, which is to move there. -ENOMEM. */
int lw_engine_keep(struct lw_engine *run, uint32_t index, const struct lw_alloc *places,
		   uint32_t count, int64_t until_s);
/* That was kept UNTIL_S: no longer. */
void lw_engine_let_go(struct lw_engine *run, uint32_t index, int64_t until_s);

/* Put WAITING, its record, into the queue, at its place. -ENOMEM. */
int lw_engine_place(struct lw_engine *run, uint32_t index, const struct lw_waiting *waiting);
/* Where the job is in the queue; false: it is not. */
bool lw_engine_find(const struct lw_engine *run, uint32_t index, uint32_t *ret_place);

/* It is submitted, and comes into the queue at once or waits for others. -ENOMEM. */
int lw_engine_submit(struct lw_engine *run, uint32_t index, int64_t now_s);
/* It has become STATE: look again at the jobs that wait for it. -ENOMEM. */
int lw_engine_become(struct lw_engine *run, uint32_t index, enum lw_chain_state state,
		     int64_t now_s);
/* The record of the job, for the queue, without what is expected of it. */
struct lw_waiting lw_engine_waiting(const struct lw_engine *run, uint32_t index, int64_t now_s,
				    uint32_t after);
/*
 * Its user looks whether to submit it while the job at AFTER runs, and if not looks again later.
 * -ENOMEM.
 */
int lw_engine_look(struct lw_engine *run, uint32_t index, int64_t now_s, uint32_t after);
/* Let jobs in after the think time of their users. -ENOMEM. */
int lw_engine_ripen(struct lw_engine *run, int64_t now_s);
/* The place in the queue of a job: lw_queue_insert(). */
uint64_t lw_engine_seq(struct lw_engine *run, uint32_t index);

/* Its group of the trace as its account; 0: not known, or not needed. */
static inline uint32_t lw_engine_account(const struct lw_engine *run, const struct lw_sim_job *job)
{
	const struct lw_policy_params *params = run->hooks->bounds;

	/* an unknown group is UINT32_MAX */
	return params && params->types == LW_TYPES_FAIR ? job->group + 1 : 0;
}

#endif
