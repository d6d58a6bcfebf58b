/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/arena and sim/train: nets are trained in what leeway sim runs. */
#include "lab/sim/train.h"

#include "lab/sim/trial.h"
#include "measure/metrics.h"
#include "measure/rng.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPUS 16
#define JOBS 220
/* of runs in leeway sim, which is slower */
#define FEW  60

static void make_trace(struct lw_sim_job *jobs, uint32_t count, uint64_t seed)
{
	struct lw_rng rng;
	int64_t now_s = 0;

	memset(jobs, 0, count * sizeof(*jobs));
	lw_rng_init(&rng, seed);
	for (uint32_t i = 0; i < count; i++) {
		now_s += lw_rng_below(&rng, 700);
		jobs[i].id = i + 1;
		jobs[i].submit_s = now_s;
		jobs[i].limit_s = 60 * (1 + lw_rng_below(&rng, lw_rng_chance(&rng, 0.3) ? 200 : 9));
		jobs[i].run_s = 1 + lw_rng_below(&rng, (uint32_t)jobs[i].limit_s);
		jobs[i].request.nodes_min = jobs[i].request.nodes_max = 1;
		jobs[i].request.gpu_type = LW_GPU_ANY;
		jobs[i].request.cpus_total = 1U << lw_rng_below(&rng, 5);
	}
}

/* Any net will do. */
static struct lw_net some_net(enum lw_net_kind kind, uint64_t seed)
{
	struct lw_net net = { .kind = kind, .limit_s = 12000 };
	struct lw_rng rng;

	lw_rng_init(&rng, seed);
	for (uint32_t i = 0; i < lw_net_weights(kind); i++)
		net.weights[i] = (float)lw_rng_between(&rng, -0.4, 0.4);
	return net;
}

static double in_leeway_sim(const struct lw_arena *arena, struct lw_sim_job *jobs, uint32_t count)
{
	struct lw_trial trial = { .policy = arena->params,
				  .nets = arena->nets,
				  .published = arena->rule,
				  .runtime = LW_PREDICT_USER,
				  .machine.pool = CPUS,
				  .one_event = true };
	double sum = 0;

	trial.policy.kind = LW_POLICY_FCFS;
	trial.policy.terse = true;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, count, NULL, NULL), 0);
	for (uint32_t i = 0; i < count; i++)
		sum += lw_metrics_bsld(jobs[i].start_s - jobs[i].submit_s, jobs[i].run_s);
	return sum / count;
}

static const enum lw_order orders[] = { LW_ORDER_FCFS, LW_ORDER_SAF, LW_ORDER_WFP3,
					LW_ORDER_OUTSIDE };

/* Each rule, with and without an inspector, in some orders. */
TEST_EACH(the_arena_is_leeway_sim, LW_COUNT_OF(orders))
{
	struct lw_arena arena = { .cpus = CPUS };
	struct lw_net order = some_net(LW_NET_ORDER, 5), gate = some_net(LW_NET_INSPECTOR, 1);
	struct lw_arena_memory memory = { 0 };
	struct lw_sim_job jobs[JOBS];
	double bsld, held = 0, plain = 0;

	lw_policy_params_default(&arena.params);
	arena.nets = (struct lw_nets){ .order = &order, .inspect_cap_s = LW_INSPECT_CAP_S };
	arena.params.order = orders[_i];
	make_trace(jobs, FEW, 3 + (uint64_t)_i);
	for (int rule = LW_PUBLISHED_NONE; rule <= LW_PUBLISHED_ORDER; rule++) {
		for (int inspects = 0; inspects < 2; inspects++) {
			arena.rule = (enum lw_published)rule;
			arena.nets.inspector = inspects ? &gate : NULL;
			ck_assert_int_eq(lw_arena_run(&arena, &memory, jobs, FEW, &bsld), 0);
			ck_assert_double_eq_tol(bsld, in_leeway_sim(&arena, jobs, FEW), 1e-9);
			*(inspects ? &held : &plain) = bsld;
		}
		/* it does hold jobs back */
		ck_assert_double_ne(held, plain);
	}
	lw_arena_memory_fini(&memory);
}

/* A net that holds back whomever it is asked of. */
static struct lw_net always(void)
{
	struct lw_net net = { .kind = LW_NET_INSPECTOR, .limit_s = 1 };

	net.weights[lw_net_weights(LW_NET_INSPECTOR) - 9] = 1;
	return net;
}

static const enum lw_policy_kind policies[] = { LW_POLICY_FCFS, LW_POLICY_EASY, LW_POLICY_RELAXED,
						LW_POLICY_ADAPTIVE, LW_POLICY_LEEWAY };

