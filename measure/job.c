/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job of a trace asked for, and when it ends. */
#include "measure/job.h"

int64_t lw_sim_job_asked_s(const struct lw_sim_job *job)
{
	return job->asked_s ? job->asked_s : job->limit_s;
}

int64_t lw_sim_job_end_s(const struct lw_sim_job *job)
{
	int64_t run_s = job->run_s < job->limit_s ? job->run_s : job->limit_s;
	int64_t end_s = job->start_s + lw_sim_job_there_s(job, lw_sim_job_left_s(job, run_s));

	if (job->size.shared && end_s > job->start_s + job->limit_s)
		end_s = job->start_s + job->limit_s;
	if (job->ends_s)
		return job->ends_s;
	if (job->cancel_after_s && job->submit_s + job->cancel_after_s < end_s)
		return job->submit_s + job->cancel_after_s;
	return end_s;
}
