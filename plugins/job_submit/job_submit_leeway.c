/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: entry points of job_submit_leeway.so: tag deep-learning jobs at submit. */
/*
 * slurmctld calls it with its locks held, since 24.11 in several threads: it reads the job
 * description and writes admin_comment, touches no file, and keeps nothing of a job. If leeway.yaml
 * says so, it makes a part of a whole GPU (share_job.h), keeps output (stop_job.h), and refuses a
 * deadline that cannot be met. The file is read when this is loaded, since 24.11 at reconfigures.
 */
#include "job_submit/due_job.h"
#include "job_submit/lengths.h"
#include "job_submit/rules.h"
#include "job_submit/share_job.h"
#include "job_submit/slurm_private.h"
#include "job_submit/stop_job.h"
#include "job_submit/tag_job.h"
#include "slurm/compat/public.h"

#include <slurm/slurm.h>

#pragma GCC visibility push(default)
extern const char plugin_name[];
extern const char plugin_type[];
extern const uint32_t plugin_version;
extern int init(void);
extern void fini(void);
extern int job_submit(job_desc_msg_t *job, uint32_t submit_uid, char **err_msg);
extern int job_modify(job_desc_msg_t *job, job_record_t *record,
		      uint32_t submit_uid LW_JOB_MODIFY_MORE);
#pragma GCC visibility pop

const char plugin_name[] = "Leeway: tag deep-learning jobs";
const char plugin_type[] = "job_submit/leeway";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* Written by init() and fini(), which Slurm calls under a lock that keeps submissions out. */
static struct lw_submit_rules rules;

int init(void)
{
	lw_submit_rules_init(&rules);
	if (rules.rules)
		slurm_info("leeway: job_submit: tagging deep-learning jobs%s",
			   rules.config.tag_advise ? ", with advice" : "");
	return SLURM_SUCCESS;
}

void fini(void)
{
	lw_submit_rules_fini(&rules);
}

/* One line is enough. */
static void submit_tell(const char *text, char **err_msg)
{
	if (text && *text && err_msg && !*err_msg)
		*err_msg = xstrdup(text);
}

/* Slurm itself refuses such a job later on, but does not say that it is for the deadline. */
static int submit_look_at_deadline(const job_desc_msg_t *job, char **err_msg)
{
	char text[LW_DUEDATE_TEXT_MAX];

	if (rules.config.submit_deadline == LW_SUBMIT_DEADLINE_OFF ||
	    !lw_due_job_fails(job, text))
		return SLURM_SUCCESS;
	submit_tell(text, err_msg);
	return rules.config.submit_deadline == LW_SUBMIT_DEADLINE_REFUSE
		       ? ESLURM_INVALID_TIME_LIMIT
		       : SLURM_SUCCESS;
}

int job_submit(job_desc_msg_t *job, uint32_t submit_uid, char **err_msg)
{
	const char *advice = NULL;
	char text[LW_STOP_JOB_TEXT];
	int rc = submit_look_at_deadline(job, err_msg);

	(void)submit_uid;
	if (rc || !lw_job_is_readable(job))
		return rc;
	if (rules.rules)
		advice = lw_tag_job(job, rules.rules);
	submit_tell(rules.config.tag_advise ? advice : NULL, err_msg);
	/* after the tag, which is a part of what is known of a job */
	(void)lw_share_job(job, &rules.config, text);
	submit_tell(text, err_msg);
	lw_stop_job(job, &rules.config, text);
	submit_tell(text, err_msg);
	return SLURM_SUCCESS;
}

/* The tag of a job stands; an update is left as it is. */
int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t submit_uid LW_JOB_MODIFY_MORE)
{
	(void)job, (void)record, (void)submit_uid;
	return SLURM_SUCCESS;
}
