/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the workload models: random numbers, published moments, same seed
 * same file. */
#include "lab/sim/generate.h"

#include "base/crc32.h"
#include "lab/sim/arrival.h"
#include "lab/sim/userlimit.h"
#include "lab/sim/workload_sum.h"
#include "measure/detmath.h"
#include "measure/rng.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

FIXTURE(scratch_setup, scratch_teardown);

/* The first numbers of splitmix64 from 1234567, as its authors' program prints them. */
TEST(test_splitmix)
{
	static const uint64_t want[4] = { UINT64_C(6457827717110365317),
					  UINT64_C(3203168211198807973),
					  UINT64_C(9817491932198370423),
					  UINT64_C(4593380528125082431) };
	struct lw_rng rng;

	lw_rng_init(&rng, 1234567);
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(rng.state[i], want[i]);
}

/* The first numbers of xoshiro256** from the state 1, 2, 3, 4. */
TEST(test_xoshiro)
{
	static const uint64_t want[] = { UINT64_C(11520), UINT64_C(0),
					 UINT64_C(1509978240),
					 UINT64_C(1215971899390074240),
					 UINT64_C(1216172134540287360) };
	struct lw_rng rng = { .state = { 1, 2, 3, 4 } };

	for (size_t i = 0; i < LW_COUNT_OF(want); i++)
		ck_assert_uint_eq(lw_rng_next(&rng), want[i]);
}

TEST(test_math)
{
	for (double x = -40; x < 40; x += 0.0137) {
		double e = lw_math_exp(x);

		ck_assert_double_eq_tol(e / exp(x), 1, 1e-13);
		ck_assert_double_eq_tol(lw_math_log(e), x, 1e-13 * (fabs(x) + 1));
	}
	ck_assert_int_eq(lw_math_round(2.5), 3);
	ck_assert_int_eq(lw_math_round(-2.5), -3);
	ck_assert_int_eq(lw_math_round(2.49), 2);
}

/* Mean and variance of the gamma sampler: shape x scale and shape x scale^2. */
static const struct {
	double shape, scale;
} gammas[] = { { 6.57, 0.823 }, { 639.1, 0.0156 }, { 1.0, 2.0 }, { 0.5, 3.0 } };

TEST_EACH(test_gamma, LW_COUNT_OF(gammas))
{
	double shape = gammas[_i].shape, scale = gammas[_i].scale, sum = 0, squares = 0;
	double mean = shape * scale, deviation = sqrt(shape) * scale;
	struct lw_rng rng;
	int n = 200000;

	lw_rng_init(&rng, 42);
	for (int i = 0; i < n; i++) {
		double x = lw_rng_gamma(&rng, shape, scale);

		ck_assert_double_gt(x, 0);
		sum += x;
		squares += (x - mean) * (x - mean);
	}
	/* five standard errors */
	ck_assert_double_eq_tol(sum / n, mean, 5 * deviation / sqrt(n));
	ck_assert_double_eq_tol(sqrt(squares / n) / deviation, 1, 0.03);
}

TEST(test_pick)
{
	static const double weights[] = { 1, 0, 3 };
	uint32_t counts[3] = { 0 };
	struct lw_rng rng;

	lw_rng_init(&rng, 7);
	for (int i = 0; i < 40000; i++)
		counts[lw_rng_pick(&rng, weights, 3)]++;
	ck_assert_uint_eq(counts[1], 0);
	ck_assert_double_eq_tol(counts[2] / (double)counts[0], 3, 0.15);
}

/* A day is a day, the inverse inverts, and the peak is after noon (27 half hours). */
TEST(test_cycle)
{
	struct lw_arrival_cycle cycle;
	int busiest = 0;

	lw_arrival_gamma_cycle(&cycle, 6.1271, 5.2740);
	ck_assert_double_eq_tol(lw_arrival_busy(&cycle, 86400), 86400, 1e-6);
	ck_assert_double_eq_tol(lw_arrival_busy(&cycle, 3 * 86400), 3 * 86400, 1e-6);
	for (double t = 0; t < 200000; t += 777)
		ck_assert_double_eq_tol(
			lw_arrival_clock(&cycle, lw_arrival_busy(&cycle, t)), t, 1e-6);
	for (int i = 1; i < LW_ARRIVAL_BUCKETS; i++)
		if (cycle.weights[i] > cycle.weights[busiest])
			busiest = i;
	/* mode of the gamma: (6.1271 - 1) x 5.2740 = 27.04 */
	ck_assert_int_eq(busiest, 26);
}

