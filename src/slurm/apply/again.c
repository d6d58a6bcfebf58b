/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: let a requeued job begin at once. */
#include "slurm/apply/again.h"

#include <time.h>

#define CREDENTIAL_S 2

void lw_again(job_record_t *job, int64_t now_s)
{
	int64_t begin_s = job->details->submit_time + CREDENTIAL_S;

	if (begin_s < now_s)
		begin_s = now_s;
	if (job->details->begin_time <= begin_s)
		return;
	job->details->begin_time = (time_t)begin_s;
	last_job_update = time(NULL);
}

bool lw_again_soon(const job_record_t *job, int64_t now_s)
{
	return IS_JOB_PENDING(job) && job->details->begin_time > now_s &&
	       job->details->begin_time <= now_s + CREDENTIAL_S;
}
