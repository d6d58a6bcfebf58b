/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: keep the output of a job that agrees to be stopped. */
#include "job_submit/stop_job.h"

#include "base/stop.h"

void lw_stop_job(job_desc_msg_t *job, const struct lw_config *config)
{
	const struct lw_stop_terms terms = { .who = config->stop_who,
					     .comment = job->comment,
					     .qos = job->qos,
					     .partition = job->partition };
	int64_t saves_s;

	if (config->stop_mode == LW_STOP_ON && !job->open_mode &&
	    lw_stop_agrees(&terms, &saves_s))
		job->open_mode = OPEN_MODE_APPEND;
}
