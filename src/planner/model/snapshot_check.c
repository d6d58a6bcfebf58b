/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what must be true of all that is added to a snapshot. */
#include "planner/model/snapshot_check.h"

#include "predictor/survival.h"

#include <errno.h>
#include <inttypes.h>

/* The record that is checked: messages begin with its name. */
struct subject {
	const char *what;
	uint32_t number;
	struct lw_error *err;
};

static int check_range(const struct subject *of, const char *key, int64_t value, int64_t least,
		       int64_t most)
{
	if (value >= least && value <= most)
		return 0;
	return lw_error_set(of->err, -EINVAL, "%s %" PRIu32 ": %s: %" PRId64 " is %s %" PRId64,
			    of->what, of->number, key, value, value < least ? "below" : "above",
			    value < least ? least : most);
}

#define ANY		   INT64_MIN, INT64_MAX
#define RANGE(least, most) least, most
/* A list of counts has no range. */
#define NUMBER(field)                                                                     \
	((int64_t)_Generic((field), const uint16_t *: 0, const uint32_t *: 0, default: (field)))
/* Of one line of job.def; range becomes two words. */
#define CHECK(key, field, ...)                                                            \
	if (!rc)                                                                          \
		rc = check_range(&of, key, NUMBER(field), __VA_ARGS__);

static int check_beside(const struct subject *of, const struct lw_request *req)
{
	if (lw_request_beside(req) &&
	    (req->gpu_type == LW_GPU_ANY || req->gpus_beside[req->gpu_type] ||
	     (!req->gpus_per_node && !req->gpus_total)))
		return lw_error_set(of->err, -EINVAL, "%s %" PRIu32 ": GPUs beside what type?",
				    of->what, of->number);
	return 0;
}

static int check_request(const struct lw_snapshot *snap, struct subject of,
			 const struct lw_request *req)
{
	int rc = 0;

#define LW_REQUEST(type, name, key, absent, range) CHECK(key, req->name, range)
#include "planner/model/job.def"
	return rc ? rc : check_beside(&of, req);
}

int lw_snapshot_check_need(const struct lw_snapshot *snap, uint32_t number,
			   const struct lw_need *need, struct lw_error *err)
{
	struct subject of = { "need", number, err };
	int rc = 0;

#define LW_NEED(type, name, key, absent, range) CHECK(key, need->name, range)
#include "planner/model/job.def"
	return rc ? rc : check_request(snap, of, &need->request);
}

int lw_snapshot_check_running(const struct lw_snapshot *snap, const struct lw_running *run,
			      const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	struct subject of = { "running", run->job_id, err };
	int rc = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (allocs[i].node >= snap->node_count)
			return lw_error_set(err, -EINVAL, "running %u: no node %u", run->job_id,
					    allocs[i].node);
	}
#define LW_RUNNING(type, name, key, absent, range) CHECK(key, run->name, range)
#include "planner/model/job.def"
	return rc;
}

static int check_closed(const struct lw_snapshot *snap, const struct lw_waiting *job,
			struct lw_error *err)
{
	if (snap->resv_window_count < LW_RESV_WINDOWS_MAX &&
	    job->constraints.closed >> snap->resv_window_count)
		return lw_error_set(err, -EINVAL, "waiting %u: there are only %u closures",
				    job->job_id, snap->resv_window_count);
	return 0;
}

int lw_snapshot_check_waiting(const struct lw_snapshot *snap, const struct lw_waiting *job,
			      struct lw_error *err)
{
	struct subject of = { "waiting", job->job_id, err };
	int rc = 0;

#define LW_CLASS(type, name, key, absent, range)    CHECK(key, job->name, range)
#define LW_WAITING(type, name, key, absent, range)  CHECK(key, job->name, range)
#define LW_EXPECTED(type, name, key, absent, range) CHECK(key, job->expected.name, range)
#define LW_CONSTRAINTS(type, name, key, absent, range) CHECK(key, job->constraints.name, range)
#include "planner/model/job.def"
	if (!rc)
		rc = check_request(snap, of, &job->request);
	return rc ? rc : check_closed(snap, job, err);
}
