/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that agree to be stopped, or could: their output, and what users are told. */
#include "job_submit/stop_job.h"

#include "base/stop.h"
#include "base/words.h"
#include "job_submit/slurm_private.h"
#include "tagger/handler.h"

#include <stdio.h>
#include <string.h>

/* A longer Comment is left alone. */
#define COMMENT_MAX 4096

/* submitit requeues its own jobs, and marks them so. */
static bool stop_job_is_submitit(const job_desc_msg_t *job)
{
	return lw_words_has(job->wckey, "submitit");
}

/* Beside what is there. */
static void stop_job_agree(job_desc_msg_t *job)
{
	char comment[COMMENT_MAX], *old = job->comment;

	if (lw_words_put(old, LW_STOP_COMMENT_YES, LW_STOP_COMMENT_YES, comment, sizeof(comment)))
		return;
	job->comment = xstrdup(comment);
	slurm_xfree((void **)&old);
}

/* It requeues itself when it has its signal. */
static void stop_job_propose(job_desc_msg_t *job, enum lw_stop_detect detect,
			     char text[LW_STOP_JOB_TEXT])
{
	if (detect == LW_STOP_DETECT_ON) {
		stop_job_agree(job);
		snprintf(text, LW_STOP_JOB_TEXT,
			 "this job requeues itself, so it may be stopped to make room, and runs "
			 "again later; not with --comment=leeway:no-stop");
		return;
	}
	snprintf(text, LW_STOP_JOB_TEXT,
		 "this job requeues itself: with --comment=leeway:stop it could make room for "
		 "other jobs for a while");
}

/* Of a job with a --signal and a script, which does not say that it is never stopped. */
static void stop_job_detect(job_desc_msg_t *job, const struct lw_config *config, bool agrees,
			    char text[LW_STOP_JOB_TEXT])
{
	bool batch = job->warn_flags & KILL_JOB_BATCH, submitit = stop_job_is_submitit(job);
	char name[LW_HANDLER_NAME_MAX];
	struct lw_handler handler;

	lw_handler_find(job->script, strnlen(job->script, LW_HANDLER_SCRIPT_MAX),
			job->warn_signal, &handler);
	if (handler.traps && !batch && !submitit)
		snprintf(text, LW_STOP_JOB_TEXT,
			 "the script's trap will not get the signal of --signal: that goes to "
			 "the steps alone; write --signal=B:%s@%u",
			 lw_handler_name(job->warn_signal, name), (unsigned)job->warn_time);
	else if (!agrees && (submitit || (batch && handler.traps && handler.requeues)))
		stop_job_propose(job, (enum lw_stop_detect)config->stop_detect, text);
}

void lw_stop_job(job_desc_msg_t *job, const struct lw_config *config, char text[LW_STOP_JOB_TEXT])
{
	struct lw_stop_terms terms = { .who = config->stop_who,
				       .comment = job->comment,
				       .qos = job->qos,
				       .partition = job->partition };
	int64_t saves_s;

	*text = '\0';
	if (!config->stop_mode)
		return;
	if (config->stop_detect && job->script && job->warn_signal &&
	    job->warn_signal < NO_VAL16 && !lw_words_has(job->comment, LW_STOP_COMMENT_NO))
		stop_job_detect(job, config, lw_stop_agrees(&terms, &saves_s), text);
	terms.comment = job->comment;
	if (config->stop_mode == LW_STOP_ON && !job->open_mode &&
	    lw_stop_agrees(&terms, &saves_s))
		job->open_mode = OPEN_MODE_APPEND;
}
