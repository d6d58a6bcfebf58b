/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the gate of a plan: what the plan keeps from starts that it did not make. */
#include "planner/policies/gate_make.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_gate_scratch_fini(struct lw_gate_scratch *scratch)
{
	lw_profile_fini(&scratch->profile);
	free(scratch->started);
	free(scratch->planned);
	memset(scratch, 0, sizeof(*scratch));
}

static struct lw_gate_claim gate_make_claim_of(const struct lw_cycle *cycle, uint32_t index,
					       int64_t due_s)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);

	return (struct lw_gate_claim){ .job_id = job->job_id,
				       .tier = job->constraints.tier,
				       .due_s = due_s };
}

/* The room of a promised job, which others may use until the reservation's horizon. */
static int gate_make_keep_held(struct lw_gate *gate, const struct lw_cycle *cycle,
			       const struct lw_reservation *resv)
{
	struct lw_gate_claim claim = gate_make_claim_of(cycle, resv->waiting, resv->horizon_s);
	int rc = 0;

	for (uint32_t i = 0; !rc && !resv->over && i < resv->held_count; i++) {
		uint32_t node = cycle->held[resv->first_held + i];

		claim.spare = cycle->spare[node];
		rc = lw_gate_keep(gate, node, &claim);
	}
	return rc;
}

/* ---- jobs that have their room in a profile: accepted deadlines, conservative ---- */

/* Mark the decisions that are reservations in a profile; how many. */
static uint32_t gate_make_mark_planned(const struct lw_cycle *cycle, uint8_t *planned)
{
	const struct lw_plan *plan = cycle->plan;
	bool all = lw_policy_has(cycle->params->kind, LW_RESERVES_ALL);
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->decision_count; i++)
		planned[i] = all && plan->decisions[i].verdict == LW_RESERVE;
	for (uint32_t r = 0; r < cycle->reservation_count; r++)
		if (!cycle->reservations[r].over && !cycle->reservations[r].held_count)
			planned[cycle->reservations[r].decision] = 1;
	for (uint32_t i = 0; i < plan->decision_count; i++)
		count += planned[i];
	return count;
}

static int gate_make_profile_take(const struct lw_cycle *cycle, struct lw_profile *profile,
				  const struct lw_decision *decision)
{
	return lw_profile_take(
		profile, decision->start_s,
		lw_waiting_end_s(lw_cycle_job(cycle, decision->waiting), decision->start_s),
		lw_decision_allocs(cycle->plan, decision), decision->alloc_count);
}

/* The running jobs, the starts of the plan, and what it has PLANNED. */
static int gate_make_fill_profile(const struct lw_cycle *cycle, const uint8_t *planned,
				  struct lw_profile *profile)
{
	int rc = lw_profile_begin(profile, cycle->snap);

	for (uint32_t i = 0; !rc && i < cycle->plan->decision_count; i++)
		if (planned[i] || cycle->plan->decisions[i].verdict == LW_START)
			rc = gate_make_profile_take(cycle, profile, &cycle->plan->decisions[i]);
	return rc;
}

/* At the start of the job there is to be its room: others have what is free beside it then. */
static int gate_make_keep_planned(struct lw_gate *gate, const struct lw_cycle *cycle,
				  const struct lw_profile *profile,
				  const struct lw_decision *decision)
{
	const struct lw_alloc *allocs = lw_decision_allocs(cycle->plan, decision);
	struct lw_gate_claim claim =
		gate_make_claim_of(cycle, decision->waiting, decision->start_s);
	int rc = 0;

	for (uint32_t i = 0; !rc && i < decision->alloc_count; i++) {
		claim.spare = *lw_profile_at(profile, allocs[i].node, decision->start_s);
		rc = lw_gate_keep(gate, allocs[i].node, &claim);
	}
	return rc;
}

static int gate_make_keep_all(struct lw_gate *gate, const struct lw_cycle *cycle,
			      struct lw_gate_scratch *scratch)
{
	uint32_t count = cycle->plan->decision_count;
	int rc = 0;

	if (lw_grow((void **)&scratch->planned, &scratch->planned_room, count + 1,
		    sizeof(*scratch->planned)))
		return -ENOMEM;
	for (uint32_t r = 0; !rc && r < cycle->reservation_count; r++)
		rc = gate_make_keep_held(gate, cycle, &cycle->reservations[r]);
	if (rc || !gate_make_mark_planned(cycle, scratch->planned))
		return rc;
	rc = gate_make_fill_profile(cycle, scratch->planned, &scratch->profile);
	for (uint32_t i = 0; !rc && i < count; i++)
		if (scratch->planned[i])
			rc = gate_make_keep_planned(gate, cycle, &scratch->profile,
						    &cycle->plan->decisions[i]);
	return rc;
}

/* ---- the turn ---- */

/* Does the plan let the record wait on purpose, although it has room? */
static bool gate_make_waits_on_purpose(const struct lw_cycle *cycle, uint32_t index)
{
	uint32_t number = cycle->snap->queue.class_of[index];
	enum lw_reason reason;

	if (!lw_cycle_class_has_failed(cycle, number))
		return false;
	reason = lw_cycle_class_failure(cycle, number);
	return reason == LW_REASON_WAITS_FOR_SHORTER || reason == LW_REASON_WAITS_FOR_BROKEN;
}

/* Other records of the job may start: Slurm does not say as which of them it is tried. */
static bool gate_make_has_variants(const struct lw_cycle *cycle, uint32_t index)
{
	return lw_cycle_job(cycle, index)->variant ||
	       (cycle->first_variant && cycle->snap->variant_count);
}

