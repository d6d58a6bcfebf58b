/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/keep/meter_fill: what the metrics are of plans and the like. */
#include "slurm/keep/meter_fill.h"

#include "measure/locality.h"
#include "measure/machine.h"
#include "predictor/history.h"
#include "unit/meter_lines.h"
#include "unit/unit.h"

static void setup(void)
{
	lw_meter_init(&meter);
}

/* Two racks of three nodes with 4 GPUs and 16 CPUs; one job has so many GPUs of each node. */
static void make_racks(struct lw_snapshot *snap, const uint16_t used[6])
{
	const struct lw_machine machine = {
		.nodes = 6, .gpus_per_node = 4, .cpus_per_node = 16, .racks = 2
	};
	struct lw_running job = { .job_id = 1, .end_s = 100 };
	struct lw_alloc allocs[6];
	uint32_t count = 0;
	struct lw_error err;

	ck_assert_int_eq(lw_machine_build(&machine, snap), 0);
	for (uint32_t i = 0; i < 6; i++)
		if (used[i])
			allocs[count++] = (struct lw_alloc){
				.node = i, .res = { .cpus = 4u * used[i], .gpus = { used[i] } }
			};
	if (count)
		ck_assert_int_eq(lw_snapshot_add_running(snap, &job, allocs, count, &err), 0);
}

static void add_waiting(struct lw_snapshot *snap, uint32_t job_id, uint32_t nodes, uint16_t gpus,
			uint32_t after)
{
	const struct lw_waiting job = {
		.job_id = job_id,
		.tasks = 1,
		.readiness = LW_READY,
		.begin_s = LW_NO_TIME,
		.limit_s = 100,
		.promise_s = LW_NO_TIME,
		.constraints = { .after = after },
		.request = { .nodes_min = nodes,
			     .nodes_max = nodes,
			     .gpus_per_node = gpus,
			     .cpus_per_node = 4u * gpus,
			     .gpu_type = LW_GPU_ANY },
	};
	struct lw_error err;

	ck_assert_msg(!lw_snapshot_add_waiting(snap, &job, &err), "%s", err.text);
}

static void decide(struct lw_plan *plan, uint32_t waiting, enum lw_verdict verdict,
		   enum lw_reason reason, int64_t start_s, int64_t promise_s)
{
	const struct lw_decision decision = { .waiting = waiting,
					      .job_id = waiting + 10,
					      .verdict = verdict,
					      .reason = reason,
					      .start_s = start_s,
					      .promise_s = promise_s };

	ck_assert_int_eq(lw_plan_add(plan, &decision, NULL, 0), 0);
}

/* GPUs in use, what the first job wants, and what it comes to. */
static const struct {
	uint16_t used[6];
	uint32_t nodes;
	uint16_t gpus;
} brokens[] = {
	{ { 0 }, 1, 4 },
	{ { 1, 1, 1, 1, 1, 1 }, 1, 4 },
	{ { 2, 2, 0, 4, 4, 4 }, 1, 4 },
	{ { 1, 2, 3, 4, 4, 4 }, 1, 2 },
	{ { 4, 4, 4, 4, 4, 3 }, 2, 4 },
	{ { 3, 3, 3, 3, 3, 3 }, 1, 1 },
	{ { 1, 0, 1, 0, 1, 0 }, 3, 3 },
};

FIXTURE(setup, NULL);

