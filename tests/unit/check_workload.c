/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of workload files, and of traces turned into them. */
#include "lab/sim/convert.h"
#include "lab/sim/workload_sum.h"
#include "measure/workload.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>

#define MAGIC "#lw-workload 1\n"
#define NAMES                                                                                      \
	"#submit_s\tuser\tnodes\tgpus_per_node\tcpus_per_node\tmem_mib_per_node\tlimit_s\trun_s\t" \
	"cancel_s\tarray\tkind\tname\n"
#define MACHINE "#machine nodes=16 cpus_per_node=64 gpus_per_node=8 mem_mib_per_node=256000\n"
#define PLAIN "0\t7\t2\t4\t16\t64000\t3600\t1800\t-\t-\tgang\tddp-1\n"
#define SWEEP "30\t3\t1\t1\t4\t0\t600\t5,7,9\t60\t3\tsweep\tsweep-2\n"

FIXTURE(scratch_setup, scratch_teardown);

TEST(test_read)
{
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_read(
			      &w, scratch_write("w", MAGIC NAMES PLAIN "\n" SWEEP), &err),
		      "%s", err.text);
	ck_assert_uint_eq(w.job_count, 4);
	ck_assert_int_eq(w.jobs[0].submit_s, 0);
	ck_assert_uint_eq(w.jobs[0].user, 7);
	ck_assert_uint_eq(w.jobs[0].nodes, 2);
	ck_assert_uint_eq(w.jobs[0].gpus_per_node, 4);
	ck_assert_uint_eq(w.jobs[0].cpus_per_node, 16);
	ck_assert_int_eq(w.jobs[0].mem_mib_per_node, 64000);
	ck_assert_int_eq(w.jobs[0].limit_s, 3600);
	ck_assert_int_eq(w.jobs[0].run_s, 1800);
	ck_assert_int_eq(w.jobs[0].cancel_s, LW_WORKLOAD_NEVER);
	ck_assert_int_eq(w.jobs[0].array, LW_WORKLOAD_NEVER);
	ck_assert_int_eq(w.jobs[0].kind, LW_WORKLOAD_GANG);
	ck_assert_str_eq(w.jobs[0].name, "ddp-1");
	for (int i = 1; i < 4; i++) {
		ck_assert_int_eq(w.jobs[i].run_s, 3 + 2 * i);
		ck_assert_int_eq(w.jobs[i].cancel_s, 60);
		ck_assert_int_ne(w.jobs[i].array, LW_WORKLOAD_NEVER);
		ck_assert_int_eq(w.jobs[i].array, w.jobs[1].array);
	}
	lw_workload_fini(&w);
}

static const char *const same[] = {
	MAGIC NAMES PLAIN SWEEP,
	MAGIC "# where it came from\n" NAMES PLAIN,
	MAGIC NAMES "5\t1\t1\t0\t1\t0\t60\t8\t0\t12\tsweep\tone-run-time-for-all\n" SWEEP,
	MAGIC NAMES,
	MAGIC MACHINE NAMES PLAIN,
	MAGIC "# where it came from\n" MACHINE
	"#machine nodes=4 cpus_per_node=128 gpus_per_node=0 mem_mib_per_node=512000\n" NAMES PLAIN,
};

/* A key of a later version is passed over, and a comment is one. */
TEST(a_machine_is_read)
{
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_msg(!lw_workload_read(&w,
					scratch_write("w", MAGIC "#machines are nice\n"
							   "#machine  gpu_type=a100 nodes=3\t"
							   "cpus_per_node=8\n" PLAIN),
					&err),
		      "%s", err.text);
	ck_assert_uint_eq(w.type_count, 1);
	ck_assert_uint_eq(w.types[0].count, 3);
	ck_assert_uint_eq(w.types[0].cpus, 8);
	ck_assert_uint_eq(w.types[0].gpus, 0);
	ck_assert_int_eq(w.types[0].mem_mib, 0);
	lw_workload_fini(&w);
}

TEST_EACH(test_round_trip, LW_COUNT_OF(same))
{
	FILE *out = fopen(scratch_path("out"), "w");
	struct lw_error err = { "" };
	struct lw_workload w;
	char *text;

	ck_assert_int_eq(lw_workload_read(&w, scratch_write("w", same[_i]), &err), 0);
	ck_assert_int_eq(
		lw_workload_write(
			&w, strstr(same[_i], "# w") ? "# where it came from\n" : NULL,
			out),
		0);
	fclose(out);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, same[_i]);
	free(text);
	lw_workload_fini(&w);
}

