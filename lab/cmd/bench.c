/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway bench: how long one plan of a whole queue takes. */

/*
 * The cluster is made up, and hard on purpose: every waiting job asks for something else
 * (real queues are full of like jobs, which the planner takes together), the first one
 * waits for half of the nodes, and unless many jobs run, thousands of others can start.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/cmd/bench_gate.h"
#include "measure/doubles.h"
#include "measure/rng.h"
#include "planner/policies/policy.h"

#define NOW_S         INT64_C(1000000000)
#define DAY_S         86400
#define USERS         100
#define CPUS_A_GPU    8
#define CPUS_NO_GPU   64
#define MEM_A_CPU_MIB 4096
#define REPEAT_MAX    10000

struct size {
	uint32_t nodes, gpus_per_node, pending, running, totals;
};

struct result {
	struct size size;
	double min_s, median_s, estimate_s;
	struct lw_bench_gate gate;
	uint32_t started, reserved, decisions, foreseen;
};

struct request {
	struct size size;
	enum lw_policy_kind kind;
	uint32_t seed, repeat;
	const char *json;
	bool growth, quiet;
};

/* How a cluster is made: GPUs, or CPUs where there are none, are what runs short. */
struct maker {
	struct lw_snapshot *snap;
	struct lw_rng rng;
	struct size size;
	uint32_t unit_cpus; /* a unit is a GPU with its CPUs, or a CPU */
	uint32_t units;     /* of a node */
	uint32_t *used;     /* by node */
	uint32_t next;      /* node to look at first */
};

static int set_policy(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct request *request = arg;
	int kind = lw_policy_kind_parse(value);
	char list[LW_TOOLS_LIST];

	if (kind < 0)
		return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not %s", name, value,
				    lw_tools_list(lw_policy_names(), "or", list));
	request->kind = (enum lw_policy_kind)kind;
	return 0;
}

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	struct size *size = &request->size;
	bool has_size = false;
	const struct lw_option options[] = {
#include "lab/cmd/bench_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (rc)
		return rc;
	if (optind < argc)
		return lw_error_set(err, -EINVAL, "unexpected \"%s\"", argv[optind]);
	if (request->growth && has_size)
		return lw_error_set(err, -EINVAL, "--growth has sizes of its own: leave out "
				    "--nodes, --pending and --running");
	if (request->json && strcmp(request->json, "-") == 0)
		request->quiet = true;
	return 0;
}

static int add_nodes(struct maker *maker)
{
	struct lw_res total = { .cpus = maker->units * maker->unit_cpus };
	struct lw_bitset all;
	struct lw_error err;
	char name[24];
	int rc = 0;

	total.mem_mib = total.cpus * MEM_A_CPU_MIB;
	if (maker->size.gpus_per_node) {
		rc = lw_snapshot_gpu_type(maker->snap, "gpu");
		if (rc < 0)
			return rc;
		total.gpus[rc] = (uint16_t)maker->size.gpus_per_node;
	}
	for (uint32_t i = 0; i < maker->size.nodes; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		if (lw_snapshot_add_node(maker->snap, name, &total, true, &err))
			return -ENOMEM;
	}
	if (lw_bitset_init(&all, maker->size.nodes))
		return -ENOMEM;
	lw_bitset_set_all(&all);
	rc = lw_snapshot_add_set(maker->snap, "all", &all, &err);
	lw_bitset_fini(&all);
	return rc;
}

/* 1, 2, 4, ... units, at most a node's. */
static uint32_t draw_units(struct maker *maker)
{
	uint32_t units = UINT32_C(1)
			 << lw_rng_below(&maker->rng, maker->size.gpus_per_node ? 4 : 6);

	return units < maker->units ? units : maker->units;
}

/* A node with so many units free, or LW_NO_NODE. */
static uint32_t find_node(struct maker *maker, uint32_t units)
{
	for (uint32_t i = 0; i < maker->size.nodes; i++) {
		uint32_t node = (maker->next + i) % maker->size.nodes;

		if (maker->used[node] + units <= maker->units) {
			maker->next = (node + 1) % maker->size.nodes;
			return node;
		}
	}
	return LW_NO_NODE;
}

static int add_running_job(struct maker *maker, uint32_t number, uint32_t units)
{
	uint32_t node = find_node(maker, units);
	struct lw_alloc alloc = { .node = node };
	struct lw_running job = { .job_id = number + 1, .user_id = number % USERS };
	struct lw_error err;

	if (node == LW_NO_NODE)
		return units > 1 ? add_running_job(maker, number, units / 2) : -ENOSPC;
	maker->used[node] += units;
	alloc.res.cpus = units * maker->unit_cpus;
	alloc.res.mem_mib = alloc.res.cpus * (MEM_A_CPU_MIB / 2);
	if (maker->size.gpus_per_node)
		alloc.res.gpus[0] = (uint16_t)units;
	job.start_s = NOW_S - lw_rng_below(&maker->rng, DAY_S);
	job.end_s = NOW_S + 1 + lw_rng_below(&maker->rng, DAY_S);
	return lw_snapshot_add_running(maker->snap, &job, &alloc, 1, &err);
}

