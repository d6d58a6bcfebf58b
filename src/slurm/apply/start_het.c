/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a planned het job, offered to Slurm: all of its components or none. */
#include "slurm/apply/start.h"

#include "slurm/apply/enter.h"
#include "slurm/apply/try_start.h"
#include "slurm/apply/start_nodes.h"
#include "slurm/query/limits.h"

#include <stdlib.h>

struct part {
	struct lw_entered entered;
	job_record_t *job;
	bool started;
};

/* One try. */
struct attempt {
	const struct lw_apply_context *context;
	const struct lw_decision *decision;
	const struct lw_ticket *ticket;
	struct part *parts;
	uint32_t count;	  /* parts of the job */
	uint32_t entered; /* so many of them are entered, from the first on */
};

static bool start_het_enter_all(struct attempt *attempt)
{
	for (uint32_t i = 0; i < attempt->count; i++) {
		const struct lw_ticket *ticket =
			lw_reading_part(attempt->context->reading, attempt->ticket, i);
		struct part *part = &attempt->parts[i];

		part->job = lw_enter_find(ticket->job_id);
		if (!part->job || !lw_enter(part->job, ticket, &part->entered))
			return false;
		attempt->entered++;
	}
	return true;
}

/* Limits count the components together. */
static bool start_het_within_limits(const struct attempt *attempt)
{
	struct lw_limits_part *parts = xcalloc(attempt->count, sizeof(*parts));
	bitstr_t **places = xcalloc(attempt->count, sizeof(*places));
	bool allowed;

	for (uint32_t i = 0; i < attempt->count; i++) {
		job_record_t *job = attempt->parts[i].job;

		uint32_t nodes = lw_start_node_count(attempt->context, attempt->decision, job, i);

		places[i] = lw_start_nodes(attempt->context, attempt->decision, job, i);
		/* which of its nodes count is not known if some do not */
		parts[i] = (struct lw_limits_part){
			job, nodes, bit_set_count(places[i]) == (int)nodes ? places[i] : NULL
		};
	}
	allowed = lw_limits_allow_together(parts, attempt->count);
	for (uint32_t i = 0; i < attempt->count; i++)
		bit_free(places[i]);
	xfree(places);
	xfree(parts);
	return allowed;
}

/* The nodes that are promised to no job, without the nodes of the other components. */
static bitstr_t *start_het_other_nodes(const struct attempt *attempt, uint32_t part)
{
	const struct lw_decision *decision = attempt->decision;
	bitstr_t *nodes = lw_start_unpromised(attempt->context);

	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		const struct lw_alloc *alloc =
			&attempt->context->plan->allocs[decision->first_alloc + i];

		if (alloc->need != part && alloc->node < (uint32_t)node_record_count)
			bit_clear(nodes, alloc->node);
	}
	lw_start_add_planned(attempt->context, decision, attempt->parts[part].job, part, nodes);
	return nodes;
}

static const char *start_part(const struct attempt *attempt, uint32_t i, int *ret_rc)
{
	job_record_t *job = attempt->parts[i].job;
	bitstr_t *open = NULL;
	enum lw_bar bar = lw_try_start_why_not(job, &open);
	const char *why = bar ? lw_bar_text(bar) : NULL;

	*ret_rc = ESLURM_RESERVATION_BUSY;
	if (!why && !lw_try_start_lock(job))
		why = slurm_strerror(ESLURM_FED_JOB_LOCK);
	if (!why) {
		*ret_rc = lw_try_start_planned(
			attempt->decision, job,
			lw_start_nodes(attempt->context, attempt->decision, job, i), open);
		if (lw_try_start_lacks_room(*ret_rc) && !job->preempt_in_progress)
			*ret_rc = lw_try_start(job, start_het_other_nodes(attempt, i), open);
		if (*ret_rc == SLURM_SUCCESS) {
			fed_mgr_job_start(job, job->start_time);
		} else {
			fed_mgr_job_unlock(job);
			why = slurm_strerror(*ret_rc);
		}
	}
	FREE_NULL_BITMAP(open);
	return why;
}