static const struct {
	const char *text;
	const char *where;
} bad[] = {
	{ "", ":1: the first line is not" },
	{ PLAIN, ":1: the first line is not" },
	{ "#lw-workload 2.5\n", ":1: the first line is not" },
	{ MAGIC "0\t7\t2\t4\t16\t64000\t3600\t1800\t-\t-\tgang\n",
	  ":2: 11 fields, 12 wanted" },
	{ MAGIC "0\t7\t2\t4\t16\t64000\t3600\t1800\t-\t-\tgang\tx\ty\n",
	  ":2: 13 fields" },
	{ MAGIC "x\t7\t2\t4\t16\t64000\t3600\t1800\t-\t-\tgang\tx\n",
	  ":2: field 1 (submit_s)" },
	{ MAGIC "0\tbob\t2\t4\t16\t64000\t3600\t1800\t-\t-\tgang\tx\n",
	  ":2: field 2 (user)" },
	{ MAGIC "0\t7\t0\t4\t16\t64000\t3600\t1800\t-\t-\tgang\tx\n",
	  ":2: field 3 (nodes)" },
	{ MAGIC "0\t7\t2\t-1\t16\t64000\t3600\t1800\t-\t-\tgang\tx\n",
	  ":2: field 4 (gpus" },
	{ MAGIC "0\t7\t2\t4\t0\t64000\t3600\t1800\t-\t-\tgang\tx\n",
	  ":2: field 5 (cpus" },
	{ MAGIC "0\t7\t2\t4\t16\t\t3600\t1800\t-\t-\tgang\tx\n", ":2: field 6 (mem" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t3601\t1800\t-\t-\tgang\tx\n",
	  ":2: field 7 (limit_s)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t0\t1800\t-\t-\tgang\tx\n", ":2: field 7 (limit_s)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1e3\t-\t-\tgang\tx\n", ":2: field 8 (run_s)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1,2\t-\t-\tgang\tx\n", ":2: field 8 (run_s)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1,2\t-\t3\tgang\tx\n",
	  ":2: field 8 (run_s): 2 run times" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1,,2\t-\t3\tgang\tx\n", ":2: field 8 (run_s)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1\tno\t-\tgang\tx\n", ":2: field 9 (cancel_s)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1\t-\t1\tgang\tx\n", ":2: field 10 (array)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1\t-\t-\tGang\tx\n", ":2: field 11 (kind)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1\t-\t-\tgang\t$(x)\n", ":2: field 12 (name)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1\t-\t-\tgang\t-x\n", ":2: field 12 (name)" },
	{ MAGIC "0\t7\t2\t4\t16\t0\t60\t1\t-\t-\tgang\t\n", ":2: field 12 (name)" },
	{ MAGIC "#machine nodes=16\n", ":2: #machine: no cpus_per_node=" },
	{ MAGIC "#machine cpus_per_node=16\n", ":2: #machine: no nodes=" },
	{ MAGIC "#machine nodes=16 cpus_per_node\n", ":2: #machine: \"cpus_per_node\" is not KEY" },
	{ MAGIC "#machine nodes=0 cpus_per_node=4\n", ":2: #machine: \"nodes=0\": nodes is a" },
	{ MAGIC "#machine nodes=1.5K cpus_per_node=4\n", ":2: #machine: \"nodes=1.5K\"" },
	{ MAGIC "#machine nodes=9 cpus_per_node=-4\n", ":2: #machine: \"cpus_per_node=-4\"" },
	{ MAGIC PLAIN "#machine nodes=9 cpus_per_node=4\n", ":3: #machine: must stand before" },
	{ MAGIC MACHINE "#machine nodes=999999 cpus_per_node=4\n",
	  ":3: #machine: at most 1000000" },
	{ MAGIC MACHINE "#machine nodes=9 cpus_per_node=4\n", ":3: #machine: mem_mib_per_node is" },
	{ MAGIC SWEEP PLAIN, ":3: field 1 (submit_s): before the line above" },
};

TEST_EACH(test_bad, LW_COUNT_OF(bad))
{
	const char *path = scratch_write("bad", bad[_i].text);
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(lw_workload_read(&w, path, &err), -EINVAL);
	ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "no file: %s",
		      err.text);
	ck_assert_msg(strncmp(err.text + strlen(path), bad[_i].where,
			      strlen(bad[_i].where)) == 0,
		      "\"%s\" wants \"%s\"", err.text, bad[_i].where);
	ck_assert_ptr_null(w.jobs);
}

