/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the result of a job's last start, heeded in the next plan. */
#include "slurm/read/backoff.h"

#include "slurm/query/limits.h"
#include "slurm/read/reader.h"

/* Room is kept for a refused job from then on: by then most are tried again. */
#define REFUSED_S 60
/* Room is kept for a job over its limits from then on, which is what stock guesses, too. */
#define OVER_LIMIT_S 300
/*
 * In one reading Slurm is asked when jobs could start until that has taken so much processor
 * time, but for as many jobs anyway: with many nodes one answer may take a twentieth of a second.
 */
#define ASKING_US 200000
#define ASKED_MIN 8

static void backoff_not_before(struct lw_constraints *constraints, int64_t when_s)
{
	if (constraints->earliest_s < when_s)
		constraints->earliest_s = when_s;
}

void lw_wait_for_limit(struct lw_constraints *constraints, int64_t now_s)
{
	backoff_not_before(constraints, now_s + OVER_LIMIT_S);
}

/*
 * As under stock, room is kept for a promised job if Slurm had no room for it: it is likely to
 * be there soon. Not for a job that a limit or a reservation kept from its start: it is not
 * known when that ends.
 */
static bool backoff_keeps_room(const struct lw_reading_context *context,
			       const struct lw_waiting *waiting)
{
	return lw_refusals_want_room(context->refusals, waiting->job_id, waiting->variant) &&
	       lw_promises_find(context->promises, waiting->job_id);
}

/* Has the limit given way that was the reason of the refusal? */
static bool backoff_is_within_limit(const struct lw_reading_context *context, job_record_t *job,
				    const struct lw_waiting *waiting)
{
	uint32_t nodes =
		lw_refusals_limited(context->refusals, waiting->job_id, waiting->variant);

	if (!job || !nodes || !lw_limits_allow(job, nodes))
		return false;
	lw_refusals_lift(context->refusals, waiting->job_id, waiting->variant, context->cycle);
	return true;
}

void lw_backoff_refusal(const struct lw_reader *reader, job_record_t *job,
			struct lw_waiting *waiting)
{
	const struct lw_reading_context *context = reader->context;

	if (waiting->readiness != LW_READY ||
	    !lw_refusals_holds(context->refusals, waiting->job_id, waiting->variant,
			       context->cycle) ||
	    backoff_is_within_limit(context, job, waiting))
		return;
	if (reader->bf.limits_stop)
		lw_wait_for_limit(&waiting->constraints, context->now_s);
	else if (backoff_keeps_room(context, waiting))
		backoff_not_before(&waiting->constraints, context->now_s + REFUSED_S);
	else
		waiting->readiness = LW_REFUSED;
}

static bool backoff_is_stuck(const struct lw_reader *reader, const struct lw_waiting *waiting)
{
	const struct lw_reading_context *context = reader->context;
	uint32_t job_id = waiting->job_id, variant = waiting->variant;

	return lw_refusals_stuck(context->refusals, job_id, variant) &&
	       (reader->bf.limits_stop ||
		!lw_refusals_holds(context->refusals, job_id, variant, context->cycle) ||
		lw_promises_find(context->promises, job_id));
}

bool lw_backoff_asks(const struct lw_reader *reader, const job_record_t *job,
		     const struct lw_waiting *waiting)
{
	return (reader->asked < ASKED_MIN || reader->asking_us < ASKING_US) &&
	       (lw_slurm_wants_segments(job) || backoff_is_stuck(reader, waiting));
}
