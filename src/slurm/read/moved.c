/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that go elsewhere, and jobs that might. */
#include "slurm/read/moved.h"

#include "base/grow.h"
#include "base/quota.h"
#include "base/stop.h"
#include "slurm/keep/leasing.h"
#include "slurm/query/account.h"
#include "slurm/query/ask.h"
#include "slurm/query/request.h"
#include "slurm/read/blocks.h"
#include "slurm/read/reader.h"
#include "slurm/read/waiting.h"

#include <errno.h>

int lw_read_kept_places(struct lw_reader *reader)
{
	const struct lw_leasing *leasing = reader->context->leasing;

	if (!leasing || !lw_moving_hold(&leasing->moving, &reader->reading->snap))
		return 0;
	return lw_error_set(reader->err, -ENOMEM, "out of memory");
}

int lw_move_to_place(struct lw_reader *reader, const job_record_t *job,
		     struct lw_waiting *waiting)
{
	const struct lw_leasing *leasing = reader->context->leasing;
	const struct lw_snapshot *snap = &reader->reading->snap;
	struct lw_bitset nodes = { 0 };
	uint32_t node;
	int rc;

	if (!leasing || !leasing->moving.count)
		return 0;
	node = lw_moving_to(&leasing->moving, snap, lw_slurm_job_id(job));
	if (node == LW_NO_NODE || !lw_bitset_test(&snap->sets[waiting->set].nodes, node))
		return 0;
	if (lw_bitset_init(&nodes, snap->node_count))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	lw_bitset_set(&nodes, node);
	rc = lw_nodeset_exactly(reader->sets, &nodes, &waiting->set, reader->err);
	lw_bitset_fini(&nodes);
	return rc;
}

/* ---- as it would wait ---- */

bool lw_again_agrees(const struct lw_reading_context *context, const job_record_t *job)
{
	const struct lw_stop_terms terms = {
		.who = context->stop_who,
		.comment = job->comment,
		.qos = job->qos_ptr ? job->qos_ptr->name : NULL,
		.partition = job->part_ptr ? job->part_ptr->name : NULL,
	};
	int64_t saves_s;

	return lw_stop_agrees(&terms, &saves_s);
}

/* Else the jobs of one user could leave no room for those of others. */
static bool moved_is_admitted(const struct lw_reading *reading, uint32_t user)
{
	uint32_t has = 0;

	for (uint32_t i = 0; i < reading->again_count; i++)
		has += reading->agains[i].waiting.user_id == user;
	return lw_quota_admits(reading->again_count, LW_LEASING_OFFERS, has);
}

bool lw_again_is_plain(const struct lw_reader *reader, const job_record_t *job)
{
	const job_details_t *details = job->details;

	return details && job->part_ptr && job->batch_flag && details->requeue &&
	       !job->het_job_id && !details->req_node_bitmap && !details->prefer &&
	       !(job->licenses && *job->licenses) && !(job->resv_name && *job->resv_name) &&
	       !job->reboot && !job->part_ptr_list && !lw_job_may_share(job, job->part_ptr) &&
	       !lw_slurm_wants_segments(job) && !lw_blocks_matter(&reader->reading->snap, job);
}

static int moved_request(struct lw_reader *reader, job_record_t *job, uint32_t nodes,
			 uint32_t most, struct lw_waiting *waiting)
{
	struct lw_reading *reading = reader->reading;
	struct lw_job_place place = { .part = job->part_ptr, .min_nodes = nodes };
	struct lw_node_counts counts;
	uint32_t first;
	int rc = lw_nodeset_of(reader->sets, job, job->part_ptr, waiting, &first, reader->err);

	if (rc)
		return rc;
	place.node = first == LW_NO_NODE ? NULL : node_record_table_ptr[first];
	if (!place.node || !lw_ask_node_counts(job, job->part_ptr, &counts) || counts.min > nodes)
		return -EBUSY;
	place.max_nodes = counts.max < most ? counts.max : most;
	lw_job_request(&reading->snap, job, &place, &waiting->request);
	waiting->request.cap = lw_caps_of(&reading->caps, job->part_ptr);
	return 0;
}

int lw_read_again(struct lw_reader *reader, job_record_t *job, uint32_t nodes, uint32_t most,
		  struct lw_waiting *waiting)
{
	job_queue_rec_t record = { .job_ptr = job,
				   .part_ptr = job->part_ptr,
				   .priority = job->priority };
	struct lw_constraints *constraints = &waiting->constraints;
	int rc = moved_request(reader, job, nodes, most, waiting);

	if (rc)
		return rc;
	lw_read_constraints(reader, &record, job, waiting);
	/* it goes where there is room */
	constraints->preempts = constraints->preempts_lower = 0;
	constraints->lower_than = 0;
	waiting->job_id = lw_slurm_job_id(job);
	waiting->user_id = job->user_id;
	waiting->account = lw_job_account(job);
	waiting->tasks = 1;
	waiting->priority = job->priority;
	waiting->submit_s = reader->context->now_s;
	waiting->begin_s = LW_NO_TIME;
	waiting->promise_s = LW_NO_TIME;
	waiting->limit_s = lw_job_limit_s(job, job->part_ptr);
	return 0;
}

static int moved_add(struct lw_reader *reader, uint32_t running, job_record_t *job)
{
	struct lw_reading *reading = reader->reading;
	struct lw_again again = { .running = running };
	int rc = lw_read_again(reader, job, 1, 1, &again.waiting);

	if (rc == -EBUSY)
		return 0;
	if (!rc && lw_grow((void **)&reading->agains, &reading->again_room,
			   reading->again_count + 1, sizeof(*reading->agains)))
		rc = lw_error_set(reader->err, -ENOMEM, "out of memory");
	if (!rc)
		reading->agains[reading->again_count++] = again;
	return rc;
}

int lw_read_agains(struct lw_reader *reader)
{
	struct lw_reading *reading = reader->reading;
	const struct lw_leasing *leasing = reader->context->leasing;
	int rc = 0;

	if (!leasing || !leasing->on || !leasing->rules.gangs || !reader->sets)
		return 0;
	for (uint32_t i = 0;
	     !rc && i < reading->snap.running_count && reading->again_count < LW_LEASING_OFFERS;
	     i++) {
		const struct lw_running *running = &reading->snap.running[i];
		job_record_t *job;

		rc = lw_session_yield_step(reader->context->session, i);
		if (rc || running->alloc_count != 1 || !running->job_id)
			continue;
		job = find_job_record(running->job_id);
		if (job && IS_JOB_RUNNING(job) && !IS_JOB_COMPLETING(job) &&
		    moved_is_admitted(reader->reading, job->user_id) &&
		    lw_again_agrees(reader->context, job) && lw_again_is_plain(reader, job))
			rc = moved_add(reader, i, job);
	}
	return rc;
}
