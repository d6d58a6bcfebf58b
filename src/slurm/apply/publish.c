/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: publish a plan to users and administrators: squeue --start, reasons, PLANNED nodes. */

/*
 * Fills the same fields as stock backfill (start_time, sched_nodes, state_desc, node state
 * PLANNED), so that every command and page that shows them works, and system_comment for the
 * latest start. end_time and time limits are not changed.
 */

#include "slurm/apply/publish_parts.h"

#include "base/when.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/marking.h"
#include "slurm/query/canary.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The most users that are told of a new promise in one cycle; the others follow in the next. */
#define TOLD_MAX 1000

/* Is it one of Leeway's texts? Slurm's own texts are left alone. */
bool lw_publish_is_ours(const char *text)
{
	return text && !strncmp(text, LW_SHOW_TEXT_START, strlen(LW_SHOW_TEXT_START));
}

static bool publish_is_waiting(const job_record_t *job)
{
	return job && job->details && IS_JOB_PENDING(job);
}

/* A text is published from the job's second plan on. */
static bool publish_has_text(const struct lw_shown *shown)
{
	return shown->again && shown->text[0] != '\0';
}

/* False if JOB does not wait: its start time is then the real one, and stays. */
static bool publish_clear_job(job_record_t *job)
{
	if (!publish_is_waiting(job))
		return false;
	job->start_time = 0;
	xfree(job->sched_nodes);
	if (lw_publish_is_ours(job->state_desc))
		xfree(job->state_desc);
	return true;
}

/* A job that was cancelled meanwhile keeps its times, but no text of ours. */
static void publish_take_down_job(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (publish_clear_job(job)) {
		last_job_update = time(NULL);
	} else if (job && lw_publish_is_ours(job->state_desc)) {
		xfree(job->state_desc);
		last_job_update = time(NULL);
	}
}

/* Does it wait for the end of another job? With these reasons Slurm has no text of its own. */
static bool publish_waits_for_end(const job_record_t *job)
{
	return job->state_reason == WAIT_DEPENDENCY || job->state_reason == WAIT_ARRAY_TASK_LIMIT;
}

/*
 * A text goes only with WAIT_RESOURCES, and with the reason of a follower: with other reasons
 * Slurm may have a text of its own.
 */
static void publish_say(job_record_t *job, const struct lw_shown *shown)
{
	if (job->state_reason == WAIT_NO_REASON || job->state_reason == WAIT_PRIORITY)
		job->state_reason = WAIT_RESOURCES;
	if ((job->state_reason != WAIT_RESOURCES &&
	     !(shown->follows && publish_waits_for_end(job))) ||
	    (job->state_desc && !strcmp(job->state_desc, shown->text)))
		return;
	xfree(job->state_desc);
	job->state_desc = xstrdup(shown->text);
	last_job_update = time(NULL);
}

/* ", at the latest 14:47,", if that is later than the start; ", too late for the promised
 * 14:47,". */
static void publish_word_latest(const struct lw_statement *said, char *text, size_t size)
{
	char when[LW_WHEN_MAX];

	*text = '\0';
	if (!said->latest_s || (!said->unkept && said->latest_s <= said->planned_s))
		return;
	snprintf(text, size, ", %s %s,",
		 said->unkept ? "too late for the promised" : "at the latest",
		 lw_when_tell(said->latest_s, said->at_s, when));
}

/* Is the user told what becomes of the deadline? */
static bool publish_tells_deadline(const struct lw_publish *show, const struct lw_statement *said)
{
	return said->deadline_s && (show->guards || said->deadline == LW_DEADLINE_MISSED);
}

/*
 * ", accepted: by 18:00", ", deadline 18:00 at risk" or ", deadline 18:00 at risk: will miss it".
 */
