/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who may preempt whom, in the planner's words: kinds of running jobs. */
#include "slurm/kinds.h"

static uint32_t find(const struct lw_kind *list, uint32_t first, uint32_t count,
		     const job_record_t *job)
{
	uint32_t i = first;

	while (i < count && (list[i].part != job->part_ptr || list[i].qos != job->qos_ptr))
		i++;
	return i;
}

uint32_t lw_kinds_of_running(struct lw_kinds *kinds, job_record_t *job)
{
	uint32_t kind;

	if (!slurm_preemption_enabled() || acct_policy_is_job_preempt_exempt(job))
		return 0;
	if (!kinds->running_count)
		kinds->running_count = 1;
	kind = find(kinds->running, 1, kinds->running_count, job);
	if (kind == LW_KINDS_MAX)
		return 0;
	if (kind == kinds->running_count)
		kinds->running[kinds->running_count++] =
			(struct lw_kind){ .part = job->part_ptr, .qos = job->qos_ptr };
	return kind;
}

struct answer {
	const struct lw_kinds *kinds;
	uint64_t preempts;
};

static int add_kind(void *x, void *arg)
{
	const job_record_t *job = x;
	struct answer *answer = arg;
	uint32_t count = answer->kinds->running_count;
	uint32_t kind = find(answer->kinds->running, 1, count, job);

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
	uint32_t i;

	if (kinds->running_count < 2)
		return 0;
	i = find(kinds->waiting, 0, kinds->waiting_count, job);
	if (i == LW_KINDS_MAX)
		return ask(kinds, job);
	if (i == kinds->waiting_count)
		kinds->waiting[kinds->waiting_count++] = (struct lw_kind){
			.part = job->part_ptr,
			.qos = job->qos_ptr,
			.preempts = ask(kinds, job),
		};
	return kinds->waiting[i].preempts;
}
