/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: promises given are promises kept: of each policy, with gangs and with preemption. */
#include "property/loop.h"
#include "property/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH	   500 /* loops, in so many of which conservative may break a promise: */
#define BROKEN_MAX 9

/* Those that promise starts to who heads its nodes. */
#define HEADS (LW_FILLS | LW_DEADLINES)

/* Racks under one core, of nodes that are alike. */
static int make_racks(struct loop *loop)
{
	struct lw_res total = { .cpus = 8, .mem_mib = 1000, .gpus = { 4 } };
	uint32_t racks = prng_between(&loop->prng, 2, 3),
		 a_rack = prng_between(&loop->prng, 2, 5);
	struct lw_bitset none, all, rack;
	int rc = 0;

	lw_snapshot_init(&loop->snap, RANDOM_NOW_S);
	lw_snapshot_gpu_type(&loop->snap, "a100");
	for (uint32_t i = 0; i < racks * a_rack && !rc; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%02" PRIu32, i);
		rc = lw_snapshot_add_node(&loop->snap, name, &total, true, NULL);
	}
	if (rc || lw_bitset_init(&none, racks * a_rack) || lw_bitset_init(&all, racks * a_rack) ||
	    lw_bitset_init(&rack, racks * a_rack))
		return -1;
	rc = lw_snapshot_add_domain(&loop->snap, "core", LW_NO_DOMAIN, &none, NULL);
	for (uint32_t r = 0; r < racks && !rc; r++) {
		lw_bitset_clear_all(&rack);
		for (uint32_t i = r * a_rack; i < (r + 1) * a_rack; i++) {
			lw_bitset_set(&rack, i);
			lw_bitset_set(&all, i);
		}
		rc = lw_snapshot_add_domain(&loop->snap, r ? r == 1 ? "b" : "c" : "a", 0, &rack,
					    NULL);
	}
	if (!rc)
		rc = lw_snapshot_add_set(&loop->snap, "all", &all, NULL);
	lw_bitset_fini(&none);
	lw_bitset_fini(&all);
	lw_bitset_fini(&rack);
	return rc;
}

/* The jobs of loop_make_jobs(), most of which are gangs now. */
static void make_gangs(struct loop *loop)
{
	loop_make_jobs(loop);
	for (uint32_t i = 0; i < loop->job_count; i++) {
		struct lw_request *req = &loop->jobs[i].waiting.request;

		*req = (struct lw_request){ .cpus_per_node = 1, .gpu_type = LW_GPU_ANY };
		req->nodes_min = req->nodes_max = prng_between(&loop->prng, 1, 4);
		req->gpus_per_node = (uint16_t)prng_between(&loop->prng, 1, 4);
		loop->jobs[i].waiting.constraints.communicates = prng_chance(&loop->prng, 70);
	}
}

static int begin_gangs(struct loop *loop, uint64_t seed)
{
	memset(loop, 0, sizeof(*loop));
	loop->prng.state = seed;
	lw_plan_init(&loop->plan);
	random_params(&loop->prng, &loop->params);
	loop->params.kind = kind_with(HEADS, prng_between(&loop->prng, 0, 1000));
	loop->params.order = LW_ORDER_GIVEN;
	loop->params.deadlines = LW_DEADLINES_OFF;
	loop->params.gang_wait_s = prng_between(&loop->prng, 1, 600);
	if (make_racks(loop) || lw_policy_create(&loop->params, NULL, &loop->policy))
		return -1;
	make_gangs(loop);
	loop->now_s = RANDOM_NOW_S;
	loop->tasks = calloc(LOOP_ROOM * 5, sizeof(*loop->tasks));
	return loop->tasks ? 0 : -1;
}

/*
 * Kinds 1 and 2, of which 2 preempts 1, and who preempts both; of kind 3 priority decides. No
 * room is kept for half of those that may be preempted.
 */
