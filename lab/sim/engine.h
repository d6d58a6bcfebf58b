/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the event loop of leeway sim: jobs arrive, start as planned, and end. */
#ifndef LW_LAB_SIM_ENGINE_H
#define LW_LAB_SIM_ENGINE_H

#include "lab/sim/chain.h"
#include "lab/sim/lease.h"
#include "lab/sim/stock/stock.h"
#include "measure/job.h"
#include "measure/sharing.h"
#include "planner/policies/policy.h"

/*
 * All events of one second are handled together, ends before arrivals, and then (or plan_delay_s
 * later) the policy plans once. Every start of a plan succeeds: there is no Slurm that refuses.
 *
 * A job that waits for others (job.h) does not start before its conditions are met, and never if
 * they no longer can be. Only one link of a chain is in the queue before its time. A job that
 * joins the queue in this way does not pass a promised job.
 *
 * What is expected of a job is asked when it is submitted. If hooks also learn from ends, it is
 * asked again for the classes of the user of the ended job (of jobs with the same limit if the
 * user is not known), for which it may have changed.
 */

/* Called now and then: SUBMITTED, FINISHED of TOTAL jobs at second NOW_S of the trace. */
typedef void (*lw_sim_progress_f)(void *arg, uint32_t submitted, uint32_t finished,
				  uint32_t total, int64_t now_s);

/* What drives a run beside the jobs. */
struct lw_sim_hooks {
	lw_sim_progress_f progress; /* or NULL */
	/* NULL, or asked for a job that waits: its expected run time, 1 .. limit_s */
	int64_t (*expect)(void *arg, const struct lw_sim_job *job, int64_t now_s);
	/* NULL, or asked with it: when to ask again, though nothing was learned; or INT64_MAX */
	int64_t (*fresh_until)(void *arg, const struct lw_sim_job *job, int64_t now_s);
	/* NULL, or asked with it: how much of that is in the tail (lw_expectation.tail_ms) */
	int64_t (*expect_tail)(void *arg, const struct lw_sim_job *job, int64_t now_s);
	/* NULL, or asked for a job that waits: lw_expectation.attained_s */
	int64_t (*attained)(void *arg, const struct lw_sim_job *job);
	/*
	 * NULL, or asked for a class when ALIKE of it, two or more, wait and none runs: by what
	 * the first of them, JOB, is ordered (lw_expectation.rank_s)
	 */
	int64_t (*rank)(void *arg, const struct lw_sim_job *job, uint32_t alike, int64_t now_s);
	/*
	 * NULL, or asked for a GPU job that waits (ELAPSED_S 0), and now and then for one that
	 * runs: how it stays from then on (predictor/survival.h)
	 */
	uint64_t (*survival)(void *arg, const struct lw_sim_job *job, int64_t elapsed_s,
			     int64_t now_s);
	bool survival_of_all; /* it is asked of jobs without GPUs as well */
	/* NULL, or told when a job started */
	void (*started)(void *arg, const struct lw_sim_job *job);
	/* NULL, or told when a job is preempted; it waits from then on */
	void (*stopped)(void *arg, const struct lw_sim_job *job, int64_t now_s);
	/* NULL, or told when a job ended */
	void (*ended)(void *arg, const struct lw_sim_job *job, int64_t now_s);
	/*
	 * NULL, or told when a job is about to start on ALLOCS[COUNT]: SNAP is without it yet.
	 */
	void (*placed)(void *arg, const struct lw_snapshot *snap, const struct lw_sim_job *job,
		       const struct lw_alloc *allocs, uint32_t count);
	/* NULL, or told when GUEST joins HOLDER on its GPU */
	void (*joined)(void *arg, const struct lw_sim_job *holder, const struct lw_sim_job *guest);
	/* NULL, or told when HEIR takes over ALLOCS[COUNT] from HOLDER; that ends just behind it */
	void (*inherited)(void *arg, const struct lw_sim_job *holder, const struct lw_sim_job *heir,
			  const struct lw_alloc *allocs, uint32_t count, int64_t now_s);
	/* NULL, or how much later than now a job on ALLOCS[COUNT] begins: nodes wake up */
	int64_t (*delays)(void *arg, int64_t now_s, const struct lw_alloc *allocs, uint32_t count);
	/*
	 * NULL, or told after each plan how it stays until UNTIL_S; NEXT is the GPU job that is
	 * first in the queue, or if there is none the next to be submitted, or NULL.
	 */
	void (*rested)(void *arg, const struct lw_snapshot *snap, const struct lw_sim_job *next,
		       int64_t until_s);
	/*
	 * NULL, or called after each plan with the waiting jobs: JOB_OF are the jobs of SNAP's
	 * records. -ENOMEM
	 */
	int (*planned)(void *arg, const struct lw_snapshot *snap, const uint32_t *job_of);
	void *arg;
	/*
	 * NULL, or what the planner is to take for the limit of a job that has run ELAPSED_S (0:
	 * that waits): above that, at most limit_s. Asked again when the job outruns it. Promises
	 * are made by the hard limits all the same.
	 */
	int64_t (*believe)(void *arg, const struct lw_sim_job *job, int64_t elapsed_s,
			   int64_t now_s);
	/*
	 * Plan after every single event, an arrival before an end in the same second: as a
	 * published study does, for comparison with its figures.
	 */
	bool one_event;
	/* NULL, or told that an inspector holds a job; returns when it is asked again at the
	 * latest */
	int64_t (*held)(void *arg, uint32_t job_id, int64_t now_s);
	/* NULL, or plans in place of the policy, one start after the other */
	int (*plan)(void *arg, const struct lw_snapshot *snap, struct lw_plan *plan);
	/*
	 * A node takes no new job for so long after the end of one there, as while Slurm's epilog
	 * runs (lab/sim/completing.h); 0: it does in the same second.
	 */
	int64_t completing_s;
	/* The plan is made so long after something happened, for all that did until then. */
	int64_t plan_delay_s;
	/*
	 * NULL, or a policy that starts jobs beside the plans, this long after an event, as
	 * Slurm's main loop does. Its reservations are not published.
	 */
	struct lw_policy *main_loop;
	int64_t main_delay_s;
	bool gated; /* it starts nothing that the last plan keeps (planner/model/gate.h) */
	/* NULL, or a model of Slurm starts the jobs, in place of policy, plans and main loop */
	const struct lw_stock_params *stock;
	const struct lw_lease_settings *lease; /* NULL: no job is stopped for another */
	bool sizes; /* with lease: jobs that agree may run on fewer nodes (engine_size.c) */
	enum lw_chain_mode chain; /* when jobs that wait for others join the queue */
	/* NULL, or the settings (chain_share and others) by which a link joins as under OFF */
	const struct lw_policy_params *bounds;
	/* NULL, or how one-GPU jobs share GPUs, and what is to be filled in of it, zeroed */
	const struct lw_sharing *sharing;
	struct lw_sharing_found *shared;
	struct lw_policy *shown;  /* of LW_CHAIN_START_RULE: the policy that gives the
				   * published start */
};

/*
 * Run JOBS (in order of submission) on the nodes and sets of MACHINE, all jobs on set
 * 0, and fill in what was found. MACHINE's jobs are used up. 0 or -ENOMEM.
 */
int lw_sim_run(struct lw_snapshot *machine, struct lw_policy *policy, struct lw_sim_job *jobs,
	       uint32_t job_count, const struct lw_sim_hooks *hooks);

#endif
