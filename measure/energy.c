/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the energy of a machine while jobs of a simulation ran on it. */
#include "measure/energy.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOUR_S 3600

/* A job on a node for a while. */
struct span {
	uint32_t node;
	int64_t start_s, end_s; /* LW_NO_TIME: still there */
	double watts;           /* more than without it */
};

struct held {
	uint32_t first, count; /* of its spans */
};

/* How many jobs are on a node, and since when there is none. */
struct stay {
	uint32_t jobs;
	int64_t idle_s;
};

struct lw_energymeter {
	const struct lw_energy_model *model;
	const struct lw_snapshot *snap;
	const struct lw_sim_job *jobs;
	uint32_t node_count, job_count;
	double *on_w;                    /* by node: what it draws without a job */
	double idle_w[LW_GPU_TYPES_MAX], busy_w[LW_GPU_TYPES_MAX]; /* of a GPU, by type */
	struct held *held; /* by job */
	struct stay *stays; /* by node */
	struct span *spans;
	uint32_t span_count, span_room;
	int error;
};

static double watts_of(const struct lw_res *res, const double *by_type)
{
	double watts = 0;

	for (int t = 0; t < LW_GPU_TYPES_MAX; t++)
		watts += res->gpus[t] * by_type[t];
	return watts;
}

static const struct lw_energy_type *find_type(const struct lw_energy_model *model,
					      const char *name)
{
	for (uint32_t i = 0; i < model->type_count; i++)
		if (!strcasecmp(model->types[i].name, name))
			return &model->types[i];
	return NULL;
}

/* Idle and busy watts of a GPU of each type of SNAP. */
static void find_watts(const struct lw_energy_model *model, const struct lw_snapshot *snap,
		       double *idle_w, double *busy_w)
{
	for (uint32_t t = 0; t < LW_GPU_TYPES_MAX; t++) {
		const struct lw_energy_type *type =
			t < snap->gpu_type_count ? find_type(model, snap->gpu_types[t]) : NULL;

		idle_w[t] = type && type->idle_w > 0 ? type->idle_w : model->gpu_idle_w;
		busy_w[t] = type && type->busy_w > 0 ? type->busy_w : model->gpu_busy_w;
	}
}

void lw_energy_tell(const struct lw_energy_model *model, struct lw_snapshot *snap)
{
	double idle_w[LW_GPU_TYPES_MAX], busy_w[LW_GPU_TYPES_MAX];

	find_watts(model, snap, idle_w, busy_w);
	for (uint32_t t = 0; t < snap->gpu_type_count; t++)
		lw_snapshot_set_draw(snap, t, idle_w[t], busy_w[t], model->node_w);
}

void lw_energymeter_destroy(struct lw_energymeter *meter)
{
	if (!meter)
		return;
	free(meter->on_w);
	free(meter->held);
	free(meter->stays);
	free(meter->spans);
	free(meter);
}

/* All nodes are on, and empty, when the first job comes. */
static void begin_idle(struct lw_energymeter *meter)
{
	int64_t first_s = LW_NO_TIME;

	for (uint32_t i = 0; i < meter->job_count; i++)
		if (first_s == LW_NO_TIME || meter->jobs[i].submit_s < first_s)
			first_s = meter->jobs[i].submit_s;
	for (uint32_t n = 0; n < meter->node_count; n++)
		meter->stays[n].idle_s = first_s;
}

int lw_energymeter_create(const struct lw_energy_model *model, const struct lw_snapshot *snap,
			  const struct lw_sim_job *jobs, uint32_t job_count,
			  struct lw_energymeter **ret_meter)
{
	struct lw_energymeter *meter = calloc(1, sizeof(*meter));

