/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which starts of Slurm's own the last plan lets through, and on which nodes. */

/* Loaded by commands too: refers to nothing that only slurmctld has. */

#include "slurm/select/admit.h"

#include "base/grow.h"
#include "slurm/bits.h"
#include "slurm/query/amounts.h"
#include "slurm/reading.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Changes of a reading's time that are kept one by one; with more all nodes have changed. */
#define CHANGES_MAX 65536

/* A node that a job began on, or gave back, while a plan was made. */
struct change {
	struct lw_gate_start start;
	struct lw_res held;
	uint32_t node;
	bool begins;
};

/* Kept between calls; Slurm's write locks make them one at a time. */
static struct lw_gate gate;
static struct lw_caps caps; /* of its plan */
static struct lw_gate_start judged; /* the start that was asked about last */
static int64_t shut_s; /* until then nothing starts; 0: it may */
static bool ours;
static struct change *changes;
static uint32_t change_count, change_room;
static bool changes_lost;
static bool was_reset;	/* since the last reading began */
static int64_t freed_s; /* when the first job ended of which the plan knows nothing; 0: none did */

void lw_admit_ours(bool is_ours)
{
	ours = is_ours;
}

void lw_admit_shut(void)
{
	shut_s = time(NULL) + LW_ADMIT_SHUT_S;
}

void lw_admit_forget(void)
{
	if (gate.claim_count)
		lw_admit_shut();
	gate.node_count = gate.claim_count = 0;
	was_reset = true;
}

void lw_admit_fini(void)
{
	lw_gate_fini(&gate);
	free(caps.items);
	caps = (struct lw_caps){ 0 };
	free(changes);
	changes = NULL;
	change_count = change_room = 0;
	shut_s = 0;
}

void lw_admit_reading(void)
{
	change_count = 0;
	changes_lost = was_reset = false;
}

static void admit_note_freed(void)
{
	if (!freed_s)
		freed_s = time(NULL);
}

/* What the plan cannot know. A start that the reading has seen counts twice until the next plan. */
static void admit_replay_changes(void)
{
	for (uint32_t i = 0; i < change_count; i++) {
		const struct change *change = &changes[i];

		if (!change->begins) {
			lw_gate_ended(&gate, change->node);
			admit_note_freed();
			continue;
		}
		lw_gate_began(&gate, &change->start, change->node, &change->held);
		if (!i || changes[i - 1].start.job_id != change->start.job_id)
			lw_gate_started(&gate, change->start.job_id);
	}
	if (changes_lost && gate.node_count)
		lw_bitset_set_all(&gate.freed);
	change_count = 0;
}

/* Does a start since the reading take what TOLD, the gate of its plan, keeps? */
static bool admit_is_overtaken(const struct lw_gate *told)
{
	for (uint32_t i = 0; i < change_count; i++) {
		const struct change *change = &changes[i];

		if (change->begins &&
		    lw_gate_breaks(told, &change->start, change->node, &change->held))
			return true;
	}
	return changes_lost && told->claim_count;
}

/* Out of memory there are no caps. */
static void admit_take_caps(const struct lw_caps *told)
{
	caps.count = 0;
	if (!told || !told->count ||
	    lw_grow((void **)&caps.items, &caps.room, told->count, sizeof(*caps.items)))
		return;
	memcpy(caps.items, told->items, told->count * sizeof(*caps.items));
	caps.count = told->count;
}

/*
 * A job on such a node ended before the plan, which could not use the node yet. It comes free
 * without a further end.
 */
static void admit_free_completing(void)
{
	uint32_t places = lw_gate_places(&gate);

	for (uint32_t i = 0; i < places && i < (uint32_t)node_record_count; i++)
		if (node_record_table_ptr[i] && IS_NODE_COMPLETING(node_record_table_ptr[i]))
			lw_gate_ended(&gate, i);
}

/* A plan of nodes that may have other numbers by now is of no use: the next one follows soon. */
void lw_admit_gate(struct lw_gate *told, const struct lw_caps *told_caps, bool insists,
		   bool *ret_overtaken)
{
	struct lw_gate before = gate;

	if (was_reset)
		return;
	if (ret_overtaken && admit_is_overtaken(told)) {
		*ret_overtaken = true;
		if (!insists)
			return;
	}
	gate = *told;
	*told = before;
	admit_take_caps(told_caps);
	shut_s = freed_s = 0;
	admit_free_completing();
	admit_replay_changes();
}