TEST(test_summary)
{
	struct lw_workload_summary sum;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(
		lw_workload_read(&w, scratch_write("w", MAGIC PLAIN SWEEP), &err), 0);
	ck_assert_int_eq(lw_workload_sum(&w, NULL, 10, 4, 16, &sum), 0);
	ck_assert_uint_eq(sum.jobs, 4);
	ck_assert_uint_eq(sum.users, 2);
	ck_assert_uint_eq(sum.arrays, 1);
	ck_assert_uint_eq(sum.array_jobs, 3);
	ck_assert_uint_eq(sum.cancelled, 3);
	ck_assert_int_eq(sum.span_s, 30);
	/* two whole nodes for 1800 s, a quarter of one for 21 s */
	ck_assert_double_eq_tol(sum.work_s, 3600 + 21 / 4.0, 1e-9);
	ck_assert_double_eq_tol(sum.load, (3600 + 21 / 4.0) / 300, 1e-9);
	ck_assert_uint_eq(sum.gpus_max, 8);
	lw_workload_fini(&w);
}

/* What a job takes of a node: its larger share. */
static const struct {
	uint32_t gpus, cpus, node_gpus, node_cpus;
	double share;
} shares[] = {
	{ 1, 4, 4, 16, 0.25 }, { 1, 8, 4, 16, 0.5 },  { 4, 4, 4, 16, 1.0 },
	{ 0, 4, 4, 16, 0.25 }, { 0, 4, 0, 16, 0.25 }, { 2, 32, 4, 16, 1.0 },
};

TEST_EACH(test_share, LW_COUNT_OF(shares))
{
	struct lw_workload_job job = { .gpus_per_node = shares[_i].gpus,
				       .cpus_per_node = shares[_i].cpus };

	ck_assert_double_eq_tol(
		lw_workload_node_share(&job, shares[_i].node_gpus, shares[_i].node_cpus),
		shares[_i].share, 1e-12);
}

/* Processors of a trace on nodes of 3 GPUs and 16 CPUs. */
static const struct {
	enum lw_convert_unit unit;
	int32_t procs;
	uint32_t nodes, gpus, cpus; /* 0 nodes: dropped as too wide */
	enum lw_workload_kind kind;
} shapes[] = {
	{ LW_CONVERT_GPU, 1, 1, 1, 5, LW_WORKLOAD_TRAIN1 },
	{ LW_CONVERT_GPU, 3, 1, 3, 15, LW_WORKLOAD_TRAIN1 },
	{ LW_CONVERT_GPU, 4, 2, 2, 10, LW_WORKLOAD_GANG },
	{ LW_CONVERT_GPU, 30, 10, 3, 15, LW_WORKLOAD_GANG },
	{ LW_CONVERT_GPU, 31, 0, 0, 0, LW_WORKLOAD_GANG },
	{ LW_CONVERT_CPU, 16, 1, 0, 16, LW_WORKLOAD_HPC },
	{ LW_CONVERT_CPU, 17, 2, 0, 9, LW_WORKLOAD_HPC },
	{ LW_CONVERT_NODE, 10, 10, 3, 16, LW_WORKLOAD_GANG },
	{ LW_CONVERT_NODE, 11, 0, 0, 0, LW_WORKLOAD_GANG },
};

TEST_EACH(test_shape, LW_COUNT_OF(shapes))
{
	struct lw_swf_job from = {
		.run_s = 100, .requested_s = 90, .user = 5, .wait_s = -1
	};
	struct lw_swf swf = { .jobs = &from, .job_count = 1 };
	struct lw_convert_options o = { .unit = shapes[_i].unit,
					.nodes = 10,
					.gpus_per_node = 3,
					.cpus_per_node = 16,
					.compress = 1 };
	struct lw_convert_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	from.requested_procs = -1;
	from.procs = shapes[_i].procs;
	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), 0);
	if (!shapes[_i].nodes) {
		ck_assert_uint_eq(w.job_count, 0);
		ck_assert_uint_eq(notes.dropped_wide, 1);
		return;
	}
	ck_assert_uint_eq(w.jobs[0].nodes, shapes[_i].nodes);
	ck_assert_uint_eq(w.jobs[0].gpus_per_node, shapes[_i].gpus);
	ck_assert_uint_eq(w.jobs[0].cpus_per_node, shapes[_i].cpus);
	ck_assert_int_eq(w.jobs[0].kind, shapes[_i].kind);
	ck_assert_int_eq(w.jobs[0].limit_s, 120); /* 90 s, in whole minutes */
	ck_assert_int_eq(w.jobs[0].run_s, 100);
	ck_assert_uint_eq(w.jobs[0].user, 5);
	lw_workload_fini(&w);
}

