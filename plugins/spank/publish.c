/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: put a job's GPU summary into its admin_comment while it still runs. */
#include "spank/publish.h"

#include "record/comment.h"
#include "slurm/compat/public.h"

#include <errno.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/spank.h>

/* For the master of an array slurmctld answers with all its tasks. */
static const slurm_job_info_t *find_job(const job_info_msg_t *msg, uint32_t job_id)
{
	for (uint32_t i = 0; i < msg->record_count; i++)
		if (lw_public_job_id(&msg->job_array[i]) == job_id)
			return &msg->job_array[i];
	return NULL;
}

static int make_comment(struct lw_record *const *records, uint32_t count, bool js1, char *buf,
			size_t size)
{
	uint32_t job_id = records[0]->head.job_id;
	job_info_msg_t *msg = NULL;
	const slurm_job_info_t *job;
	int rc;

	if (lw_public_load_job(&msg, job_id, SHOW_ALL | SHOW_LOCAL))
		return -errno;
	job = find_job(msg, job_id);
	rc = job ? lw_comment_make(job->admin_comment, records, count, js1, buf, size) : -ESRCH;
	slurm_free_job_info_msg(msg);
	return rc;
}

static int send_comment(uint32_t job_id, char *comment)
{
	job_desc_msg_t job;

	slurm_init_job_desc_msg(&job);
	lw_public_desc_id(&job) = job_id;
	job.admin_comment = comment;
	return slurm_update_job(&job) ? -errno : 0;
}

bool lw_publish(struct lw_record *const *records, uint32_t count, bool js1)
{
	uint32_t job_id = records[0]->head.job_id;
	char comment[LW_COMMENT_MAX];
	int rc = make_comment(records, count, js1, comment, sizeof(comment));

	if (!rc)
		rc = send_comment(job_id, comment);
	if (rc == -ESLURM_JOB_FINISHED)
		slurm_debug("leeway: job %u has ended: its summary goes to accounting", job_id);
	else if (rc)
		slurm_error("leeway: job %u: the summary was not sent: %s", job_id,
			    slurm_strerror(-rc));
	return !rc;
}