static struct lw_generate_options options_of(enum lw_generate_model model)
{
	return (struct lw_generate_options){ .model = model,
					     .jobs = 2000,
					     .load = 0.9,
					     .nodes = 128,
					     .gpus_per_node =
						     model == LW_GENERATE_LUBLIN ? 0 : 4,
					     .cpus_per_node = 16,
					     .users = 50,
					     .seed = 5,
					     .hpc_share = 0.5 };
}

static struct lw_workload make(const struct lw_generate_options *o)
{
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_generate(o, &w, &err), "%s", err.text);
	return w;
}

static bool is_power_of_two(uint32_t x)
{
	return !(x & (x - 1));
}

/* Lublin and Feitelson 2003: share of serial jobs and powers of two, mean of ln(run). */
TEST(test_lublin_moments)
{
	struct lw_generate_options o = options_of(LW_GENERATE_LUBLIN);
	uint32_t serial = 0, powers = 0, small = 0, parallel;
	double ln_run = 0, p = 0, want;
	struct lw_workload w;

	o.jobs = 60000;
	w = make(&o);
	for (uint32_t i = 0; i < o.jobs; i++) {
		const struct lw_workload_job *job = &w.jobs[i];

		serial += job->nodes == 1;
		powers += job->nodes > 1 && is_power_of_two(job->nodes);
		small += job->nodes > 1 && job->nodes <= 32;
		ln_run += log((double)job->run_s);
		p += 0.6986 - 0.003 * job->nodes;
		ck_assert_uint_le(job->nodes, 128);
		ck_assert_int_le(job->run_s, 162755); /* e^12 */
		ck_assert_int_eq(job->kind, LW_WORKLOAD_HPC);
	}
	parallel = o.jobs - serial;
	ck_assert_double_eq_tol(serial / (double)o.jobs, 0.2927, 0.01);
	/* 0.6686 of all; and of the rest, whose log is uniform, the few that hit one */
	ck_assert_double_ge(powers / (double)o.jobs, 0.6686 - 0.01);
	ck_assert_double_le(powers / (double)o.jobs, 0.6686 + 0.03);
	/* 87.5 % of the logs lie below 5; rounding moves some across */
	ck_assert_double_eq_tol(small / (double)parallel, 0.89, 0.03);
	p /= o.jobs;
	want = p * 6.57 * 0.823 + (1 - p) * 639.1 * 0.0156;
	/* the cut at e^12 takes a little off */
	ck_assert_double_eq_tol(ln_run / o.jobs, want, 0.06);
	lw_workload_fini(&w);
}

/* The shares that dlmix.c cites, at the level of jobs. */
TEST(test_dl_shares)
{
	struct lw_generate_options o = options_of(LW_GENERATE_DL);
	uint32_t single = 0, gangs = 0, sweeps = 0, cancelled = 0, over = 0;
	struct lw_workload w;
	double n;

	o.jobs = 60000;
	w = make(&o);
	n = o.jobs;
	for (uint32_t i = 0; i < w.job_count; i++) {
		const struct lw_workload_job *job = &w.jobs[i];

		single += job->nodes * job->gpus_per_node == 1;
		gangs += job->nodes > 1;
		sweeps += job->array != LW_WORKLOAD_NEVER;
		cancelled += job->cancel_s != LW_WORKLOAD_NEVER;
		over += job->run_s > job->limit_s;
		ck_assert_int_eq(job->kind == LW_WORKLOAD_GANG, job->nodes > 1);
		ck_assert_int_eq(job->kind == LW_WORKLOAD_SWEEP,
				 job->array != LW_WORKLOAD_NEVER);
	}
	ck_assert_double_eq_tol(single / n, 0.865, 0.03);
	ck_assert_double_eq_tol(gangs / n, 0.062, 0.02); /* 8 GPUs and more, 4 a node */
	ck_assert_double_eq_tol(sweeps / n, 0.25, 0.04);
	ck_assert_double_eq_tol(cancelled / n, 0.135, 0.02);
	ck_assert_double_gt(over / n, 0.03);
	ck_assert_double_lt(over / n, 0.20);
	lw_workload_fini(&w);
}

static bool is_popular(const struct lw_userlimit_menu *menu, int64_t limit_s)
{
	for (uint32_t i = 0; i < menu->count; i++)
		if (menu->values[i].limit_s == limit_s)
			return true;
	return false;
}