TEST_EACH(fragmentation_is_as_in_the_simulator, LW_COUNT_OF(brokens))
{
	struct lw_sim_job next = { .request = { .nodes_min = brokens[_i].nodes,
						.gpus_per_node = brokens[_i].gpus,
						.cpus_per_node = 4u * brokens[_i].gpus } };
	struct lw_locality locality = { 0 };
	struct lw_snapshot snap;
	struct lw_plan plan;

	make_racks(&snap, brokens[_i].used);
	lw_plan_init(&plan);
	add_waiting(&snap, 10, brokens[_i].nodes, brokens[_i].gpus, 0);
	decide(&plan, 0, LW_RESERVE, LW_REASON_RESERVED, 50, 50);
	lw_meter_plan(&meter, &snap, &plan);
	lw_locality_rested(&locality, &snap, &next, snap.now_s + 1);
	ck_assert_int_eq(meter.known[LW_METER_FRAGMENTATION], locality.free_gpu_s > 0);
	if (locality.free_gpu_s > 0)
		ck_assert_int_eq(
			meter.value[LW_METER_FRAGMENTATION],
			(int64_t)(1000000 * locality.useless_gpu_s / locality.free_gpu_s));
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

TEST(a_plan_is_counted)
{
	const uint16_t used[6] = { 4, 2 };
	struct lw_snapshot snap;
	struct lw_plan plan;

	make_racks(&snap, used);
	lw_plan_init(&plan);
	for (uint32_t i = 0; i < 4; i++)
		add_waiting(&snap, 10 + i, 1, 1, i < 2 ? 1 : 0);
	decide(&plan, 0, LW_RESERVE, LW_REASON_RESERVED, 90, 50);
	decide(&plan, 1, LW_WAIT, LW_REASON_WAITS_FOR_JOB, LW_NO_TIME, LW_NO_TIME);
	decide(&plan, 2, LW_RESERVE, LW_REASON_RESERVED, 60, 50);
	decide(&plan, 3, LW_START, LW_REASON_STARTS_BACKFILLED, 0, LW_NO_TIME);
	lw_meter_plan(&meter, &snap, &plan);
	ck_assert(has_line("leeway_sched_jobs_waiting 4"));
	ck_assert(has_line("leeway_sched_jobs_running 1"));
	ck_assert(has_line("leeway_sched_jobs_planned{how=\"reserved\"} 2"));
	ck_assert(has_line("leeway_sched_decisions{reason=\"reserved\"} 2"));
	ck_assert(has_line("leeway_sched_decisions{reason=\"backfilled\"} 1"));
	ck_assert(has_line("leeway_sched_decisions{reason=\"no-room\"} 0"));
	ck_assert(has_line("leeway_sched_chain_links{planned=\"yes\"} 1"));
	ck_assert(has_line("leeway_sched_chain_links{planned=\"no\"} 1"));
	ck_assert(has_line("leeway_sched_promise_slip_seconds 40"));
	ck_assert(has_line("leeway_sched_gpus{state=\"used\"} 6"));
	ck_assert(has_line("leeway_sched_gpus{state=\"free\"} 18"));
	ck_assert(has_line("leeway_sched_gpus{state=\"down\"} 0"));
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

static const struct {
	uint16_t used[6];
	int near, far;
} gangs[] = { { { 4 }, 0, 0 },
	      { { 4, 4 }, 1, 0 },
	      { { 4, 1, 1 }, 1, 0 },
	      { { 0, 0, 4, 4 }, 0, 1 },
	      { { 1, 1, 1, 1, 1, 1 }, 0, 1 } };

TEST_EACH(gangs_are_in_one_domain_or_in_several, LW_COUNT_OF(gangs))
{
	struct lw_snapshot snap;
	struct lw_plan plan;

	make_racks(&snap, gangs[_i].used);
	lw_plan_init(&plan);
	lw_meter_plan(&meter, &snap, &plan);
	ck_assert_int_eq(meter.value[LW_METER_GANGS_NEAR], gangs[_i].near);
	ck_assert_int_eq(meter.value[LW_METER_GANGS_FAR], gangs[_i].far);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

/* A job has two parts of a GPU, another one as a whole, a third is the last of those on a GPU. */
TEST(who_has_parts_shares)
{
	const struct lw_res has[] = { { .parts = 2 },
				      { .parts = 8, .gpus = { 1 } },
				      { .parts = 1, .gpus = { 1 } } };
	const struct lw_res total = { .cpus = 9, .gpus = { 4 }, .gpu_parts = 8, .parts = 32 };
	struct lw_snapshot snap;
	struct lw_plan plan;
	struct lw_error err;

	lw_snapshot_init(&snap, 0);
	lw_plan_init(&plan);
	ck_assert_int_eq(lw_snapshot_gpu_type(&snap, "a100"), 0);
	ck_assert_int_eq(lw_snapshot_add_node(&snap, "n0", &total, true, &err), 0);
	for (uint32_t i = 0; i < LW_COUNT_OF(has); i++) {
		const struct lw_alloc alloc = { .res = has[i] };
		const struct lw_running job = { .job_id = i + 1, .end_s = 100 };

		ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, &alloc, 1, &err), 0);
	}
	lw_meter_plan(&meter, &snap, &plan);
	ck_assert(has_line("leeway_sched_jobs_sharing 2"));
	ck_assert(has_line("leeway_sched_gpu_parts_used 3"));
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

TEST(without_domains_no_gang_is_told)
{
	const struct lw_machine machine = { .nodes = 2, .gpus_per_node = 4, .cpus_per_node = 16 };
	struct lw_snapshot snap;
	struct lw_plan plan;

	ck_assert_int_eq(lw_machine_build(&machine, &snap), 0);
	lw_plan_init(&plan);
	lw_meter_plan(&meter, &snap, &plan);
	ck_assert(!meter.known[LW_METER_GANGS_NEAR] && !meter.known[LW_METER_GANGS_FAR]);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

TEST(promises_by_what_became_of_them)
{
	const struct lw_promise_totals totals = { .made = 30,
						  .kept = 20,
						  .later = 5,
						  .broken = 1,
						  .cancelled = 2,
						  .held = 3,
						  .lost = 1,
						  .late_s = 77 };

	lw_meter_promises(&meter, &totals, 3);
	ck_assert(has_line("leeway_sched_promises_made_total 30"));
	ck_assert(has_line("leeway_sched_promises_kept_total{when=\"as_shown\"} 15"));
	ck_assert(has_line("leeway_sched_promises_kept_total{when=\"later\"} 5"));
	ck_assert(has_line("leeway_sched_promises_broken_total 1"));
	ck_assert(has_line("leeway_sched_promises_withdrawn_total{reason=\"cancelled\"} 2"));
	ck_assert(has_line("leeway_sched_promises_withdrawn_total{reason=\"held\"} 3"));
	ck_assert(has_line("leeway_sched_promises_withdrawn_total{reason=\"lost_nodes\"} 1"));
	ck_assert(has_line("leeway_sched_promises_late_seconds_total 77"));
	ck_assert(has_line("leeway_sched_promises_open 3"));
}

TEST(what_was_learned_is_told_once_something_was)
{
	const struct lw_history_job job = {
		.user = 1, .partition = 1, .limit_s = 3600, .run_s = 60, .end_s = 1000
	};
	struct lw_history *history;

	ck_assert_int_eq(lw_history_create(0, &history), 0);
	lw_meter_history(&meter, history);
	ck_assert(has_line("leeway_sched_history_jobs_total 0"));
	ck_assert(!meter.known[LW_METER_HELD_P50] && !meter.known[LW_METER_HELD_P90]);
	ck_assert_int_eq(lw_history_add(history, &job), 0);
	lw_meter_history(&meter, history);
	ck_assert(has_line("leeway_sched_history_jobs_total 1"));
	ck_assert_int_gt(meter.value[LW_METER_HELD_P90], 800000);
	ck_assert_int_le(meter.value[LW_METER_HELD_P90], 1000000);
	lw_meter_history(&meter, NULL);
	ck_assert(!meter.known[LW_METER_HELD_P50]);
	lw_history_destroy(history);
}

TEST(likely_starts_by_how_they_held)
{
	struct lw_outlook *outlook = calloc(1, sizeof(*outlook));
	const int64_t now_s = INT64_C(86400) * 20000;

	ck_assert_ptr_nonnull(outlook);
	lw_outlook_init(outlook);
	lw_meter_outlook(&meter, outlook, 3, now_s);
	ck_assert(has_line("leeway_sched_outlook_judged 0"));
	ck_assert(!meter.known[LW_METER_OUTLOOK_P50]);
	outlook->days[20000 % LW_OUTLOOK_DAYS] =
		(struct lw_outlook_day){ 20000, { 8 }, { 4 }, { 7 } };
	lw_meter_outlook(&meter, outlook, 3, now_s);
	ck_assert(has_line("leeway_sched_outlook_judged 8"));
	ck_assert(has_line("leeway_sched_outlook_held_ratio{quantile=\"0.5\"} 0.500000"));
	ck_assert(has_line("leeway_sched_outlook_held_ratio{quantile=\"0.9\"} 0.875000"));
	lw_meter_outlook(&meter, NULL, 3, now_s);
	ck_assert(has_line("leeway_sched_outlook_judged 0"));
	free(outlook);
}
