/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what nodes have and what jobs hold of them, as amounts of the planner. */

/* Also part of the select plugin: refers to nothing that only slurmctld has. */

#include "slurm/query/amounts.h"

#include "slurm/bits.h"

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
static uint16_t amounts_parts_of_each(const gres_node_state_t *state)
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

static void amounts_add_gpus(struct lw_snapshot *snap, const char *type, uint64_t count,
			     struct lw_res *res)
{
	int index = count ? lw_snapshot_some_gpu_type(snap, type ? type : UNTYPED) : -1;
	uint64_t room = index >= 0 ? (uint64_t)UINT16_MAX - res->gpus[index] : 0;

	if (index >= 0)
		res->gpus[index] += (uint16_t)(count < room ? count : room);
}

static uint32_t amounts_narrow(uint64_t value)
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
static uint64_t amounts_add_typed(const struct add_arg *add, const gres_node_state_t *state,
				  const uint64_t *counts)
{
	uint64_t typed = 0;

	for (uint16_t i = 0; i < state->type_cnt && counts; i++) {
		amounts_add_gpus(add->snap, state->type_name ? state->type_name[i] : NULL,
				 counts[i], add->res);
		typed += counts[i];
	}
	return typed;
}

static int amounts_add_node_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_node_state_t *state;
	uint64_t typed;

	if (!lw_gres_is_gpu(gres))
		return 0;
	state = gres->gres_data;
	typed = amounts_add_typed(add, state, state->type_cnt_avail);
	if (state->gres_cnt_avail > typed)
		amounts_add_gpus(add->snap, NULL, state->gres_cnt_avail - typed, add->res);
	return 0;
}

static int amounts_add_total_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_node_state_t *state;

	if (!lw_gres_is_part(gres))
		return amounts_add_node_gres(x, arg);
	state = gres->gres_data;
	/* a node may have a record of a GRES that it has none of */
	if (!state->gres_cnt_avail)
		return 0;
	add->res->gpu_parts = add->res->parts ? 0 : amounts_parts_of_each(state);
	add->res->parts = amounts_narrow(add->res->parts + state->gres_cnt_avail);
	return 0;
}

static void amounts_set_total(const node_record_t *node, struct lw_res *total)
{
	memset(total, 0, sizeof(*total));
	total->cpus = node->cpus_efctv;
	if (node->real_memory > node->mem_spec_limit)
		total->mem_mib = amounts_narrow(node->real_memory - node->mem_spec_limit);
}

void lw_node_total(struct lw_snapshot *snap, const node_record_t *node, struct lw_res *ret_total)
{
	struct add_arg add = { .snap = snap, .res = ret_total };

	amounts_set_total(node, ret_total);
	if (node->gres_list)
		list_for_each(node->gres_list, amounts_add_total_gres, &add);
}

/* GPUs without a type on a node that has types: of the first types with so many. */
static void amounts_add_untyped(struct add_arg *add, uint64_t count)
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

static int amounts_add_used_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_node_state_t *state;
	uint64_t typed;

	if (!lw_gres_is_gpu(gres))
		return 0;
	state = gres->gres_data;
	typed = amounts_add_typed(add, state, state->type_cnt_alloc);
	if (state->gres_cnt_alloc > typed)
		amounts_add_untyped(add, state->gres_cnt_alloc - typed);
	return 0;
}

/* One GPU, by its number on the node. */
static void amounts_add_gpu(struct add_arg *add, const gres_node_state_t *gpus, bitoff_t gpu)
{
	for (uint16_t i = 0; gpus && gpus->topo_gres_bitmap && i < gpus->topo_cnt; i++) {
		bitstr_t *which = gpus->topo_gres_bitmap[i];

		if (!which || gpu >= bit_size(which) || !bit_test(which, gpu))
			continue;
		if (!gpus->topo_type_name || !gpus->topo_type_name[i])
			break;
		amounts_add_gpus(add->snap, gpus->topo_type_name[i], 1, add->res);
		return;
	}
	amounts_add_untyped(add, 1);
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
	(void)amounts_add_node_gres(x, &amounts->total);
	return amounts_add_used_gres(x, &amounts->used);
}

/* Slurm gives a GPU as a whole to no job while a job holds a part of it. */
static void amounts_add_parted(struct amounts *amounts)
{
	lw_bits_foreach(amounts->parted, i) amounts_add_gpu(&amounts->used, amounts->gpus, i);
}

/* Each walk through a list of Slurm takes its lock: with many nodes, one costs less than two. */
void lw_node_amounts(struct lw_snapshot *snap, const node_record_t *node,
		     struct lw_res *ret_total, struct lw_res *ret_used)
{
	struct amounts amounts = {
		.total = { .snap = snap, .res = ret_total },
		.used = { .snap = snap, .res = ret_used, .total = ret_total },
	};