void lw_admit_applied(void)
{
	lw_gate_applied(&gate);
}

static void admit_note_change(const struct change *change)
{
	if (change_count >= CHANGES_MAX ||
	    lw_grow((void **)&changes, &change_room, change_count + 1, sizeof(*changes)))
		changes_lost = true;
	else
		changes[change_count++] = *change;
}

/* ---- a start that is judged ---- */

static struct lw_gate_start admit_start_of(const job_record_t *job, int64_t now_s)
{
	return (struct lw_gate_start){
		.job_id = lw_slurm_job_id(job),
		.tier = job->part_ptr->priority_tier,
		.end_s = now_s + lw_job_limit_s(job, job->part_ptr),
		.by_turn = !freed_s || now_s < freed_s + LW_ADMIT_TURN_S,
	};
}

/* What JOB takes of each node at least, in the types of the gate. */
static struct lw_res admit_least_of(const job_record_t *job, bitstr_t *nodes,
				    const struct lw_node_counts *counts)
{
	uint32_t types = gate.types.gpu_type_count;
	const struct lw_job_place place = { .part = job->part_ptr,
					    .node = node_record_table_ptr[bit_ffs(nodes)],
					    .min_nodes = counts->min,
					    .max_nodes = counts->max };
	struct lw_request request;
	struct lw_res least = { 0 };

	if (!place.node)
		return least;
	lw_job_request(&gate.types, job, &place, &request);
	least.cpus = request.exclusive ? UINT32_MAX : request.cpus_per_node;
	lw_caps_hold(&caps, job->part_ptr, &least);
	least.mem_mib = request.mem_per_node_mib;
	if (request.gpu_type != LW_GPU_ANY && (uint32_t)request.gpu_type < types)
		least.gpus[request.gpu_type] = request.gpus_per_node;
	lw_snapshot_drop_gpu_types(&gate.types, types);
	return least;
}

/* Is the plan too old, or of a time to come, since the clock was set back? */
static bool admit_is_old(int64_t now_s)
{
	return now_s < gate.made_s || now_s > gate.made_s + LW_ADMIT_OLD_S;
}

/* Is told what a job, START, holds of NODE. */
typedef void (*held_f)(const struct lw_gate_start *start, uint32_t node,
		       const struct lw_res *held, void *arg);

/* A licence is a node of the gate, behind those of Slurm, with the licences as its memory. */
struct licences_of {
	const struct lw_gate_start *start;
	held_f tell;
	void *arg;
};

static int admit_tell_licence(void *x, void *arg)
{
	const licenses_t *licence = x;
	const struct licences_of *of = arg;
	const struct lw_res held = { .mem_mib = licence->total };

	for (uint32_t i = 0; i < gate.types.node_count; i++)
		if (lw_slurm_licence_is(licence, gate.types.nodes[i].name +
						       sizeof(LW_LICENCE_NODE) - 1))
			of->tell(of->start, lw_gate_places(&gate) + i, &held, of->arg);
	return 0;
}

static void admit_refuse_harmed(const struct lw_gate_start *start, uint32_t node,
				const struct lw_res *held, void *arg)
{
	*(bool *)arg |= lw_gate_harms(&gate, start, node, held);
}

/* Licences of its reservation are kept for it. */
static void admit_each_licence(const job_record_t *job, struct licences_of *of)
{
	if (job->license_list && !job->resv_name)
		list_for_each(job->license_list, admit_tell_licence, of);
}

/* Are licences of JOB kept from it? */
static bool admit_lacks_licences(const job_record_t *job)
{
	bool refused = false;

	admit_each_licence(job, &(struct licences_of){ &judged, admit_refuse_harmed, &refused });
	return refused;
}

