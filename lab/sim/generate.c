/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: make a workload from the models, for a machine and an offered load. */
#include "lab/sim/generate.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "lab/sim/arrival.h"
#include "lab/sim/chains.h"
#include "lab/sim/dlmix.h"
#include "lab/sim/dues.h"
#include "lab/sim/lublin.h"
#include "lab/sim/recipegive.h"
#include "lab/sim/workload_sum.h"
#include "measure/detmath.h"

#define JOBS_MAX 5000000u
/* the share of a node that jobs leave to the system */
#define MEMORY_SHARE 0.9
/* separate seeds for the two models of a mix */
#define SECOND_SEED UINT64_C(0x5851f42d4c957f2d)

static const char *const model_names[] = { "lublin", "dl", "mix" };

/* One model at work. */
struct stream {
	struct lw_lublin *lublin;
	struct lw_dlmix *dlmix; /* exactly one of the two */
	struct lw_arrival_cycle cycle;
	double share; /* of the work */
	double work_s;
	double busy_s;
	bool started;
};

/* A job and when it comes, in busy seconds of its stream. */
struct arrival {
	double busy_s;
	uint32_t stream;
};

struct maker {
	const struct lw_generate_options *options;
	struct stream streams[2];
	uint32_t stream_count;
	struct lw_workload *workload;
	struct arrival *arrivals; /* one a job */
	uint32_t room;
	double compress;
	double work_s;
};