/* The nodes that the job may use, those of its other components, and its licences. */
static void gate_make_note_wanted(struct lw_gate *gate, const struct lw_cycle *cycle,
				  const struct lw_waiting *job)
{
	uint32_t number = job->constraints.coallocation;
	const struct lw_coallocation *beside =
		number ? &cycle->snap->coallocations[number - 1] : NULL;

	lw_bitset_or(&gate->wanted, &cycle->usable[job->set]);
	for (uint32_t i = 0; beside && i < beside->need_count; i++) {
		const struct lw_need *need = &cycle->snap->needs[beside->first_need + i];

		lw_bitset_or(&gate->wanted, &cycle->usable[need->set]);
	}
}

static int gate_make_note_waiting(struct lw_gate *gate, const struct lw_cycle *cycle,
				  uint32_t index)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);

	gate_make_note_wanted(gate, cycle, job);
	if (gate->tier < job->constraints.tier)
		gate->tier = job->constraints.tier;
	if (!gate_make_waits_on_purpose(cycle, index) || gate_make_has_variants(cycle, index))
		return 0;
	if (lw_grow((void **)&gate->held, &gate->held_room, gate->held_count + 1,
		    sizeof(*gate->held)))
		return -ENOMEM;
	gate->held[gate->held_count++] = job->job_id;
	return 0;
}

static int gate_make_compare_ids(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The nodes of DECISION, a start. */
static void gate_make_note_start(struct lw_gate *gate, const struct lw_cycle *cycle,
				 const struct lw_decision *decision)
{
	const struct lw_alloc *allocs = lw_decision_allocs(cycle->plan, decision);

	for (uint32_t i = 0; i < decision->alloc_count; i++)
		lw_bitset_set(&gate->starting, allocs[i].node);
}

static int gate_make_note_starts(struct lw_gate *gate, const struct lw_cycle *cycle,
				 struct lw_gate_scratch *scratch)
{
	uint32_t count = cycle->snap->waiting_count;

	if (lw_grow((void **)&scratch->started, &scratch->started_room, count + 1,
		    sizeof(*scratch->started)))
		return -ENOMEM;
	memset(scratch->started, 0, count * sizeof(*scratch->started));
	for (uint32_t i = 0; i < cycle->plan->decision_count; i++) {
		const struct lw_decision *decision = &cycle->plan->decisions[i];

		if (decision->verdict != LW_START)
			continue;
		scratch->started[decision->waiting]++;
		gate_make_note_start(gate, cycle, decision);
	}
	return 0;
}

/* Under policies with LW_IN_ORDER nothing passes a job that waits: its nodes are all its own. */
static int gate_make_note_turn(struct lw_gate *gate, const struct lw_cycle *cycle,
			       struct lw_gate_scratch *scratch)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	enum lw_reason reason;
	int rc = gate_make_note_starts(gate, cycle, scratch);

	for (uint32_t i = 0; !rc && i < queue->count; i++) {
		uint32_t index = queue->order[i];

		if (lw_cycle_ready(cycle, index, &reason) &&
		    lw_cycle_tasks_left(cycle, index) > scratch->started[index])
			rc = gate_make_note_waiting(gate, cycle, index);
	}
	if (gate->held_count)
		qsort(gate->held, gate->held_count, sizeof(*gate->held), gate_make_compare_ids);
	if (lw_policy_has(cycle->params->kind, LW_IN_ORDER))
		lw_bitset_or(&gate->freed, &gate->wanted);
	return rc;
}

/* What the plan does not start there by itself, the next plan judges. */
static int gate_make_note_drain(struct lw_gate *gate, struct lw_cycle *cycle)
{
	uint32_t index;
	int rc = -ENOENT;

	if (cycle->hooks->drains)
		rc = cycle->hooks->drains(cycle, &index, &gate->drained_s);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	gate->drained_for = lw_cycle_job(cycle, index)->job_id;
	lw_bitset_or(&gate->drained, &cycle->usable[cycle->snap->waiting[index].set]);
	return 0;
}

static int gate_make_name_types(struct lw_gate *gate, const struct lw_snapshot *snap)
{
	for (uint32_t type = 0; type < snap->gpu_type_count; type++)
		if (lw_snapshot_gpu_type(&gate->types, snap->gpu_types[type]) != (int)type)
			return -ENOMEM;
	return 0;
}

/* The nodes of SNAP behind the first PLACES. */
static int gate_make_name_licences(struct lw_gate *gate, const struct lw_snapshot *snap,
				   uint32_t places)
{
	struct lw_error err;
	int rc = 0;

	for (uint32_t i = places; !rc && i < snap->node_count; i++)
		rc = lw_snapshot_add_node(&gate->types, snap->nodes[i].name, &snap->nodes[i].total,
					  true, &err);
	return rc;
}

int lw_gate_make(struct lw_gate *gate, uint32_t places, struct lw_cycle *cycle,
		 struct lw_gate_scratch *scratch)
{
	int rc = lw_gate_reset(gate, cycle->snap->node_count);

	if (!rc)
		rc = gate_make_name_types(gate, cycle->snap);
	if (!rc)
		rc = gate_make_name_licences(gate, cycle->snap, places);
	if (!rc)
		rc = gate_make_keep_all(gate, cycle, scratch);
	if (!rc)
		rc = gate_make_note_turn(gate, cycle, scratch);
	if (!rc)
		rc = gate_make_note_drain(gate, cycle);
	gate->made_s = cycle->snap->now_s;
	if (rc)
		lw_gate_fini(gate);
	return rc;
}
