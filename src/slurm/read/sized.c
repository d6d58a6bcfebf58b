/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that run on more or fewer nodes, of which the plan chooses (size.mode). */
#include "slurm/read/sized.h"

#include "base/grow.h"
#include "base/quota.h"
#include "base/stop.h"
#include "base/words.h"
#include "predictor/predict.h"
#include "slurm/keep/leasing.h"
#include "slurm/keep/planned.h"
#include "slurm/query/amounts.h"
#include "slurm/read/learn.h"
#include "slurm/read/learn_types.h"
#include "slurm/read/moved.h"
#include "slurm/read/reader.h"
#include "slurm/read/sizes.h"

#include <errno.h>

/* Of so many jobs a reading chooses the size: for each it looks at all nodes. */
#define SIZED_MAX 512

/* ---- which jobs have sizes ---- */

bool lw_sized_agrees(const struct lw_reading_context *context, const job_record_t *job)
{
	return context->choose_sizes && lw_words_has(job->comment, LW_SIZE_COMMENT) &&
	       lw_again_agrees(context, job);
}

/* GPUs of a node, of all types. */
struct sized_gpus {
	uint64_t per_node;
	bool other; /* some are asked for in another way */
};

static int sized_add_gpus(void *x, void *arg)
{
	const gres_state_t *gres = x;
	const gres_job_state_t *state = gres->gres_data;
	struct sized_gpus *gpus = arg;

	if (!lw_gres_is_gpu(gres)) {
		gpus->other |= lw_gres_is_part(gres);
		return 0;
	}
	gpus->per_node += state->gres_per_node;
	gpus->other |= state->gres_per_job || state->gres_per_task || state->gres_per_socket;
	return 0;
}

static uint32_t sized_gpus_per_node(const job_record_t *job)
{
	struct sized_gpus gpus = { 0 };

	if (job->gres_list_req)
		list_for_each(job->gres_list_req, sized_add_gpus, &gpus);
	return gpus.other || gpus.per_node > UINT16_MAX ? 0 : (uint32_t)gpus.per_node;
}

/* Could it do with its fewest nodes, by its tasks? */
static bool sized_is_per_node(const job_details_t *details)
{
	uint64_t tasks = details->num_tasks != NO_VAL ? details->num_tasks : 0, each = 1;

	if (details->ntasks_per_node && details->ntasks_per_node != NO_VAL16)
		each = details->ntasks_per_node;
	return tasks <= each * details->min_nodes;
}

bool lw_sized_of(const struct lw_reading_context *context, const job_record_t *job,
		 const part_record_t *part, struct lw_size *ret_size)
{
	const job_details_t *details = job->details;
	struct lw_speed_key key = { .user = job->user_id };
	uint32_t gpus, few, most;
	struct lw_job_kind kind;

	if (!context->learn || !details || !part || job->het_job_id || !job->batch_flag ||
	    details->req_node_bitmap || !details->min_nodes || !lw_sized_agrees(context, job) ||
	    !sized_is_per_node(details))
		return false;
	gpus = sized_gpus_per_node(job);
	most = details->max_nodes < part->max_nodes ? details->max_nodes : part->max_nodes;
	most = most < part->total_nodes ? most : part->total_nodes;
	if (!gpus || most <= details->min_nodes)
		return false;
	*ret_size = (struct lw_size){ .least = details->min_nodes, .most = most };
	few = lw_size_floor(&(struct lw_size){ details->min_nodes, most, 1 }, 0, 1);
	kind = lw_learn_kind(job->admin_comment, job->name);
	key.tag = kind.tag;
	key.name = kind.name;
	key.gpus = most * gpus;
	ret_size->shared = lw_speeds_shared(lw_history_speeds(lw_learn_history(context->learn)),
					    &key, few * gpus);
	return ret_size->shared;
}

/* ---- jobs that wait ---- */

static void sized_count(struct lw_reader *reader)
{
	const struct lw_snapshot *snap = &reader->reading->snap;

	for (uint32_t i = 0; i < reader->reading->slurm_nodes; i++) {
		reader->gpus += lw_res_gpus(&snap->nodes[i].total);
		reader->cpus += snap->nodes[i].total.cpus;
	}
}

