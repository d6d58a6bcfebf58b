/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fewer candidate nodes for a job, before stock chooses among them. */

/*
 * Stock fills nodes in an order that ignores free GPUs, so that one-GPU jobs spread over nodes
 * that a large job will want whole, and jobs without GPUs take the CPUs that free GPUs need. The
 * cores and GPUs inside a node stay stock's choice. Loaded by commands too: refers to nothing of
 * slurmctld.
 */

#include "slurm/select/narrow.h"

#include "planner/place/place.h"
#include "slurm/bits.h"
#include "slurm/query/amounts.h"
#include "slurm/query/request.h"
#include "slurm/select/fleet.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Kept between calls; Slurm's write locks allow one call at a time. */
static struct lw_fleet fleet;
static struct lw_placer *placer; /* for as many nodes as the fleet has */
static struct lw_bitset candidates;

/* Which nodes are near each other and which sizes are common, as our scheduler plugin said. */
static struct lw_domains domains;
static struct lw_fragment fragment;
static bool fragment_known; /* of the GPU types by the fleet's numbers */
static struct lw_wishes wishes;
static struct lw_wish_sizes wish_sizes;
static atomic_bool enabled = true;

void lw_narrow_enable(bool on)
{
	atomic_store(&enabled, on);
}

void lw_narrow_domains(const struct lw_domains *told)
{
	struct lw_domains copy;

	if (lw_domains_copy(&copy, told))
		return;
	lw_domains_fini(&domains);
	domains = copy;
}

void lw_narrow_wishes(const struct lw_wishes *told)
{
	(void)lw_wishes_copy(&wishes, told);
}

/* Out of memory, no job is held to an older choice. */
void lw_narrow_sizes(const struct lw_wish_sizes *told)
{
	if (lw_wish_sizes_copy(&wish_sizes, told))
		lw_wish_sizes_fini(&wish_sizes);
}

static void narrow_fini_room(void)
{
	fragment_known = false;
	lw_placer_destroy(placer);
	placer = NULL;
	lw_bitset_fini(&candidates);
	lw_fleet_fini(&fleet);
}

void lw_narrow_forget(void)
{
	lw_fleet_forget(&fleet);
}

void lw_narrow_islands(const struct lw_islands *told)
{
	lw_islands_fini(&fleet.islands);
	(void)lw_islands_copy(&fleet.islands, told);
	lw_narrow_forget();
}

void lw_narrow_began(const job_record_t *job)
{
	lw_fleet_began(&fleet, job);
}

void lw_narrow_ends(const job_record_t *job)
{
	lw_fleet_ends(&fleet, job);
}

/* Before the first job is narrowed there is no fleet to set it for; each cycle sets it again. */
void lw_narrow_mix(const struct lw_snapshot *snap)
{
	struct lw_mix mix = snap->mix;

	fragment_known = false;
	if (!fleet.node_count)
		return;
	lw_snapshot_renumber(&fleet.snap, &mix, snap->gpu_types, snap->gpu_type_count);
	if (!mix.count)
		return;
	lw_fragment_init(&fragment, &mix, LW_GPU_TYPES_MAX);
	fragment_known = true;
}

void lw_narrow_fini(void)
{
	narrow_fini_room();
	lw_domains_fini(&domains);
	lw_wishes_fini(&wishes);
	lw_wish_sizes_fini(&wish_sizes);
}

static bool narrow_make_room(uint32_t node_count)
{
	bool is_new;

	if (lw_fleet_prepare(&fleet, node_count, time(NULL), &is_new)) {
		narrow_fini_room();
		return false;
	}
	if (!is_new)
		return true;
	fragment_known = false;
	lw_placer_destroy(placer);
	placer = NULL;
	lw_bitset_fini(&candidates);
	if (lw_bitset_init(&candidates, node_count) || lw_placer_create(node_count, &placer)) {
		narrow_fini_room();
		return false;
	}
	return true;
}

static bool narrow_has_types(uint32_t node, uint32_t types)
{
	for (uint32_t type = 0; type < LW_GPU_TYPES_MAX; type++)
		if ((types >> type & 1) && fleet.total[node].gpus[type])
			return true;
	return false;
}

bitstr_t *lw_narrow_wish(const job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *before;
	uint32_t types;

	if (!wishes.count || !narrow_make_room((uint32_t)bit_size(nodes)))
		return NULL;
	types = lw_wishes_waits(&wishes, lw_slurm_job_id(job), time(NULL), &fleet.snap);
	if (!types)
		return NULL;
	before = bit_copy(nodes);
	lw_bits_foreach(before, i) if (!narrow_has_types((uint32_t)i, types)) bit_clear(nodes, i);
	return before;
}

