/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a Slurm job asks for, in the planner's words. */

/*
 * Amounts only. A node that has the amounts may still be refused by Slurm for a
 * reason the planner does not model; the refusal then comes back in the next
 * snapshot.
 */

#include "slurm/read/request.h"

#include "slurm/read/cores.h"

#include <string.h>

#define UNTYPED "gpu" /* the type of GPUs that have none in gres.conf */

bool lw_gres_is_gpu(const gres_state_t *gres)
{
	return gres->gres_name && gres->gres_data && !strcmp(gres->gres_name, "gpu");
}

bool lw_gres_is_part(const gres_state_t *gres)
{
	return gres->gres_name && gres->gres_data &&
	       (!strcmp(gres->gres_name, "shard") || !strcmp(gres->gres_name, "mps"));
}

/* A node that has none of a GRES may have a record of it. */
bitstr_t *lw_gres_taken(const gres_state_t *gres, bitstr_t *others)
{
	const gres_node_state_t *state = gres->gres_data;

	return state->gres_bit_alloc ? state->gres_bit_alloc : others;
}

/*
 * How many parts each GPU of the node is, 0 if they differ in that: there is a record for each
 * GPU that is shared, and bitmaps are of all its GPUs.
 */
static uint16_t parts_of_each(const gres_node_state_t *state)
{
	const uint64_t *counts = state->topo_gres_cnt_avail;
	uint64_t gpus = state->gres_bit_alloc ? (uint64_t)bit_size(state->gres_bit_alloc) : 0;

	if (!gpus || !counts || state->topo_cnt != gpus || counts[0] > UINT16_MAX)
		return 0;
	for (uint16_t i = 1; i < state->topo_cnt; i++) {
		if (counts[i] != counts[0])
			return 0;
	}
	return (uint16_t)counts[0];
}

static void add_gpus(struct lw_snapshot *snap, const char *type, uint64_t count,
		     struct lw_res *res)
{
	int index = count ? lw_snapshot_some_gpu_type(snap, type ? type : UNTYPED) : -1;

	if (index >= 0)
		res->gpus[index] += count < UINT16_MAX ? (uint16_t)count : UINT16_MAX;
}

static uint32_t narrow(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

struct add_arg {
	struct lw_snapshot *snap;
	struct lw_res *res;
	const struct lw_res *total;
	uint32_t host;
};

/* Add what a node has, or has in use, of each type; COUNTS may be NULL. How many in all. */
static uint64_t add_typed(const struct add_arg *add, const gres_node_state_t *state,
			  const uint64_t *counts)
{
	uint64_t typed = 0;

	for (uint16_t i = 0; i < state->type_cnt && counts; i++) {
		add_gpus(add->snap, state->type_name ? state->type_name[i] : NULL, counts[i],
			 add->res);
		typed += counts[i];
	}
	return typed;
}

static int add_node_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_node_state_t *state;
	uint64_t typed;

	if (!lw_gres_is_gpu(gres))
		return 0;
	state = gres->gres_data;
	typed = add_typed(add, state, state->type_cnt_avail);
	if (state->gres_cnt_avail > typed)
		add_gpus(add->snap, NULL, state->gres_cnt_avail - typed, add->res);
	return 0;
}

static int add_total_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_node_state_t *state;

	if (!lw_gres_is_part(gres))
		return add_node_gres(x, arg);
	state = gres->gres_data;
	/* a node may have a record of a GRES that it has none of */
	if (!state->gres_cnt_avail)
		return 0;
	add->res->gpu_parts = add->res->parts ? 0 : parts_of_each(state);
	add->res->parts = narrow(add->res->parts + state->gres_cnt_avail);
	return 0;
}

static void set_total(const node_record_t *node, struct lw_res *total)
{
	memset(total, 0, sizeof(*total));
	total->cpus = node->cpus_efctv;
	if (node->real_memory > node->mem_spec_limit)
		total->mem_mib = narrow(node->real_memory - node->mem_spec_limit);
}

void lw_node_total(struct lw_snapshot *snap, const node_record_t *node, struct lw_res *ret_total)
{
	struct add_arg add = { .snap = snap, .res = ret_total };

	set_total(node, ret_total);
	if (node->gres_list)
		list_for_each(node->gres_list, add_total_gres, &add);
}