static void publish_word_deadline(const struct lw_publish *show, const struct lw_statement *said,
				  char *text, size_t size)
{
	char when[LW_WHEN_MAX];

	*text = '\0';
	if (!publish_tells_deadline(show, said))
		return;
	lw_when_tell(said->deadline_s, said->at_s, when);
	if (said->deadline == LW_DEADLINE_ACCEPTED)
		snprintf(text, size, ", accepted: by %s", when);
	else if (said->deadline == LW_DEADLINE_MISSED)
		snprintf(text, size, ", deadline %s at risk: will miss it", when);
	else
		snprintf(text, size, ", deadline %s at risk", when);
}

/*
 * ", waits for a100: done 17:10, on v100 19:40"; ", waits for less energy on a100: done 17:10, on
 * v100 17:08"; ", waits for a100: done 17:10, k80 has too little memory".
 */
static void publish_word_types(const struct lw_statement *said, char *text, size_t size)
{
	const struct lw_why_type *type = &said->faster, *other = &said->other;
	char done[LW_WHEN_MAX], other_done[LW_WHEN_MAX];

	*text = '\0';
	if (!*type->name || !*other->name)
		return;
	lw_when_tell(said->at_s + type->done_s, said->at_s, done);
	if (said->cramped) {
		snprintf(text, size, ", waits for %s: done %s, %s has too little memory",
			 type->name, done, other->name);
		return;
	}
	snprintf(text, size, ", waits for %s%s: done %s, on %s %s",
		 type->done_s < other->done_s ? "" : "less energy on ", type->name, done,
		 other->name, lw_when_tell(said->at_s + other->done_s, said->at_s, other_done));
}

/* " after job 7781". A job in the user's own --dependency is no secret to that user. */
static void publish_word_after(const struct lw_publish *show, const struct lw_shown *shown,
			       char *text, size_t size)
{
	*text = '\0';
	if (shown->after_job && (shown->follows || !show->hide_others))
		snprintf(text, size, " %s job %u", shown->follows ? "at the end of" : "after",
			 shown->after_job);
}

/* A promise may have been made, or withdrawn, since it was prepared what is said. */
static void publish_heed_promise(struct lw_shown *shown, const struct lw_promise *promise)
{
	struct lw_statement *said = &shown->said;
	int64_t latest_s = promise ? promise->latest_s : 0;

	if (said->latest_s == latest_s)
		return;
	said->latest_s = latest_s;
	lw_statement_settle(NULL, said);
	shown->start_s = said->planned_s;
}

/*
 * "planned 14:02, at the latest 14:47, on gpu[3-6] after job 7781": for jobs with a promise or a
 * reservation, and for jobs with a deadline that are told what becomes of it. The components of a
 * het job other than its leader have no text.
 */
static void publish_word(const struct lw_publish *show, struct lw_shown *shown,
			 const struct lw_promises *promises)
{
	const struct lw_statement *said = &shown->said;
	char when[LW_WHEN_MAX], latest[LW_WHEN_MAX + 40], after[32], deadline[LW_WHEN_MAX + 40];
	char types[2 * (LW_WHEN_MAX + LW_WHY_TYPE_MAX) + 40];
	const char *nodes = shown->nodes;

	shown->text[0] = '\0';
	if (!said->at_s)
		return;
	publish_heed_promise(shown, lw_promises_find(promises, shown->job_id));
	if (!shown->reserved && !said->latest_s && !publish_tells_deadline(show, said))
		return;
	lw_when_tell(said->planned_s, said->at_s, when);
	publish_word_latest(said, latest, sizeof(latest));
	publish_word_deadline(show, said, deadline, sizeof(deadline));
	publish_word_types(said, types, sizeof(types));
	publish_word_after(show, shown, after, sizeof(after));
	if (strlen(nodes) + strlen(types) + 168 > sizeof(shown->text))
		nodes = "many nodes";
	snprintf(shown->text, sizeof(shown->text), LW_SHOW_TEXT_START "%s%s on %s%s%s%s", when,
		 latest, nodes, after, types, deadline);
}