static void make_ranks(struct loop *loop)
{
	for (uint32_t i = 0; i < loop->job_count; i++) {
		struct job *job = &loop->jobs[i];
		struct lw_constraints *constraints = &job->waiting.constraints;

		job->waiting.priority = prng_between(&loop->prng, 0, 100);
		job->kind = prng_between(&loop->prng, 0, 3);
		if (!job->kind && prng_chance(&loop->prng, 50))
			constraints->preempts = prng_chance(&loop->prng, 50) ? 6 : 2;
		if (job->kind == 2)
			constraints->preempts = 2;
		if (job->kind == 3) {
			constraints->preempts_lower = 8;
			constraints->lower_than = job->waiting.priority;
		}
		constraints->now_only = job->kind && prng_chance(&loop->prng, 50);
		if (constraints->now_only)
			constraints->preempt_class = (uint16_t)job->kind;
	}
}

static int begin_preemption(struct loop *loop, uint64_t seed, enum lw_policy_kind kind)
{
	int rc = loop_begin(loop, seed, kind);

	loop->preempts = true;
	loop->any_goes = prng_chance(&loop->prng, 50);
	if (!rc)
		make_ranks(loop);
	return rc;
}

static int run_kind(uint64_t seed, enum lw_policy_kind kind, struct lw_strbuf *why)
{
	struct loop loop;
	int rc = loop_begin(&loop, seed, kind);

	if (!rc)
		rc = loop_run(&loop, why);
	return loop_end(&loop, rc, why);
}

