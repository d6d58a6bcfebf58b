/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's queue, copied into a snapshot. */
#include "slurm/read/queue.h"

#include "slurm/layout.h"
#include "slurm/query/eligible.h"
#include "slurm/read/aged.h"
#include "slurm/read/elsewhere.h"
#include "slurm/read/het.h"
#include "slurm/read/needs.h"
#include "slurm/read/reader.h"

#include <errno.h>
#include <stdlib.h>

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
 * both the array and the records, also after an error. Slurm builds the queue in one step and sorts
 * it in another: the locks cannot be given up within either.
 */
static int take_queue(struct lw_reader *reader, job_queue_rec_t ***ret_records,
		      uint32_t *ret_count)
{
	list_t *queue = build_job_queue(false, true);
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

static int note_standby(struct lw_reader *reader, job_queue_rec_t **records, uint32_t count)
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
		rc = note_standby(reader, records, count);
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

int lw_read_queue(struct lw_reader *reader)
{
	job_queue_rec_t **records;
	uint32_t count;
	int rc;

	reader->bf = lw_bfparams_of(slurm_conf.sched_params);
	rc = take_queue(reader, &records, &count);
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
	lw_nodesets_destroy(reader->sets);
	lw_lookup_fini(&reader->variants);
	for (uint32_t i = 0; i < count; i++)
		xfree(records[i]);
	free(records);
	return rc;
}
