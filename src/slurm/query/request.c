/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a Slurm job asks for, as a request of the planner. */

/*
 * Amounts only. A node that has the amounts may still be refused by Slurm for a
 * reason the planner does not model; the refusal then comes back in the next
 * snapshot.
 */

#include "slurm/query/request.h"

#include "slurm/query/amounts.h"
#include "slurm/query/cores.h"

#include <string.h>

static uint32_t request_narrow(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* GPUs that a job wants, added up over its gres records: one for each type. */
struct gpu_wish {
	struct lw_snapshot *snap;
	const job_record_t *job;
	const node_record_t *node;
	struct lw_request *req;
	bool known;	   /* REQ has what the first record wants */
	uint64_t per_task; /* of the first type */
	uint64_t on_node, in_all; /* of all types */
	uint64_t cpus_per_gpu, mem_per_gpu_mib;
	uint64_t parts_per_node, parts_per_job, parts_per_task;
};

/* Shards or MPS shares; Slurm refuses a job that wants GPUs beside them. */
static void request_add_parts_wish(const gres_job_state_t *state, struct gpu_wish *wish)
{
	wish->parts_per_node += state->gres_per_node;
	wish->parts_per_job += state->gres_per_job;
	wish->parts_per_task += state->gres_per_task;
}

static uint32_t request_round_up(uint64_t value, uint32_t unit)
{
	return request_narrow((value + unit - 1) / unit * unit);
}

/* What tasks want: per node if their number on one is known, otherwise in all. */
static void request_add_up_tasks(uint64_t per_task, const job_details_t *details,
				 uint64_t *per_node, uint64_t *total)
{
	if (per_task && details->ntasks_per_node)
		*per_node = per_task * details->ntasks_per_node;
	else if (per_task)
		*total = per_task * (details->num_tasks ? details->num_tasks : 1);
}

/* What a node gives at least; of a total over several nodes each gives at least one. */
static uint64_t request_least_of_node(uint64_t per_node, uint64_t total,
				      const struct lw_request *req)
{
	if (total && req->nodes_max == 1 && per_node < total)
		return total;
	return total && !per_node ? 1 : per_node;
}

static uint32_t request_sockets_wanted(const job_record_t *job, const node_record_t *node)
{
	const multi_core_data_t *cores = job->details->mc_ptr;

	if (cores && cores->sockets_per_node != NO_VAL16 && cores->sockets_per_node)
		return cores->sockets_per_node;
	return node->tot_sockets ? node->tot_sockets : 1;
}

/* GPUs of one type: at least as many per node, *RET_TOTAL for the job unless that is 0. */
static uint16_t request_gpus_of_node(const struct gpu_wish *wish, const gres_job_state_t *state,
				     uint32_t *ret_total)
{
	uint64_t per_node = state->gres_per_node, total = state->gres_per_job;

	request_add_up_tasks(state->gres_per_task, wish->job->details, &per_node, &total);
	if (state->gres_per_socket)
		per_node = state->gres_per_socket * request_sockets_wanted(wish->job, wish->node);
	per_node = request_least_of_node(per_node, total, wish->req);
	if (total && state->gres_per_task > per_node)
		per_node = state->gres_per_task;
	*ret_total = request_narrow(total);
	return per_node < UINT16_MAX ? (uint16_t)per_node : UINT16_MAX;
}

static uint16_t request_add_up(uint16_t a, uint16_t b)
{
	return a > UINT16_MAX - b ? UINT16_MAX : (uint16_t)(a + b);
}

/* GPUs of one more type. Of a total, each node is planned to give the least possible number. */
static void request_add_beside(struct lw_request *req, int type, uint16_t per_node,
			       uint32_t total)
{
	if (type < 0 || req->gpu_type < 0) /* Slurm refuses a job that names only some types */
		return;
	if (type != req->gpu_type) {
		req->gpus_beside[type] = request_add_up(req->gpus_beside[type], per_node);
		return;
	}
	/* types that the planner does not tell apart */
	req->gpus_per_node = request_add_up(req->gpus_per_node, per_node);
	req->gpus_total += total;
}

/* CPUs that come with each GPU: requested ones, those of its tasks, or the site's. */
static uint64_t request_cpus_of_gpu(const gres_job_state_t *state, const job_details_t *details)
{
	uint64_t tasks = state->ntasks_per_gres != NO_VAL16 ? state->ntasks_per_gres : 0;

	if (state->cpus_per_gres)
		return state->cpus_per_gres;
	return tasks ? tasks * details->cpus_per_task : state->def_cpus_per_gres;
}

static int request_add_wish(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct gpu_wish *wish = arg;
	struct lw_request *req = wish->req;
	const gres_job_state_t *state = gres->gres_data;
	int type = LW_GPU_ANY;
	uint16_t per_node;
	uint32_t total;

	if (lw_gres_is_part(gres))
		request_add_parts_wish(state, wish);
	if (!lw_gres_is_gpu(gres))
		return 0;
	per_node = request_gpus_of_node(wish, state, &total);
	if (state->type_name)
		type = lw_snapshot_some_gpu_type(wish->snap, state->type_name);
	wish->on_node += per_node;
	wish->in_all += total;
	if (wish->known) {
		request_add_beside(req, type, per_node, total);
		return 0;
	}
	wish->known = per_node;
	req->gpus_per_node = per_node;
	req->gpus_total = total;
	req->gpu_type = (int8_t)(type >= 0 ? type : LW_GPU_ANY);
	wish->per_task = state->gres_per_task;
	wish->cpus_per_gpu = request_cpus_of_gpu(state, wish->job->details);
	wish->mem_per_gpu_mib =
		state->mem_per_gres ? state->mem_per_gres : state->def_mem_per_gres;
	return 0;
}

static void request_set_parts(const struct gpu_wish *wish, const job_record_t *job,
			      struct lw_request *req)
{
	uint64_t per_node = wish->parts_per_node, total = wish->parts_per_job;

	request_add_up_tasks(wish->parts_per_task, job->details, &per_node, &total);
	req->parts_per_node = request_narrow(request_least_of_node(per_node, total, req));
}

bool lw_job_may_share(const job_record_t *job, const part_record_t *part)
{
	uint16_t jobs = part->max_share & (uint16_t)~SHARED_FORCE;

	if (jobs < 2 || (job->details->whole_node & WHOLE_NODE_REQUIRED))
		return false;
	return (part->max_share & SHARED_FORCE) || job->details->share_res == 1;
}

/*
 * With --core-spec, which Slurm keeps only if AllowSpecResourcesUsage is set, a job has whole
 * nodes, with the cores that are kept from other jobs. Converts what it wants of all cores into
 * cores that can be seen.
 */
static uint64_t request_in_sight(uint64_t cpus, const job_record_t *job,
				 const node_record_t *node)
{
	if (job->details->core_spec == NO_VAL16 || node->cpus_efctv >= node->cpus)
		return cpus;
	return (cpus * node->cpus_efctv + node->cpus - 1) / node->cpus;
}

/*
 * A total that the nodes reach with what each gives adds nothing, so it is dropped. Without a
 * total, and without a requested range of nodes, the fewest nodes are enough.
 */
static void request_drop_reached_total(const job_record_t *job, struct lw_request *req)
{
	uint64_t reached = (uint64_t)req->cpus_per_node * req->nodes_min;

	if (req->cpus_total < reached ||
	    (req->cpus_total == reached && req->nodes_max == req->nodes_min))
		req->cpus_total = 0;
	if (!req->cpus_total && !req->gpus_total && !job->details->max_nodes)
		req->nodes_max = req->nodes_min;
}

/* As many nodes as TOTAL CPUs need if each node gives MOST. */
static void request_count_nodes(uint64_t total, uint64_t most, struct lw_request *req)
{
	uint64_t nodes = most ? (total + most - 1) / most : 0;

	if (nodes > req->nodes_min)
		req->nodes_min = nodes < req->nodes_max ? (uint32_t)nodes : req->nodes_max;
}

/*
 * Of a node that gives these GPUs, Slurm takes only the CPUs that come with them, in whole
 * cores.
 */
static uint64_t request_cpus_of_gpus(const struct gpu_wish *wish, uint64_t per_node,
				     uint32_t unit)
{
	uint64_t most = request_round_up(wish->cpus_per_gpu, unit) * wish->on_node;

	if (wish->req->gpus_total)
		return 0;
	return most && most < per_node ? per_node : most;
}

static void request_set_cpus(const struct gpu_wish *wish, const job_record_t *job,
			     const part_record_t *part, const node_record_t *node,
			     uint32_t most_cpus, struct lw_request *req)
{
	const job_details_t *details = job->details;
	uint32_t unit = lw_cores_unit(part, node);
	uint32_t per_task = details->cpus_per_task ? details->cpus_per_task : 1;
	uint64_t per_node = per_task, total;

	if (details->ntasks_per_node && details->ntasks_per_node != NO_VAL16)
		per_node *= details->ntasks_per_node;
	if (details->pn_min_cpus != NO_VAL && details->pn_min_cpus > per_node)
		per_node = details->pn_min_cpus;
	if (wish->cpus_per_gpu * wish->on_node > per_node)
		per_node = wish->cpus_per_gpu * wish->on_node;
	total = details->min_cpus != NO_VAL ? details->min_cpus : 1;
	if (wish->cpus_per_gpu * wish->in_all > total)
		total = wish->cpus_per_gpu * wish->in_all;
	if (details->overcommit)
		total = per_node = 1;
	request_count_nodes(total, request_cpus_of_gpus(wish, per_node, unit), req);
	if (lw_job_may_share(job, part)) { /* if nodes differ, the largest may do alone */
		request_count_nodes(total, most_cpus, req);
		total = per_node = 0;
	}
	if (req->nodes_max == 1 && total > per_node)
		per_node = total;
	per_node = request_in_sight(lw_cores_take(job, node, per_node), job, node);
	total = request_in_sight(lw_cores_take(job, node, total), job, node);
	req->cpus_per_node = request_round_up(request_narrow(per_node), unit);
	req->cpus_total = request_round_up(request_narrow(total), unit);
	request_drop_reached_total(job, req);
}

/*
 * A node gives what whole tasks need or, where CPUs come with GPUs, whole GPUs with their CPUs.
 * If these CPUs are not whole cores Slurm counts differently.
 */
static void request_set_tasks(const struct gpu_wish *wish, const job_record_t *job,
			      const part_record_t *part, const node_record_t *node,
			      struct lw_request *req)
{
	const job_details_t *details = job->details;
	uint64_t cpus = details->cpus_per_task ? details->cpus_per_task : 1;
	uint64_t gpus = wish->per_task;

	if (details->overcommit || lw_request_beside(req) ||
	    (wish->cpus_per_gpu && !req->gpus_total))
		return;
	if (wish->cpus_per_gpu) {
		gpus = gpus ? gpus : 1;
		cpus = wish->cpus_per_gpu * gpus;
	}
	if (req->gpus_total && gpus < UINT16_MAX)
		req->gpus_per_task = (uint16_t)gpus;
	if (req->cpus_total && (cpus > 1 || req->gpus_per_task) &&
	    cpus % lw_cores_unit(part, node) == 0 && lw_cores_take(job, node, cpus) == cpus &&
	    req->cpus_total % cpus == 0)
		req->cpus_per_task = request_narrow(cpus);
}

static void request_set_memory(const struct gpu_wish *wish, const job_record_t *job,
			       const part_record_t *part, const node_record_t *node,
			       struct lw_request *req)
{
	uint64_t memory = job->details->pn_min_memory;
	uint16_t type = part->cr_type ? part->cr_type : slurm_conf.select_type_param;

	if (!((type | slurm_conf.select_type_param) & SELECT_MEMORY))
		return;
	if (wish->mem_per_gpu_mib && !(job->bit_flags & JOB_MEM_SET)) {
		req->mem_per_gpu_mib = request_narrow(wish->mem_per_gpu_mib);
		if (!req->exclusive) /* of whole nodes the policy counts all GPUs */
			req->mem_per_node_mib =
				request_narrow(wish->mem_per_gpu_mib * lw_request_beside(req));
	} else if (memory & MEM_PER_CPU)
		req->mem_per_cpu_mib =
			request_narrow(lw_cores_mem(job, node, type, memory & ~MEM_PER_CPU));
	else if (memory)
		req->mem_per_node_mib = request_narrow(memory);
	else if (part->max_cpus_per_node != INFINITE ||
		 lw_slurm_max_cpus_per_socket(part) != INFINITE) /* that has no whole nodes */
		req->mem_per_node_mib = request_narrow(node->real_memory - node->mem_spec_limit);
	else /* 0 is all memory of a node: the job fits only where no other job has any */
		req->exclusive = true;
}

void lw_job_request(struct lw_snapshot *snap, const job_record_t *job,
		    const struct lw_job_place *place, struct lw_request *ret_request)
{
	const part_record_t *part = place->part;
	const node_record_t *node = place->node;
	struct lw_request *req = ret_request;
	struct gpu_wish wish = { .snap = snap, .job = job, .node = node, .req = req };

	memset(req, 0, sizeof(*req));
	req->nodes_min = place->min_nodes ? place->min_nodes : 1;
	req->nodes_max = place->max_nodes > req->nodes_min ? place->max_nodes : req->nodes_min;
	req->gpu_type = LW_GPU_ANY;
	req->exclusive = lw_slurm_is_exclusive(job->details->whole_node) || !part->max_share;
	if (job->gres_list_req)
		list_for_each(job->gres_list_req, request_add_wish, &wish);
	request_set_parts(&wish, job, req);
	request_set_cpus(&wish, job, part, node, place->most_cpus, req);
	request_set_tasks(&wish, job, part, node, req);
	request_set_memory(&wish, job, part, node, req);
}

void lw_request_keep_whole(struct lw_request *req)
{
	if (req->exclusive || req->cap)
		return;
	req->exclusive = true;
	req->mem_per_node_mib = request_narrow(
		req->mem_per_node_mib + (uint64_t)req->mem_per_cpu_mib * req->cpus_per_node +
		(uint64_t)req->mem_per_gpu_mib * req->gpus_per_node);
	req->mem_per_cpu_mib = req->mem_per_gpu_mib = 0;
}

bool lw_part_spreads(const part_record_t *part)
{
	return ((slurm_conf.select_type_param | part->cr_type) & SELECT_LLN) ||
	       (part->flags & PART_FLAG_LLN);
}

/* The requested CPUs; Slurm writes its own result into the other fields. */
uint32_t lw_job_width(const job_record_t *job)
{
	return job->details ? job->details->orig_min_cpus : 0;
}

struct lw_stop_size lw_job_size(const job_record_t *job)
{
	return (struct lw_stop_size){ job->details ? job->details->min_nodes : 0,
				      lw_job_width(job) };
}

/* Does Slurm give the job another limit when it starts it? */
static bool request_is_given_limit(const job_record_t *job, const part_record_t *part)
{
	uint32_t flags = job->qos_ptr ? job->qos_ptr->flags : 0;

	return job->time_limit == NO_VAL ||
	       (part && IS_JOB_PENDING(job) && job->time_limit > part->max_time &&
		job->limit_set.time != ADMIN_SET_LIMIT && !(flags & QOS_FLAG_PART_TIME_LIMIT));
}

int64_t lw_job_limit_s(const job_record_t *job, const part_record_t *part)
{
	uint32_t minutes = job->time_limit;

	if (request_is_given_limit(job, part))
		minutes = part->default_time != NO_VAL ? part->default_time : part->max_time;
	if (minutes == INFINITE || minutes == NO_VAL)
		return LW_YEAR_S;
	return minutes ? (int64_t)minutes * 60 : 60;
}

int64_t lw_job_start_limit_s(const job_record_t *job, const part_record_t *part, int64_t now_s)
{
	int64_t limit_s = lw_job_limit_s(job, part);
	int64_t left_s = job->deadline - now_s;

	if (!job->deadline || job->deadline == NO_VAL || left_s < 60 || left_s >= limit_s)
		return limit_s;
	return left_s - left_s % 60;
}