/* Alone in the machine: the cap is all that an inspector can cost, to the second. */
TEST_EACH(an_inspector_costs_its_cap_at_most, LW_COUNT_OF(policies))
{
	struct lw_net net = always();
	struct lw_trial trial = { .runtime = LW_PREDICT_USER, .machine.pool = CPUS };
	struct lw_sim_job job;

	lw_policy_params_default(&trial.policy);
	trial.policy.kind = policies[_i];
	trial.policy.terse = true;
	trial.nets = (struct lw_nets){ .inspector = &net, .inspect_cap_s = 1500 };
	make_trace(&job, 1, 1);
	job.submit_s = 100;
	ck_assert_int_eq(lw_trial_run(&trial, &job, 1, NULL, NULL), 0);
	ck_assert_int_eq(job.start_s, 1600);
}

/* And it breaks no promise, whoever it holds back. */
TEST_EACH(an_inspector_breaks_no_promise, LW_COUNT_OF(policies))
{
	struct lw_trial trial = { .runtime = LW_PREDICT_USER, .machine.pool = CPUS };
	struct lw_sim_job jobs[JOBS];
	struct lw_net net;
	uint32_t promised = 0;

	lw_policy_params_default(&trial.policy);
	trial.policy.kind = policies[_i];
	trial.policy.terse = true;
	trial.nets = (struct lw_nets){ .inspector = &net, .inspect_cap_s = LW_INSPECT_CAP_S };
	for (uint64_t seed = 1; seed < 12; seed++) {
		net = seed < 11 ? some_net(LW_NET_INSPECTOR, seed) : always();
		make_trace(jobs, JOBS, seed);
		ck_assert_int_eq(lw_trial_run(&trial, jobs, JOBS, NULL, NULL), 0);
		for (uint32_t i = 0; i < JOBS; i++) {
			if (jobs[i].promise_s == LW_NO_TIME)
				continue;
			promised++;
			ck_assert_int_le(jobs[i].start_s, jobs[i].latest_s);
		}
	}
	ck_assert(promised || policies[_i] == LW_POLICY_FCFS);
}

static void make_train(struct lw_train *train, enum lw_net_kind kind, const struct lw_sim_job *jobs)
{
	lw_train_default(train, kind);
	train->arena.cpus = CPUS;
	train->arena.params.order = kind == LW_NET_ORDER ? LW_ORDER_SAF : LW_ORDER_SJF;
	train->jobs = jobs;
	train->count = JOBS;
	train->length = 40;
	train->rounds = 12;
	train->pairs = 4;
	train->sequences = 3;
	train->checks = 4;
}

static void count(void *arg, const struct lw_train_score *score)
{
	uint32_t *told = arg;

	ck_assert_uint_gt(score->round, *told);
	*told = score->round;
}

TEST_EACH(training_is_by_the_seed, LW_NET_KINDS)
{
	struct lw_train_score score, again_score;
	struct lw_sim_job jobs[JOBS];
	struct lw_net net, again;
	struct lw_train train;
	uint32_t told = 0;

	make_trace(jobs, JOBS, 1);
	make_train(&train, (enum lw_net_kind)_i, jobs);
	ck_assert_int_eq(lw_train_run(&train, count, &told, &net, &score, NULL), 0);
	ck_assert_uint_eq(told, 12);
	ck_assert_int_eq(lw_train_run(&train, NULL, NULL, &again, &again_score, NULL), 0);
	ck_assert_mem_eq(&net, &again, sizeof(net));
	ck_assert_double_eq(score.with, again_score.with);
	train.at_once = 3;
	ck_assert_int_eq(lw_train_run(&train, NULL, NULL, &again, &again_score, NULL), 0);
	ck_assert_mem_eq(&net, &again, sizeof(net));
	ck_assert_double_eq(score.with, again_score.with);
	train.seed = 2;
	ck_assert_int_eq(lw_train_run(&train, NULL, NULL, &again, &again_score, NULL), 0);
	ck_assert_mem_ne(net.weights, again.weights, sizeof(net.weights));
	ck_assert_int_eq(net.kind, _i);
}

/* Where the shortest first is blind to what blocks, a few rounds find something. */
TEST(training_gains)
{
	struct lw_train_score score;
	struct lw_sim_job jobs[JOBS];
	struct lw_train train;
	struct lw_net net;

	make_trace(jobs, JOBS, 3);
	make_train(&train, LW_NET_INSPECTOR, jobs);
	train.rounds = 40;
	train.pairs = 8;
	train.pace = 0.05;
	ck_assert_int_eq(lw_train_run(&train, NULL, NULL, &net, &score, NULL), 0);
	ck_assert_double_lt(score.with, score.without);
}

TEST(too_few_jobs)
{
	struct lw_train_score score;
	struct lw_sim_job jobs[JOBS];
	struct lw_train train;
	struct lw_net net;

	make_trace(jobs, JOBS, 2);
	make_train(&train, LW_NET_INSPECTOR, jobs);
	train.length = JOBS / 5;
	ck_assert_int_eq(lw_train_run(&train, NULL, NULL, &net, &score, NULL), -EINVAL);
}
