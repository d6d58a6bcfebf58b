/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */

/*
 * A reading copies. It writes to Slurm's records only what stock writes at the same place: why a
 * job may not start (waiting.c, ready.c). It holds Slurm's locks, but gives them up for a moment
 * between its parts, and within long parts. Slurm decides the order of the queue and which jobs
 * may start at all (held, dependent, begin time): the queue comes from build_job_queue() and
 * sort_job_queue(). Only jobs that wait for the end of a running job are added (follow.c).
 */

#include "slurm/read/caps.h"
#include "slurm/read/read.h"

#include "base/grow.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/marking.h"
#include "slurm/layout.h"
#include "slurm/query/canary.h"
#include "slurm/query/eligible.h"
#include "slurm/read/aged.h"
#include "slurm/read/elsewhere.h"
#include "slurm/read/het.h"
#include "slurm/read/learn.h"
#include "slurm/read/moved.h"
#include "slurm/read/needs.h"
#include "slurm/read/nodes.h"
#include "slurm/read/running.h"
#include "slurm/read/sized.h"
#include "slurm/read/sizes.h"
#include "slurm/read/stockplans.h"
#include "slurm/read/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_reading_init(struct lw_reading *reading)
{
	memset(reading, 0, sizeof(*reading));
}

void lw_reading_fini(struct lw_reading *reading)
{
	lw_snapshot_fini(&reading->snap);
	lw_caps_fini(&reading->caps);
	lw_lookup_fini(&reading->said);
	lw_lookup_fini(&reading->slower);
	free(reading->growers);
	lw_lookup_fini(&reading->leaving);
	for (uint32_t i = 0; i < reading->name_count; i++)
		free(reading->names[i]);
	free(reading->names);
	free(reading->tickets);
	free(reading->parts);
	free(reading->kinds);
	free(reading->stretches);
	free(reading->elsewhere);
	free(reading->agains);
	memset(reading, 0, sizeof(*reading));
}

const char *lw_read_name(struct lw_reading *reading, const char *name)
{
	char *copy;

	for (uint32_t i = 0; i < reading->name_count; i++) {
		if (!strcmp(reading->names[i], name))
			return reading->names[i];
	}
	copy = strdup(name);
	if (!copy || lw_grow((void **)&reading->names, &reading->name_room,
			     reading->name_count + 1, sizeof(*reading->names))) {
		free(copy);
		return NULL;
	}
	reading->names[reading->name_count++] = copy;
	return copy;
}

static int read_settle_started(void *x, void *arg)
{
	lw_settle_started(arg, x);
	return 0;
}

static bool read_still_waits(void *arg, uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	(void)arg;
	if (job)
		lw_marking_off(job);
	return job && IS_JOB_PENDING(job);
}

/*
 * A job with a promise, or a task of an array with one, may have started after the started jobs
 * were read and before the queue was: then it is in neither.
 */
static void read_end_promises(struct lw_reader *reader)
{
	struct lw_promises *promises = reader->context->promises;

	if (lw_promises_any_unseen(promises))
		list_for_each(job_list, read_settle_started, reader);
	lw_promises_end(promises, read_still_waits, NULL);
}

static int read_record(struct lw_reader *reader, job_queue_rec_t *record, struct lw_needs *needs)
{
	struct lw_component component;
	int rc;

	if (!lw_still_waits(record))
		return 0;
	rc = lw_read_component(reader, record, &component);
	needs->count = 0;
	return rc ? rc : lw_add_component(reader, &component, needs);
}

/*
 * Slurm's queue as an array, without records that say too little to be planned. The caller frees
 * both the array and the records, also after an error. Slurm builds the queue in one step and
 * sorts it in another: the locks cannot be given up within either.
 */
static int read_take_queue(struct lw_reader *reader, job_queue_rec_t ***ret_records,
			   uint32_t *ret_count)
{
	/* as backfill it would forget the array tasks that stock's own cycle has planned */
	list_t *queue = build_job_queue(false, !reader->context->beside_stock);
	/* in the same step, and before it is counted */
	int rc = lw_follows_find(reader, queue);
	job_queue_rec_t **records = calloc((size_t)list_count(queue) + 1, sizeof(*records));
	job_queue_rec_t *record;
	uint32_t count = 0, taken = 0;

	if (!rc && !records)
		rc = lw_error_set(reader->err, -ENOMEM, "out of memory");
	if (!rc)
		rc = lw_session_yield(reader->context->session);
	if (!rc) {
		lw_sort_by_age(reader, queue);
		rc = lw_session_yield(reader->context->session);
	}
	while (records && (record = list_pop(queue))) {
		const job_record_t *job = record->job_ptr;

		if (!rc)
			rc = lw_session_yield_step(reader->context->session, ++taken);
		rc = rc ? rc
			: lw_layout_check_record("a queue record", record, sizeof(*record),
						 reader->err);
		if (!rc && job && job->details && record->part_ptr &&
		    lw_canary_has(&reader->context->canary, job) &&
		    lw_follows_take(&reader->follows, job))
			records[count++] = record;
		else
			xfree(record);
	}
	FREE_NULL_LIST(queue);
	*ret_records = records;
	*ret_count = count;
	return rc;
}