	amounts_set_total(node, ret_total);
	memset(ret_used, 0, sizeof(*ret_used));
	if (node->gres_list)
		list_for_each(node->gres_list, add_amounts, &amounts);
	if (amounts.parted)
		amounts_add_parted(&amounts);
}

static int amounts_find_gpus(void *x, void *arg)
{
	(void)arg;
	return lw_gres_is_gpu(x);
}

const gres_state_t *lw_gres_find_gpus(list_t *list)
{
	return list ? list_find_first(list, amounts_find_gpus, NULL) : NULL;
}

void lw_add_gpu(struct lw_snapshot *snap, const node_record_t *node, const struct lw_res *total,
		uint32_t gpu, struct lw_res *res)
{
	const gres_state_t *gres = node ? lw_gres_find_gpus(node->gres_list) : NULL;
	struct add_arg add = { .snap = snap, .res = res, .total = total };

	if (gres)
		amounts_add_gpu(&add, gres->gres_data, gpu);
}

static void amounts_add_job_gres(struct add_arg *add, const gres_state_t *gres, uint64_t count)
{
	const gres_job_state_t *state = gres->gres_data;

	if (lw_gres_is_part(gres))
		add->res->parts = amounts_narrow(add->res->parts + count);
	else if (state->type_name)
		amounts_add_gpus(add->snap, state->type_name, count, add->res);
	else if (count)
		amounts_add_untyped(add, count);
}

static int amounts_add_held_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_job_state_t *state;

	if (!lw_gres_is_gpu(gres) && !lw_gres_is_part(gres))
		return 0;
	state = gres->gres_data;
	if (add->host < state->node_cnt && state->gres_cnt_node_alloc)
		amounts_add_job_gres(add, gres, state->gres_cnt_node_alloc[add->host]);
	return 0;
}

/* By the node's number in Slurm's table. */
static int amounts_add_chosen_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct add_arg *add = arg;
	const gres_job_state_t *state;

	if (!lw_gres_is_gpu(gres) && !lw_gres_is_part(gres))
		return 0;
	state = gres->gres_data;
	if (add->host < state->total_node_cnt && state->gres_cnt_node_select)
		amounts_add_job_gres(add, gres, state->gres_cnt_node_select[add->host]);
	return 0;
}

/* Slurm gives the cores of a job that an administrator suspended to others, and nothing else. */
static bool amounts_gave_cores(const job_record_t *job)
{
	return IS_JOB_SUSPENDED(job) && !job->priority;
}

/* All but GRES; true: the node is the job's as a whole. */
static bool amounts_holds_plain(const job_record_t *job, uint32_t host,
				const struct lw_res *total, struct lw_res *ret_held)
{
	const job_resources_t *held = job->job_resrcs;

	if (lw_slurm_is_exclusive(held->whole_node) && !amounts_gave_cores(job)) {
		*ret_held = *total;
		return true;
	}
	memset(ret_held, 0, sizeof(*ret_held));
	if (host >= held->nhosts)
		return true;
	if (held->cpus && !amounts_gave_cores(job))
		ret_held->cpus = held->cpus[host];
	if (held->memory_allocated)
		ret_held->mem_mib = amounts_narrow(held->memory_allocated[host]);
	return false;
}

/* A whole GPU takes its parts, too. */
static void amounts_add_parts_of_gpus(const struct lw_res *total, struct lw_res *held)
{
	if (total->gpu_parts)
		held->parts = amounts_narrow(held->parts +
					     (uint64_t)lw_res_gpus(held) * total->gpu_parts);
}

void lw_job_holds(struct lw_snapshot *snap, const job_record_t *job, uint32_t host,
		  const struct lw_res *total, struct lw_res *ret_held)
{
	struct add_arg add = { .snap = snap, .res = ret_held, .total = total, .host = host };

	if (amounts_holds_plain(job, host, total, ret_held))
		return;
	if (job->gres_list_alloc)
		list_for_each(job->gres_list_alloc, amounts_add_held_gres, &add);
	amounts_add_parts_of_gpus(total, ret_held);
}

void lw_job_is_given(struct lw_snapshot *snap, const job_record_t *job, uint32_t host,
		     uint32_t node, const struct lw_res *total, struct lw_res *ret_given)
{
	struct add_arg add = { .snap = snap, .res = ret_given, .total = total, .host = node };

	if (amounts_holds_plain(job, host, total, ret_given))
		return;
	if (job->gres_list_req)
		list_for_each(job->gres_list_req, amounts_add_chosen_gres, &add);
	amounts_add_parts_of_gpus(total, ret_given);
}
