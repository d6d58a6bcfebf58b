/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the latest start, why it waits and its past, in comments of a job, for its user. */
#include "slurm/keep/marking.h"

#include "base/stop.h"
#include "base/why.h"
#include "slurm/keep/mark.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* With no memory for it the comment stays as it is. */
static void marking_change(char **comment, const char *start, const char *word)
{
	char *changed;

	if (lw_mark_put_word(*comment, start, word, &changed))
		return;
	xfree(*comment);
	*comment = xstrdup(changed);
	free(changed);
	last_job_update = time(NULL);
}

void lw_marking_put(job_record_t *job, int64_t latest_s)
{
	char word[LW_MARK_MAX];

	lw_mark_word(latest_s, word);
	marking_change(&job->system_comment, LW_MARK_START, word);
}

void lw_marking_off(job_record_t *job)
{
	if (job->system_comment)
		marking_change(&job->system_comment, LW_MARK_START, NULL);
}

/* What a later Leeway wrote is left alone; what is damaged is written anew. */
static bool marking_read_past(const job_record_t *job, struct lw_past *ret_past)
{
	*ret_past = (struct lw_past){ 0 };
	return lw_past_decode(job->admin_comment, ret_past) != -ENOTSUP;
}

static void marking_write_past(job_record_t *job, const struct lw_past *past)
{
	char word[LW_PAST_MAX];

	lw_past_encode(past, word);
	if (*word)
		marking_change(&job->admin_comment, LW_PAST_START, word);
}

static void marking_note_news(job_record_t *job, const char *word, struct lw_slips *slips)
{
	struct lw_past_facts facts = { 0 };
	struct lw_statement was = { 0 }, news;
	struct lw_past past;

	if (lw_why_decode(word, &news) || !marking_read_past(job, &past))
		return;
	(void)lw_why_decode(job->system_comment, &was);
	if (news.planned_s > was.planned_s)
		facts = lw_slips_ask(slips, job, &was);
	if (job->details)
		facts.queued_s = job->details->begin_time;
	lw_past_note(&past, &was, &news, &facts);
	marking_write_past(job, &past);
}

void lw_marking_why(job_record_t *job, const char *word, struct lw_slips *slips)
{
	if (word)
		marking_note_news(job, word, slips);
	if (job->system_comment || word)
		marking_change(&job->system_comment, LW_WHY_START, word);
}

void lw_marking_stop(job_record_t *job, const char *word)
{
	/* there may be the answer to an earlier order, too */
	marking_change(&job->admin_comment, LW_STOP_WORD_ORDER, NULL);
	marking_change(&job->admin_comment, LW_STOP_WORDS, word);
}

void lw_marking_lost(job_record_t *job, const struct lw_nodeloss *loss)
{
	char word[LW_NODELOSS_WORD_MAX];

	lw_nodeloss_word(loss, word);
	marking_change(&job->admin_comment, LW_NODELOSS_START, word);
}

/* Of a job that nothing was said of, nothing is noted. */
void lw_marking_refused(uint32_t job_id, enum lw_past_cause cause)
{
	job_record_t *job = find_job_record(job_id);
	struct lw_past past;

	if (!job || !IS_JOB_PENDING(job) || !marking_read_past(job, &past) || !past.count)
		return;
	lw_past_add(&past, LW_PAST_REFUSED, time(NULL), (char)cause);
	marking_write_past(job, &past);
}

bool lw_marking_has_started(const job_record_t *job)
{
	return !IS_JOB_PENDING(job) && job->nodes && job->nodes[0];
}

/* A start of longer ago was noted when it was first seen, or was before Leeway. */
#define MARKING_SEEN_S (2 * 3600)

/*
 * Why the job waits may be said no more when it starts: a plan let it start at once, and Slurm
 * refused that first. So its past tells whether this start is in it.
 */
static void marking_note_start(job_record_t *job)
{
	struct lw_past past;

	if (!job->admin_comment || !lw_marking_has_started(job) ||
	    time(NULL) - job->start_time > MARKING_SEEN_S)
		return;
	if (!marking_read_past(job, &past) || !past.count ||
	    lw_past_has_start(&past, job->start_time))
		return;
	lw_past_add(&past, LW_PAST_STARTED, job->start_time, 0);
	marking_write_past(job, &past);
}

void lw_marking_end(job_record_t *job)
{
	marking_note_start(job);
	if (!job->system_comment)
		return;
	lw_marking_off(job);
	lw_marking_why(job, NULL, NULL);
}

void lw_marking_off_id(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (job)
		lw_marking_off(job);
}
