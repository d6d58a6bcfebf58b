/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the model of stock Slurm: schedules worked out by hand. */
#include "lab/sim/stock/space.h"
#include "lab/sim/stock/world.h"
#include "lab/sim/trial.h"
#include "unit/unit.h"

#include <string.h>

static struct lw_sim_job job_of(uint32_t id, int64_t submit_s, uint32_t nodes, uint16_t gpus,
				int64_t limit_s)
{
	return (struct lw_sim_job){
		.id = id,
		.user = 1,
		.submit_s = submit_s,
		.run_s = limit_s,
		.limit_s = limit_s,
		.request = { .nodes_min = nodes,
			     .nodes_max = nodes,
			     .cpus_per_node = 1,
			     .gpus_per_node = gpus,
			     .gpu_type = LW_GPU_ANY },
	};
}

/* On two nodes of four GPUs. */
static void run_with(const struct lw_stock_params *params, struct lw_sim_job *jobs,
		     uint32_t count)
{
	struct lw_trial trial = {
		.stock = params, .machine = { .nodes = 2, .gpus_per_node = 4, .cpus_per_node = 8 }
	};

	lw_policy_params_default(&trial.policy);
	trial.policy.kind = LW_POLICY_FCFS;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, count, NULL, NULL), 0);
}

static void run_stock(struct lw_sim_job *jobs, uint32_t count)
{
	struct lw_stock_params params;

	lw_stock_params_default(&params);
	run_with(&params, jobs, count);
}

/* The second wants half of each node, from 600 on, and is kept both whole. */
TEST(a_planned_job_keeps_whole_nodes)
{
	struct lw_sim_job jobs[] = { job_of(1, 0, 1, 4, 600), job_of(2, 10, 2, 2, 600),
				     job_of(3, 20, 1, 1, 3600), job_of(4, 20, 1, 1, 300) };

	run_stock(jobs, 4);
	ck_assert_int_eq(jobs[0].start_s, 1);
	ck_assert_int_eq(jobs[1].start_s, 601);
	ck_assert_int_eq(jobs[2].start_s, 601);
	/* the main loop stops at the second, so backfill starts it, at its next cycle */
	ck_assert_int_eq(jobs[3].start_s, 30);
}

TEST(without_backfill_all_wait_behind_the_first)
{
	struct lw_sim_job jobs[] = { job_of(1, 0, 1, 4, 600), job_of(2, 10, 2, 2, 600),
				     job_of(3, 20, 1, 1, 300) };
	struct lw_stock_params params;

	lw_stock_params_default(&params);
	ck_assert(lw_stock_params_set(&params, "SchedulerType", "sched/builtin"));
	run_with(&params, jobs, 3);
	ck_assert_int_eq(jobs[2].start_s, 601);
}

/* A start beyond the window is not planned, and nothing is kept for it. */
TEST(beyond_the_window_nothing_is_kept)
{
	struct lw_sim_job jobs[] = { job_of(1, 0, 1, 4, 7200), job_of(2, 10, 2, 2, 600),
				     job_of(3, 20, 1, 1, 86400) };
	struct lw_stock_params params;

	lw_stock_params_default(&params);
	lw_stock_params_take(&params, "bf_window=60");
	run_with(&params, jobs, 3);
	ck_assert_int_eq(jobs[2].start_s, 30);
	lw_stock_params_take(&params, "bf_window=600");
	run_with(&params, jobs, 3);
	ck_assert_int_eq(jobs[2].start_s, 7201);
}

/* The main loop runs a second after the first, for all in the queue, and 3 s later again. */
TEST(a_submission_waits_for_the_main_loop)
{
	struct lw_sim_job jobs[] = { job_of(1, 0, 1, 1, 600), job_of(2, 1, 1, 1, 600),
				     job_of(3, 2, 1, 1, 600) };

	run_stock(jobs, 3);
	ck_assert_int_eq(jobs[0].start_s, 1);
	ck_assert_int_eq(jobs[1].start_s, 1);
	ck_assert_int_eq(jobs[2].start_s, 4);
}

TEST(an_old_job_goes_first_under_multifactor)
{
	struct lw_sim_job jobs[] = { job_of(1, 0, 2, 4, 600), job_of(2, 10, 1, 4, 600),
				     job_of(3, 20, 2, 4, 600) };
	struct lw_stock_params params;

	run_stock(jobs, 3);
	ck_assert(jobs[1].start_s < jobs[2].start_s);
	lw_stock_params_default(&params);
	ck_assert(lw_stock_params_set(&params, "PriorityType", "priority/multifactor"));
	ck_assert(lw_stock_params_set(&params, "PriorityWeightJobSize", "1000"));
	run_with(&params, jobs, 3);
	ck_assert(jobs[2].start_s < jobs[1].start_s);
}

/* ---- slurm.conf ---- */