/* One job a case, before, across and inside a window that opens at 1000 for 500 s. */
static const struct {
	int64_t submit_s, wait_s, run_s, requested_s;
	bool carry_over;
	int64_t submit_out_s, run_out_s, limit_out_s; /* run -1: not taken */
} windows[] = {
	{ 999, -1, 100, 60, true, 0, -1, 0 },      /* wait unknown */
	{ 900, 0, 100, 120, true, 0, -1, 0 },      /* over when it opens */
	{ 900, 50, 250, 300, true, 0, 200, 300 },  /* ran 50 s: 250 s left of the limit */
	{ 900, 50, 250, 300, false, 0, -1, 0 },    /* not asked for */
	{ 900, 200, 250, 300, true, 0, 250, 300 }, /* was waiting */
	{ 1000, 5, 250, 300, false, 0, 250, 300 }, /* first second */
	{ 1499, 5, 250, 300, false, 499, 250, 300 }, /* last second */
	{ 1500, 5, 250, 300, false, 0, -1, 0 },
};

TEST_EACH(test_window, LW_COUNT_OF(windows))
{
	struct lw_swf_job from = { .submit_s = windows[_i].submit_s,
				   .wait_s = windows[_i].wait_s,
				   .run_s = windows[_i].run_s,
				   .requested_s = windows[_i].requested_s,
				   .procs = 1 };
	struct lw_swf swf = { .jobs = &from, .job_count = 1 };
	struct lw_convert_options o = { .unit = LW_CONVERT_CPU,
					.nodes = 1,
					.cpus_per_node = 1,
					.from_s = 1000,
					.span_s = 500,
					.carry_over = windows[_i].carry_over,
					.compress = 1 };
	struct lw_convert_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), 0);
	ck_assert_uint_eq(w.job_count, windows[_i].run_out_s < 0 ? 0 : 1);
	if (w.job_count) {
		ck_assert_int_eq(w.jobs[0].submit_s, windows[_i].submit_out_s);
		ck_assert_int_eq(w.jobs[0].run_s, windows[_i].run_out_s);
		ck_assert_int_eq(w.jobs[0].limit_s, windows[_i].limit_out_s);
	}
	lw_workload_fini(&w);
}

static const struct lw_convert_options one_cpu = {
	.unit = LW_CONVERT_CPU, .nodes = 1, .cpus_per_node = 1, .compress = 1
};

/* A log may hold any number; what is made of it can be read. */
TEST(test_long_times)
{
	struct lw_swf_job from = { .run_s = INT64_C(1000000000000000),
				   .requested_s = INT64_C(999999999999999),
				   .procs = 1 };
	struct lw_swf swf = { .jobs = &from, .job_count = 1 };
	struct lw_convert_options o = one_cpu;
	struct lw_convert_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), 0);
	ck_assert_int_eq(w.jobs[0].run_s, LW_WORKLOAD_TIME_MAX_S);
	ck_assert_int_eq(w.jobs[0].limit_s, LW_WORKLOAD_TIME_MAX_S);
	lw_workload_fini(&w);
	from.submit_s = LW_WORKLOAD_TIME_MAX_S + 1;
	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), -ERANGE);
	ck_assert_ptr_nonnull(strstr(err.text, "--from"));
	o.from_s = 10;
	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), 0);
	lw_workload_fini(&w);
}

TEST(test_largest_user)
{
	struct lw_swf_job from[] = {
		{ .run_s = 10, .requested_s = -1, .procs = 1, .user = INT32_MAX },
		{ .run_s = 10, .requested_s = -1, .procs = 1, .user = -1, .group = -1 },
	};
	struct lw_swf swf = { .jobs = from, .job_count = 2 };
	struct lw_convert_options o = one_cpu;
	struct lw_convert_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;

	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), 0);
	ck_assert_uint_eq(w.jobs[0].user, INT32_MAX);
	ck_assert_uint_eq(w.jobs[1].user, 0);
	lw_workload_fini(&w);
}

/* Limits that are made up cover the run, and are not a multiple of it. */
TEST(test_made_limits)
{
	struct lw_swf_job from[200];
	struct lw_swf swf = { .jobs = from, .job_count = 200 };
	struct lw_convert_options o = one_cpu;
	struct lw_convert_notes notes;
	struct lw_error err = { "" };
	struct lw_workload w;
	bool differ = false;

	for (int i = 0; i < 200; i++)
		from[i] = (struct lw_swf_job){ .submit_s = i,
					       .run_s = i % 2 ? 1000 : 300000,
					       .requested_s = -1,
					       .procs = 1,
					       .user = i % 5 };
	ck_assert_int_eq(lw_convert_swf(&swf, &o, &w, &notes, &err), 0);
	ck_assert_uint_eq(notes.limits_made, 200);
	for (uint32_t i = 0; i < 200; i++) {
		ck_assert_int_ge(w.jobs[i].limit_s, w.jobs[i].run_s);
		differ = differ || w.jobs[i].limit_s != w.jobs[i % 2].limit_s;
	}
	ck_assert(differ);
	lw_workload_fini(&w);
}
