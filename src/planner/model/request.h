/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the amounts that a job asks for. */
#ifndef LW_PLANNER_REQUEST_H
#define LW_PLANNER_REQUEST_H

#include "planner/model/field.h"

/*
 * What a job asks for. A node can serve it if the per-node amounts are free; the job can start
 * if nodes_min .. nodes_max such nodes together have the totals. A total of 0 is no requirement.
 */
struct lw_request {
#define LW_REQUEST LW_MEMBER
#include "planner/model/job.def"
};

/* Do both ask for the same? */
bool lw_request_equal(const struct lw_request *a, const struct lw_request *b);

/* How many GPUs per node REQ wants besides those of its gpu_type. */
static inline uint32_t lw_request_beside(const struct lw_request *req)
{
	uint32_t sum = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		sum += req->gpus_beside[type];
	return sum;
}

/* May REQ fit on nodes that have SUM together? False: it cannot. */
static inline bool lw_request_may_fit(const struct lw_request *req, const struct lw_res_sum *sum)
{
	return (uint64_t)req->nodes_min * req->cpus_per_node <= sum->cpus &&
	       (uint64_t)req->nodes_min * req->gpus_per_node <= sum->gpus &&
	       req->cpus_total <= sum->cpus && req->gpus_total <= sum->gpus;
}

/* Does FREE lack any of these GPUs? Called for every node: no branches. */
static inline bool lw_res_lacks_beside(const struct lw_res *free, const struct lw_request *req)
{
	uint16_t lacks = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		lacks |= req->gpus_beside[type] > free->gpus[type];
	return lacks;
}

/* How many CPUs of FREE may REQ have? */
static inline uint32_t lw_res_cpus_for(const struct lw_res *free, const struct lw_request *req)
{
	return req->cap && free->capped[req->cap - 1] < free->cpus ? free->capped[req->cap - 1]
								   : free->cpus;
}

/* Can REQ, which wants whole nodes, never have one of the size TOTAL because of its cap? */
static inline bool lw_res_capped_below(const struct lw_res *total, const struct lw_request *req)
{
	return req->exclusive && lw_res_cpus_for(total, req) < total->cpus;
}

#endif