/* GPUs without a type on a node that has types: of the first types with so many. */
static void add_untyped(struct add_arg *add, uint64_t count)
{
	for (uint32_t i = 0; i < add->snap->gpu_type_count && count; i++) {
		uint64_t left = add->total->gpus[i] > add->res->gpus[i]
					? add->total->gpus[i] - add->res->gpus[i]
					: 0;
		uint64_t some = count < left ? count : left;

		add->res->gpus[i] += (uint16_t)some;
		count -= some;
	}
}

static int add_used_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_node_state_t *state;
	uint64_t typed;

	if (!lw_gres_is_gpu(gres))
		return 0;
	state = gres->gres_data;
	typed = add_typed(add, state, state->type_cnt_alloc);
	if (state->gres_cnt_alloc > typed)
		add_untyped(add, state->gres_cnt_alloc - typed);
	return 0;
}

/* One GPU, by its number on the node. */
static void add_gpu(struct add_arg *add, const gres_node_state_t *gpus, bitoff_t gpu)
{
	for (uint16_t i = 0; gpus && gpus->topo_gres_bitmap && i < gpus->topo_cnt; i++) {
		bitstr_t *which = gpus->topo_gres_bitmap[i];

		if (!which || gpu >= bit_size(which) || !bit_test(which, gpu))
			continue;
		if (!gpus->topo_type_name || !gpus->topo_type_name[i])
			break;
		add_gpus(add->snap, gpus->topo_type_name[i], 1, add->res);
		return;
	}
	add_untyped(add, 1);
}

/* What is there, and what of it is in use. */
struct amounts {
	struct add_arg total, used;
	const gres_node_state_t *gpus;
	bitstr_t *parted; /* NULL, or GPUs of which jobs hold parts */
};

static int add_amounts(void *x, void *arg)
{
	struct amounts *amounts = arg;
	const gres_state_t *gres = x;

	if (lw_gres_is_part(gres))
		amounts->parted = lw_gres_taken(gres, amounts->parted);
	if (!lw_gres_is_gpu(gres))
		return 0;
	amounts->gpus = gres->gres_data;
	(void)add_node_gres(x, &amounts->total);
	return add_used_gres(x, &amounts->used);
}

/* Slurm gives nobody a whole GPU of which a job holds a part. */
static void add_parted(struct amounts *amounts)
{
	for (bitoff_t i = 0; (i = bit_ffs_from_bit(amounts->parted, i)) >= 0; i++)
		add_gpu(&amounts->used, amounts->gpus, i);
}

/* Each walk through a list of Slurm takes its lock: with many nodes, one costs less than two. */
void lw_node_amounts(struct lw_snapshot *snap, const node_record_t *node,
		     struct lw_res *ret_total, struct lw_res *ret_used)
{
	struct amounts amounts = {
		.total = { .snap = snap, .res = ret_total },
		.used = { .snap = snap, .res = ret_used, .total = ret_total },
	};

	set_total(node, ret_total);
	memset(ret_used, 0, sizeof(*ret_used));
	if (node->gres_list)
		list_for_each(node->gres_list, add_amounts, &amounts);
	if (amounts.parted)
		add_parted(&amounts);
}

static int find_gpus(void *x, void *arg)
{
	(void)arg;
	return lw_gres_is_gpu(x);
}

const gres_state_t *lw_gres_find_gpus(list_t *list)
{
	return list ? list_find_first(list, find_gpus, NULL) : NULL;
}

void lw_add_gpu(struct lw_snapshot *snap, const node_record_t *node, const struct lw_res *total,
		uint32_t gpu, struct lw_res *res)
{
	const gres_state_t *gres = node ? lw_gres_find_gpus(node->gres_list) : NULL;
	struct add_arg add = { .snap = snap, .res = res, .total = total };

	if (gres)
		add_gpu(&add, gres->gres_data, gpu);
}

static int add_held_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_job_state_t *state;
	uint64_t count;

	if (!lw_gres_is_gpu(gres) && !lw_gres_is_part(gres))
		return 0;
	state = gres->gres_data;
	if (add->host >= state->node_cnt || !state->gres_cnt_node_alloc)
		return 0;
	count = state->gres_cnt_node_alloc[add->host];
	if (lw_gres_is_part(gres))
		add->res->parts = narrow(add->res->parts + count);
	else if (state->type_name)
		add_gpus(add->snap, state->type_name, count, add->res);
	else if (count)
		add_untyped(add, count);
	return 0;
}

