/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a workload asks of a machine, in a few figures. */
#include "lab/sim/workload_sum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "lab/sim/recipegive.h"

double lw_workload_node_share(const struct lw_workload_job *job, uint32_t gpus_per_node,
			      uint32_t cpus_per_node)
{
	double gpus = gpus_per_node ? (double)job->gpus_per_node / gpus_per_node : 0;
	double cpus = cpus_per_node ? (double)job->cpus_per_node / cpus_per_node : 0;
	double share = gpus > cpus ? gpus : cpus;

	return share > 1 ? 1 : share;
}

int64_t lw_workload_held_s(const struct lw_workload_job *job)
{
	return job->run_s < job->limit_s ? job->run_s : job->limit_s;
}

static int compare_i64(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int count_users(const struct lw_workload *workload, uint32_t *ret_users)
{
	int64_t *order = calloc(workload->job_count, sizeof(*order));
	uint32_t users = 0;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < workload->job_count; i++)
		order[i] = workload->jobs[i].user;
	qsort(order, workload->job_count, sizeof(*order), compare_i64);
	for (uint32_t i = 0; i < workload->job_count; i++)
		users += !i || order[i - 1] != order[i];
	free(order);
	*ret_users = users;
	return 0;
}

static int find_median_run(const struct lw_workload *workload, int64_t *ret_median_s)
{
	int64_t *runs = calloc(workload->job_count, sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	for (uint32_t i = 0; i < workload->job_count; i++)
		runs[i] = workload->jobs[i].run_s;
	qsort(runs, workload->job_count, sizeof(*runs), compare_i64);
	*ret_median_s = runs[workload->job_count / 2];
	free(runs);
	return 0;
}

static void sum_job(const struct lw_workload_job *job, double held_s, uint32_t gpus_per_node,
		    uint32_t cpus_per_node, struct lw_workload_summary *sum)
{
	uint32_t gpus = job->nodes * job->gpus_per_node;

	sum->kinds[job->kind]++;
	sum->cancelled += job->cancel_s != LW_WORKLOAD_NEVER;
	sum->over_limit += job->run_s > job->limit_s;
	sum->array_jobs += job->array != LW_WORKLOAD_NEVER;
	sum->work_s +=
		held_s * job->nodes * lw_workload_node_share(job, gpus_per_node, cpus_per_node);
	sum->run_mean_s += (double)job->run_s;
	sum->nodes_mean += job->nodes;
	sum->gpus_mean += gpus;
	if (job->nodes > sum->nodes_max)
		sum->nodes_max = job->nodes;
	if (gpus > sum->gpus_max)
		sum->gpus_max = gpus;
}

int lw_workload_sum(const struct lw_workload *workload, const struct lw_recipes *recipes,
		    uint32_t nodes, uint32_t gpus_per_node, uint32_t cpus_per_node,
		    struct lw_workload_summary *ret_summary)
{
	struct lw_workload_summary sum;
	uint32_t n = workload->job_count;
	int rc;

	memset(&sum, 0, sizeof(sum));
	*ret_summary = sum;
	if (!n)
		return 0;
	rc = count_users(workload, &sum.users);
	if (!rc)
		rc = find_median_run(workload, &sum.run_median_s);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < n; i++) {
		const struct lw_workload_job *job = &workload->jobs[i];

		sum_job(job,
			lw_recipegive_held_s(job, recipes, workload->types, workload->type_count),
			gpus_per_node, cpus_per_node, &sum);
		sum.arrays += job->array != LW_WORKLOAD_NEVER &&
			      (!i || workload->jobs[i - 1].array != job->array);
	}
	sum.jobs = n;
	sum.span_s = workload->jobs[n - 1].submit_s - workload->jobs[0].submit_s;
	sum.run_mean_s /= n;
	sum.nodes_mean /= n;
	sum.gpus_mean /= n;
	if (sum.span_s > 0 && nodes)
		sum.load = sum.work_s / ((double)nodes * (double)sum.span_s);
	*ret_summary = sum;
	return 0;
}

void lw_workload_print_summary(const struct lw_workload_summary *s, FILE *out)
{
	char span[32], median[32], mean[32];

	lw_duration_print(s->span_s, span, sizeof(span));
	lw_duration_print(s->run_median_s, median, sizeof(median));
	lw_duration_print((int64_t)s->run_mean_s, mean, sizeof(mean));
	fprintf(out, "%" PRIu32 " jobs by %" PRIu32 " users over %s, offered load %.3f\n",
		s->jobs, s->users, span, s->load);
	fprintf(out,
		"run time: median %s, mean %s; %" PRIu32 " pass their limit, %" PRIu32
		" are cancelled\n",
		median, mean, s->over_limit, s->cancelled);
	fprintf(out,
		"nodes a job: mean %.2f, at most %" PRIu32 "; GPUs: mean %.2f, at most %" PRIu32
		"\n",
		s->nodes_mean, s->nodes_max, s->gpus_mean, s->gpus_max);
	fprintf(out, "kinds:");
	for (int i = 0; i < LW_WORKLOAD_KINDS; i++)
		if (s->kinds[i])
			fprintf(out, " %s %" PRIu32,
				lw_workload_kind_name((enum lw_workload_kind)i), s->kinds[i]);
	fprintf(out, "; %" PRIu32 " arrays with %" PRIu32 " jobs\n", s->arrays, s->array_jobs);
}