/* About as much as there is, so that the last ones get what is left. */
static int add_running(struct maker *maker)
{
	uint64_t left = (uint64_t)maker->size.nodes * maker->units;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < maker->size.running; i++) {
		uint32_t units = draw_units(maker), still = maker->size.running - i - 1;

		/* one unit each for those to come */
		while (units > 1 && left < (uint64_t)units + still)
			units /= 2;
		rc = add_running_job(maker, i, units);
		left -= units;
	}
	return rc;
}

static struct lw_request draw_request(struct maker *maker, bool first)
{
	uint32_t units = draw_units(maker), nodes = 1;
	struct lw_request request = { .gpu_type = LW_GPU_ANY };

	if (first) {
		nodes = maker->size.nodes / 2 ? maker->size.nodes / 2 : 1;
		units = maker->units;
	} else if (lw_rng_chance(&maker->rng, 0.1)) {
		nodes = 1 + lw_rng_below(&maker->rng, 16);
		units = maker->units;
	}
	request.nodes_min = request.nodes_max =
		nodes < maker->size.nodes ? nodes : maker->size.nodes;
	request.cpus_per_node = units * (1 + lw_rng_below(&maker->rng, maker->unit_cpus));
	request.mem_per_node_mib =
		request.cpus_per_node * (1 + lw_rng_below(&maker->rng, MEM_A_CPU_MIB));
	if (maker->size.gpus_per_node)
		request.gpus_per_node = (uint16_t)units;
	return request;
}

/* As much of CPUs and memory as REQUEST has on its nodes, on whatever nodes. */
static struct lw_request in_all(const struct maker *maker, const struct lw_request *request)
{
	uint32_t cpus = request->cpus_per_node;

	return (struct lw_request){
		.gpu_type = LW_GPU_ANY,
		.nodes_min = 1,
		.nodes_max = maker->size.nodes,
		.cpus_per_node = 1,
		.mem_per_cpu_mib = request->mem_per_node_mib / cpus,
		.cpus_total = request->nodes_min * cpus,
	};
}

static int add_pending(struct maker *maker)
{
	struct lw_error err;

	for (uint32_t i = 0; i < maker->size.pending; i++) {
		uint32_t limit_s = 600 + lw_rng_below(&maker->rng, DAY_S);
		struct lw_waiting job = {
			.job_id = maker->size.running + i + 1,
			.user_id = lw_rng_below(&maker->rng, USERS),
			.tasks = 1,
			.submit_s = NOW_S - (int64_t)(maker->size.pending - i),
			.begin_s = LW_NO_TIME,
			.limit_s = limit_s,
			.expected.mean_s = 1 + lw_rng_below(&maker->rng, limit_s),
			.promise_s = LW_NO_TIME,
			.request = draw_request(maker, i == 0),
		};

		if (maker->size.totals && i && i % maker->size.totals == 0)
			job.request = in_all(maker, &job.request);
		if (lw_snapshot_add_waiting(maker->snap, &job, &err))
			return -ENOMEM;
		lw_mix_note(&maker->snap->mix, &job.request);
	}
	return 0;
}

static int make_cluster(struct lw_snapshot *snap, const struct size *size, uint32_t seed,
			struct lw_error *err)
{
	struct maker maker = { .snap = snap,
			       .size = *size,
			       .unit_cpus = size->gpus_per_node ? CPUS_A_GPU : 1,
			       .units = size->gpus_per_node ? size->gpus_per_node : CPUS_NO_GPU };
	int rc;

	lw_snapshot_init(snap, NOW_S);
	lw_rng_init(&maker.rng, seed);
	if ((uint64_t)size->nodes * maker.units < size->running)
		return lw_error_set(err, -EINVAL, "--running: %u jobs do not fit on %u nodes",
				    size->running, size->nodes);
	maker.used = calloc(size->nodes, sizeof(*maker.used));
	rc = maker.used ? add_nodes(&maker) : -ENOMEM;
	if (!rc)
		rc = add_running(&maker);
	if (!rc)
		rc = add_pending(&maker);
	free(maker.used);
	return rc ? lw_error_set(err, rc, "out of memory") : 0;
}

static int time_plans(const struct request *request, const struct lw_snapshot *snap,
		      struct lw_policy *policy, double *times, struct result *ret_result)
{
	struct lw_plan plan, estimate;
	double begun_s;
	int rc = 0;

	lw_plan_init(&plan);
	lw_plan_init(&estimate);
	for (uint32_t i = 0; !rc && i < request->repeat; i++) {
		begun_s = lw_bench_cpu_s();
		rc = lw_policy_cycle(policy, snap, &plan);
		times[i] = lw_bench_cpu_s() - begun_s;
	}
	if (!rc)
		rc = lw_bench_gate(policy, snap, &ret_result->gate);
	begun_s = lw_bench_cpu_s();
	if (!rc)
		rc = lw_policy_estimate(policy, &estimate);
	if (!rc) {
		ret_result->estimate_s = lw_bench_cpu_s() - begun_s;
		ret_result->foreseen = estimate.reserved;
		qsort(times, request->repeat, sizeof(*times), lw_doubles_compare);
		ret_result->min_s = times[0];
		ret_result->median_s = times[request->repeat / 2];
		ret_result->started = plan.started;
		ret_result->reserved = plan.reserved;
		ret_result->decisions = plan.decision_count;
	}
	lw_plan_fini(&estimate);
	lw_plan_fini(&plan);
	return rc;
}