/* Slurm gives the cores of a job that an administrator suspended to others, and nothing else. */
static bool gave_cores(const job_record_t *job)
{
	return IS_JOB_SUSPENDED(job) && !job->priority;
}

void lw_job_holds(struct lw_snapshot *snap, const job_record_t *job, uint32_t host,
		  const struct lw_res *total, struct lw_res *ret_held)
{
	const job_resources_t *held = job->job_resrcs;
	struct add_arg add = { .snap = snap, .res = ret_held, .total = total, .host = host };

	if (lw_slurm_is_exclusive(held->whole_node) && !gave_cores(job)) {
		*ret_held = *total;
		return;
	}
	memset(ret_held, 0, sizeof(*ret_held));
	if (host >= held->nhosts)
		return;
	if (held->cpus && !gave_cores(job))
		ret_held->cpus = held->cpus[host];
	if (held->memory_allocated)
		ret_held->mem_mib = narrow(held->memory_allocated[host]);
	if (job->gres_list_alloc)
		list_for_each(job->gres_list_alloc, add_held_gres, &add);
	if (total->gpu_parts)
		ret_held->parts = narrow(ret_held->parts +
					 (uint64_t)lw_res_gpus(ret_held) * total->gpu_parts);
}

/* GPU wishes of a job, added up over its gres records: one for each type. */
struct gpu_wish {
	struct lw_snapshot *snap;
	const job_record_t *job;
	const node_record_t *node;
	struct lw_request *req;
	bool known;	   /* REQ says what the first record does */
	uint64_t per_task; /* of the first type */
	uint64_t on_node, in_all; /* of all types */
	uint64_t cpus_per_gpu, mem_per_gpu_mib;
	uint64_t parts_per_node, parts_per_job, parts_per_task;
};

/* Shards or MPS shares; Slurm takes no job that wants GPUs beside them. */
static void add_parts_wish(const gres_job_state_t *state, struct gpu_wish *wish)
{
	wish->parts_per_node += state->gres_per_node;
	wish->parts_per_job += state->gres_per_job;
	wish->parts_per_task += state->gres_per_task;
}

static uint32_t round_up(uint64_t value, uint32_t unit)
{
	return narrow((value + unit - 1) / unit * unit);
}

/* What tasks want: of each node where their number on one is known, else in all. */
static void add_up_tasks(uint64_t per_task, const job_details_t *details, uint64_t *per_node,
			 uint64_t *total)
{
	if (per_task && details->ntasks_per_node)
		*per_node = per_task * details->ntasks_per_node;
	else if (per_task)
		*total = per_task * (details->num_tasks ? details->num_tasks : 1);
}

/* What a node gives at least; of a total over several nodes each gives one or more. */
static uint64_t least_of_node(uint64_t per_node, uint64_t total, const struct lw_request *req)
{
	if (total && req->nodes_max == 1 && per_node < total)
		return total;
	return total && !per_node ? 1 : per_node;
}

static uint32_t sockets_wanted(const job_record_t *job, const node_record_t *node)
{
	const multi_core_data_t *cores = job->details->mc_ptr;

	if (cores && cores->sockets_per_node != NO_VAL16 && cores->sockets_per_node)
		return cores->sockets_per_node;
	return node->tot_sockets ? node->tot_sockets : 1;
}

/* GPUs of one type: at least so many of a node, and of the job *RET_TOTAL unless that is 0. */
static uint16_t gpus_of_node(const struct gpu_wish *wish, const gres_job_state_t *state,
			     uint32_t *ret_total)
{
	uint64_t per_node = state->gres_per_node, total = state->gres_per_job;

	add_up_tasks(state->gres_per_task, wish->job->details, &per_node, &total);
	if (state->gres_per_socket)
		per_node = state->gres_per_socket * sockets_wanted(wish->job, wish->node);
	per_node = least_of_node(per_node, total, wish->req);
	if (total && state->gres_per_task > per_node)
		per_node = state->gres_per_task;
	*ret_total = narrow(total);
	return per_node < UINT16_MAX ? (uint16_t)per_node : UINT16_MAX;
}