/* Of the machine, a node of the job. */
static double sized_part(struct lw_reader *reader, const struct lw_request *req)
{
	double part;

	if (!(reader->cpus > 0))
		sized_count(reader);
	part = reader->cpus > 0 ? req->cpus_per_node / reader->cpus : 0;
	return reader->gpus > 0 && req->gpus_per_node / reader->gpus > part
		       ? req->gpus_per_node / reader->gpus
		       : part;
}

/* Nine of ten such runs take no longer on all of its nodes; not known, its whole limit. */
static int64_t sized_run_s(const struct lw_reader *reader, const job_record_t *job,
			   const part_record_t *part, int64_t limit_s)
{
	const struct lw_history_key key = {
		.user = job->user_id,
		.partition = lw_history_name_id(part->name),
		.limit_s = lw_job_limit_s(job, part),
		.width = lw_job_width(job),
		.now_s = reader->context->now_s,
	};
	int64_t run_s =
		lw_predict_quantile(lw_learn_history(reader->context->learn), &key, 0, 0.9);

	return run_s > 0 && run_s < limit_s ? run_s : limit_s;
}

/* Is a number of nodes all that its request leaves open? */
static bool sized_suits(const struct lw_request *req, uint32_t least)
{
	return req->gpus_per_node && !req->gpus_total && !lw_request_beside(req) &&
	       req->cpus_total <= (uint64_t)req->cpus_per_node * least;
}

/* Could NODE hold one of REQ's if it were empty? */
static bool sized_holds(const struct lw_node *node, const struct lw_request *req)
{
	uint32_t gpus = req->gpu_type == LW_GPU_ANY ? lw_res_gpus(&node->total)
						    : node->total.gpus[req->gpu_type];

	return node->usable && gpus >= req->gpus_per_node &&
	       node->total.cpus >= req->cpus_per_node &&
	       node->total.mem_mib >= req->mem_per_node_mib;
}

/* It waits for no nodes that are down or too small, if its user would take the others. */
static uint32_t sized_there(const struct lw_snapshot *snap, const struct lw_waiting *waiting)
{
	uint32_t node, count = 0;

	lw_bitset_foreach(&snap->sets[waiting->set].nodes, node)
	{
		count += sized_holds(&snap->nodes[node], &waiting->request);
	}
	return count;
}

static uint32_t sized_min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* What it was promised room for does not become more; 0: it has no promise. */
static uint32_t sized_promised(const struct lw_reading_context *context, uint32_t job_id,
			       uint32_t variant)
{
	return context->planned && lw_promises_find(context->promises, job_id)
		       ? lw_planned_least(context->planned, job_id, variant)
		       : 0;
}

static uint32_t sized_thousandths(const struct lw_size *size, uint32_t nodes)
{
	return (uint32_t)(LW_SIZE_ALL * lw_size_slower(size, nodes));
}

/* Within COUNTS, which Slurm has for it. */
static void sized_choose(struct lw_reader *reader, const job_record_t *job,
			 const part_record_t *part, const struct lw_size *size,
			 struct lw_waiting *waiting)
{
	struct lw_request *req = &waiting->request;
	int64_t limit_s = lw_job_start_limit_s(job, part, reader->context->now_s);
	uint32_t floor = lw_size_floor(size, sized_run_s(reader, job, part, limit_s), limit_s);
	uint32_t was, others = reader->context->sizes->ready;

	req->nodes_max =
		lw_size_choose(size, floor, sized_part(reader, req), others ? others - 1 : 0);
	floor = sized_min(floor, sized_there(&reader->reading->snap, waiting));
	was = sized_promised(reader->context, lw_slurm_job_id(job), waiting->variant);
	req->nodes_min = was ? sized_min(floor, was) : floor;
}

void lw_sized_ask(struct lw_reader *reader, const job_record_t *job, const part_record_t *part,
		  struct lw_node_counts *counts, struct lw_waiting *waiting)
{
	struct lw_request *req = &waiting->request;
	struct lw_size size;

