/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a history of run times learns of a trace. */
#include "measure/learnable.h"

/* The id of a job's user: field 12 of the trace, or field 13 when USERS_ARE_GROUPS. */
static uint32_t swf_user(const struct lw_swf_job *job, bool users_are_groups)
{
	int32_t user = users_are_groups ? job->group : job->user;

	return user < 0 ? LW_HISTORY_NOBODY : (uint32_t)user;
}

bool lw_swf_learnable(const struct lw_swf_job *job, bool users_are_groups,
		      struct lw_history_job *ret_job)
{
	int32_t procs = job->requested_procs > 0 ? job->requested_procs : job->procs;
	int32_t partition = job->partition >= 0 ? job->partition : job->queue;
	int64_t wait_s = job->wait_s > 0 ? job->wait_s : 0;

	if (job->requested_s < 1 || job->run_s < 0)
		return false;
	*ret_job = (struct lw_history_job){
		.user = swf_user(job, users_are_groups),
		.partition = partition < 0 ? LW_HISTORY_NOBODY : (uint32_t)partition,
		.limit_s = job->requested_s,
		.run_s = job->run_s,
		.end_s = job->submit_s + wait_s + job->run_s,
		.width = procs > 0 ? (uint32_t)procs : 0,
		.killed_at_limit = job->run_s >= job->requested_s,
	};
	return true;
}