/* GPUs of one more type. Of a total of them each node is planned to give the least. */
static void add_beside(struct lw_request *req, int type, uint16_t per_node, uint32_t total)
{
	if (type < 0 || req->gpu_type < 0) /* Slurm takes no job that names some types only */
		return;
	if (type != req->gpu_type) {
		req->gpus_beside[type] = per_node;
		return;
	}
	/* types that the planner does not tell apart */
	req->gpus_per_node = (uint16_t)(req->gpus_per_node + per_node);
	req->gpus_total += total;
}

static int add_wish(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct gpu_wish *wish = arg;
	struct lw_request *req = wish->req;
	const gres_job_state_t *state = gres->gres_data;
	int type = LW_GPU_ANY;
	uint16_t per_node;
	uint32_t total;

	if (lw_gres_is_part(gres))
		add_parts_wish(state, wish);
	if (!lw_gres_is_gpu(gres))
		return 0;
	per_node = gpus_of_node(wish, state, &total);
	if (state->type_name)
		type = lw_snapshot_some_gpu_type(wish->snap, state->type_name);
	wish->on_node += per_node;
	wish->in_all += total;
	if (wish->known) {
		add_beside(req, type, per_node, total);
		return 0;
	}
	wish->known = per_node;
	req->gpus_per_node = per_node;
	req->gpus_total = total;
	req->gpu_type = (int8_t)(type >= 0 ? type : LW_GPU_ANY);
	wish->per_task = state->gres_per_task;
	wish->cpus_per_gpu =
		state->cpus_per_gres ? state->cpus_per_gres : state->def_cpus_per_gres;
	wish->mem_per_gpu_mib =
		state->mem_per_gres ? state->mem_per_gres : state->def_mem_per_gres;
	return 0;
}

static void set_parts(const struct gpu_wish *wish, const job_record_t *job,
		      struct lw_request *req)
{
	uint64_t per_node = wish->parts_per_node, total = wish->parts_per_job;

	add_up_tasks(wish->parts_per_task, job->details, &per_node, &total);
	req->parts_per_node = narrow(least_of_node(per_node, total, req));
}

/*
 * On oversubscribed nodes (OverSubscribe=FORCE, or YES and --oversubscribe) CPUs that others
 * have are no obstacle; how many may have them Slurm says at the start.
 */
static bool may_share(const job_record_t *job, const part_record_t *part)
{
	uint16_t jobs = part->max_share & (uint16_t)~SHARED_FORCE;

	if (jobs < 2 || (job->details->whole_node & WHOLE_NODE_REQUIRED))
		return false;
	return (part->max_share & SHARED_FORCE) || job->details->share_res == 1;
}

/*
 * With --core-spec, which Slurm keeps only if AllowSpecResourcesUsage is set, a job has whole
 * nodes and of their cores those too that are kept from others: what it wants of all cores,
 * in cores that can be seen.
 */
static uint64_t in_sight(uint64_t cpus, const job_record_t *job, const node_record_t *node)
{
	if (job->details->core_spec == NO_VAL16 || node->cpus_efctv >= node->cpus)
		return cpus;
	return (cpus * node->cpus_efctv + node->cpus - 1) / node->cpus;
}

/* A total that so many nodes reach with what each gives says nothing more. */
static void drop_reached_total(struct lw_request *req)
{
	uint64_t reached = (uint64_t)req->cpus_per_node * req->nodes_min;

	if (req->cpus_total < reached ||
	    (req->cpus_total == reached && req->nodes_max == req->nodes_min))
		req->cpus_total = 0;
}

static void set_cpus(const struct gpu_wish *wish, const job_record_t *job,
		     const part_record_t *part, const node_record_t *node, struct lw_request *req)
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
	if (may_share(job, part))
		total = per_node = 0;
	if (req->nodes_max == 1 && total > per_node)
		per_node = total;
	per_node = in_sight(lw_cores_take(job, node, per_node), job, node);
	total = in_sight(lw_cores_take(job, node, total), job, node);
	req->cpus_per_node = round_up(narrow(per_node), unit);
	req->cpus_total = round_up(narrow(total), unit);
	drop_reached_total(req);
}

/*
 * A node gives what whole tasks need. Where the CPUs of a task are not whole cores Slurm counts
 * otherwise, and CPUs that follow GPUs it does not count by tasks.
 */
