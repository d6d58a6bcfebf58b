/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler's metrics from snapshots, plans, promises and history. */
#include "slurm/keep/meter_fill.h"

#define MICROS 1000000

static int64_t meter_fill_share_of(uint64_t part, uint64_t whole)
{
	return (int64_t)(part * MICROS / whole);
}

static void fill_reasons(struct lw_meter *meter, const struct lw_plan *plan)
{
	static const enum lw_meter_id ids[LW_REASON_COUNT] = {
#define LW_REASON(symbol, name, sentence) [LW_REASON_##symbol] = LW_METER_REASON_##symbol,
#include "planner/model/reason.def"
#undef LW_REASON
	};
	uint32_t count[LW_REASON_COUNT] = { 0 };

	for (uint32_t i = 0; i < plan->decision_count; i++)
		count[plan->decisions[i].reason]++;
	for (int reason = 0; reason < LW_REASON_COUNT; reason++)
		lw_meter_set(meter, ids[reason], count[reason]);
}

/* Jobs that wait for the end of a running job, and the promise that is furthest behind. */
static void fill_reserved(struct lw_meter *meter, const struct lw_snapshot *snap,
			  const struct lw_plan *plan)
{
	int64_t links[2] = { 0 }, slip_s = 0;

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		bool reserved = decision->verdict == LW_RESERVE;

		if (decision->verdict != LW_START)
			links[reserved] +=
				snap->waiting[decision->waiting].constraints.after != 0;
		if (reserved && decision->promise_s != LW_NO_TIME &&
		    decision->start_s - decision->promise_s > slip_s)
			slip_s = decision->start_s - decision->promise_s;
	}
	lw_meter_set(meter, LW_METER_CHAIN_PLANNED, links[true]);
	lw_meter_set(meter, LW_METER_CHAIN_UNPLANNED, links[false]);
	lw_meter_set(meter, LW_METER_PROMISE_SLIP, slip_s);
}

static struct lw_res meter_fill_free_on(const struct lw_snapshot *snap, uint32_t node)
{
	struct lw_res free = snap->nodes[node].total;

	lw_res_sub(&free, &snap->used[node]);
	return free;
}

static void fill_gpus(struct lw_meter *meter, const struct lw_snapshot *snap)
{
	int64_t used = 0, free[2] = { 0 };

	for (uint32_t node = 0; node < snap->node_count; node++) {
		struct lw_res left = meter_fill_free_on(snap, node);

		used += lw_res_gpus(&snap->used[node]);
		free[snap->nodes[node].usable] += lw_res_gpus(&left);
	}
	lw_meter_set(meter, LW_METER_GPUS_USED, used);
	lw_meter_set(meter, LW_METER_GPUS_FREE, free[true]);
	lw_meter_set(meter, LW_METER_GPUS_DOWN, free[false]);
}

/* The first job that waits for room and wants GPUs, or NULL. */
static const struct lw_request *meter_fill_first_waiting(const struct lw_snapshot *snap,
							 const struct lw_plan *plan)
{
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		const struct lw_request *req = &snap->waiting[decision->waiting].request;
		bool waits = decision->verdict == LW_RESERVE ||
			     decision->reason == LW_REASON_WAITS_FOR_ROOM;

		if (waits && (req->gpus_per_node || req->gpus_total))
			return req;
	}
	return NULL;
}

/* How many of the GPUs of FREE such a job can use, of any type. As in measure/locality. */
static uint32_t meter_fill_useful(const struct lw_request *req, const struct lw_res *free)
{
	uint32_t each = req->gpus_per_node ? req->gpus_per_node : 1;
	uint32_t times = lw_res_gpus(free) / each;

	if (req->cpus_per_node && free->cpus / req->cpus_per_node < times)
		times = free->cpus / req->cpus_per_node;
	if (req->mem_per_node_mib && free->mem_mib / req->mem_per_node_mib < times)
		times = free->mem_mib / req->mem_per_node_mib;
	return times * each;
}

/* If there are too few GPUs altogether, that is a lack of GPUs, not fragmentation. */
static void fill_fragmentation(struct lw_meter *meter, const struct lw_snapshot *snap,
			       const struct lw_request *req)
{
	uint64_t all = 0, of_use = 0, wanted = 0;

	lw_meter_unset(meter, LW_METER_FRAGMENTATION);
	for (uint32_t node = 0; node < snap->node_count && req; node++) {
		struct lw_res free = meter_fill_free_on(snap, node);

		if (!snap->nodes[node].usable)
			continue;
		all += lw_res_gpus(&free);
		of_use += meter_fill_useful(req, &free);
	}
	if (req)
		wanted = (uint64_t)req->nodes_min * req->gpus_per_node;
	if (wanted < 1)
		wanted = 1;
	if (all >= wanted)
		lw_meter_set(meter, LW_METER_FRAGMENTATION,
			     meter_fill_share_of(all - of_use, all));
}

/* How many nodes with GPUs a job has, and whether all are in one domain. */
static uint32_t meter_fill_gang_nodes(const struct lw_snapshot *snap,
				      const struct lw_running *job, bool *ret_near)
{
	const struct lw_alloc *allocs = lw_running_allocs(snap, job);
	uint32_t nodes = 0, domain = LW_NO_DOMAIN;

	*ret_near = true;
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		uint32_t here = lw_domain_of(&snap->domains, allocs[i].node);

		if (!lw_res_gpus(&allocs[i].res))
			continue;
		if (here == LW_NO_DOMAIN || (nodes && here != domain))
			*ret_near = false;
		domain = here;
		nodes++;
	}
	return nodes;
}

