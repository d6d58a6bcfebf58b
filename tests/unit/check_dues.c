/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of workloads with deadlines, and with chains of one shape. */
#include "lab/sim/dues.h"
#include "lab/sim/generate.h"
#include "unit/unit.h"

#include <string.h>

static const struct lw_generate_options options = {
	.model = LW_GENERATE_DL,
	.jobs = 400,
	.load = 0.8,
	.nodes = 16,
	.gpus_per_node = 4,
	.cpus_per_node = 16,
	.users = 5,
	.seed = 3,
	.compress = 8,
};

static void generate(const struct lw_generate_options *o, struct lw_workload *w)
{
	struct lw_error err = { "" };

	ck_assert_msg(!lw_generate(o, w, &err), "%s", err.text);
}

/* 1.1 to 2 limits after submission, and all else as without. */
TEST(some_have_deadlines)
{
	struct lw_generate_options o = options;
	struct lw_workload w, again, without;
	double sum = 0;
	uint32_t count = 0;

	generate(&o, &without);
	o.deadlines = 60;
	generate(&o, &w);
	generate(&o, &again);
	ck_assert_uint_eq(w.job_count, without.job_count);
	for (uint32_t i = 0; i < w.job_count; i++) {
		const struct lw_workload_job *job = &w.jobs[i];
		double limits = (double)job->deadline_s / (double)job->limit_s;

		ck_assert_int_eq(job->submit_s, without.jobs[i].submit_s);
		ck_assert_int_eq(job->run_s, without.jobs[i].run_s);
		ck_assert_int_eq(job->deadline_s, again.jobs[i].deadline_s);
		if (!job->deadline_s)
			continue;
		ck_assert_int_eq(job->array, LW_WORKLOAD_NEVER);
		ck_assert_int_eq(job->cancel_s, LW_WORKLOAD_NEVER);
		ck_assert_int_ge(job->deadline_s, job->limit_s + LW_DUES_SPARE_S);
		if (job->limit_s < 10 * LW_DUES_SPARE_S)
			continue;
		ck_assert(limits > LW_DUES_LEAST - 0.01 && limits < LW_DUES_MOST + 0.01);
		sum += limits;
		count++;
	}
	ck_assert_uint_gt(count, 10);
	ck_assert_double_eq_tol(sum / count, 1.55, 0.2);
	lw_workload_fini(&w);
	lw_workload_fini(&again);
	lw_workload_fini(&without);
}

static uint32_t count_dues(const struct lw_workload *w)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < w->job_count; i++)
		count += w->jobs[i].deadline_s > 0;
	return count;
}

TEST_EACH(as_many_as_were_asked_for, 3)
{
	static const uint32_t asked[] = { 1, 60, 400 };
	struct lw_generate_options o = options;
	struct lw_workload w;
	uint32_t eligible = 0;

	o.deadlines = asked[_i];
	generate(&o, &w);
	for (uint32_t i = 0; i < w.job_count; i++)
		eligible += w.jobs[i].array == LW_WORKLOAD_NEVER &&
			    w.jobs[i].cancel_s == LW_WORKLOAD_NEVER;
	ck_assert_uint_eq(count_dues(&w), asked[_i] < eligible ? asked[_i] : eligible);
	lw_workload_fini(&w);
}

/* As many links, as wide and as long, as is said; of others what chains.h has. */
TEST(chains_have_their_shape)
{
	struct lw_generate_options o = options;
	uint32_t links[7] = { 0 }, chain;
	struct lw_workload w;

	o.chains = 7;
	o.chain_links = 5;
	o.chain_nodes = 3;
	o.chain_limit_s = 1200;
	o.deadlines = 20;
	generate(&o, &w);
	ck_assert_uint_eq(count_dues(&w), 20);
	for (uint32_t i = 0; i < w.job_count; i++) {
		const struct lw_workload_job *job = &w.jobs[i];

		if (!job->id)
			continue;
		ck_assert_int_eq(sscanf(job->name, "chain-%u", &chain), 1);
		links[chain - 1]++;
		ck_assert_uint_eq(job->nodes, 3);
		ck_assert_int_eq(job->limit_s, 1200);
		ck_assert_int_eq(job->deadline_s, 0);
	}
	for (int i = 0; i < 7; i++)
		ck_assert_uint_eq(links[i], 5);
	lw_workload_fini(&w);
}
