/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job in slurmctld: read it, and change its admin_comment. */
#include "spank/job.h"

#include "base/sharemark.h"
#include "slurm/compat/public.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* For the master of an array slurmctld answers with all its tasks. */
int lw_job_look(uint32_t job_id, int (*take)(void *arg, const slurm_job_info_t *job), void *arg)
{
	job_info_msg_t *msg = NULL;
	int rc = -ESRCH;

	errno = 0;
	if (lw_public_load_job(&msg, job_id, SHOW_ALL | SHOW_LOCAL))
		return errno ? -errno : -EIO;
	for (uint32_t i = 0; i < msg->record_count; i++)
		if (lw_public_job_id(&msg->job_array[i]) == job_id)
			rc = take(arg, &msg->job_array[i]);
	slurm_free_job_info_msg(msg);
	return rc;
}

struct job {
	uint32_t job_id;
	const char *gres; /* NULL also once slurmctld has taken it */
};

static int job_take_comment(void *arg, const slurm_job_info_t *job)
{
	const char *comment = job->admin_comment ? job->admin_comment : "";

	if (strlen(comment) >= LW_COMMENT_MAX)
		return -ENOSPC;
	strcpy(arg, comment);
	return 0;
}

static int job_read_comment(void *arg, char buf[LW_COMMENT_MAX])
{
	return lw_job_look(((struct job *)arg)->job_id, job_take_comment, buf);
}

static int job_write_comment(void *arg, const char *comment)
{
	struct job *job = arg;
	char text[LW_COMMENT_MAX], gres[LW_SHAREMARK_GRES + sizeof(LW_GRES_PREFIX)];
	job_desc_msg_t desc;

	slurm_init_job_desc_msg(&desc);
	lw_public_desc_id(&desc) = job->job_id;
	snprintf(text, sizeof(text), "%s", comment);
	desc.admin_comment = text;
	if (job->gres) {
		snprintf(gres, sizeof(gres), "%s", job->gres);
		desc.tres_per_node = gres;
	}
	errno = 0;
	if (slurm_update_job(&desc))
		return errno ? -errno : -EIO;
	job->gres = NULL;
	return 0;
}

int lw_job_change(uint32_t job_id, const char *gres, lw_change_f make, void *arg)
{
	struct job job = { job_id, gres };
	const struct lw_change_calls calls = { job_read_comment, job_write_comment, &job };

	return lw_change(&calls, make, arg);
}
