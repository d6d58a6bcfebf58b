/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: ask Slurm on how many nodes, when and where a job could start. */
#include "slurm/query/ask.h"

#include "slurm/bits.h"

#include <errno.h>

/* Slurm looks at ends of jobs in steps: its start is that of one, others end a little later. */
#define SOON_S 300

static bitstr_t *ask_available_of(const struct lw_bitset *set)
{
	bitstr_t *nodes = lw_bits_of_set(set, (uint32_t)node_record_count);

	bit_and(nodes, avail_node_bitmap);
	return nodes;
}

/* What reservations keep of nodes that are not theirs as a whole; may JOB run is not asked here. */
static void ask_find_exceptions(job_record_t *job, resv_exc_t *ret_exceptions)
{
	time_t when = time(NULL);
	bitstr_t *open = NULL;
	bool overlap = false;

	(void)job_test_resv(job, &when, false, &open, ret_exceptions, &overlap, false);
	FREE_NULL_BITMAP(open);
}

/* The select plugin writes its answer into the job record; nothing of it may stay. */
static int ask_will_run(job_record_t *job, bitstr_t *nodes, const struct lw_node_counts *counts,
			list_t *preemptable, uint64_t flags, time_t *ret_start)
{
	resv_exc_t exceptions = { 0 };
	time_t start_time = job->start_time;
	uint32_t total_cpus = job->total_cpus;
	int rc;

	ask_find_exceptions(job, &exceptions);
	job->bit_flags |= BACKFILL_TEST | flags;
	rc = select_g_job_test(job, nodes, counts->min, counts->max, counts->wanted,
			       SELECT_MODE_WILL_RUN, preemptable, NULL, &exceptions, NULL);
	job->bit_flags &= ~(BACKFILL_TEST | flags);
	*ret_start = job->start_time;
	job->start_time = start_time;
	job->total_cpus = total_cpus;
	lw_slurm_forget_tested_nodes(job);
	reservation_delete_resv_exc_parts(&exceptions);
	return rc;
}

static int ask_will_run_by_preempting(job_record_t *job, bitstr_t *nodes,
				      const struct lw_node_counts *counts, time_t *ret_start)
{
	list_t *preemptable = slurm_find_preemptable_jobs(job);
	int rc = ask_will_run(job, nodes, counts, preemptable, 0, ret_start);

	FREE_NULL_LIST(preemptable);
	return rc;
}

static int ask_bind_to(struct lw_snapshot *snap, const part_record_t *part, bitstr_t *nodes,
		       struct lw_waiting *waiting, struct lw_error *err)
{
	struct lw_bitset set;
	int rc;

	if (lw_bits_to_set(nodes, snap->node_count, &set))
		return lw_error_set(err, -ENOMEM, "out of memory");
	rc = lw_snapshot_add_set(snap, part->name, &set, err);
	lw_bitset_fini(&set);
	if (!rc)
		waiting->set = snap->set_count - 1;
	return rc;
}

bool lw_ask_node_counts(job_record_t *job, part_record_t *part, struct lw_node_counts *ret_counts)
{
	uint32_t flags = job->qos_ptr ? job->qos_ptr->flags : 0;
	struct lw_node_counts counts = { .min = 1, .max = 1 };

	if (get_node_cnts(job, flags, part, &counts.min, &counts.wanted, &counts.max) !=
	    SLURM_SUCCESS)
		return false;
	*ret_counts = counts;
	return true;
}

/* Has each of NODES so many GPUs of one and the same type as REQ wants of it? */
static bool ask_of_one_type(const struct lw_snapshot *snap, bitstr_t *nodes,
			    const struct lw_request *req)
{
	uint32_t best = 0;

	for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
		uint32_t count = 0;

		lw_bits_foreach(nodes, i)
			count += snap->nodes[i].total.gpus[type] >= req->gpus_per_node;
		best = count > best ? count : best;
	}
	return best == (uint32_t)bit_set_count(nodes);
}

/* Is one of NODES held after AFTER_S, by a job, or BLOCKED since it takes none now? */
static bool ask_is_held(const struct lw_snapshot *snap, bitstr_t *nodes, bool blocked,
			int64_t after_s)
{
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		if (!job->job_id != blocked || job->end_s <= after_s)
			continue;
		for (uint32_t k = 0; k < job->alloc_count; k++) {
			bitoff_t node = snap->allocs[job->first_alloc + k].node;

			/* the nodes behind Slurm's are licences */
			if (node < bit_size(nodes) && bit_test(nodes, node))
				return true;
		}
	}
	return false;
}

