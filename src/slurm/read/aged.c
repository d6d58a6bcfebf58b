/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the age of jobs that Slurm takes for younger than they are. */

/*
 * Slurm's own function sorts the queue, so that preemption, reservations and tiers count as they
 * do for Slurm. It looks at the priorities in the records of the queue and of the jobs: these are
 * lent what is missing for as long as it takes. The locks are not given up meanwhile.
 */

#include "slurm/read/aged.h"

#include "base/grow.h"
#include "slurm/keep/failures.h"
#include "slurm/keep/leasing.h"
#include "slurm/keep/since.h"
#include "slurm/keep/stops.h"
#include "slurm/query/request.h"
#include "slurm/read/reader.h"

#include <stdlib.h>

struct lent {
	uint32_t *priority;
	uint32_t was;
};

struct lending {
	const struct lw_reader *reader;
	struct lw_age age;
	struct lent *items;
	uint32_t count, room;
	struct lw_lookup jobs; /* jobs with their own record changed */
	uint32_t promised;     /* the lowest priority of a job with a promise */
	bool any; /* a job lost a node, was stopped, or has the room of one that was */
	struct aged_promise *promises; /* of jobs that were not stopped */
	uint32_t promise_count, promise_room;
};

struct aged_promise {
	int64_t made_s;
	uint32_t priority;
	uint32_t array_id; /* 0: it is no array */
};

int64_t lw_submitted_s(const struct lw_reader *reader, const job_record_t *job)
{
	struct lw_since *since = reader->context->since;
	int64_t since_s = job->details->submit_time;

	if (!since)
		return since_s;
	since_s = lw_since_of(since, lw_slurm_job_id(job), since_s, job->restart_cnt > 0);
	return since_s < reader->context->now_s ? since_s : reader->context->now_s;
}

/* Is Slurm late in counting its age? */
static bool aged_is_late(const job_record_t *job)
{
	const char *depended = job->details->orig_dependency;

	return (depended && *depended) || (job->array_recs && job->array_recs->max_run_tasks);
}

/* Is it to count from its submission: a long link of a chain, or a job that was requeued? */
static bool aged_is_older(const struct lw_reader *reader, const job_queue_rec_t *record,
			  const job_record_t *job)
{
	if (job->restart_cnt)
		return true;
	return aged_is_late(job) && record->part_ptr &&
	       lw_job_limit_s(job, record->part_ptr) >= reader->context->chain_min_s;
}

static void aged_set(struct lending *lending, uint32_t *priority, uint32_t value)
{
	if (lw_grow((void **)&lending->items, &lending->room, lending->count + 1,
		    sizeof(*lending->items)))
		return;
	lending->items[lending->count++] =
		(struct lent){ .priority = priority, .was = *priority };
	*priority = value;
}

static void aged_lend(struct lending *lending, uint32_t *priority, uint32_t missing)
{
	aged_set(lending, priority,
		 missing < UINT32_MAX - *priority ? *priority + missing : UINT32_MAX);
}

static int aged_lend_to(void *x, void *arg)
{
	job_queue_rec_t *record = x;
	job_record_t *job = record->job_ptr;
	struct lending *lending = arg;
	uint32_t missing, ignored;

	if (!job || !job->details || job->direct_set_prio || job->het_job_id ||
	    !aged_is_older(lending->reader, record, job))
		return 0;
	missing = lw_age_missing(&lending->age, lending->reader->context->now_s,
				 lw_submitted_s(lending->reader, job),
				 job->details->accrue_time);
	if (!missing)
		return 0;
	aged_lend(lending, &record->priority, missing);
	if (!lw_lookup_get(&lending->jobs, lw_slurm_job_id(job), &ignored) &&
	    !lw_lookup_put(&lending->jobs, lw_slurm_job_id(job), 0))
		aged_lend(lending, &job->priority, missing);
	return 0;
}

/* Was it stopped, and has it let others go first for long enough, or a place of its own? */
static bool aged_is_due(const struct lw_reader *reader, const job_record_t *job)
{
	const struct lw_stop *stop = lw_stops_find(reader->context->stops, lw_slurm_job_id(job));
	const struct lw_stop_size size = lw_job_size(job);

	return stop && job->priority && lw_stop_goes_first(stop, &size, reader->context->now_s);
}

/* Has a job left that was stopped for it? */
static bool aged_has_room(const struct lw_reader *reader, const job_record_t *job)
{
	const struct lw_reading_context *context = reader->context;
	const struct lw_stop_size size = lw_job_size(job);

	return job->priority &&
	       lw_leasing_goes_first(context->leasing, context->stops, lw_slurm_job_id(job), &size);
}

bool lw_goes_first(const struct lw_reader *reader, const job_record_t *job)
{
	const struct lw_failure *failure =
		lw_failures_find(reader->context->failures, lw_slurm_job_id(job));

	return (failure && failure->first) || aged_is_due(reader, job) ||
	       aged_has_room(reader, job);
}

