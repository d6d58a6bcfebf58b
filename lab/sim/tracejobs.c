/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a trace, as leeway sim runs them. */
#include "lab/sim/tracejobs.h"

#include "base/grow.h"
#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/history.h"

/* Of every partition the times asked for, and of all of them once more. */
struct request {
	uint64_t partition;
	int64_t asked_s;
};

#define ALL_PARTITIONS UINT64_MAX

struct requests {
	struct request *list; /* by partition, then rising */
	uint32_t count;
};

bool lw_tracejobs_wants(const struct lw_tracejobs_options *options, uint32_t position)
{
	return position >= options->first_job &&
	       (!options->last_job || position <= options->last_job);
}

static bool tracejobs_has(const struct lw_tracejobs *jobs, uint32_t id)
{
	uint32_t at;

	LW_SEARCH(at, jobs->count, jobs->jobs[at].id < id);
	return at < jobs->count && jobs->jobs[at].id == id;
}

int lw_tracejobs_add_after(struct lw_tracejobs *jobs, struct lw_sim_job *job,
			   enum lw_after_kind kind, uint32_t id)
{
	if (!tracejobs_has(jobs, id)) {
		jobs->afters_lost++;
		return 0;
	}
	if (lw_grow((void **)&jobs->afters, &jobs->after_room, jobs->after_count + 1,
		    sizeof(*jobs->afters)))
		return -ENOMEM;
	jobs->afters[jobs->after_count++] = (struct lw_after){ kind, id };
	job->after_count++;
	return 0;
}

void lw_tracejobs_point(struct lw_tracejobs *jobs)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < jobs->count; i++) {
		struct lw_sim_job *job = &jobs->jobs[i];

		job->afters = job->after_count ? jobs->afters + first : NULL;
		first += job->after_count;
	}
}

static uint32_t known(int32_t number)
{
	return number < 0 ? LW_HISTORY_NOBODY : (uint32_t)number;
}

static uint32_t partition_of(const struct lw_swf_job *job)
{
	return known(job->partition >= 0 ? job->partition : job->queue);
}

static int compare_requests(const void *left, const void *right)
{
	const struct request *a = left, *b = right;

	if (a->partition != b->partition)
		return a->partition < b->partition ? -1 : 1;
	return a->asked_s < b->asked_s ? -1 : a->asked_s > b->asked_s;
}

static int list_requests(struct requests *requests, const struct lw_swf *swf)
{
	requests->list = calloc(2 * (size_t)swf->job_count + 1, sizeof(*requests->list));
	if (!requests->list)
		return -ENOMEM;
	for (uint32_t i = 0; i < swf->job_count; i++) {
		const struct lw_swf_job *job = &swf->jobs[i];
		struct request request = { partition_of(job), job->requested_s };

		if (job->requested_s < 1)
			continue;
		requests->list[requests->count++] = request;
		request.partition = ALL_PARTITIONS;
		requests->list[requests->count++] = request;
	}
	qsort(requests->list, requests->count, sizeof(*requests->list), compare_requests);
	return 0;
}

/* How many requests stand before those of a partition and time. */
static uint32_t rank_of(const struct requests *requests, const struct request *request)
{
	uint32_t at;

	LW_SEARCH(at, requests->count, compare_requests(&requests->list[at], request) < 0);
	return at;
}

/*
 * The limit of a partition, as far as requests show it: the largest one allowed is always
 * popular (userlimit.h), and jobs that ask for more have permission. 0: there are no requests.
 */
static int64_t limit_of(const struct requests *requests, uint64_t partition)
{
	uint32_t first = rank_of(requests, &(struct request){ partition, 0 });
	uint32_t count = rank_of(requests, &(struct request){ partition, INT64_MAX }) - first;

	return count ? requests->list[first + count - 1 - count / 100].asked_s : 0;
}

/* 0: not known. */
static int64_t asked_s(const struct lw_swf_job *job, const struct requests *requests,
		       const struct lw_tracejobs_options *options)
{
	int64_t limit_s = job->requested_s > 0 ? job->requested_s : options->default_limit_s;

	if (!limit_s)
		limit_s = limit_of(requests, partition_of(job));
	if (!limit_s)
		limit_s = limit_of(requests, ALL_PARTITIONS);
	return limit_s;
}

static void tracejobs_take(struct lw_tracejobs *jobs, const struct lw_swf_job *from,
			   uint32_t position, const struct requests *requests,
			   const struct lw_tracejobs_options *options)
{
	int64_t asked = asked_s(from, requests, options);
	int32_t procs = from->requested_procs > 0 ? from->requested_procs : from->procs;
	struct lw_sim_job *job = &jobs->jobs[jobs->count];

	if (procs <= 0 || from->run_s < 0) {
		jobs->dropped_unknown++;
		return;
	}
	memset(job, 0, sizeof(*job));
	if (!lw_machine_request(&options->machine, (uint32_t)procs, &job->request)) {
		jobs->dropped_wide++;
		return;
	}
	job->id = position;
	job->user = known(options->group_as_user ? from->group : from->user);
	job->group = known(from->group);
	job->partition = partition_of(from);
	job->application = known(from->application);
	job->submit_s = from->submit_s;
	job->run_s = from->run_s;
	job->limit_s = asked > from->run_s ? asked : from->run_s;
	if (job->limit_s < 1)
		job->limit_s = 1;
	if (asked > 0 && asked < job->limit_s)
		job->asked_s = asked;
	jobs->limits_made += from->requested_s < 1;
	jobs->count++;
}

/* What the jobs wait for: fields 17 and 18. */
static int take_afters(struct lw_tracejobs *jobs, const struct lw_swf *swf)
{
	struct lw_swf_numbers numbers;
	int rc = lw_swf_numbers_init(&numbers, swf);

	for (uint32_t i = 0; !rc && numbers.count && i < jobs->count; i++) {
		struct lw_sim_job *job = &jobs->jobs[i];
		const struct lw_swf_job *from = &swf->jobs[job->id - 1];
		uint32_t before;

		if (from->preceding < 1)
			continue;
		before = lw_swf_numbers_before(&numbers, from->preceding, job->id - 1);
		if (before == LW_SWF_NOWHERE)
			jobs->afters_lost++;
		else
			rc = lw_tracejobs_add_after(jobs, job, LW_AFTER_ANY, before + 1);
		if (job->after_count && from->think_s > 0)
			job->think_s = from->think_s;
	}
	lw_swf_numbers_fini(&numbers);
	lw_tracejobs_point(jobs);
	return rc;
}

int lw_tracejobs_init(struct lw_tracejobs *jobs, const struct lw_swf *swf,
		      const struct lw_tracejobs_options *options)
{
	struct requests requests = { 0 };
	int rc;

	memset(jobs, 0, sizeof(*jobs));
	jobs->jobs = calloc((size_t)swf->job_count + 1, sizeof(*jobs->jobs));
	if (!jobs->jobs)
		return -ENOMEM;
	rc = list_requests(&requests, swf);
	for (uint32_t i = 0; !rc && i < swf->job_count; i++) {
		if (lw_tracejobs_wants(options, i + 1))
			tracejobs_take(jobs, &swf->jobs[i], i + 1, &requests, options);
	}
	free(requests.list);
	if (!rc)
		rc = take_afters(jobs, swf);
	if (rc)
		lw_tracejobs_fini(jobs);
	return rc;
}

void lw_tracejobs_fini(struct lw_tracejobs *jobs)
{
	free(jobs->jobs);
	free(jobs->afters);
	memset(jobs, 0, sizeof(*jobs));
}