/* Few popular limits, and a limit that tells little of the run time. */
TEST(test_limits)
{
	struct lw_generate_options o = options_of(LW_GENERATE_LUBLIN);
	struct lw_workload w = make(&o);
	uint32_t ten_times = 0, killed = 0;

	for (uint32_t i = 0; i < w.job_count; i++) {
		ck_assert(is_popular(&lw_userlimit_hpc, w.jobs[i].limit_s));
		ten_times += w.jobs[i].limit_s >= 10 * w.jobs[i].run_s;
		killed += w.jobs[i].run_s > w.jobs[i].limit_s;
	}
	ck_assert_uint_gt(ten_times, w.job_count / 5);
	/* 13.1 %, but for jobs shorter than any limit */
	ck_assert_double_eq_tol(killed / (double)w.job_count, 0.11, 0.03);
	lw_workload_fini(&w);
}

/* Whatever is asked for comes out: jobs and load, span and load, jobs and span. */
static const struct {
	enum lw_generate_model model;
	uint32_t jobs;
	int64_t span_s;
	double load, compress;
} targets[] = {
	{ LW_GENERATE_LUBLIN, 3000, 0, 0.8, 0 },
	{ LW_GENERATE_LUBLIN, 0, 40 * 86400, 0.8, 0 },
	{ LW_GENERATE_LUBLIN, 500, 86400, 0, 0 },
	{ LW_GENERATE_DL, 3000, 0, 1.1, 0 },
	{ LW_GENERATE_DL, 0, 7 * 86400, 0.7, 0 },
	{ LW_GENERATE_DL, 0, 3 * 3600, 1.0, 24 },
	{ LW_GENERATE_MIX, 3000, 0, 0.9, 0 },
	{ LW_GENERATE_MIX, 0, 10 * 86400, 0.9, 0 },
};

TEST_EACH(test_target, LW_COUNT_OF(targets))
{
	struct lw_generate_options o = options_of(targets[_i].model);
	struct lw_workload_summary sum;
	struct lw_workload w;

	o.jobs = targets[_i].jobs;
	o.span_s = targets[_i].span_s;
	o.load = targets[_i].load;
	o.compress = targets[_i].compress;
	w = make(&o);
	ck_assert_int_eq(
		lw_workload_sum(&w, NULL, o.nodes, o.gpus_per_node, o.cpus_per_node, &sum), 0);
	if (o.jobs)
		ck_assert_uint_eq(sum.jobs, o.jobs);
	if (o.span_s)
		ck_assert_int_le(llabs(sum.span_s - o.span_s), 1);
	/* by span the last job may overshoot */
	if (o.load > 0)
		ck_assert_double_eq_tol(sum.load / o.load, 1, o.jobs ? 0.001 : 0.06);
	for (uint32_t i = 1; i < w.job_count; i++)
		ck_assert_int_ge(w.jobs[i].submit_s, w.jobs[i - 1].submit_s);
	lw_workload_fini(&w);
}

TEST(test_max_run)
{
	struct lw_generate_options o = options_of(LW_GENERATE_MIX);
	struct lw_workload w;

	o.max_run_s = 1800;
	o.compress = 10;
	w = make(&o);
	for (uint32_t i = 0; i < w.job_count; i++) {
		ck_assert_int_le(w.jobs[i].limit_s, 1800);
		/* a session that fills its limit is meant to be cut off there */
		ck_assert_int_le(lw_workload_held_s(&w.jobs[i]), 1800);
		ck_assert_int_eq(w.jobs[i].limit_s % 60, 0);
	}
	lw_workload_fini(&w);
}

/*
 * The same seed makes the same bytes, on every machine: the checksums are part of the
 * interface. A change of a model changes them on purpose, and says so in NEWS.
 */
static const struct {
	enum lw_generate_model model;
	uint32_t crc;
} files[] = {
	{ LW_GENERATE_LUBLIN, 0xbbea7e89 },
	{ LW_GENERATE_DL, 0xc18b511d },
	{ LW_GENERATE_MIX, 0x2d70806d },
};

static char *write_text(const struct lw_generate_options *o)
{
	struct lw_workload w = make(o);
	FILE *out = fopen(scratch_path("w"), "w");

	/* the jobs alone */
	ck_assert_uint_eq(w.type_count, 1);
	ck_assert_uint_eq(w.types[0].count, o->nodes);
	ck_assert_uint_eq(w.types[0].gpus, o->gpus_per_node);
	w.type_count = 0;
	ck_assert_int_eq(lw_workload_write(&w, NULL, out), 0);
	fclose(out);
	lw_workload_fini(&w);
	return scratch_read(scratch_path("w"));
}

TEST_EACH(test_same_seed, LW_COUNT_OF(files))
{
	struct lw_generate_options o = options_of(files[_i].model);
	char *first = write_text(&o), *other;

	ck_assert_msg(lw_crc32(first, strlen(first)) == files[_i].crc, "model %s: 0x%08x",
		      lw_generate_model_name(o.model), lw_crc32(first, strlen(first)));
	o.seed++;
	other = write_text(&o);
	ck_assert_str_ne(first, other);
	free(first);
	free(other);
}