/* Was it stopped, has not started since, and is to come back behind promised jobs? */
static bool aged_is_out(const struct lw_reader *reader, const job_record_t *job)
{
	const struct lw_stop *stop = lw_stops_find(reader->context->stops, lw_slurm_job_id(job));

	return stop && lw_stop_is_out(stop) && !reader->context->due_first;
}

/* Without memory a stopped job may pass a promised one. */
static void aged_note_promise(struct lending *lending, int64_t made_s,
			      const job_queue_rec_t *record)
{
	if (lw_grow((void **)&lending->promises, &lending->promise_room,
		    lending->promise_count + 1, sizeof(*lending->promises)))
		return;
	lending->promises[lending->promise_count++] = (struct aged_promise){
		made_s, record->priority, record->job_ptr->array_job_id };
}

/*
 * Whether a job goes first, and the lowest priority of another one with a promise: a promise of
 * its own would leave it where the requeue has put it.
 */
static int aged_look(void *x, void *arg)
{
	const job_queue_rec_t *record = x;
	struct lending *lending = arg;
	const struct lw_reading_context *context = lending->reader->context;
	const struct lw_promise *promise;
	bool first, out;

	if (!record->job_ptr)
		return 0;
	promise = lw_promises_find(context->promises, lw_slurm_job_id(record->job_ptr));
	first = lw_goes_first(lending->reader, record->job_ptr);
	out = aged_is_out(lending->reader, record->job_ptr);
	lending->any |= first || out;
	if (promise && !first && record->priority < lending->promised)
		lending->promised = record->priority;
	if (promise && !out)
		aged_note_promise(lending, promise->made_s, record);
	return 0;
}

static void aged_raise(struct lending *lending, uint32_t *priority)
{
	if (*priority < lending->promised)
		aged_lend(lending, priority, lending->promised - *priority - 1);
}

/*
 * Does PROMISE go before JOB, which has OWN or none? Not if both are of one array: with a limit on
 * its tasks the other ones would keep JOB from running until they end.
 */
static bool aged_is_before(const struct aged_promise *promise, const struct lw_promise *own,
			   const job_record_t *job)
{
	return (!own || promise->made_s <= own->made_s) &&
	       (!promise->array_id || promise->array_id != job->array_job_id);
}

/* The lowest priority of the jobs that were promised a start before JOB was. */
static uint32_t aged_promised_before(const struct lending *lending, const job_record_t *job)
{
	const struct lw_promise *own = lw_promises_find(lending->reader->context->promises,
							lw_slurm_job_id(job));
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < lending->promise_count; i++)
		if (aged_is_before(&lending->promises[i], own, job) &&
		    lending->promises[i].priority < least)
			least = lending->promises[i].priority;
	return least;
}

static void aged_lower(struct lending *lending, uint32_t *priority, uint32_t least)
{
	if (*priority >= least && least > 1)
		aged_set(lending, priority, least - 1);
}

/*
 * A job that goes first does so behind the promised jobs, and before all others. One that was
 * stopped comes back behind what was promised meanwhile, however old it is.
 */
static int aged_place(void *x, void *arg)
{
	job_queue_rec_t *record = x;
	struct lending *lending = arg;
	uint32_t least;

	if (!record->job_ptr)
		return 0;
	if (lw_goes_first(lending->reader, record->job_ptr)) {
		aged_raise(lending, &record->priority);
		aged_raise(lending, &record->job_ptr->priority);
	}
	if (!aged_is_out(lending->reader, record->job_ptr))
		return 0;
	least = aged_promised_before(lending, record->job_ptr);
	aged_lower(lending, &record->priority, least);
	aged_lower(lending, &record->job_ptr->priority, least);
	return 0;
}

static void aged_place_all(struct lending *lending, list_t *queue)
{
	const struct lw_reading_context *context = lending->reader->context;

	if (!lw_failures_count(context->failures) && !lw_stops_count(context->stops))
		return;
	list_for_each(queue, aged_look, lending);
	if (lending->any)
		list_for_each(queue, aged_place, lending);
}

void lw_sort_by_age(struct lw_reader *reader, list_t *queue)
{
	struct lending lending = {
		.reader = reader,
		.age = { slurm_conf.priority_weight_age, slurm_conf.priority_max_age },
		.promised = UINT32_MAX,
	};

	if (reader->context->chain && lending.age.weight &&
	    !xstrcmp(slurm_conf.priority_type, "priority/multifactor"))
		list_for_each(queue, aged_lend_to, &lending);
	aged_place_all(&lending, queue);
	sort_job_queue(queue);
	while (lending.count) {
		const struct lent *lent = &lending.items[--lending.count];

		*lent->priority = lent->was;
	}
	free(lending.items);
	free(lending.promises);
	lw_lookup_fini(&lending.jobs);
}
