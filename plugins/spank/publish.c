/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: put a job's GPU summary into its admin_comment while it still runs. */
#include "spank/publish.h"

#include "spank/job.h"

#include <slurm/slurm_errno.h>
#include <slurm/spank.h>

/* What is told of a job. */
struct summary {
	struct lw_record *const *records;
	uint32_t count;
	bool js1;
};

static int put_summary(void *arg, const char *old, char buf[LW_COMMENT_MAX])
{
	const struct summary *summary = arg;

	return lw_comment_make(old, summary->records, summary->count, summary->js1, buf,
			       LW_COMMENT_MAX);
}

bool lw_publish(struct lw_record *const *records, uint32_t count, bool js1)
{
	struct summary summary = { records, count, js1 };
	uint32_t job_id = records[0]->head.job_id;
	int rc = lw_job_change(job_id, NULL, put_summary, &summary);

	if (rc == -ESLURM_JOB_FINISHED)
		slurm_debug("leeway: job %u has ended: its summary goes to accounting", job_id);
	else if (rc)
		slurm_error("leeway: job %u: the summary was not sent: %s", job_id,
			    slurm_strerror(-rc));
	return !rc;
}
