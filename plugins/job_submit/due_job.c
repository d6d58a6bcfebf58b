/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: can a job that is being submitted meet its deadline at all? */
#include "job_submit/due_job.h"

#include <time.h>

/* NO_VAL and INFINITE stand for "not said". */
static uint32_t due_job_minutes_of(uint32_t value)
{
	return value >= NO_VAL ? 0 : value;
}

bool lw_due_job_fails(const job_desc_msg_t *job, char text[LW_DUEDATE_TEXT_MAX])
{
	struct lw_duedate due = {
		.now_s = time(NULL),
		.begin_s = job->begin_time,
		.deadline_s = job->deadline == (time_t)NO_VAL ? 0 : job->deadline,
		.limit_min = due_job_minutes_of(job->time_limit),
		.least_min = due_job_minutes_of(job->time_min),
	};

	return lw_duedate_fails(&due, text);
}
