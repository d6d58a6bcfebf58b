/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: turn a trace into a workload for a machine. */
#include "lab/sim/convert.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/sim/userlimit.h"
#include "measure/detmath.h"
#include "measure/rng.h"

#define FAVOURITES_SEED UINT64_C(0x2545f4914f6cdd1d)

struct converter {
	const struct lw_convert_options *options;
	struct lw_workload *workload;
	struct lw_convert_notes notes;
	struct lw_rng rng;
	const struct lw_userlimit_menu *menu;
	struct lw_swf_numbers numbers;
	uint32_t *id_of; /* by place in the trace: its place in the workload + 1, or 0 */
};

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return a / b + (a % b != 0);
}

/* Spread the processors over as few nodes as hold them; false: too wide. */
static bool set_shape(const struct lw_convert_options *o, uint32_t procs,
		      struct lw_workload_job *job)
{
	uint32_t a_node = o->unit == LW_CONVERT_GPU   ? o->gpus_per_node
			  : o->unit == LW_CONVERT_CPU ? o->cpus_per_node
						      : 1;
	uint32_t each;

	job->nodes = divide_up(procs, a_node);
	if (job->nodes > o->nodes)
		return false;
	each = divide_up(procs, job->nodes);
	switch (o->unit) {
	case LW_CONVERT_GPU:
		job->gpus_per_node = each;
		job->cpus_per_node = each * (o->cpus_per_node / o->gpus_per_node);
		break;
	case LW_CONVERT_CPU:
		job->cpus_per_node = each;
		break;
	case LW_CONVERT_NODE:
		job->gpus_per_node = o->gpus_per_node;
		job->cpus_per_node = o->cpus_per_node;
		break;
	}
	if (!job->cpus_per_node)
		job->cpus_per_node = 1;
	return true;
}

static void set_user(struct converter *converter, const struct lw_swf_job *from,
		     struct lw_workload_job *job)
{
	/* no user is known: all are user 0 */
	job->user = from->user >= 0    ? (uint32_t)from->user
		    : from->group >= 0 ? (uint32_t)from->group
				       : 0;
	converter->notes.users_unknown += from->user < 0;
	if (from->application >= 0)
		snprintf(job->name, sizeof(job->name), "app-%d", (int)from->application);
	else
		snprintf(job->name, sizeof(job->name), "job");
}

/* A user keeps its favourite limits through the trace. */
static int64_t make_limit_s(struct converter *converter, int32_t user, int64_t run_s)
{
	struct lw_userlimit_user habits;
	struct lw_rng rng;
	int64_t limit_s;

	lw_rng_init(&rng,
		    converter->options->seed ^ FAVOURITES_SEED ^ ((uint64_t)user + 1));
	lw_userlimit_draw_user(&rng, converter->menu, &habits);
	limit_s = lw_userlimit_draw(&converter->rng, converter->menu, &habits, run_s);
	/* beyond the largest popular value: whole hours */
	return limit_s < run_s ? (run_s + 3599) / 3600 * 3600 : limit_s;
}

static int64_t squeeze(const struct converter *converter, int64_t seconds)
{
	return lw_math_round((double)seconds / converter->options->compress);
}

/* ELAPSED_S of the run are over already when the window opens. */
static void set_times(struct converter *converter, const struct lw_swf_job *from,
		      int64_t elapsed_s, struct lw_workload_job *job)
{
	int64_t submit_s = from->submit_s - converter->options->from_s;
	int64_t limit_s = from->requested_s;

	if (limit_s <= 0) {
		limit_s = make_limit_s(converter, from->user, from->run_s);
		converter->notes.limits_made++;
	}
	limit_s = limit_s > elapsed_s ? limit_s - elapsed_s : 0;
	job->submit_s = submit_s > 0 ? squeeze(converter, submit_s) : 0;
	job->run_s = lw_workload_cap(squeeze(converter, from->run_s - elapsed_s),
				     LW_WORKLOAD_TIME_MAX_S);
	job->limit_s =
		(int64_t)ceil((double)limit_s / converter->options->compress / 60) * 60;
	if (job->limit_s < 60)
		job->limit_s = 60;
	job->limit_s = lw_workload_cap(job->limit_s, LW_WORKLOAD_TIME_MAX_S);
	job->cancel_s = LW_WORKLOAD_NEVER;
	job->array = LW_WORKLOAD_NEVER;
}

/* The job PLACE of the trace, which is the next of the workload, waits for the one it names. */
static int set_after(struct converter *converter, const struct lw_swf_job *from, uint32_t place,
		     struct lw_workload_job *job)
{
	uint32_t before = lw_swf_numbers_before(&converter->numbers, from->preceding, place);
	uint32_t id = before == LW_SWF_NOWHERE ? 0 : converter->id_of[before];

	if (from->preceding < 1)
		return 0;
	if (!id) {
		converter->notes.afters_lost++;
		return 0;
	}
	converter->workload->jobs[id - 1].id = id;
	if (from->think_s > 0)
		job->think_s = lw_workload_cap(squeeze(converter, from->think_s),
					       LW_WORKLOAD_TIME_MAX_S);
	return lw_workload_add_after(converter->workload, job,
				     (struct lw_after){ LW_AFTER_ANY, id });
}