	if (!meter)
		return -ENOMEM;
	meter->model = model;
	meter->snap = snap;
	meter->jobs = jobs;
	meter->node_count = snap->node_count;
	meter->job_count = job_count;
	meter->on_w = calloc((size_t)snap->node_count + 1, sizeof(*meter->on_w));
	meter->held = calloc((size_t)job_count + 1, sizeof(*meter->held));
	meter->stays = calloc((size_t)snap->node_count + 1, sizeof(*meter->stays));
	if (!meter->on_w || !meter->held || !meter->stays) {
		lw_energymeter_destroy(meter);
		return -ENOMEM;
	}
	find_watts(model, snap, meter->idle_w, meter->busy_w);
	begin_idle(meter);
	for (uint32_t n = 0; n < snap->node_count; n++)
		meter->on_w[n] = model->node_w + watts_of(&snap->nodes[n].total, meter->idle_w);
	*ret_meter = meter;
	return 0;
}

/* What JOB adds to the draw of an idle GPU, by type. */
static void added_watts(const struct lw_energymeter *meter, const struct lw_sim_job *job,
			double *ret_w)
{
	for (uint32_t t = 0; t < LW_GPU_TYPES_MAX; t++) {
		double own_w = 0;

		if (job->recipe && t < meter->snap->gpu_type_count)
			own_w = lw_recipe_power_w(job->recipes, job->recipe,
						  lw_recipes_type(job->recipes,
								  meter->snap->gpu_types[t]));
		ret_w[t] = (own_w > 0 ? own_w : meter->busy_w[t]) - meter->idle_w[t];
	}
}

bool lw_energymeter_wakes(const struct lw_energymeter *meter, int64_t now_s,
			  const struct lw_alloc *allocs, uint32_t count)
{
	int64_t after_s = meter->model->suspend_after_s;

	for (uint32_t i = 0; after_s >= 0 && i < count; i++) {
		const struct stay *stay = &meter->stays[allocs[i].node];

		if (!stay->jobs && now_s - stay->idle_s > after_s)
			return true;
	}
	return false;
}

/* The nodes are on while they wake, and no job works there. */
static int64_t add_waking(struct lw_energymeter *meter, int64_t now_s,
			  const struct lw_alloc *allocs, uint32_t count)
{
	int64_t resume_s = meter->model->resume_s;

	if (!resume_s || !lw_energymeter_wakes(meter, now_s, allocs, count))
		return now_s;
	for (uint32_t i = 0; i < count; i++)
		meter->spans[meter->span_count++] = (struct span){ .node = allocs[i].node,
								    .start_s = now_s,
								    .end_s = now_s + resume_s };
	return now_s + resume_s;
}

void lw_energymeter_take(struct lw_energymeter *meter, uint32_t job, int64_t now_s,
			 const struct lw_alloc *allocs, uint32_t count)
{
	double added_w[LW_GPU_TYPES_MAX];

	if (lw_grow((void **)&meter->spans, &meter->span_room, meter->span_count + 2 * count,
		    sizeof(*meter->spans))) {
		meter->error = -ENOMEM;
		return;
	}
	added_watts(meter, &meter->jobs[job], added_w);
	now_s = add_waking(meter, now_s, allocs, count);
	meter->held[job] = (struct held){ meter->span_count, count };
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_res *res = &allocs[i].res;

		meter->stays[allocs[i].node].jobs++;
		meter->spans[meter->span_count++] = (struct span){
			.node = allocs[i].node,
			.start_s = now_s,
			.end_s = LW_NO_TIME,
			.watts = watts_of(res, added_w) + res->cpus * meter->model->cpu_w,
		};
	}
}

void lw_energymeter_give(struct lw_energymeter *meter, uint32_t job, int64_t now_s)
{
	struct held *held = &meter->held[job];

	for (uint32_t i = 0; i < held->count; i++) {
		struct span *span = &meter->spans[held->first + i];
		struct stay *stay = &meter->stays[span->node];

		/* a job that is stopped while the node wakes has not begun */
		span->end_s = now_s > span->start_s ? now_s : span->start_s;
		if (!--stay->jobs)
			stay->idle_s = now_s;
	}
	held->count = 0;
}

/* ---- reading it ---- */