/* Where parts of GPUs are free is not kept here: stock places such jobs. */
static int narrow_find_part_of_gpu(void *x, void *arg)
{
	(void)arg;
	return lw_gres_is_part(x);
}

/*
 * Slurm chooses this many nodes for one feature, as if the job wanted only these, then for the
 * next, and in the end all of them together have to hold the job.
 */
static int narrow_find_counted(void *x, void *arg)
{
	const job_feature_t *feature = x;

	(void)arg;
	return feature->count > 0;
}

void lw_narrow_size(const job_record_t *job, struct lw_node_counts *counts)
{
	const job_details_t *details = job->details;

	if (!wish_sizes.count || !details || lw_slurm_lists_sizes(details) ||
	    (details->feature_list_use &&
	     list_find_first(details->feature_list_use, narrow_find_counted, NULL)))
		return;
	(void)lw_wish_sizes_hold(&wish_sizes, lw_slurm_job_id(job), time(NULL), &counts->min,
				 &counts->wanted, &counts->max);
}

/* May JOB be narrowed? Not if its user or the site already says where it has to run. */
static bool narrow_is_wanted(const job_record_t *job, uint16_t mode)
{
	const job_details_t *details = job->details;
	const part_record_t *part = job->part_ptr;

	if (!SELECT_IS_MODE_RUN_NOW(mode) || !details || !part)
		return false;
	if (details->req_node_bitmap || details->contiguous || lw_slurm_is_laid_out(details) ||
	    lw_slurm_lists_sizes(details) || (job->bit_flags & SPREAD_JOB) || job->req_switch)
		return false;
	if (job->gres_list_req &&
	    list_find_first(job->gres_list_req, narrow_find_part_of_gpu, NULL))
		return false;
	if (details->feature_list_use &&
	    list_find_first(details->feature_list_use, narrow_find_counted, NULL))
		return false;
	return !lw_part_spreads(part);
}

static bool narrow_has_gpus(list_t *gres)
{
	return lw_gres_find_gpus(gres) != NULL;
}

/* Has any of NODES GPUs, so that jobs that want none should stay off it? */
static bool narrow_any_has_gpus(bitstr_t *nodes)
{
	lw_bits_foreach(nodes, i) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && narrow_has_gpus(node->gres_list))
			return true;
	}
	return false;
}

/* Stock chooses as usual, but only among the nodes without GPUs. */
static bitstr_t *narrow_cut_gpu_nodes(bitstr_t *nodes)
{
	bitstr_t *before = bit_copy(nodes);

	lw_bits_copy_set(nodes, &candidates);
	return before;
}

static bitstr_t *narrow_cut(bitstr_t *nodes, const struct lw_alloc *allocs, uint32_t count)
{
	bitstr_t *before = bit_copy(nodes);

	bit_clear_all(nodes);
	for (uint32_t i = 0; i < count; i++)
		bit_set(nodes, allocs[i].node);
	return before;
}

/* Asked only for nodes that are compared with each other. */
static uint16_t narrow_read_linked(uint32_t node)
{
	return lw_fleet_linked(&fleet, node);
}

/* Stock asks for nodes of low weight first, but offers more of them if too few have room. */
static struct lw_room narrow_view_room(void)
{
	struct lw_room view = { .free = fleet.free,
				.total = fleet.total,
				.candidates = &candidates,
				.gpu_types = fleet.snap.gpu_type_count,
				.linked_f = narrow_read_linked,
				.grades = lw_fleet_grades(&fleet) };

	if (domains.of_count == fleet.node_count && !lw_placer_reserve(placer, domains.count))
		view.domains = &domains;
	if (fragment_known)
		view.fragment = &fragment;
	return view;
}

/*
 * Of a range of nodes a job gets as many as there are, unless --use-min-nodes or a number of
 * GPUs in all says how many it takes, or strict domains that fewer will do: as under stock.
 * Where fewer serve than are wanted there is nothing to choose.
 */
static void narrow_want_all(const job_record_t *job, const struct lw_node_counts *counts,
			    struct lw_request *req)
{
	const job_details_t *details = job->details;
	uint32_t want = counts->wanted, share;

	/* it needs no more than one for each task */
	if (details->num_tasks && !details->ntasks_per_node && details->num_tasks < want)
		want = details->num_tasks;
	if (want > req->nodes_max)
		want = req->nodes_max;
	if (want < req->nodes_min)
		want = req->nodes_min;
	if (!req->cpus_total && !req->gpus_total)
		req->nodes_max = want;
	if (want == req->nodes_min || req->gpus_total || domains.strict)
		return;
	share = req->cpus_total / want + (req->cpus_total % want != 0);
	if (req->cpus_per_node < share)
		req->cpus_per_node = share;
	req->cpus_total = 0;
	req->nodes_min = req->nodes_max = want;
}