static void set_tasks(const struct gpu_wish *wish, const job_record_t *job,
		      const part_record_t *part, const node_record_t *node,
		      struct lw_request *req)
{
	const job_details_t *details = job->details;
	uint32_t cpus = details->cpus_per_task ? details->cpus_per_task : 1;

	if (details->overcommit || wish->cpus_per_gpu || lw_request_beside(req))
		return;
	if (req->gpus_total && wish->per_task < UINT16_MAX)
		req->gpus_per_task = (uint16_t)wish->per_task;
	if (req->cpus_total && (cpus > 1 || req->gpus_per_task) &&
	    cpus % lw_cores_unit(part, node) == 0 && lw_cores_take(job, node, cpus) == cpus &&
	    req->cpus_total % cpus == 0)
		req->cpus_per_task = cpus;
}

static void set_memory(const struct gpu_wish *wish, const job_record_t *job,
		       const part_record_t *part, const node_record_t *node,
		       struct lw_request *req)
{
	uint64_t memory = job->details->pn_min_memory;
	uint16_t type = part->cr_type ? part->cr_type : slurm_conf.select_type_param;

	if (!((type | slurm_conf.select_type_param) & SELECT_MEMORY))
		return;
	if (wish->mem_per_gpu_mib && !(job->bit_flags & JOB_MEM_SET)) {
		req->mem_per_gpu_mib = narrow(wish->mem_per_gpu_mib);
		req->mem_per_node_mib = narrow(wish->mem_per_gpu_mib * lw_request_beside(req));
	} else if (memory & MEM_PER_CPU)
		req->mem_per_cpu_mib =
			narrow(lw_cores_mem(job, node, type, memory & ~MEM_PER_CPU));
	else if (memory)
		req->mem_per_node_mib = narrow(memory);
	else if (part->max_cpus_per_node != INFINITE ||
		 lw_slurm_max_cpus_per_socket(part) != INFINITE) /* that has no whole nodes */
		req->mem_per_node_mib = narrow(node->real_memory - node->mem_spec_limit);
	else /* 0 is all of a node's memory, however much: who has none of it cannot be there */
		req->exclusive = true;
}

void lw_job_request(struct lw_snapshot *snap, const job_record_t *job, const part_record_t *part,
		    const node_record_t *node, uint32_t min_nodes, uint32_t max_nodes,
		    struct lw_request *ret_request)
{
	struct lw_request *req = ret_request;
	struct gpu_wish wish = { .snap = snap, .job = job, .node = node, .req = req };

	memset(req, 0, sizeof(*req));
	req->nodes_min = min_nodes ? min_nodes : 1;
	req->nodes_max = max_nodes > req->nodes_min ? max_nodes : req->nodes_min;
	req->gpu_type = LW_GPU_ANY;
	req->exclusive = lw_slurm_is_exclusive(job->details->whole_node) || !part->max_share;
	if (job->gres_list_req)
		list_for_each(job->gres_list_req, add_wish, &wish);
	set_parts(&wish, job, req);
	set_cpus(&wish, job, part, node, req);
	set_tasks(&wish, job, part, node, req);
	set_memory(&wish, job, part, node, req);
}

bool lw_part_spreads(const part_record_t *part)
{
	return ((slurm_conf.select_type_param | part->cr_type) & SELECT_LLN) ||
	       (part->flags & PART_FLAG_LLN);
}

/* Slurm writes what it made of it into the other fields. */
uint32_t lw_job_width(const job_record_t *job)
{
	return job->details ? job->details->orig_min_cpus : 0;
}

/* Slurm gives it another limit as it starts it. */
static bool is_given_limit(const job_record_t *job, const part_record_t *part)
{
	uint32_t flags = job->qos_ptr ? job->qos_ptr->flags : 0;

	return job->time_limit == NO_VAL ||
	       (part && IS_JOB_PENDING(job) && job->time_limit > part->max_time &&
		job->limit_set.time != ADMIN_SET_LIMIT && !(flags & QOS_FLAG_PART_TIME_LIMIT));
}

int64_t lw_job_limit_s(const job_record_t *job, const part_record_t *part)
{
	uint32_t minutes = job->time_limit;

	if (is_given_limit(job, part))
		minutes = part->default_time != NO_VAL ? part->default_time : part->max_time;
	if (minutes == INFINITE || minutes == NO_VAL)
		return LW_YEAR_S;
	return minutes ? (int64_t)minutes * 60 : 60;
}