static int read_note_standby(struct lw_reader *reader, job_queue_rec_t **records, uint32_t count)
{
	int rc = 0;

	if (!slurm_preemption_enabled())
		return 0;
	for (uint32_t i = 0; !rc && i < count; i++) {
		rc = lw_session_yield(reader->context->session);
		if (!rc && lw_still_waits(records[i]))
			lw_preempt_classes_note_standby(&reader->kinds, records[i]);
	}
	return rc;
}

static int read_records(struct lw_reader *reader, job_queue_rec_t **records, uint32_t count)
{
	struct lw_hets hets = { 0 };
	struct lw_needs needs = { 0 };
	int rc = lw_hets_find(&hets, records, count, reader->bf.hetjob_first);

	if (rc)
		lw_error_set(reader->err, rc, "out of memory");
	if (!rc)
		rc = read_note_standby(reader, records, count);
	for (uint32_t i = 0; !rc && i < count; i++) {
		rc = lw_session_yield(reader->context->session);
		if (rc)
			break;
		if (records[i]->job_ptr->het_job_id)
			rc = lw_hets_add(&hets, reader, records, i, &needs);
		else
			rc = read_record(reader, records[i], &needs);
	}
	free(needs.items);
	lw_hets_fini(&hets);
	return rc;
}

/*
 * Add the waiting jobs, in Slurm's own order, to the snapshot, which has everything else. Needs
 * LW_LOCKS_ALL, which the hold of the context gives up now and then. 0, -ENOMEM, -EINVAL or
 * -EBADMSG with the walker's error, or what lw_session_yield() says.
 */
static int read_queue(struct lw_reader *reader)
{
	job_queue_rec_t **records;
	uint32_t count;
	int rc;

	reader->bf = lw_bfparams_of(slurm_conf.sched_params);
	rc = read_take_queue(reader, &records, &count);
	if (!rc) {
		rc = lw_nodesets_create(&reader->reading->snap, &reader->resv_windows,
					&reader->sets);
		if (rc)
			lw_error_set(reader->err, rc, "out of memory");
	}
	if (!rc)
		rc = read_records(reader, records, count);
	if (!rc)
		rc = lw_read_elsewhere(reader);
	if (!rc)
		rc = lw_read_agains(reader);
	if (!rc)
		rc = lw_sized_growers(reader);
	lw_nodesets_destroy(reader->sets);
	lw_lookup_fini(&reader->variants);
	for (uint32_t i = 0; i < count; i++)
		xfree(records[i]);
	free(records);
	return rc;
}

/* A job with several records counts once, an array by one task. */
static uint32_t read_count_ready(const struct lw_snapshot *snap)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snap->waiting_count; i++)
		count += snap->waiting[i].readiness == LW_READY && !snap->waiting[i].never &&
			 !snap->waiting[i].variant;
	return count;
}

int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err)
{
	struct lw_reader reader = { .reading = reading, .context = context, .err = err };
	int rc;

	lw_snapshot_init(&reading->snap, context->now_s);
	reading->nodes = context->session->nodes;
	lw_promises_begin(context->promises);
	if (context->learn)
		lw_learn_begin(context->learn, context->now_s);
	rc = lw_read_nodes(&reader);
	if (!rc)
		rc = lw_session_yield(context->session);
	if (!rc)
		rc = lw_read_running(&reader);
	if (!rc)
		rc = lw_block_nodes(&reader);
	if (!rc)
		rc = lw_read_kept_places(&reader);
	if (!rc)
		rc = lw_resv_windows_read(&reader.resv_windows, &reading->snap, err);
	if (!rc)
		rc = lw_stockplans_read(context->stockplans, &context->canary, &reading->snap, err);
	if (!rc)
		rc = lw_user_nodes_read(&reader.owners, &reading->snap, err);
	/* Slurm builds its queue in one step, the longest of all */
	if (!rc)
		rc = lw_session_yield_early(context->session);
	if (!rc)
		rc = read_queue(&reader);
	if (!rc) {
		read_end_promises(&reader);
		context->sizes->ready = read_count_ready(&reading->snap);
	}
	lw_licences_fini(&reader.licences);
	lw_shards_fini(&reader.shards);
	lw_tenancies_fini(&reader.tenancies);
	lw_preempt_classes_fini(&reader.kinds);
	lw_follows_fini(&reader.follows);
	lw_user_nodes_fini(&reader.owners);
	free(reader.used);
	free(reader.allocs);
	return rc;
}