/* Does JOB wait for room, by the reason that Slurm gave? */
static bool publish_waits_for_room(const job_record_t *job)
{
	return job->state_reason == WAIT_NO_REASON || job->state_reason == WAIT_PRIORITY ||
	       job->state_reason == WAIT_RESOURCES;
}

static bool publish_put_up_job(const struct lw_shown *shown)
{
	job_record_t *job = find_job_record(shown->job_id);

	if (!publish_is_waiting(job) || !job->priority ||
	    (shown->missed_s && !publish_waits_for_room(job)))
		return false;
	if (publish_has_text(shown))
		publish_say(job, shown);
	else if (lw_publish_is_ours(job->state_desc))
		xfree(job->state_desc);
	if (job->start_time == (time_t)shown->start_s && !xstrcmp(job->sched_nodes, shown->nodes))
		return true;
	job->start_time = (time_t)shown->start_s;
	xfree(job->sched_nodes);
	job->sched_nodes = xstrdup(shown->nodes);
	job->node_cnt_wag = shown->node_count;
	last_job_update = time(NULL);
	return true;
}

/* Give a reason to a job that has none from Slurm's main loop yet. */
static void publish_show_reason(const struct lw_decision *decision)
{
	job_record_t *job = find_job_record(decision->job_id);

	if (!publish_is_waiting(job) || !job->priority || job->state_reason != WAIT_NO_REASON)
		return;
	if (decision->reason == LW_REASON_WAITS_FOR_HEAD ||
	    decision->reason == LW_REASON_WAITS_IN_ORDER)
		job->state_reason = WAIT_PRIORITY;
	else if (decision->reason == LW_REASON_WAITS_FOR_ROOM ||
		 decision->reason == LW_REASON_WAITS_AFTER_REFUSAL ||
		 decision->reason == LW_REASON_WAITS_FOR_TYPE)
		job->state_reason = WAIT_RESOURCES;
	else
		return;
	last_job_update = time(NULL);
}

static void publish_free_jobs(struct lw_shown *jobs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		xfree(jobs[i].nodes);
	free(jobs);
}

void lw_publish_drop_next(struct lw_publish *show)
{
	publish_free_jobs(show->next, show->next_count);
	lw_lookup_fini(&show->next_ids);
	show->next = NULL;
	show->next_count = show->next_room = 0;
}

/* Remove the jobs of the last plan that are not in this one. */
static void publish_take_down_old(const struct lw_publish *show, struct lw_session *session)
{
	for (uint32_t i = 0; i < show->job_count; i++) {
		uint32_t next;

		(void)lw_session_yield(session);
		if (!lw_lookup_get(&show->next_ids, show->jobs[i].job_id, &next))
			publish_take_down_job(show->jobs[i].job_id);
	}
}

/* Publish the next jobs, except jobs that have started, ended or been held since. */
static void publish_put_up_next(struct lw_publish *show, const struct lw_promises *promises,
				struct lw_session *session)
{
	uint32_t kept = 0;

	show->text_count = show->follow_count = 0;
	for (uint32_t i = 0; i < show->next_count; i++) {
		struct lw_shown *shown = &show->next[i];

		(void)lw_session_yield(session);
		publish_word(show, shown, promises);
		if (publish_put_up_job(shown)) {
			show->text_count += publish_has_text(shown);
			show->follow_count += publish_has_text(shown) && shown->follows;
			show->next[kept++] = *shown;
		} else {
			publish_take_down_job(shown->job_id);
			xfree(shown->nodes);
		}
	}
	show->next_count = kept;
}

static bool publish_tell(void *arg, const struct lw_promise *promise)
{
	job_record_t *job = find_job_record(promise->job_id);

	(void)arg;
	if (publish_is_waiting(job))
		lw_marking_put(job, promise->latest_s);
	return true;
}

