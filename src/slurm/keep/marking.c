/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the latest start, and why it waits, in a job's SystemComment, where its user reads it.
 */
#include "slurm/keep/marking.h"

#include "base/why.h"
#include "slurm/keep/mark.h"

#include <stdlib.h>
#include <time.h>

/* With no memory for it the comment stays as it is. */
static void marking_change(job_record_t *job, const char *start, const char *word)
{
	char *comment;

	if (lw_mark_put_word(job->system_comment, start, word, &comment))
		return;
	xfree(job->system_comment);
	job->system_comment = xstrdup(comment);
	free(comment);
	last_job_update = time(NULL);
}

void lw_marking_put(job_record_t *job, int64_t latest_s)
{
	char word[LW_MARK_MAX];

	lw_mark_word(latest_s, word);
	marking_change(job, LW_MARK_START, word);
}

void lw_marking_off(job_record_t *job)
{
	if (job->system_comment)
		marking_change(job, LW_MARK_START, NULL);
}

void lw_marking_why(job_record_t *job, const char *word)
{
	if (job->system_comment || word)
		marking_change(job, LW_WHY_START, word);
}

void lw_marking_end(job_record_t *job)
{
	lw_marking_off(job);
	lw_marking_why(job, NULL);
}

void lw_marking_off_id(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (job)
		lw_marking_off(job);
}
