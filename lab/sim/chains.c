/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: chains of long jobs, each of which waits for the one before it. */
#include "lab/sim/chains.h"

#include "measure/detmath.h"
#include "measure/rng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Differs from the models, so that their jobs stay the same without chains. */
#define CHAINS_SEED UINT64_C(0x6c8e9cf570932bd5)
/* No link is over at once. */
#define SHORTEST 0.01

/* The job is link LINK of chain CHAIN, until ids are given. */
static uint32_t mark_of(uint32_t chain, uint32_t link)
{
	return chain * LW_CHAINS_LINKS_MAX + link + 1;
}

static struct lw_workload_job first_link(const struct lw_chains_options *options,
					 struct lw_rng *rng, int64_t span_s)
{
	double compress = options->compress > 0 ? options->compress : 1;
	int64_t minutes = options->limit_s
				  ? options->limit_s / 60
				  : lw_math_round((double)LW_CHAINS_RUN_S / compress / 60);
	struct lw_workload_job job = {
		.submit_s = lw_math_round(lw_rng_uniform(rng) * (double)span_s),
		.limit_s = (minutes ? minutes : 1) * 60,
		.cancel_s = LW_WORKLOAD_NEVER,
		.array = LW_WORKLOAD_NEVER,
		.mem_mib_per_node = options->mem_mib_per_node,
		.user = lw_rng_below(rng, options->users),
		.nodes = lw_rng_below(rng, 2) ? LW_CHAINS_WIDE : 1,
		.gpus_per_node = options->gpus_per_node,
		.cpus_per_node = options->cpus_per_node,
	};

	if (options->width)
		job.nodes = options->width;
	if (job.nodes > options->nodes)
		job.nodes = options->nodes;
	job.kind = !job.gpus_per_node ? LW_WORKLOAD_HPC
		   : job.nodes > 1    ? LW_WORKLOAD_GANG
				      : LW_WORKLOAD_TRAIN1;
	return job;
}

/* How it ends: at its limit, or before it, well or not. */
static void draw_end(const struct lw_chains_options *options, struct lw_rng *rng,
		     struct lw_workload_job *job)
{
	double fate = lw_rng_uniform(rng), share = lw_rng_between(rng, SHORTEST, 1);

	job->exit_code = fate < options->fails;
	job->run_s = job->limit_s;
	if (fate < options->fails + options->early)
		job->run_s = lw_math_round(share * (double)job->limit_s);
	if (job->run_s < 1)
		job->run_s = 1;
}

static int add_chain(struct lw_workload *workload, const struct lw_chains_options *options,
		     struct lw_rng *rng, uint32_t number, int64_t span_s)
{
	struct lw_workload_job job = first_link(options, rng, span_s);
	uint32_t links = LW_CHAINS_LINKS_MIN +
			 lw_rng_below(rng, LW_CHAINS_LINKS_MAX - LW_CHAINS_LINKS_MIN + 1);
	int rc = 0;

	if (options->links)
		links = options->links;
	snprintf(job.name, sizeof(job.name), "chain-%u", number + 1);
	for (uint32_t link = 0; !rc && link < links; link++) {
		job.id = mark_of(number, link);
		draw_end(options, rng, &job);
		rc = lw_workload_add(workload, &job);
	}
	return rc;
}

/* From marks to ids that rise through the workload. */
static int name_links(struct lw_workload *workload, uint32_t chains)
{
	uint32_t *id_of = calloc((size_t)mark_of(chains, 0) + 1, sizeof(*id_of));
	int rc = id_of ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < workload->job_count; i++) {
		struct lw_workload_job *job = &workload->jobs[i];
		uint32_t mark = job->id;

		if (!mark)
			continue;
		job->id = id_of[mark] = i + 1;
		rc = lw_workload_add_id(workload, job->id, i, 1);
		if (!rc && (mark - 1) % LW_CHAINS_LINKS_MAX)
			rc = lw_workload_add_after(
				workload, job,
				(struct lw_after){ LW_AFTER_ANY, id_of[mark - 1] });
	}
	free(id_of);
	return rc;
}

int lw_chains_add(struct lw_workload *workload, const struct lw_chains_options *options)
{
	int64_t span_s = 0;
	struct lw_rng rng;
	int rc = 0;

	for (uint32_t i = 0; i < workload->job_count; i++)
		if (workload->jobs[i].submit_s > span_s)
			span_s = workload->jobs[i].submit_s;
	lw_rng_init(&rng, options->seed ^ CHAINS_SEED);
	for (uint32_t i = 0; !rc && i < options->count; i++)
		rc = add_chain(workload, options, &rng, i, span_s);
	if (!rc)
		rc = lw_workload_sort(workload);
	return rc ? rc : name_links(workload, options->count);
}
