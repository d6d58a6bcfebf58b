/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who may preempt whom, in the planner's words: kinds of running jobs. */
#include "slurm/kinds.h"

static bool is_same(const struct lw_kind *a, const struct lw_kind *b)
{
	return a->part == b->part && a->qos == b->qos && a->gives_way == b->gives_way &&
	       a->lent == b->lent;
}

static uint32_t find(const struct lw_kind *list, uint32_t first, uint32_t count,
		     const struct lw_kind *kind)
{
	uint32_t i = first;

	while (i < count && !is_same(&list[i], kind))
		i++;
	return i;
}

static struct lw_kind running_kind(const job_record_t *job)
{
	return (struct lw_kind){ .part = job->part_ptr,
				 .qos = job->qos_ptr,
				 .gives_way = job->warn_flags & KILL_JOB_RESV };
}

static struct lw_kind waiting_kind(job_record_t *job)
{
	return (struct lw_kind){ .part = job->part_ptr,
				 .qos = job->qos_ptr,
				 .lent = job_uses_max_start_delay_resv(job) ? job->resv_ptr
									    : NULL };
}

uint32_t lw_kinds_of_running(struct lw_kinds *kinds, job_record_t *job)
{
	struct lw_kind of_job = running_kind(job);
	uint32_t kind;

	if ((!slurm_preemption_enabled() && !of_job.gives_way) ||
	    acct_policy_is_job_preempt_exempt(job))
		return 0;
	if (!kinds->running_count)
		kinds->running_count = 1;
	kind = find(kinds->running, 1, kinds->running_count, &of_job);
	if (kind == LW_KINDS_MAX)
		return 0;
	if (kind == kinds->running_count)
		kinds->running[kinds->running_count++] = of_job;
	return kind;
}

struct answer {
	const struct lw_kinds *kinds;
	uint64_t preempts;
};

static int add_kind(void *x, void *arg)
{
	struct lw_kind of_job = running_kind(x);
	struct answer *answer = arg;
	uint32_t count = answer->kinds->running_count;
	uint32_t kind = find(answer->kinds->running, 1, count, &of_job);

	if (kind < count)
		answer->preempts |= UINT64_C(1) << kind;
	return 0;
}

static uint64_t ask(const struct lw_kinds *kinds, job_record_t *job)
{
	struct answer answer = { .kinds = kinds };
	list_t *jobs = slurm_find_preemptable_jobs(job);

	if (jobs)
		list_for_each(jobs, add_kind, &answer);
	FREE_NULL_LIST(jobs);
	return answer.preempts;
}

uint64_t lw_kinds_preempted_by(struct lw_kinds *kinds, job_record_t *job)
{
	struct lw_kind of_job = waiting_kind(job);
	uint32_t i;

	if (kinds->running_count < 2)
		return 0;
	i = find(kinds->waiting, 0, kinds->waiting_count, &of_job);
	if (i == LW_KINDS_MAX)
		return ask(kinds, job);
	if (i == kinds->waiting_count) {
		of_job.preempts = ask(kinds, job);
		kinds->waiting[kinds->waiting_count++] = of_job;
	}
	return kinds->waiting[i].preempts;
}
