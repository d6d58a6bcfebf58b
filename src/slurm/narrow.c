/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fewer candidate nodes for a GPU job, before stock chooses among them. */

/*
 * Stock fills nodes in an order that does not know free GPUs, so that one-GPU jobs
 * spread over nodes that a large job will want whole. The cores and GPUs inside a node
 * stay stock's choice. Loaded by commands too: refers to nothing of slurmctld.
 */

#include "slurm/narrow.h"

#include "policy/place/place.h"
#include "slurm/islands.h"
#include "slurm/request.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Kept between calls; Slurm's write locks make them one at a time. */
static struct {
	uint32_t node_count;
	struct lw_snapshot snap; /* only for the GPU types */
	struct lw_placer *placer;
	struct lw_bitset candidates;
	struct lw_res *total, *free;
	struct lw_res *begun; /* CPUs and memory that jobs took since use_known */
	uint32_t *weights;    /* as last seen */
	uint32_t *graded;     /* those that the grades were made of */
	bool grades_made;
	struct lw_grades grades;
} room;

/* Which nodes are near each other and which sizes come, as our scheduler plugin told. */
static struct lw_domains domains;
static struct lw_fragment fragment;
static bool fragment_known; /* of the GPU types as room.snap numbers them */
static atomic_bool enabled = true;
static atomic_bool use_known; /* is what Slurm says of the use of nodes still so? */

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

void lw_narrow_forget(void)
{
	atomic_store(&use_known, false);
}

/* Nodes that no job was narrowed to are not read yet: a whole one counts as nothing. */
void lw_narrow_began(const job_record_t *job)
{
	const job_resources_t *held = job->job_resrcs;
	uint32_t host = 0;

	if (!atomic_load(&use_known) || !held || !held->node_bitmap)
		return;
	for (bitoff_t i = 0; (i = bit_ffs_from_bit(held->node_bitmap, i)) >= 0; i++) {
		struct lw_res took;

		if (i >= room.node_count)
			return;
		lw_job_holds(&room.snap, job, host++, &room.total[i], &took);
		lw_res_add(&room.begun[i], &took);
	}
}

static void fini_room(void)
{
	fragment_known = false;
	lw_narrow_forget();
	lw_placer_destroy(room.placer);
	lw_bitset_fini(&room.candidates);
	lw_snapshot_fini(&room.snap);
	free(room.total);
	free(room.free);
	free(room.begun);
	free(room.weights);
	free(room.graded);
	lw_grades_fini(&room.grades);
	memset(&room, 0, sizeof(room));
}

/* Before the first job was narrowed there is nobody to tell; it is told in every cycle. */
void lw_narrow_mix(const struct lw_snapshot *snap)
{
	struct lw_mix mix = snap->mix;

	fragment_known = false;
	if (!room.node_count || !mix.count)
		return;
	for (uint32_t i = 0; i < mix.count; i++) {
		int8_t *type = &mix.sizes[i].gpu_type;
		int here = LW_GPU_ANY;

		if (*type != LW_GPU_ANY)
			here = lw_snapshot_gpu_type(&room.snap, snap->gpu_types[*type]);
		*type = here < LW_GPU_ANY ? LW_GPU_ANY : (int8_t)here;
	}
	lw_fragment_init(&fragment, &mix, LW_GPU_TYPES_MAX);
	fragment_known = true;
}

void lw_narrow_fini(void)
{
	fini_room();
	lw_domains_fini(&domains);
}

static void read_weights(void)
{
	for (uint32_t i = 0; i < room.node_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		room.weights[i] = node ? node->config_ptr->weight : 1;
	}
}

static bool make_room(uint32_t node_count)
{
	if (room.node_count == node_count)
		return true;
	fini_room();
	lw_snapshot_init(&room.snap, 0);
	room.total = calloc(node_count, sizeof(*room.total));
	room.free = calloc(node_count, sizeof(*room.free));
	room.begun = calloc(node_count, sizeof(*room.begun));
	room.weights = calloc(node_count, sizeof(*room.weights));
	room.graded = calloc(node_count, sizeof(*room.graded));
	if (!room.total || !room.free || !room.begun || !room.weights || !room.graded ||
	    lw_bitset_init(&room.candidates, node_count) ||
	    lw_placer_create(node_count, &room.placer)) {
		fini_room();
		return false;
	}
	room.node_count = node_count;
	read_weights();
	return true;
}

static int find_gpu(void *x, void *arg)
{
	const gres_state_t *gres = x;

	(void)arg;
	return gres->gres_name && !strcmp(gres->gres_name, "gpu");
}

/* Does somebody, user or site, already say where it goes? */
static bool is_wanted(const job_record_t *job, uint16_t mode)
{
	const job_details_t *details = job->details;
	const part_record_t *part = job->part_ptr;

	if (!SELECT_IS_MODE_RUN_NOW(mode) || !details || !part)
		return false;
	if (details->req_node_bitmap || details->contiguous || lw_slurm_is_laid_out(details) ||
	    job->req_switch)
		return false;
	return !lw_part_spreads(part);
}