static int convert_take(struct converter *converter, const struct lw_swf_job *from,
			uint32_t place, int64_t elapsed_s)
{
	int32_t procs = from->requested_procs > 0 ? from->requested_procs : from->procs;
	struct lw_workload_job job;

	memset(&job, 0, sizeof(job));
	if (procs <= 0 || from->run_s < 0) {
		converter->notes.dropped_unknown++;
		return 0;
	}
	if (!set_shape(converter->options, (uint32_t)procs, &job)) {
		converter->notes.dropped_wide++;
		return 0;
	}
	job.kind = !job.gpus_per_node ? LW_WORKLOAD_HPC
		   : job.nodes > 1    ? LW_WORKLOAD_GANG
				      : LW_WORKLOAD_TRAIN1;
	set_user(converter, from, &job);
	set_times(converter, from, elapsed_s, &job);
	if (job.submit_s > LW_WORKLOAD_TIME_MAX_S)
		return -ERANGE;
	converter->notes.taken++;
	if (set_after(converter, from, place, &job))
		return -ENOMEM;
	converter->id_of[place] = converter->workload->job_count + 1;
	return lw_workload_add(converter->workload, &job);
}

/* Waiting or running, in the log, when the window opens. */
static bool is_present(const struct lw_swf_job *job, int64_t now_s,
		       int64_t *ret_elapsed_s)
{
	int64_t start_s = job->submit_s + job->wait_s;

	if (job->submit_s >= now_s || job->wait_s < 0 || job->run_s < 0 ||
	    start_s + job->run_s <= now_s)
		return false;
	*ret_elapsed_s = start_s < now_s ? now_s - start_s : 0;
	return true;
}

static int take_if_wanted(struct converter *converter, const struct lw_swf *swf,
			  uint32_t i)
{
	const struct lw_convert_options *o = converter->options;
	const struct lw_swf_job *job = &swf->jobs[i];
	int64_t elapsed_s = 0;

	if ((o->first_job && i + 1 < o->first_job) ||
	    (o->last_job && i + 1 > o->last_job))
		return 0;
	if (o->span_s && job->submit_s >= o->from_s + o->span_s)
		return 0;
	if (job->submit_s < o->from_s) {
		if (!o->carry_over || !is_present(job, o->from_s, &elapsed_s))
			return 0;
		converter->notes.carried++;
	}
	return convert_take(converter, job, i, elapsed_s);
}

static int convert_check(const struct lw_convert_options *o, struct lw_error *err)
{
	if (!o->nodes || !o->cpus_per_node)
		return lw_error_set(err, -EINVAL,
				    "nodes and CPUs a node must be above 0");
	if (o->unit == LW_CONVERT_GPU && !o->gpus_per_node)
		return lw_error_set(err, -EINVAL,
				    "processors are GPUs but gpus-per-node is 0");
	return 0;
}

static int take_all(struct converter *converter, const struct lw_swf *swf)
{
	struct lw_workload *workload = converter->workload;
	int rc = lw_swf_numbers_init(&converter->numbers, swf);

	converter->id_of = calloc((size_t)swf->job_count + 1, sizeof(*converter->id_of));
	if (!converter->id_of)
		rc = -ENOMEM;
	for (uint32_t i = 0; !rc && i < swf->job_count; i++)
		rc = take_if_wanted(converter, swf, i);
	for (uint32_t i = 0; !rc && i < workload->job_count; i++)
		if (workload->jobs[i].id)
			rc = lw_workload_add_id(workload, workload->jobs[i].id, i, 1);
	free(converter->id_of);
	lw_swf_numbers_fini(&converter->numbers);
	return rc;
}

int lw_convert_swf(const struct lw_swf *swf, const struct lw_convert_options *options,
		   struct lw_workload *ret_workload, struct lw_convert_notes *ret_notes,
		   struct lw_error *err)
{
	struct lw_workload workload = { 0 };
	struct converter converter = { .options = options, .workload = &workload };
	int rc = convert_check(options, err);

	if (rc)
		return rc;
	lw_rng_init(&converter.rng, options->seed);
	converter.menu =
		options->unit == LW_CONVERT_GPU ? &lw_userlimit_dl : &lw_userlimit_hpc;
	rc = take_all(&converter, swf);
	if (rc) {
		lw_workload_fini(&workload);
		return lw_error_set(err, rc, rc == -ERANGE ? "jobs a hundred years after the "
							     "start: give a later --from"
							   : "out of memory");
	}
	/* jobs of a positions window start the clock, as those of a time window do */
	for (uint32_t i = workload.job_count; options->first_job && i-- > 0;)
		workload.jobs[i].submit_s -= workload.jobs[0].submit_s;
	workload.types[workload.type_count++] =
		(struct lw_nodes){ options->nodes, options->cpus_per_node, options->gpus_per_node,
				   options->mem_mib_per_node, "" };
	*ret_workload = workload;
	*ret_notes = converter.notes;
	return 0;
}