/*
 * The planner does not know GPUs of whichever type a node has: Slurm must find them. If the
 * start is not now but at WHEN_S (0: now), whole nodes are kept until then, as under stock, or
 * other jobs would take the GPUs. On nodes that the job will share, or that give no job all
 * CPUs, only CPUs and memory are kept.
 */
static void ask_leave_gpus(const struct lw_snapshot *snap, bitstr_t *nodes, int64_t when_s,
			   struct lw_request *req)
{
	if (!req->gpus_per_node || req->gpu_type != LW_GPU_ANY ||
	    ask_of_one_type(snap, nodes, req))
		return;
	req->exclusive |=
		when_s && !req->cap && !ask_is_held(snap, nodes, false, when_s + SOON_S);
	req->mem_per_node_mib += req->mem_per_gpu_mib * req->gpus_per_node;
	req->mem_per_gpu_mib = 0;
	req->gpus_per_node = 0;
}

int lw_ask_when(struct lw_snapshot *snap, job_record_t *job, part_record_t *part,
		const struct lw_node_counts *counts, struct lw_waiting *waiting,
		struct lw_error *err)
{
	bitstr_t *nodes = ask_available_of(&snap->sets[waiting->set].nodes);
	time_t start = 0;
	int rc = -EBUSY;

	if ((uint32_t)bit_set_count(nodes) >= counts->min &&
	    ask_will_run_by_preempting(job, nodes, counts, &start) == SLURM_SUCCESS) {
		uint32_t count = (uint32_t)bit_set_count(nodes);

		rc = ask_bind_to(snap, part, nodes, waiting, err);
		waiting->request.nodes_min = waiting->request.nodes_max = count ? count : 1;
		/* Slurm may have given it segments, each in a block of its own */
		waiting->request.spread = true;
		waiting->request.cpus_total = waiting->request.gpus_total = 0;
		/* "now" is when Slurm was asked: the reading may have begun long before */
		if (start > time(NULL))
			waiting->constraints.earliest_s = start;
		/* and it counts on nodes that were still being cleaned up then */
		else if (!ask_is_held(snap, nodes, true, snap->now_s))
			start = 0;
		ask_leave_gpus(snap, nodes, start, &waiting->request);
	}
	bit_free(nodes);
	return rc;
}

bool lw_ask_now(job_record_t *job, bitstr_t *nodes)
{
	struct lw_node_counts counts;
	time_t start = 0;

	return lw_ask_node_counts(job, job->part_ptr, &counts) &&
	       (uint32_t)bit_set_count(nodes) >= counts.min &&
	       ask_will_run(job, nodes, &counts, NULL, TEST_NOW_ONLY, &start) == SLURM_SUCCESS &&
	       start <= time(NULL);
}

struct feature_kinds {
	bool changeable, matching;
};

static int ask_note_feature(void *x, void *arg)
{
	const job_feature_t *feature = x;
	struct feature_kinds *kinds = arg;

	kinds->changeable |= feature->changeable;
	kinds->matching |= feature->op_code == FEATURE_OP_MOR ||
			   feature->op_code == FEATURE_OP_XAND;
	return 0;
}

/*
 * Do some features take a reboot? Slurm's test of active features reads "one of these" as "all".
 */
static bool ask_can_be_made(list_t *features)
{
	struct feature_kinds kinds = { 0 };

	if (features)
		list_for_each(features, ask_note_feature, &kinds);
	return kinds.changeable && !kinds.matching;
}

bool lw_ask_reboot(const struct lw_snapshot *snap, job_record_t *job,
		   const struct lw_waiting *waiting)
{
	bitstr_t *nodes, *active = NULL;
	bool needs;

	if (job->reboot || !ask_can_be_made(job->details->feature_list_use))
		return job->reboot;
	nodes = ask_available_of(&snap->sets[waiting->set].nodes);
	build_active_feature_bitmap(job, nodes, &active);
	needs = active && (uint32_t)bit_set_count(active) < waiting->request.nodes_min;
	FREE_NULL_BITMAP(active);
	bit_free(nodes);
	return needs;
}