/* A made workload reads back as it was written. */
TEST(test_read_back)
{
	struct lw_generate_options o = options_of(LW_GENERATE_MIX);
	struct lw_workload w = make(&o), back;
	struct lw_error err = { "" };
	FILE *out = fopen(scratch_path("w"), "w");

	ck_assert_int_eq(lw_workload_write(&w, "# a comment\n", out), 0);
	fclose(out);
	ck_assert_msg(!lw_workload_read(&back, scratch_path("w"), &err), "%s", err.text);
	ck_assert_uint_eq(back.job_count, w.job_count);
	for (uint32_t i = 0; i < w.job_count; i++) {
		ck_assert_int_eq(back.jobs[i].run_s, w.jobs[i].run_s);
		ck_assert_int_eq(back.jobs[i].submit_s, w.jobs[i].submit_s);
		ck_assert_int_eq(back.jobs[i].array < 0, w.jobs[i].array < 0);
	}
	lw_workload_fini(&back);
	lw_workload_fini(&w);
}

static const struct {
	uint32_t jobs;
	int64_t span_s;
	double load;
	uint32_t gpus;
	const char *says;
} refused[] = {
	{ 100, 0, 0, 4, "two of jobs, span and load" },
	{ 100, 100, 0.5, 4, "two of jobs, span and load" },
	{ 100, 0, 0.5, 0, "needs GPUs" },
};

TEST_EACH(test_refused, LW_COUNT_OF(refused))
{
	struct lw_generate_options o = options_of(LW_GENERATE_DL);
	struct lw_error err = { "" };
	struct lw_workload w;

	o.jobs = refused[_i].jobs;
	o.span_s = refused[_i].span_s;
	o.load = refused[_i].load;
	o.gpus_per_node = refused[_i].gpus;
	ck_assert_int_eq(lw_generate(&o, &w, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, refused[_i].says));
}

/* 1 or 8 nodes, 2 to 10 links of 48 hours, and the other jobs as they are without. */
TEST(chains_are_as_cited)
{
	struct lw_generate_options o = { .model = LW_GENERATE_DL, .jobs = 200, .load = 0.5,
					 .nodes = 16, .gpus_per_node = 4, .cpus_per_node = 16,
					 .users = 5, .seed = 3, .chain_early = 0.2,
					 .chain_fails = 0.1 };
	uint32_t links[300] = { 0 }, chain = 0, early = 0, failed = 0, all = 0, wide = 0;
	struct lw_workload w, without;
	struct lw_error err;

	ck_assert_int_eq(lw_generate(&o, &without, &err), 0);
	o.chains = 300;
	ck_assert_int_eq(lw_generate(&o, &w, &err), 0);
	for (uint32_t i = 0, k = 0; i < w.job_count; i++) {
		const struct lw_workload_job *job = &w.jobs[i];

		if (!job->id) {
			ck_assert_int_eq(job->submit_s, without.jobs[k].submit_s);
			ck_assert_int_eq(job->run_s, without.jobs[k++].run_s);
			continue;
		}
		ck_assert_int_eq(sscanf(job->name, "chain-%u", &chain), 1);
		ck_assert_uint_eq(job->after_count, links[chain - 1]++ > 0);
		if (job->after_count) {
			const struct lw_after *after = &w.afters[job->first_after];

			ck_assert_str_eq(w.jobs[lw_workload_find(&w, after->job)->first].name,
					 job->name);
			ck_assert_int_eq(after->kind, LW_AFTER_ANY);
			ck_assert_uint_lt(after->job, job->id);
		}
		ck_assert(job->nodes == 1 || job->nodes == 8);
		ck_assert_int_eq(job->limit_s, 48 * 3600);
		ck_assert_int_le(job->run_s, job->limit_s);
		all++;
		wide += job->nodes == 8;
		failed += job->exit_code != 0;
		early += !job->exit_code && job->run_s < job->limit_s;
	}
	for (int i = 0; i < 300; i++)
		ck_assert(links[i] >= 2 && links[i] <= 10);
	ck_assert_double_eq_tol((double)all / 300, 6, 0.5);
	ck_assert_double_eq_tol((double)wide / all, 0.5, 0.1);
	ck_assert_double_eq_tol((double)early / all, 0.2, 0.03);
	ck_assert_double_eq_tol((double)failed / all, 0.1, 0.03);
	ck_assert_uint_eq(w.job_count, without.job_count + all);
	lw_workload_fini(&w);
	lw_workload_fini(&without);
}
