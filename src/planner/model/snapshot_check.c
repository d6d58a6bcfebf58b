/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what must be true of all that is added to a snapshot. */
#include "planner/model/snapshot_check.h"

#include <errno.h>
#include <inttypes.h>

#include "predictor/stay.h"

int lw_snapshot_check_request(const struct lw_snapshot *snap, const char *what, uint32_t number,
			      uint32_t set, const struct lw_request *req, struct lw_error *err)
{
	if (set >= snap->set_count)
		return lw_error_set(err, -EINVAL, "%s %u: no set %u", what, number, set);
	if (req->cap > LW_CAPS_MAX)
		return lw_error_set(err, -EINVAL, "%s %u: no cap %u", what, number, req->cap);
	if (req->nodes_min < 1 || req->nodes_max < req->nodes_min)
		return lw_error_set(err, -EINVAL, "%s %u: nodes %u-%u", what, number,
				    req->nodes_min, req->nodes_max);
	if (req->gpu_type < LW_GPU_ANY || req->gpu_type >= (int)snap->gpu_type_count)
		return lw_error_set(err, -EINVAL, "%s %u: no GPU type %d", what, number,
				    req->gpu_type);
	if (lw_request_beside(req) &&
	    (req->gpu_type == LW_GPU_ANY || req->gpus_beside[req->gpu_type] ||
	     (!req->gpus_per_node && !req->gpus_total)))
		return lw_error_set(err, -EINVAL, "%s %u: GPUs beside what type?", what, number);
	return 0;
}

static int check_terms(const struct lw_snapshot *snap, const struct lw_waiting *job,
		       struct lw_error *err)
{
	const struct lw_terms *terms = &job->terms;

	if (terms->bundle > snap->bundle_count)
		return lw_error_set(err, -EINVAL, "waiting %u: no needs %u", job->job_id,
				    terms->bundle);
	if (snap->closure_count < LW_CLOSURES_MAX && terms->closed >> snap->closure_count)
		return lw_error_set(err, -EINVAL, "waiting %u: there are only %u closures",
				    job->job_id, snap->closure_count);
	return 0;
}

int lw_snapshot_check_allocs(const struct lw_snapshot *snap, const struct lw_running *job,
			     const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	for (uint32_t i = 0; i < count; i++) {
		if (allocs[i].node >= snap->node_count)
			return lw_error_set(err, -EINVAL, "running %u: no node %u", job->job_id,
					    allocs[i].node);
	}
	if (job->kind >= LW_KINDS_MAX)
		return lw_error_set(err, -EINVAL, "running %u: kind %u is above %d", job->job_id,
				    job->kind, LW_KINDS_MAX - 1);
	if (job->expect_s < 0)
		return lw_error_set(err, -EINVAL, "running %u: expected to run less than 0 s",
				    job->job_id);
	return 0;
}

/* Each field a planner relies on, so that it never has to ask again. */
int lw_snapshot_check_waiting(const struct lw_snapshot *snap, const struct lw_waiting *job,
			      struct lw_error *err)
{
	int rc = lw_snapshot_check_request(snap, "waiting", job->job_id, job->set, &job->request,
					   err);

	if (!rc)
		rc = check_terms(snap, job, err);
	if (rc)
		return rc;
	if (job->limit_s < 1)
		return lw_error_set(err, -EINVAL, "waiting %u: limit below one second",
				    job->job_id);
	if (job->tasks < 1)
		return lw_error_set(err, -EINVAL, "waiting %u: no tasks", job->job_id);
	if (job->terms.kind >= LW_KINDS_MAX)
		return lw_error_set(err, -EINVAL, "waiting %u: kind %u is above %d", job->job_id,
				    job->terms.kind, LW_KINDS_MAX - 1);
	if (job->expect_s < 0 || job->expect_s > job->limit_s)
		return lw_error_set(err, -EINVAL, "waiting %u: expected beyond its limit",
				    job->job_id);
	if (job->rank_s < 0 || job->rank_s > lw_waiting_expect_s(job))
		return lw_error_set(err, -EINVAL, "waiting %u: rank beyond what is expected",
				    job->job_id);
	if (job->tail_ms < 0 || job->tail_ms / 1000 > LW_TAIL_S)
		return lw_error_set(err, -EINVAL, "waiting %u: tail of %" PRId64 " ms",
				    job->job_id, job->tail_ms);
	return 0;
}