int lw_generate_model_parse(const char *name, enum lw_generate_model *ret_model)
{
	for (int i = 0; i < 3; i++) {
		if (strcmp(name, model_names[i]) == 0) {
			*ret_model = (enum lw_generate_model)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *lw_generate_model_name(enum lw_generate_model model)
{
	return model_names[model];
}

static int generate_check(const struct lw_generate_options *o, struct lw_error *err)
{
	int given = (o->jobs > 0) + (o->span_s > 0) + (o->load > 0);

	if (given != 2)
		return lw_error_set(err, -EINVAL,
				    "give exactly two of jobs, span and load: the third follows");
	if (!o->nodes || !o->cpus_per_node || !o->users)
		return lw_error_set(err, -EINVAL, "nodes, CPUs a node and users must be above 0");
	if (o->model != LW_GENERATE_LUBLIN && !o->gpus_per_node)
		return lw_error_set(err, -EINVAL, "model %s needs GPUs: gpus-per-node is 0",
				    model_names[o->model]);
	if (o->jobs > JOBS_MAX)
		return lw_error_set(err, -EINVAL, "more than %u jobs", JOBS_MAX);
	if (o->max_run_s && o->max_run_s < 60)
		return lw_error_set(err, -EINVAL, "max-run below one minute");
	if (o->compress < 0 || (o->compress > 0 && o->compress < 1))
		return lw_error_set(err, -EINVAL, "compress must be at least 1");
	if (o->model == LW_GENERATE_MIX && !(o->hpc_share > 0 && o->hpc_share < 1))
		return lw_error_set(err, -EINVAL, "hpc-share must lie between 0 and 1");
	if (o->chain_early < 0 || o->chain_fails < 0 || o->chain_early + o->chain_fails > 1)
		return lw_error_set(err, -EINVAL,
				    "chain-early and chain-fails are more than all together");
	return 0;
}

static int64_t whole_minutes(double seconds)
{
	int64_t minutes = (int64_t)ceil(seconds / 60);

	return (minutes ? minutes : 1) * 60;
}

static int add_lublin(struct maker *maker, const struct lw_model_machine *machine, uint64_t seed,
		      double share)
{
	struct stream *stream = &maker->streams[maker->stream_count++];

	stream->share = share;
	stream->lublin = lw_lublin_create(machine, seed);
	lw_lublin_cycle(&stream->cycle);
	return stream->lublin ? 0 : -ENOMEM;
}

static int add_dlmix(struct maker *maker, const struct lw_model_machine *machine, uint64_t seed,
		     double share)
{
	struct stream *stream = &maker->streams[maker->stream_count++];

	stream->share = share;
	stream->dlmix = lw_dlmix_create(machine, seed);
	lw_dlmix_cycle(&stream->cycle);
	return stream->dlmix ? 0 : -ENOMEM;
}

static int add_streams(struct maker *maker)
{
	const struct lw_generate_options *o = maker->options;
	struct lw_model_machine machine = { o->nodes, o->gpus_per_node, o->cpus_per_node,
					    INT64_C(30) * 86400, o->users };
	int rc;

	if (o->max_run_s)
		machine.max_run_s = whole_minutes((double)o->max_run_s * maker->compress);
	if (o->model == LW_GENERATE_LUBLIN)
		return add_lublin(maker, &machine, o->seed, 1);
	if (o->model == LW_GENERATE_DL)
		return add_dlmix(maker, &machine, o->seed, 1);
	machine.cpus_per_node = o->cpus_per_node - o->cpus_per_node / 2;
	rc = add_dlmix(maker, &machine, o->seed, 1 - o->hpc_share);
	machine.gpus_per_node = 0;
	machine.cpus_per_node = o->cpus_per_node / 2 ? o->cpus_per_node / 2 : 1;
	if (!rc)
		rc = add_lublin(maker, &machine, o->seed ^ SECOND_SEED, o->hpc_share);
	return rc;
}

/* The stream that is furthest behind its share of the work. */
static struct stream *choose_stream(struct maker *maker)
{
	struct stream *first = &maker->streams[0], *second = &maker->streams[1];

	if (maker->stream_count < 2)
		return first;
	return second->work_s / second->share < first->work_s / first->share ? second : first;
}

/* Turn a job of the model into one of the machine. */
static void fit_job(const struct maker *maker, struct lw_workload_job *job)
{
	const struct lw_generate_options *o = maker->options;

	if (job->cpus_per_node > o->cpus_per_node)
		job->cpus_per_node = o->cpus_per_node;
	job->mem_mib_per_node = lw_math_round(MEMORY_SHARE * (double)o->mem_mib_per_node *
					      job->cpus_per_node / o->cpus_per_node);
	job->run_s = lw_math_round((double)job->run_s / maker->compress);
	if (job->run_s < 1)
		job->run_s = 1;
	job->limit_s = whole_minutes((double)job->limit_s / maker->compress);
	if (job->cancel_s != LW_WORKLOAD_NEVER)
		job->cancel_s = lw_math_round((double)job->cancel_s / maker->compress);
	if (o->recipes)
		lw_recipegive_job(job, o->recipes, o->seed);
}

static int add_submission(struct maker *maker, struct stream *stream,
			  struct lw_model_submission *submission)
{
	const struct lw_generate_options *o = maker->options;
	struct arrival arrival;

	/* the first one comes at time 0 */
	if (stream->started)
		stream->busy_s += submission->gap_s;
	stream->started = true;
	arrival.busy_s = stream->busy_s;
	arrival.stream = (uint32_t)(stream - maker->streams);
	for (uint32_t i = 0; i < submission->count; i++) {
		struct lw_workload_job *job = &submission->jobs[i];
		double work_s;

		if (o->jobs && maker->workload->job_count == o->jobs)
			break;
		fit_job(maker, job);
		work_s = lw_recipegive_held_s(job, o->recipes, maker->workload->types,
					      maker->workload->type_count) *
			 job->nodes *
			 lw_workload_node_share(job, o->gpus_per_node, o->cpus_per_node);
		stream->work_s += work_s;
		maker->work_s += work_s;
		if (lw_grow((void **)&maker->arrivals, &maker->room,
			    maker->workload->job_count + 1, sizeof(arrival)))
			return -ENOMEM;
		maker->arrivals[maker->workload->job_count] = arrival;
		if (lw_workload_add(maker->workload, job))
			return -ENOMEM;
	}
	return 0;
}

static bool is_enough(const struct maker *maker)
{
	const struct lw_generate_options *o = maker->options;

	if (o->jobs)
		return maker->workload->job_count >= o->jobs;
	return maker->workload->job_count > 1 &&
	       maker->work_s >= o->load * o->nodes * (double)o->span_s;
}

static int draw_jobs(struct maker *maker)
{
	struct lw_model_submission *submission = malloc(sizeof(*submission));
	int rc = submission ? 0 : -ENOMEM;

	while (!rc && !is_enough(maker)) {
		struct stream *stream = choose_stream(maker);

		if (maker->workload->job_count >= JOBS_MAX) {
			rc = -E2BIG;
			break;
		}
		if (stream->lublin)
			lw_lublin_draw(stream->lublin, submission);
		else
			lw_dlmix_draw(stream->dlmix, submission);
		rc = add_submission(maker, stream, submission);
	}
	free(submission);
	return rc;
}

/*
 * Stretch each stream's gaps so that its last job comes at the end of the span: the
 * daily cycle stays where it is, and the load is met exactly.
 */
static void set_times(struct maker *maker)
{
	const struct lw_generate_options *o = maker->options;
	double span_s = o->span_s ? (double)o->span_s : maker->work_s / (o->load * o->nodes);

	for (uint32_t i = 0; i < maker->workload->job_count; i++) {
		const struct arrival *arrival = &maker->arrivals[i];
		const struct stream *stream = &maker->streams[arrival->stream];
		double whole = lw_arrival_busy(&stream->cycle, span_s * maker->compress);
		double busy = stream->busy_s > 0 ? arrival->busy_s / stream->busy_s * whole : 0;

		maker->workload->jobs[i].submit_s =
			lw_math_round(lw_arrival_clock(&stream->cycle, busy) / maker->compress);
	}
}

static int add_chains(struct maker *maker)
{
	const struct lw_generate_options *o = maker->options;
	const struct lw_chains_options chains = {
		.count = o->chains,
		.early = o->chain_early,
		.fails = o->chain_fails,
		.compress = maker->compress,
		.links = o->chain_links,
		.width = o->chain_nodes,
		.limit_s = o->chain_limit_s,
		.seed = o->seed,
		.users = o->users,
		.nodes = o->nodes,
		.gpus_per_node = o->gpus_per_node,
		.cpus_per_node = o->cpus_per_node,
		.mem_mib_per_node = lw_math_round(MEMORY_SHARE * (double)o->mem_mib_per_node),
	};

	int rc = o->chains ? lw_chains_add(maker->workload, &chains) : 0;

	for (uint32_t i = 0; !rc && o->recipes && i < maker->workload->job_count; i++)
		lw_recipegive_job(&maker->workload->jobs[i], o->recipes, o->seed);
	return rc;
}

static void set_machine(struct lw_workload *workload, const struct lw_generate_options *o)
{
	const struct lw_nodes nodes = { o->nodes, o->cpus_per_node, o->gpus_per_node,
					o->mem_mib_per_node, "" };

	if (o->recipes)
		workload->type_count = lw_recipegive_nodes(o->recipes, &nodes, workload->types);
	else
		workload->types[workload->type_count++] = nodes;
}

int lw_generate(const struct lw_generate_options *options, struct lw_workload *ret_workload,
		struct lw_error *err)
{
	struct lw_workload workload = { 0 };
	struct maker maker = { .options = options, .workload = &workload };
	int rc = generate_check(options, err);

	if (rc)
		return rc;
	maker.compress = options->compress > 0 ? options->compress : 1;
	set_machine(&workload, options);
	rc = add_streams(&maker);
	if (!rc)
		rc = draw_jobs(&maker);
	if (!rc) {
		set_times(&maker);
		rc = lw_workload_sort(&workload);
	}
	if (!rc)
		rc = lw_dues_add(&workload, options->deadlines, options->seed);
	if (!rc)
		rc = add_chains(&maker);
	for (uint32_t i = 0; i < maker.stream_count; i++) {
		lw_lublin_destroy(maker.streams[i].lublin);
		lw_dlmix_destroy(maker.streams[i].dlmix);
	}
	free(maker.arrivals);
	if (rc) {
		lw_workload_fini(&workload);
		return lw_error_set(err, rc,
				    rc == -E2BIG ? "the load needs more than %u jobs"
						 : "out of memory",
				    JOBS_MAX);
	}
	*ret_workload = workload;
	return 0;
}
