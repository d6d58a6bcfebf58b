/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */

/*
 * A reading copies. It writes to Slurm's records only what stock writes at the same place: why a
 * job may not start (waiting.c, ready.c). It holds Slurm's locks, but gives them up for a moment
 * between its parts, and within long parts. Slurm decides the order of the queue and which jobs
 * may start at all (held, dependent, begin time): the queue comes from build_job_queue() and
 * sort_job_queue(). Only jobs that wait for the end of a running job are added (follow.c).
 */

#include "slurm/read/read.h"

#include "slurm/compat/compat.h"
#include "slurm/keep/marking.h"
#include "slurm/read/learn.h"
#include "slurm/read/nodes.h"
#include "slurm/read/queue.h"
#include "slurm/read/running.h"
#include "slurm/read/reader.h"

#include <stdlib.h>
#include <string.h>

void lw_reading_init(struct lw_reading *reading)
{
	memset(reading, 0, sizeof(*reading));
}

void lw_reading_fini(struct lw_reading *reading)
{
	lw_snapshot_fini(&reading->snap);
	for (uint32_t i = 0; i < reading->name_count; i++)
		free(reading->names[i]);
	free(reading->names);
	free(reading->tickets);
	free(reading->parts);
	free(reading->kinds);
	free(reading->stretches);
	free(reading->elsewhere);
	memset(reading, 0, sizeof(*reading));
}

static int settle_started(void *x, void *arg)
{
	lw_settle_started(arg, x);
	return 0;
}

static bool still_waits(void *arg, uint32_t job_id)
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
static void end_promises(struct lw_reader *reader)
{
	struct lw_promises *promises = reader->context->promises;

	if (lw_promises_any_unseen(promises))
		list_for_each(job_list, settle_started, reader);
	lw_promises_end(promises, still_waits, NULL);
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
		rc = lw_resv_windows_read(&reader.resv_windows, &reading->snap, err);
	if (!rc)
		rc = lw_user_nodes_read(&reader.owners, &reading->snap, err);
	/* Slurm builds its queue in one step, the longest of all */
	if (!rc)
		rc = lw_session_yield_early(context->session);
	if (!rc)
		rc = lw_read_queue(&reader);
	if (!rc)
		end_promises(&reader);
	lw_licences_fini(&reader.licences);
	lw_shards_fini(&reader.shards);
	lw_tenancies_fini(&reader.tenancies);
	lw_preempt_classes_fini(&reader.kinds);
	lw_caps_fini(&reader.caps);
	lw_follows_fini(&reader.follows);
	lw_user_nodes_fini(&reader.owners);
	free(reader.used);
	free(reader.allocs);
	return rc;
}