/* False when Slurm cannot say what is in use there. */
static bool read_free(const node_record_t *node, uint32_t index)
{
	struct lw_res *total = &room.total[index], used;
	uint64_t mem_mib = 0;
	uint16_t cpus = 0;

	if (!lw_slurm_allocated(node, &cpus, &mem_mib))
		return false;
	lw_node_amounts(&room.snap, node, total, &used);
	mem_mib += room.begun[index].mem_mib;
	used.cpus = cpus + room.begun[index].cpus;
	used.mem_mib = mem_mib < UINT32_MAX ? (uint32_t)mem_mib : UINT32_MAX;
	room.free[index] = *total;
	lw_res_sub(&room.free[index], &used);
	return true;
}

/* Of CPUs and memory; GPUs are always read where Slurm counts them. */
static void read_use(void)
{
	if (atomic_load(&use_known))
		return;
	select_g_select_nodeinfo_set_all();
	memset(room.begun, 0, room.node_count * sizeof(*room.begun));
	atomic_store(&use_known, true);
}

static bool has_gpus(list_t *gres)
{
	return gres && list_find_first(gres, find_gpu, NULL);
}

/* WITH_GPUS: all nodes; without: those that have none. */
static const node_record_t *read_candidates(bitstr_t *nodes, bool with_gpus)
{
	const node_record_t *first = NULL;

	lw_bitset_clear_all(&room.candidates);
	for (bitoff_t i = 0; (i = bit_ffs_from_bit(nodes, i)) >= 0; i++) {
		const node_record_t *node;

		if (i >= room.node_count)
			break;
		node = node_record_table_ptr[i];
		if (!node || (!with_gpus && has_gpus(node->gres_list)) ||
		    !read_free(node, (uint32_t)i))
			continue;
		lw_bitset_set(&room.candidates, (uint32_t)i);
		room.weights[i] = node->config_ptr->weight;
		if (!first)
			first = node;
	}
	return first;
}

/* Is any of NODES worth keeping a job off that wants no GPU? */
static bool any_has_gpus(bitstr_t *nodes)
{
	for (bitoff_t i = 0; (i = bit_ffs_from_bit(nodes, i)) >= 0; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && has_gpus(node->gres_list))
			return true;
	}
	return false;
}

/* Stock chooses among all nodes without GPUs as it would. */
static bitstr_t *cut_gpu_nodes(bitstr_t *nodes)
{
	bitstr_t *before = bit_copy(nodes);
	uint32_t node;

	bit_clear_all(nodes);
	lw_bitset_foreach(&room.candidates, node)
		bit_set(nodes, node);
	return before;
}

static bitstr_t *cut(bitstr_t *nodes, const struct lw_alloc *allocs, uint32_t count)
{
	bitstr_t *before = bit_copy(nodes);

	bit_clear_all(nodes);
	for (uint32_t i = 0; i < count; i++)
		bit_set(nodes, allocs[i].node);
	return before;
}

/*
 * Stock asks for nodes of low weight first, but gives more of them where too few have room.
 * Weights change by scontrol or a reconfigure; nearly always what was made last time will do.
 */
static bool make_grades(void)
{
	size_t size = room.node_count * sizeof(*room.weights);

	if (!room.grades_made || memcmp(room.weights, room.graded, size)) {
		room.grades_made =
			!lw_grades_make(&room.grades, room.weights, room.node_count);
		memcpy(room.graded, room.weights, size);
	}
	return room.grades_made && room.grades.count;
}

static struct lw_room view_room(void)
{
	struct lw_room view = { .free = room.free,
				.total = room.total,
				.candidates = &room.candidates,
				.gpu_types = room.snap.gpu_type_count };

	if (domains.of_count == room.node_count &&
	    !lw_placer_reserve(room.placer, domains.count))
		view.domains = &domains;
	if (fragment_known)
		view.fragment = &fragment;
	if (make_grades())
		view.grades = &room.grades;
	return view;
}

/* Asked only of nodes that are weighed against each other: reading all takes its time. */
static uint16_t read_linked(uint32_t node)
{
	return lw_node_linked(node_record_table_ptr[node]);
}

bitstr_t *lw_narrow(const job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		    uint32_t max_nodes, uint16_t mode)
{
	bool gpus = has_gpus(job->gres_list_req);
	const struct lw_alloc *allocs;
	const node_record_t *first;
	struct lw_request request;
	struct lw_room view;
	uint32_t count;

	if (!atomic_load(&enabled) || !is_wanted(job, mode) ||
	    (uint32_t)bit_set_count(nodes) <= min_nodes || (!gpus && !any_has_gpus(nodes)) ||
	    !make_room((uint32_t)bit_size(nodes)))
		return NULL;
	read_use();
	first = read_candidates(nodes, gpus);
	if (!first)
		return NULL;
	lw_job_request(&room.snap, job, job->part_ptr, first, min_nodes,
		       max_nodes < room.node_count ? max_nodes : room.node_count, &request);
	view = view_room();
	view.linked_f = read_linked;
	if (lw_place(room.placer, &view, &request, &allocs, &count) || count < min_nodes)
		return NULL;
	return gpus ? cut(nodes, allocs, count) : cut_gpu_nodes(nodes);
}