struct sum {
	const struct lw_energy_model *model;
	int64_t from_s, to_s;
	struct lw_energy energy;
	double suspended_s;
};

/* WATTS in [FROM, TO), each hour at its price. */
static void sum_watts(struct sum *sum, int64_t from_s, int64_t to_s, double watts)
{
	const struct lw_energy_model *model = sum->model;

	if (to_s <= from_s)
		return;
	sum->energy.all_j += watts * (double)(to_s - from_s);
	while (model->factor_count && from_s < to_s) {
		int64_t hour = (from_s - sum->from_s) / HOUR_S;
		int64_t end_s = sum->from_s + (hour + 1) * HOUR_S;
		const struct lw_energy_factor *factor =
			&model->factors[hour % model->factor_count];
		double kwh;

		end_s = end_s < to_s ? end_s : to_s;
		kwh = watts * (double)(end_s - from_s) / 3.6e6;
		sum->energy.price += kwh * factor->price;
		sum->energy.co2_g += kwh * factor->co2_g;
		from_s = end_s;
	}
}

/* A node without a job in [FROM, TO), on it or off. */
static void sum_empty(struct sum *sum, int64_t from_s, int64_t to_s, double on_w)
{
	const struct lw_energy_model *model = sum->model;
	int64_t off_s = to_s;
	double before_j = sum->energy.all_j;

	if (to_s <= from_s)
		return;
	if (model->suspend_after_s >= 0 && to_s - from_s > model->suspend_after_s)
		off_s = from_s + model->suspend_after_s;
	sum_watts(sum, from_s, off_s, on_w);
	sum->energy.empty_j += sum->energy.all_j - before_j;
	sum_watts(sum, off_s, to_s, model->suspended_w);
	sum->suspended_s += (double)(to_s - off_s);
	sum->energy.wakes += off_s < to_s && to_s < sum->to_s;
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	if (x->end_s != y->end_s)
		return x->end_s < y->end_s ? -1 : 1;
	return (x->watts > y->watts) - (x->watts < y->watts);
}

/* The spans of NODE from number AT on; where those of the next one begin. */
static uint32_t sum_node(struct sum *sum, const struct lw_energymeter *meter, uint32_t node,
			 uint32_t at)
{
	double on_w = meter->on_w[node];
	int64_t until_s = sum->from_s; /* what came before is summed up */

	for (; at < meter->span_count && meter->spans[at].node == node; at++) {
		const struct span *span = &meter->spans[at];

		sum_watts(sum, span->start_s, span->end_s, span->watts);
		sum_empty(sum, until_s, span->start_s, on_w);
		if (span->end_s <= until_s)
			continue;
		sum_watts(sum, span->start_s > until_s ? span->start_s : until_s, span->end_s,
			  on_w);
		until_s = span->end_s;
	}
	sum_empty(sum, until_s, sum->to_s, on_w);
	return at;
}

int lw_energymeter_read(struct lw_energymeter *meter, int64_t from_s, struct lw_energy *ret_energy)
{
	struct sum sum = { .model = meter->model, .from_s = from_s, .to_s = from_s };
	uint32_t at = 0;

	if (meter->error)
		return meter->error;
	for (uint32_t i = 0; i < meter->span_count; i++) {
		struct span *span = &meter->spans[i];

		if (span->end_s == LW_NO_TIME)
			span->end_s = span->start_s;
		sum.to_s = span->end_s > sum.to_s ? span->end_s : sum.to_s;
	}
	if (meter->span_count)
		qsort(meter->spans, meter->span_count, sizeof(*meter->spans), compare_spans);
	for (uint32_t node = 0; node < meter->node_count; node++)
		at = sum_node(&sum, meter, node, at);
	if (sum.to_s > from_s && meter->node_count)
		sum.energy.suspended_share =
			sum.suspended_s / ((double)(sum.to_s - from_s) * meter->node_count);
	*ret_energy = sum.energy;
	return 0;
}