TEST(parameters_are_read_as_slurm_reads_them)
{
	struct lw_stock_params params;

	lw_stock_params_default(&params);
	ck_assert_int_eq(params.bf_window_s, 86400);
	lw_stock_params_take(&params, "bf_continue,bf_window=10080,bf_interval=60,defer,"
				      "bf_max_job_user=x,bf_resolution=99999");
	ck_assert_int_eq(params.bf_window_s, 10080 * 60);
	ck_assert_int_eq(params.bf_interval_s, 60);
	ck_assert(params.defer && !params.no_fill);
	/* what Slurm refuses it leaves as it is */
	ck_assert_int_eq(params.bf_user_jobs, 0);
	ck_assert_int_eq(params.bf_resolution_s, 60);
	lw_stock_params_take(&params, "bf_interval=-1");
	ck_assert(params.no_fill);
	ck_assert(lw_stock_params_set(&params, "prioritymaxage", "1-12"));
	ck_assert_int_eq(params.age_max_s, 36 * 3600);
	ck_assert(lw_stock_params_set(&params, "PriorityMaxAge", "90"));
	ck_assert_int_eq(params.age_max_s, 90 * 60);
	ck_assert(lw_stock_params_set(&params, "PriorityMaxAge", "2:00:30"));
	ck_assert_int_eq(params.age_max_s, 7230);
	ck_assert(!lw_stock_params_set(&params, "ClusterName", "x"));
}

/* ---- the table of planned nodes ---- */

TEST(the_table_knows_when_nodes_are_taken)
{
	struct lw_stock_space space = { 0 };
	struct lw_bitset nodes, avail, all;

	ck_assert_int_eq(lw_bitset_init(&nodes, 3), 0);
	ck_assert_int_eq(lw_bitset_init(&avail, 3), 0);
	ck_assert_int_eq(lw_bitset_init(&all, 3), 0);
	ck_assert_int_eq(lw_stock_space_begin(&space, 3, 0, 6000, 60), 0);
	lw_bitset_set(&nodes, 1);
	ck_assert_int_eq(lw_stock_space_add(&space, 600, 1200, &nodes), 0);
	ck_assert(lw_stock_space_overlaps(&space, &nodes, 540, 660));
	ck_assert(!lw_stock_space_overlaps(&space, &nodes, 0, 600));
	ck_assert(!lw_stock_space_overlaps(&space, &nodes, 1200, 1800));
	lw_bitset_set_all(&avail);
	/* a job that reaches into it has two nodes, and at its end a third again */
	ck_assert_int_eq(lw_stock_space_reduce(&space, 0, 900, &avail, &all), 1200);
	ck_assert_uint_eq(lw_bitset_count(&avail), 2);
	lw_bitset_set_all(&avail);
	ck_assert_int_eq(lw_stock_space_reduce(&space, 1200, 1800, &avail, &all), 0);
	ck_assert_uint_eq(lw_bitset_count(&avail), 3);
	lw_stock_space_fini(&space);
	lw_bitset_fini(&nodes);
	lw_bitset_fini(&avail);
	lw_bitset_fini(&all);
}

/* ---- when a job fits ---- */

/* Three nodes of a CPU, each with a job up to these times. */
static int64_t when_fits(uint32_t nodes, const int64_t ends_s[3])
{
	const struct lw_machine machine = { .nodes = 3, .cpus_per_node = 1 };
	struct lw_stock_params params;
	struct lw_stock_world world;
	struct lw_snapshot snap;
	struct lw_error err;
	struct lw_waiting job = { .job_id = 9, .limit_s = 60 };
	int64_t start_s;

	lw_stock_params_default(&params);
	job.request = (struct lw_request){
		.nodes_min = nodes, .nodes_max = nodes, .cpus_per_node = 1, .gpu_type = LW_GPU_ANY
	};
	ck_assert_int_eq(lw_machine_build(&machine, &snap), 0);
	for (uint32_t i = 0; i < 3; i++) {
		const struct lw_running running = { .job_id = i + 1, .end_s = ends_s[i] };
		const struct lw_alloc alloc = { .node = i, .res.cpus = 1 };

		ck_assert_int_eq(lw_snapshot_add_running(&snap, &running, &alloc, 1, &err), 0);
	}
	ck_assert_int_eq(lw_stock_world_init(&world, &params, 3, 100), 0);
	ck_assert_int_eq(lw_stock_world_see(&world, &snap), 0);
	ck_assert(lw_stock_when(&world, &job, &world.open, 0, 0, &start_s));
	lw_stock_world_fini(&world);
	lw_snapshot_fini(&snap);
	return start_s;
}

/* Ends are taken together in longer and longer times, so what is found may be late. */
TEST(ends_are_taken_in_growing_groups)
{
	ck_assert_int_eq(when_fits(1, (int64_t[]){ 100, 170, 400 }), 100);
	ck_assert_int_eq(when_fits(2, (int64_t[]){ 100, 170, 400 }), 170);
	ck_assert_int_eq(when_fits(2, (int64_t[]){ 100, 170, 175 }), 175);
	ck_assert_int_eq(when_fits(1, (int64_t[]){ 100, 120, 140 }), 140);
}

/* Two slots may be made, which the second job does, so the third is not looked at. */
TEST(a_cycle_ends_when_its_table_is_full)
{
	struct lw_sim_job jobs[] = { job_of(1, 0, 1, 4, 600), job_of(2, 10, 2, 2, 600),
				     job_of(3, 11, 2, 2, 600), job_of(4, 20, 1, 1, 300) };
	struct lw_stock_params params;

	lw_stock_params_default(&params);
	run_with(&params, jobs, 4);
	ck_assert_int_eq(jobs[3].start_s, 30);
	lw_stock_params_take(&params, "bf_node_space_size=2");
	run_with(&params, jobs, 4);
	ck_assert_int_gt(jobs[3].start_s, 600);
}
