/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job that shares a GPU does after a reading: lend it, be warned, or leave. */
#include "record/tenant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The delay of the second reading before a job has to leave a GPU. */
#define SECOND_LOOK_MS 1000
/* A job that lends, and a guest, has one GPU. */
#define GPU 0

/*
 * The newest tenant leaves a full GPU if a second reading a moment later says the same: by then
 * a tenant that came just now is seen as well.
 */
static void tenant_leave_full(struct lw_shared *shared, struct lw_record *record,
			      const struct lw_tenant_hands *hands)
{
	struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };
	uint32_t gpu = 0;
	int64_t now_s;

	if (hands->wait(hands->arg, SECOND_LOOK_MS))
		return;
	now_s = hands->read(hands->arg, samples);
	if (lw_shared_judge(shared, record, now_s, samples, &gpu) != LW_GUARD_LEAVE)
		return;
	lw_shared_announce(shared, record, gpu, now_s, samples);
	hands->save(hands->arg, now_s);
	lw_shared_leave(shared, record->head.job_id);
}

static void tenant_guard_memory(struct lw_shared *shared, struct lw_record *record,
				const struct lw_tenant_hands *hands, int64_t now_s,
				const struct lw_gpu_sample *own)
{
	uint32_t gpu = 0;
	enum lw_guard_act act = lw_shared_judge(shared, record, now_s, own, &gpu);

	if (act == LW_GUARD_WARN)
		lw_shared_warn(shared, record, gpu, now_s, own);
	else if (act == LW_GUARD_LEAVE)
		tenant_leave_full(shared, record, hands);
}

static bool tenant_has_metric(const struct lw_gpu_sample *own, enum lw_metric metric)
{
	return (own->has & 1u << metric) != 0;
}

/* Have slurmctld know whether its GPU is open to guests. */
static void tenant_tell_idle(struct lw_shared *shared, int64_t now_s,
			     const struct lw_gpu_sample *own)
{
	struct lw_sharemark mark = shared->job.mark;

	mark.idle = lw_lend_is_idle(&shared->lend, mark.lend_s, now_s,
				    tenant_has_metric(own, LW_METRIC_UTIL),
				    own->value[LW_METRIC_UTIL]);
	if (mark.idle == shared->job.mark.idle || !shared->calls.put)
		return;
	if (!shared->calls.put(shared->calls.arg, &mark))
		shared->job.mark = mark;
}

/* The device's use less its own; and what the processes of others do, should that be more. */
static struct lw_guest_view tenant_view_of(const struct lw_shared *shared,
					   const struct lw_gpu_sample *own)
{
	uint32_t all = own->value[LW_METRIC_DUTIL], mine = own->value[LW_METRIC_UTIL];
	struct lw_guest_view view = {
		.neighbours = shared->neighbours[GPU].count,
		.known = tenant_has_metric(own, LW_METRIC_DUTIL) &&
			 tenant_has_metric(own, LW_METRIC_UTIL),
		.others = shared->owners.others_util,
	};

	if (all > mine && all - mine > view.others)
		view.others = all - mine;
	return view;
}

static enum lw_guest_verdict tenant_judge_guest(struct lw_shared *shared,
						const struct lw_gpu_sample *own)
{
	const struct lw_guest_view view = tenant_view_of(shared, own);

	return lw_guest_judge(&shared->blind, &view);
}

static const struct {
	const char *event, *why;
} goings[] = {
	[LW_GUEST_OWNER_WORKS] = { "left-owner", "the job whose GPU it was to use works again" },
	[LW_GUEST_OWNER_GONE] = { "left-alone", "the job whose GPU it used has ended" },
	[LW_GUEST_BLIND] = { "left-blind", "what others do on its GPU cannot be told from it" },
};

/* It stays a guest: it waits for the next GPU that an owner leaves idle. */
static void tenant_go(struct lw_shared *shared, struct lw_record *record, int64_t now_s,
		      const struct lw_gpu_sample *own, enum lw_guest_verdict verdict)
{
	char line[320];
	int rc;

	if (!shared->announced) {
		snprintf(line, sizeof(line), "leeway: this job is ended%s, since %s",
			 shared->job.can_requeue ? ", and requeued" : "", goings[verdict].why);
		lw_shared_say(shared, record, goings[verdict].event, line, now_s, own);
	}
	shared->announced = true;
	rc = shared->calls.leave ? shared->calls.leave(shared->calls.arg, &shared->job, NULL)
				 : -ENOSYS;
	shared->left = !rc;
	if (rc)
		lw_log_error(shared->log,
			     "job %" PRIu32 ": a guest, it could not be requeued: %s",
			     record->head.job_id, strerror(-rc));
}

static void tenant_be_guest(struct lw_shared *shared, struct lw_record *record,
			    const struct lw_tenant_hands *hands, const struct lw_gpu_sample *own)
{
	struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };
	enum lw_guest_verdict verdict;
	int64_t now_s;

	if (tenant_judge_guest(shared, own) == LW_GUEST_STAYS ||
	    hands->wait(hands->arg, SECOND_LOOK_MS))
		return;
	now_s = hands->read(hands->arg, samples);
	/* a tenant that came or went just now counts, too */
	lw_neighbours_look(&shared->neighbours[GPU], shared->dir, &record->head,
			   record->head.gpu[GPU].id);
	verdict = tenant_judge_guest(shared, &samples[GPU]);
	if (verdict == LW_GUEST_STAYS)
		return;
	tenant_go(shared, record, now_s, &samples[GPU], verdict);
	hands->save(hands->arg, now_s);
}

void lw_tenant_act(struct lw_shared *shared, struct lw_record *record,
		   const struct lw_tenant_hands *hands, int64_t now_s,
		   const struct lw_gpu_sample *own)
{
	tenant_guard_memory(shared, record, hands, now_s, own);
	if (shared->left || !lw_shared_knows(shared, now_s))
		return;
	if (shared->job.mark.lend_s)
		tenant_tell_idle(shared, now_s, &own[GPU]);
	else if (shared->job.mark.guest)
		tenant_be_guest(shared, record, hands, own);
}