static int bench_measure(const struct request *request, const struct size *size,
			 struct result *ret_result, struct lw_error *err)
{
	struct lw_policy_params params;
	struct lw_policy *policy = NULL;
	struct lw_snapshot snap;
	double *times = calloc(request->repeat, sizeof(*times));
	int rc = make_cluster(&snap, size, request->seed, err);

	lw_policy_params_default(&params);
	params.kind = request->kind;
	ret_result->size = *size;
	if (!rc && (!times || lw_policy_create(&params, NULL, &policy) ||
		    time_plans(request, &snap, policy, times, ret_result)))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	lw_policy_destroy(policy);
	lw_snapshot_fini(&snap);
	free(times);
	return rc;
}

static void print_head(const struct request *request)
{
	printf("policy %s, %u plans each, seed %u\n"
	       "%8s %6s %9s %9s %11s %11s %9s %9s %9s %12s\n",
	       lw_policy_kind_name(request->kind), request->repeat, request->seed, "nodes",
	       "GPUs", "pending", "running", "median ms", "least ms", "started", "reserved",
	       "gate ms", "judge p99 us");
}

static void print_result(const struct result *result)
{
	printf("%8u %6u %9u %9u %11.2f %11.2f %9u %9u %9.2f %12.1f\n", result->size.nodes,
	       result->size.gpus_per_node, result->size.pending, result->size.running,
	       1000 * result->median_s, 1000 * result->min_s, result->started, result->reserved,
	       1000 * result->gate.make_s, 1e6 * result->gate.judge_p99_s);
}

static json_t *make_json(const struct request *request, const struct result *result)
{
	return json_pack(
		"{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:I, s:I, s:f, s:I, "
		"s:f, s:f, s:f}",
		"policy", lw_policy_kind_name(request->kind), "nodes",
		(json_int_t)result->size.nodes, "gpus_per_node",
		(json_int_t)result->size.gpus_per_node, "pending",
		(json_int_t)result->size.pending, "running", (json_int_t)result->size.running,
		"totals", (json_int_t)result->size.totals, "seed", (json_int_t)request->seed,
		"repeat", (json_int_t)request->repeat, "plan_median_s", result->median_s,
		"plan_min_s", result->min_s, "started", (json_int_t)result->started, "reserved",
		(json_int_t)result->reserved, "decisions", (json_int_t)result->decisions,
		"outlook_s", result->estimate_s, "foreseen", (json_int_t)result->foreseen,
		"gate_s", result->gate.make_s, "judge_p50_s", result->gate.judge_p50_s,
		"judge_p99_s", result->gate.judge_p99_s);
}

/* The sizes to measure: the one asked for, or for each axis a row of doublings. */
static uint32_t choose_sizes(const struct request *request, struct size *sizes)
{
	uint32_t count = 0;

	if (!request->growth) {
		sizes[0] = request->size;
		return 1;
	}
	for (uint32_t pending = 625; pending <= 40000; pending *= 2)
		sizes[count++] =
			(struct size){ 2500, request->size.gpus_per_node, pending, 5000,
				       request->size.totals };
	for (uint32_t nodes = 625; nodes <= 20000; nodes *= 2)
		sizes[count++] =
			(struct size){ nodes, request->size.gpus_per_node, 5000, 2 * nodes,
				       request->size.totals };
	return count;
}

static int bench_run(const struct request *request, struct lw_error *err)
{
	struct size sizes[32];
	uint32_t count = choose_sizes(request, sizes);
	json_t *all = json_array();
	int rc = lw_output_check(request->json, err);

	if (!rc && !request->quiet)
		print_head(request);
	for (uint32_t i = 0; !rc && i < count; i++) {
		struct result result = { 0 };

		rc = bench_measure(request, &sizes[i], &result, err);
		if (rc)
			break;
		if (!request->quiet)
			print_result(&result);
		json_array_append_new(all, make_json(request, &result));
	}
	if (!rc && request->json)
		rc = lw_output_json(request->json,
				    lw_json_named("leeway.bench",
						  json_pack("{s:O}", "sizes", all)),
				    err);
	json_decref(all);
	return rc;
}

int lw_tools_bench(int argc, char **argv)
{
	struct request request = {
		.size = { 1000, 8, 1000, 1000 }, .kind = LW_POLICY_LEEWAY, .seed = 1, .repeat = 5
	};
	struct lw_error err = { "" };
	int rc;

	rc = read_options(&request, argc, argv, &err);
	if (rc)
		return lw_options_refused("bench", rc, &err);
	return lw_tools_ended("bench", bench_run(&request, &err), &err);
}