#define LW_POLICY(id, name, traits, help)                                                   \
	static int name##_keeps(uint64_t seed, struct lw_strbuf *why)                      \
	{                                                                                  \
		return run_kind(seed, LW_POLICY_##id, why);                                \
	}
#include "planner/model/policies.def"

static int gangs_wait(uint64_t seed, struct lw_strbuf *why)
{
	struct loop loop;
	int rc = begin_gangs(&loop, seed);

	if (!rc)
		rc = loop_run(&loop, why);
	return loop_end(&loop, rc, why);
}

/* Nodes of a few GPUs of three types. */
static int make_types(struct loop *loop)
{
	uint32_t nodes = prng_between(&loop->prng, 3, 9);
	struct lw_bitset all;
	int rc = 0;

	lw_snapshot_init(&loop->snap, RANDOM_NOW_S);
	lw_snapshot_gpu_type(&loop->snap, "a100");
	lw_snapshot_gpu_type(&loop->snap, "l4");
	lw_snapshot_gpu_type(&loop->snap, "v100");
	for (uint32_t i = 0; i < nodes && !rc; i++) {
		struct lw_res total = { .cpus = 8, .mem_mib = 1000 };
		char name[16];

		total.gpus[i % 3] = (uint16_t)prng_between(&loop->prng, 1, 4);
		snprintf(name, sizeof(name), "n%02" PRIu32, i);
		rc = lw_snapshot_add_node(&loop->snap, name, &total, true, NULL);
	}
	if (rc || lw_bitset_init(&all, nodes))
		return -1;
	lw_bitset_set_all(&all);
	rc = lw_snapshot_add_set(&loop->snap, "all", &all, NULL);
	lw_bitset_fini(&all);
	return rc;
}

/* The jobs of loop_make_jobs(), most of which may have several types, and run as fast on few. */
static void make_choosers(struct loop *loop)
{
	loop_make_jobs(loop);
	for (uint32_t i = 0; i < loop->job_count; i++) {
		struct lw_waiting *waiting = &loop->jobs[i].waiting;
		struct lw_request *req = &waiting->request;

		*req = (struct lw_request){ .cpus_per_node = 1, .gpu_type = LW_GPU_ANY };
		req->nodes_min = req->nodes_max = prng_chance(&loop->prng, 80) ? 1 : 2;
		req->gpus_per_node = (uint16_t)prng_between(&loop->prng, 0, 2);
		if (req->gpus_per_node && prng_chance(&loop->prng, 20))
			req->gpu_type = (int8_t)prng_between(&loop->prng, 0, 2);
		waiting->recipe = i + 1;
		waiting->account = prng_between(&loop->prng, 0, 3);
		waiting->account_share = waiting->account * waiting->account;
		for (int type = 0; type < 3; type++)
			waiting->expected.by_type_s[type] =
				prng_between(&loop->prng, 1, (uint32_t)waiting->limit_s);
	}
}

static int begin_types(struct loop *loop, uint64_t seed, bool energy)
{
	memset(loop, 0, sizeof(*loop));
	loop->prng.state = seed;
	lw_plan_init(&loop->plan);
	random_params(&loop->prng, &loop->params);
	loop->params.kind = kind_with(HEADS, prng_between(&loop->prng, 0, 1000));
	loop->params.order = LW_ORDER_GIVEN;
	loop->params.deadlines = LW_DEADLINES_OFF;
	loop->params.types = prng_chance(&loop->prng, 50) ? LW_TYPES_FINISH : LW_TYPES_FAIR;
	loop->params.energy = energy;
	if (energy)
		loop->params.types =
			(enum lw_types)prng_between(&loop->prng, 0, LW_TYPES_COUNT - 1);
	if (make_types(loop) || lw_policy_create(&loop->params, NULL, &loop->policy))
		return -1;
	make_choosers(loop);
	loop->now_s = RANDOM_NOW_S;
	loop->tasks = calloc(LOOP_JOBS_MAX * 5, sizeof(*loop->tasks));
	return loop->tasks ? 0 : -1;
}

static int types_wait(uint64_t seed, struct lw_strbuf *why)
{
	struct loop loop;
	int rc = begin_types(&loop, seed, false);

	if (!rc)
		rc = loop_run(&loop, why);
	return loop_end(&loop, rc, why);
}

static int energy_keeps(uint64_t seed, struct lw_strbuf *why)
{
	struct loop loop;
	int rc = begin_types(&loop, seed, true);

	for (uint32_t type = 0; !rc && type < loop.snap.gpu_type_count; type++)
		lw_snapshot_set_draw(&loop.snap, type, prng_between(&loop.prng, 0, 100),
				     prng_between(&loop.prng, 1, 700), 150);
	if (!rc)
		rc = loop_run(&loop, why);
	return loop_end(&loop, rc, why);
}

static int preemption_keeps(uint64_t seed, struct lw_strbuf *why)
{
	struct loop loop;
	int rc = begin_preemption(&loop, seed, kind_with(HEADS, seed));

	if (!rc)
		rc = loop_run(&loop, why);
	return loop_end(&loop, rc, why);
}

/* A preemption that a promise counts on may turn out not to be needed: a few are broken. */
static int conservative_preempts(uint64_t seed, struct lw_strbuf *why)
{
	uint32_t broken = 0;
	struct loop loop;
	int rc = 0;

	for (uint32_t i = 0; i < BATCH && !rc; i++) {
		rc = begin_preemption(&loop, seed * BATCH + i, LW_POLICY_CONSERVATIVE);
		loop.counts = true;
		loop.any_goes = false;
		if (!rc)
			rc = loop_run(&loop, why);
		broken += loop.broken > 0;
		rc = loop_end(&loop, rc, why);
	}
	if (rc || broken <= BROKEN_MAX)
		return rc;
	return BROKEN(why, "promises are broken in %" PRIu32 " loops\n", broken);
}

static const struct property properties[] = {
#define LW_POLICY(id, name, traits, help)                                                   \
	{ #name " starts nobody beyond its latest start, and everybody", name##_keeps, 450 },
#include "planner/model/policies.def"
	{ "gangs wait for a nearer domain within their bound and promise", gangs_wait, 600 },
	{ "who waits for faster GPUs starts by its promise, and everybody", types_wait, 600 },
	{ "the choice by energy delays no promise, and everybody starts", energy_keeps, 600 },
	{ "promises are kept where jobs put off others", preemption_keeps, 1200 },
	{ "conservative breaks few promises by preemption", conservative_preempts, 3 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
