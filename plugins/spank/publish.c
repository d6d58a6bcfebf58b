/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: put a job's GPU summary into its admin_comment. */
#include "spank/publish.h"

#include "base/words.h"

#include <errno.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/spank.h>
#include <string.h>

/* A comment that would be longer with our word is left alone. */
#define COMMENT_MAX 8192

/* For the master of an array slurmctld answers with all its tasks. */
static const slurm_job_info_t *find_job(const job_info_msg_t *msg, uint32_t job_id)
{
	for (uint32_t i = 0; i < msg->record_count; i++)
		if (msg->job_array[i].job_id == job_id)
			return &msg->job_array[i];
	return NULL;
}

/* -EALREADY: nothing to send. */
static int make_comment(uint32_t job_id, bool from_batch, const char *word, char *buf,
			size_t size)
{
	job_info_msg_t *msg = NULL;
	const slurm_job_info_t *job;
	int rc;

	if (slurm_load_job(&msg, job_id, SHOW_ALL | SHOW_LOCAL))
		return -errno;
	job = find_job(msg, job_id);
	if (!job)
		rc = -ESRCH;
	else if (job->batch_flag && !from_batch)
		rc = -EALREADY;
	else
		rc = lw_words_put(job->admin_comment, LW_SUMMARY_PREFIX, word, buf, size);
	slurm_free_job_info_msg(msg);
	return rc;
}

static int send_comment(uint32_t job_id, char *comment)
{
	job_desc_msg_t job;

	slurm_init_job_desc_msg(&job);
	job.job_id = job_id;
	job.admin_comment = comment;
	return slurm_update_job(&job) ? -errno : 0;
}

void lw_publish(uint32_t job_id, bool from_batch, const struct lw_summary *summary)
{
	char word[LW_SUMMARY_TEXT_MAX], comment[COMMENT_MAX];
	int rc;

	lw_summary_encode(summary, word, sizeof(word));
	rc = make_comment(job_id, from_batch, word, comment, sizeof(comment));
	if (!rc)
		rc = send_comment(job_id, comment);
	if (rc == -ESLURM_JOB_FINISHED)
		slurm_info("leeway: job %u ended before its summary %s could be sent",
			   job_id, word);
	else if (rc && rc != -EALREADY)
		slurm_error("leeway: job %u: summary %s not sent: %s", job_id, word,
			    slurm_strerror(-rc));
}