static bool publish_forget(void *arg, const struct lw_promise *promise)
{
	(void)arg;
	lw_marking_off_id(promise->job_id);
	return true;
}

static void publish_look_at_decision(struct lw_publish *show, const struct lw_plan *plan,
				     const struct lw_decision *decision)
{
	if (decision->verdict == LW_WAIT)
		publish_show_reason(decision);
	else if (decision->verdict == LW_RESERVE)
		lw_publish_plan_nodes(show, plan, decision);
}

void lw_publish_plan(struct lw_publish *show, const struct lw_plan *plan,
		     struct lw_promises *promises, struct lw_session *session)
{
	publish_take_down_old(show, session);
	publish_put_up_next(show, promises, session);
	lw_promises_tell(promises, TOLD_MAX, publish_tell, NULL);
	lw_publish_begin_nodes(show);
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		(void)lw_session_yield(session);
		publish_look_at_decision(show, plan, &plan->decisions[i]);
	}
	lw_publish_nodes(show);
	publish_free_jobs(show->jobs, show->job_count);
	show->jobs = show->next;
	show->job_count = show->next_count;
	show->next = NULL;
	show->next_count = show->next_room = 0;
	lw_publish_drop_next(show);
}

/* Stock's backfill wipes the start and the nodes of all jobs that wait, and plans only its own. */
static void publish_plan_again(job_record_t *job, const struct lw_shown *shown)
{
	if (!publish_is_waiting(job) || !job->priority || job->start_time || job->sched_nodes)
		return;
	job->start_time = (time_t)shown->start_s;
	job->sched_nodes = xstrdup(shown->nodes);
	last_job_update = time(NULL);
}

void lw_publish_refresh(const struct lw_publish *show)
{
	for (uint32_t i = 0; i < show->job_count; i++) {
		job_record_t *job = find_job_record(show->jobs[i].job_id);

		if (show->beside_stock)
			publish_plan_again(job, &show->jobs[i]);
		if (publish_is_waiting(job) && job->priority && publish_has_text(&show->jobs[i]))
			publish_say(job, &show->jobs[i]);
	}
}

void lw_publish_stay(struct lw_publish *show)
{
	lw_publish_take_down_nodes(show);
	lw_publish_drop_next(show);
	lw_publish_refresh(show);
}

void lw_publish_clear(struct lw_publish *show, struct lw_promises *promises)
{
	lw_promises_untell(promises, publish_forget, NULL);
	lw_publish_take_down_nodes(show);
	for (uint32_t i = 0; i < show->job_count; i++)
		publish_take_down_job(show->jobs[i].job_id);
	publish_free_jobs(show->jobs, show->job_count);
	show->jobs = NULL;
	show->job_count = show->text_count = show->follow_count = 0;
}

struct sweep {
	const struct lw_promises *promises;
	const struct lw_canary *canary;
};

static int publish_sweep_job(void *x, void *arg)
{
	job_record_t *job = x;
	const struct sweep *sweep = arg;
	const struct lw_promises *promises = sweep->promises;

	if (lw_canary_has(sweep->canary, job))
		(void)publish_clear_job(job);
	lw_marking_why(job, NULL, NULL);
	if (!lw_promises_find(promises, lw_slurm_job_id(job)))
		lw_marking_off(job);
	return 0;
}

void lw_publish_sweep(const struct lw_promises *promises, const struct lw_canary *canary)
{
	struct sweep sweep = { promises, canary };

	list_for_each(job_list, publish_sweep_job, &sweep);
	if (!lw_canary_is_set(canary))
		lw_publish_sweep_nodes();
	last_job_update = time(NULL);
}

void lw_publish_fini(struct lw_publish *show)
{
	lw_publish_drop_next(show);
	publish_free_jobs(show->jobs, show->job_count);
	lw_bitset_fini(&show->planned);
	lw_bitset_fini(&show->next_planned);
	lw_bitset_fini(&show->mixed);
	memset(show, 0, sizeof(*show));
}