enum lw_admission lw_admit_cut(const job_record_t *job, bitstr_t *nodes,
			       const struct lw_node_counts *counts, bitstr_t **ret_all)
{
	const struct lw_bitset *refused;
	int64_t now_s = time(NULL);
	uint32_t node;

	if (ours || !job->details || !job->part_ptr || !counts->min || bit_ffs(nodes) < 0)
		return LW_ADMIT_FREELY;
	if (now_s < shut_s)
		return LW_ADMIT_NOT;
	if (!gate.node_count || lw_gate_places(&gate) != (uint32_t)bit_size(nodes) ||
	    admit_is_old(now_s))
		return LW_ADMIT_FREELY;
	judged = admit_start_of(job, now_s);
	if (lw_gate_holds(&gate, &judged) || admit_lacks_licences(job))
		return LW_ADMIT_NOT;
	judged.least = admit_least_of(job, nodes, counts);
	refused = lw_gate_refused(&gate, &judged);
	*ret_all = bit_copy(nodes);
	lw_bitset_foreach(refused, node)
		if (node < lw_gate_places(&gate))
			bit_clear(nodes, (bitoff_t)node);
	return bit_ffs(nodes) < 0 ? LW_ADMIT_NOT : LW_ADMIT_HERE;
}

/* Tell of each node of JOB what it holds there, in the types of the gate. */
static void admit_each_held(const job_record_t *job, const struct lw_gate_start *start,
			    held_f tell, void *arg)
{
	const job_resources_t *resources = job->job_resrcs;
	uint32_t types = gate.types.gpu_type_count, host = 0;

	if (!resources || !resources->node_bitmap)
		return;
	lw_bits_foreach(resources->node_bitmap, i) {
		const node_record_t *node = node_record_table_ptr[i];
		struct lw_res total, held;

		if (!node)
			return;
		lw_node_total(&gate.types, node, &total);
		lw_job_is_given(&gate.types, job, host++, (uint32_t)i, &total, &held);
		lw_caps_hold(&caps, job->part_ptr, &held);
		tell(start, (uint32_t)i, &held, arg);
	}
	lw_snapshot_drop_gpu_types(&gate.types, types);
}

struct harm {
	bitstr_t *nodes;
	bool any;
};

static void admit_drop_harmed(const struct lw_gate_start *start, uint32_t node,
			      const struct lw_res *held, void *arg)
{
	struct harm *harm = arg;

	if (!lw_gate_harms(&gate, start, node, held))
		return;
	bit_clear(harm->nodes, (bitoff_t)node);
	harm->any = true;
}

bool lw_admit_harms(const job_record_t *job, bitstr_t *nodes)
{
	struct harm harm = { .nodes = nodes };

	admit_each_held(job, &judged, admit_drop_harmed, &harm);
	return harm.any;
}

/* ---- what happens between two plans ---- */

static void admit_take_begun(const struct lw_gate_start *start, uint32_t node,
			     const struct lw_res *held, void *arg)
{
	(void)arg;
	lw_gate_began(&gate, start, node, held);
	admit_note_change(
		&(struct change){ .start = *start, .held = *held, .node = node, .begins = true });
}

/* What the plan itself starts it has taken into account. */
void lw_admit_began(const job_record_t *job)
{
	struct lw_gate_start start;

	if (ours || !job->part_ptr || !gate.node_count || admit_is_old(time(NULL)))
		return;
	start = admit_start_of(job, time(NULL));
	admit_each_held(job, &start, admit_take_begun, NULL);
	admit_each_licence(job, &(struct licences_of){ &start, admit_take_begun, NULL });
	lw_gate_started(&gate, start.job_id);
}

static void admit_take_ended(const struct lw_gate_start *start, uint32_t node,
			     const struct lw_res *held, void *arg)
{
	(void)start;
	(void)held;
	(void)arg;
	lw_gate_ended(&gate, node);
	admit_note_change(&(struct change){ .node = node });
}

void lw_admit_ends(const job_record_t *job)
{
	const job_resources_t *resources = job->job_resrcs;

	if (!gate.node_count || !resources || !resources->node_bitmap || admit_is_old(time(NULL)))
		return;
	admit_note_freed();
	lw_bits_foreach(resources->node_bitmap, i)
		admit_take_ended(NULL, (uint32_t)i, NULL, NULL);
	admit_each_licence(job, &(struct licences_of){ NULL, admit_take_ended, NULL });
}