/*
 * If jobs may share CPUs, stock, too, first looks for idle ones. GPU types that no node has are
 * forgotten, so that users' typing errors leave room for real types.
 */
static void narrow_make_request(const job_record_t *job, const node_record_t *first,
				const struct lw_node_counts *counts, struct lw_request *req)
{
	uint32_t max = counts->max < fleet.node_count ? counts->max : fleet.node_count;
	uint32_t types = fleet.snap.gpu_type_count;
	part_record_t part = *job->part_ptr;
	const struct lw_job_place place = {
		.part = &part, .node = first, .min_nodes = counts->min, .max_nodes = max
	};

	if (part.max_share)
		part.max_share = 1;
	lw_job_request(&fleet.snap, job, &place, req);
	narrow_want_all(job, counts, req);
	lw_snapshot_drop_gpu_types(&fleet.snap, types);
}

/* Place JOB on the types that it prefers, one after the other, and then on any. */
static int narrow_place_by_type(const job_record_t *job, struct lw_room *view,
				const struct lw_request *req, const struct lw_alloc **ret_allocs,
				uint32_t *ret_count)
{
	uint32_t tries[LW_WISH_TRIES_MAX] = { 0 }, count = 1;
	int rc = -ENOSPC;

	if ((req->gpus_per_node || req->gpus_total) && req->gpu_type == LW_GPU_ANY)
		count = lw_wishes_tries(&wishes, lw_slurm_job_id(job), &fleet.snap, tries);
	for (uint32_t i = 0; rc && i < count; i++) {
		view->type_mask = tries[i];
		rc = lw_place(placer, view, req, ret_allocs, ret_count);
	}
	return rc;
}

/* Choose where JOB goes by the rules: of NODES, or, unless WITH_GPUS, of nodes without GPUs. */
static bool narrow_choose(const job_record_t *job, bitstr_t *nodes,
			  const struct lw_node_counts *counts, bool with_gpus,
			  const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	const node_record_t *first = lw_fleet_candidates(&fleet, nodes, with_gpus, &candidates);
	struct lw_request request;
	struct lw_room view;

	if (!first)
		return false;
	narrow_make_request(job, first, counts, &request);
	view = narrow_view_room();
	return !narrow_place_by_type(job, &view, &request, ret_allocs, ret_count) &&
	       *ret_count >= counts->min;
}

/* Do weights, which come first, send a job without GPUs to nodes that have some? Which? */
static bool narrow_weights_say_gpus(const job_record_t *job, bitstr_t *nodes,
				    const struct lw_node_counts *counts,
				    const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	if (!lw_fleet_candidates(&fleet, nodes, true, &candidates) || !lw_fleet_grades(&fleet) ||
	    !narrow_choose(job, nodes, counts, true, ret_allocs, ret_count))
		return false;
	for (uint32_t i = 0; i < *ret_count; i++) {
		if (lw_bitset_test(&fleet.gpu_nodes, (*ret_allocs)[i].node))
			return true;
	}
	return false;
}

/*
 * Does the site already say on which NODES a job goes: without GPUs by pack_serial_at_end, or
 * several by a topology that we do not know? Some releases have one that we cannot see.
 */
static bool narrow_is_settled(const job_record_t *job, const struct lw_node_counts *counts,
			      bool gpus, uint32_t nodes)
{
	if (nodes > 1)
		return domains.of_count != fleet.node_count &&
		       (gpus ? lw_slurm_has_topology() : !lw_slurm_is_flat());
	return !gpus && job->details->min_cpus == 1 && counts->wanted == 1 &&
	       xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end");
}

bitstr_t *lw_narrow(const job_record_t *job, bitstr_t *nodes,
		    const struct lw_node_counts *counts, uint16_t mode)
{
	uint32_t offered = (uint32_t)bit_set_count(nodes), count;
	bool gpus = narrow_has_gpus(job->gres_list_req);
	const struct lw_alloc *allocs;
	bool chosen;

	if (!atomic_load(&enabled) || !narrow_is_wanted(job, mode) || offered <= counts->min ||
	    (!gpus && !narrow_any_has_gpus(nodes)) ||
	    !narrow_make_room((uint32_t)bit_size(nodes)))
		return NULL;
	chosen = !gpus && narrow_weights_say_gpus(job, nodes, counts, &allocs, &count);
	/* otherwise the nodes already offered would be tested twice */
	if (!gpus && !chosen && narrow_choose(job, nodes, counts, false, &allocs, &count))
		return lw_bitset_count(&candidates) < offered ? narrow_cut_gpu_nodes(nodes)
							      : NULL;
	chosen = chosen || narrow_choose(job, nodes, counts, true, &allocs, &count);
	if (!chosen || count == offered || narrow_is_settled(job, counts, gpus, count))
		return NULL;
	return narrow_cut(nodes, allocs, count);
}