/*
 * A component that started must not run alone. Nothing was launched, but its credential
 * may have been used by a prolog: as with stock it waits until that is no longer valid.
 */
static void start_het_take_back(job_record_t *job)
{
	time_t now = time(NULL);
	list_t *parts = job->part_ptr_list;
	uint64_t flags;

	job->details->begin_time = now + cred_expiration() + 1;
	job->end_time = now;
	job_state_set(job, JOB_PENDING | JOB_COMPLETING);
	last_job_update = now;
	build_cg_bitmap(job);
	/* its start took it out of the limits of the other partitions of its list */
	job->part_ptr_list = NULL;
	job_completion_logger(job, false);
	job->part_ptr_list = parts;
	deallocate_nodes(job, false, false, false);
	/* the completion took it out of the limits on submitted jobs; stage nothing out */
	flags = job->bit_flags;
	job->bit_flags |= JOB_KILL_HURRY;
	acct_policy_add_job_submit(job, false);
	job->bit_flags = flags;
	if (!job->node_bitmap_cg || !bit_set_count(job->node_bitmap_cg))
		batch_requeue_fini(job);
}

static void start_het_end_attempt(struct attempt *attempt, bool started)
{
	for (uint32_t i = 0; i < attempt->entered; i++) {
		struct part *part = &attempt->parts[i];

		if (started)
			lw_try_start_log(part->job);
		if (part->started && !started)
			start_het_take_back(part->job);
		else if (part->started && i + 1 < attempt->entered)
			rebuild_job_part_list(part->job);
		else if (part->started) /* once for all, or it would be launched twice */
			lw_try_start_announce(part->job);
		lw_leave(&part->entered, part->started);
	}
	free(attempt->parts);
}

static enum lw_outcome start_parts(struct attempt *attempt, const char **ret_why)
{
	for (uint32_t i = 0; i < attempt->count; i++) {
		if (!lw_try_start_is_staged(&attempt->parts[i].entered))
			return LW_UNDER_WAY;
	}
	if (!start_het_within_limits(attempt)) {
		*ret_why = slurm_strerror(ESLURM_ACCOUNTING_POLICY);
		return LW_REFUSED_LIMIT;
	}
	for (uint32_t i = 0; i < attempt->count; i++) {
		int rc;

		*ret_why = start_part(attempt, i, &rc);
		if (*ret_why)
			return lw_try_start_lacks_room(rc) ? LW_REFUSED_NO_ROOM
							   : LW_REFUSED_OTHER;
		attempt->parts[i].started = true;
	}
	return LW_STARTED;
}

/* False: no memory. */
static bool start_het_begin_attempt(const struct lw_apply_context *context,
				    const struct lw_decision *decision,
				    struct attempt *ret_attempt)
{
	const struct lw_ticket *ticket = &context->reading->tickets[decision->waiting];

	*ret_attempt = (struct attempt){
		.context = context,
		.decision = decision,
		.ticket = ticket,
		.count = ticket->part_count + 1,
		.parts = calloc(ticket->part_count + 1, sizeof(*ret_attempt->parts)),
	};
	return ret_attempt->parts;
}

enum lw_outcome lw_start_het(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const char **ret_why)
{
	struct attempt attempt;
	enum lw_outcome outcome = LW_GONE;

	if (!start_het_begin_attempt(context, decision, &attempt))
		return LW_GONE;
	if (start_het_enter_all(&attempt))
		outcome = start_parts(&attempt, ret_why);
	start_het_end_attempt(&attempt, outcome == LW_STARTED);
	return outcome;
}

bool lw_start_het_allowed(const struct lw_apply_context *context,
			  const struct lw_decision *decision)
{
	struct attempt attempt;
	bool allowed;

	if (!start_het_begin_attempt(context, decision, &attempt))
		return true;
	allowed = !start_het_enter_all(&attempt) || start_het_within_limits(&attempt);
	start_het_end_attempt(&attempt, false);
	return allowed;
}