static void fill_gangs(struct lw_meter *meter, const struct lw_snapshot *snap)
{
	int64_t gangs[2] = { 0 };

	lw_meter_unset(meter, LW_METER_GANGS_NEAR);
	lw_meter_unset(meter, LW_METER_GANGS_FAR);
	if (!snap->domains.count)
		return;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		bool near;
		uint32_t nodes = meter_fill_gang_nodes(snap, &snap->running[i], &near);

		gangs[near] += nodes > 1;
	}
	lw_meter_set(meter, LW_METER_GANGS_NEAR, gangs[true]);
	lw_meter_set(meter, LW_METER_GANGS_FAR, gangs[false]);
}

/*
 * A job with whole GPUs, or with all of a node, shares them with no other job, though it has all
 * their parts. Of several jobs that share a GPU, the last to end has the GPU in the snapshot,
 * but not its parts.
 */
static bool meter_fill_shares_gpus(const struct lw_res *total, const struct lw_res *has)
{
	return has->parts && has->parts != total->parts &&
	       has->parts != (uint64_t)lw_res_gpus(has) * total->gpu_parts;
}

static uint64_t meter_fill_shared_parts(const struct lw_snapshot *snap,
					const struct lw_running *job)
{
	const struct lw_alloc *allocs = lw_running_allocs(snap, job);
	uint64_t parts = 0;

	for (uint32_t i = 0; i < job->alloc_count; i++)
		if (meter_fill_shares_gpus(&snap->nodes[allocs[i].node].total, &allocs[i].res))
			parts += allocs[i].res.parts;
	return parts;
}

static void fill_sharing(struct lw_meter *meter, const struct lw_snapshot *snap)
{
	uint64_t jobs = 0, parts = 0;

	for (uint32_t i = 0; i < snap->running_count; i++) {
		uint64_t has = meter_fill_shared_parts(snap, &snap->running[i]);

		jobs += has > 0;
		parts += has;
	}
	lw_meter_set(meter, LW_METER_SHARING, (int64_t)jobs);
	lw_meter_set(meter, LW_METER_PARTS_USED, (int64_t)parts);
}

void lw_meter_plan(struct lw_meter *meter, const struct lw_snapshot *snap,
		   const struct lw_plan *plan)
{
	lw_meter_set(meter, LW_METER_WAITING, snap->waiting_count - snap->variant_count);
	lw_meter_set(meter, LW_METER_RUNNING, snap->running_count);
	lw_meter_set(meter, LW_METER_PLANNED_RESERVED, plan->reserved);
	fill_reasons(meter, plan);
	fill_reserved(meter, snap, plan);
	fill_gpus(meter, snap);
	fill_fragmentation(meter, snap, meter_fill_first_waiting(snap, plan));
	fill_gangs(meter, snap);
	fill_sharing(meter, snap);
}

void lw_meter_promises(struct lw_meter *meter, const struct lw_promise_totals *totals,
		       uint32_t open)
{
	lw_meter_set(meter, LW_METER_PROMISES_MADE, (int64_t)totals->made);
	lw_meter_set(meter, LW_METER_PROMISES_AS_SHOWN, (int64_t)(totals->kept - totals->later));
	lw_meter_set(meter, LW_METER_PROMISES_LATER, (int64_t)totals->later);
	lw_meter_set(meter, LW_METER_PROMISES_BROKEN, (int64_t)totals->broken);
	lw_meter_set(meter, LW_METER_PROMISES_CANCELLED, (int64_t)totals->cancelled);
	lw_meter_set(meter, LW_METER_PROMISES_HELD, (int64_t)totals->held);
	lw_meter_set(meter, LW_METER_PROMISES_LOST, (int64_t)totals->lost);
	lw_meter_set(meter, LW_METER_PROMISES_LATE, totals->late_s);
	lw_meter_set(meter, LW_METER_PROMISES_OPEN, open);
}

void lw_meter_history(struct lw_meter *meter, const struct lw_history *history)
{
	const struct lw_calibration *calibration;
	struct lw_history_stats stats = { 0 };

	lw_meter_unset(meter, LW_METER_HELD_P50);
	lw_meter_unset(meter, LW_METER_HELD_P90);
	if (history)
		lw_history_stats(history, &stats);
	lw_meter_set(meter, LW_METER_HISTORY_JOBS, (int64_t)stats.jobs);
	lw_meter_set(meter, LW_METER_HISTORY_KEYS, stats.keys);
	if (!stats.jobs)
		return;
	calibration = lw_history_calibration(history);
	lw_meter_set(meter, LW_METER_HELD_P50,
		     (int64_t)(lw_calibration_held(calibration, 0.5) * MICROS + 0.5));
	lw_meter_set(meter, LW_METER_HELD_P90,
		     (int64_t)(lw_calibration_held(calibration, 0.9) * MICROS + 0.5));
}

void lw_meter_outlook(struct lw_meter *meter, const struct lw_outlook *outlook, uint32_t queue,
		      int64_t now_s)
{
	struct lw_outlook_held held = { 0 };

	if (outlook)
		held = lw_outlook_held(outlook, queue, now_s);
	lw_meter_unset(meter, LW_METER_OUTLOOK_P50);
	lw_meter_unset(meter, LW_METER_OUTLOOK_P90);
	lw_meter_set(meter, LW_METER_OUTLOOK_JUDGED, held.count);
	if (!held.count)
		return;
	lw_meter_set(meter, LW_METER_OUTLOOK_P50, meter_fill_share_of(held.by_p50, held.count));
	lw_meter_set(meter, LW_METER_OUTLOOK_P90, meter_fill_share_of(held.by_p90, held.count));
}