	if (reader->sized_count >= SIZED_MAX || !lw_sized_of(reader->context, job, part, &size) ||
	    !sized_suits(req, size.least))
		return;
	reader->sized_count++;
	sized_choose(reader, job, part, &size, waiting);
	req->nodes_max = sized_min(req->nodes_max, counts->max);
	req->nodes_min = sized_min(req->nodes_min, req->nodes_max);
	if (req->nodes_min < counts->min)
		req->nodes_min = counts->min;
	if (req->nodes_max < req->nodes_min)
		req->nodes_max = req->nodes_min;
	req->cpus_total = req->cpus_per_task = 0;
	*counts = (struct lw_node_counts){ req->nodes_min, req->nodes_max, req->nodes_max };
	reader->slower = sized_thousandths(&size, req->nodes_max);
}

/* ---- jobs that have started ---- */

uint32_t lw_sized_slower(const struct lw_reading_context *context, const job_record_t *job)
{
	struct lw_size size;

	if (!lw_sized_of(context, job, job->part_ptr, &size))
		return 0;
	return sized_thousandths(&size, job->total_nodes);
}

static bool sized_says(const char *limit)
{
	return limit && *limit;
}

static bool sized_is_limited_by_qos(const slurmdb_qos_rec_t *qos)
{
	return qos && (sized_says(qos->grp_tres) || sized_says(qos->max_tres_pa) ||
		       sized_says(qos->max_tres_pu) || sized_says(qos->max_tres_pj));
}

/*
 * Might a limit on what users, accounts or jobs have keep JOB from having more? Slurm tests these
 * for jobs that wait alone, so a job with one is left as it is.
 */
static bool sized_is_limited(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	bool limited;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return false;
	assoc_mgr_lock(&locks);
	limited = sized_is_limited_by_qos(job->qos_ptr) ||
		  (job->part_ptr && sized_is_limited_by_qos(job->part_ptr->qos_ptr));
	for (const slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc && !limited;
	     assoc = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL)
		limited = sized_says(assoc->grp_tres) || sized_says(assoc->max_tres_pj);
	assoc_mgr_unlock(&locks);
	return limited;
}

/* As with moves: the jobs of one user leave room for those of others. */
static bool sized_is_admitted(const struct lw_reading *reading, uint32_t user)
{
	uint32_t has = 0;

	for (uint32_t i = 0; i < reading->grower_count; i++)
		has += reading->growers[i].waiting.user_id == user;
	return lw_quota_admits(reading->grower_count, LW_LEASING_OFFERS, has);
}

static int sized_add_grower(struct lw_reader *reader, uint32_t running, job_record_t *job,
			    const struct lw_size *size)
{
	struct lw_reading *reading = reader->reading;
	struct lw_grower grower = { running, job->total_nodes, *size, { 0 } };
	int rc = lw_read_again(reader, job, grower.nodes, size->most, &grower.waiting);

	if (rc)
		return rc == -EBUSY ? 0 : rc;
	if (!sized_suits(&grower.waiting.request, size->least))
		return 0;
	grower.waiting.request.cpus_total = grower.waiting.request.cpus_per_task = 0;
	if (lw_grow((void **)&reading->growers, &reading->grower_room, reading->grower_count + 1,
		    sizeof(*reading->growers)))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	reading->growers[reading->grower_count++] = grower;
	return 0;
}

int lw_sized_growers(struct lw_reader *reader)
{
	struct lw_reading *reading = reader->reading;
	const struct lw_leasing *leasing = reader->context->leasing;
	int rc = 0;

	if (!leasing || !leasing->on || !leasing->rules.grows || reading->snap.queue.active_count)
		return 0;
	for (uint32_t i = 0;
	     !rc && i < reading->snap.running_count && reading->grower_count < LW_LEASING_OFFERS;
	     i++) {
		job_record_t *job;
		struct lw_size size;

		rc = lw_session_yield_step(reader->context->session, i);
		job = rc || !reading->snap.running[i].job_id
			      ? NULL
			      : find_job_record(reading->snap.running[i].job_id);
		if (job && IS_JOB_RUNNING(job) && !IS_JOB_COMPLETING(job) &&
		    sized_is_admitted(reading, job->user_id) &&
		    lw_sized_of(reader->context, job, job->part_ptr, &size) && job->total_nodes &&
		    job->total_nodes < size.most && lw_again_is_plain(reader, job) &&
		    !sized_is_limited(job))
			rc = sized_add_grower(reader, i, job, &size);
	}
	return rc;
}
