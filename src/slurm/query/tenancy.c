/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which job has which GPU, and which jobs may share one, from Slurm's records. */

/* Also part of the select plugin: refers to nothing that only slurmctld has. */

#include "slurm/query/tenancy.h"

#include "base/sharemark.h"
#include "slurm/bits.h"
#include "slurm/query/amounts.h"

#include <string.h>
#include <time.h>

/* There is a record for each GPU, and bitmaps are of all its GPUs. */
static bool tenancy_is_by_gpu(const gres_node_state_t *state)
{
	return state->gres_cnt_avail && state->topo_cnt && state->topo_gres_cnt_avail &&
	       state->topo_gres_cnt_alloc && state->gres_bit_alloc &&
	       bit_size(state->gres_bit_alloc) == state->topo_cnt;
}

static int tenancy_find_gpus(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct lw_tenancy_gpus *gpus = arg;
	gres_node_state_t *state = gres->gres_data;

	if (lw_gres_is_gpu(gres))
		gpus->whole = state->gres_bit_alloc;
	else if (lw_gres_is_part(gres) && tenancy_is_by_gpu(state)) {
		/* with shards and MPS shares on one node it is not known which are taken */
		gpus->count = gpus->parts ? 0 : state->topo_cnt;
		gpus->parts = state;
	}
	return 0;
}

bool lw_tenancy_gpus(const node_record_t *node, struct lw_tenancy_gpus *ret_gpus)
{
	memset(ret_gpus, 0, sizeof(*ret_gpus));
	if (node && node->gres_list)
		list_for_each(node->gres_list, tenancy_find_gpus, ret_gpus);
	return ret_gpus->count > 0;
}

uint64_t lw_tenancy_free(const struct lw_tenancy_gpus *gpus, uint32_t gpu)
{
	uint64_t all = gpus->parts->topo_gres_cnt_avail[gpu],
		 had = gpus->parts->topo_gres_cnt_alloc[gpu];

	return had < all ? all - had : 0;
}

bool lw_tenancy_is_whole(const struct lw_tenancy_gpus *gpus, uint32_t gpu)
{
	return gpus->whole && gpu < (uint32_t)bit_size(gpus->whole) &&
	       bit_test(gpus->whole, (bitoff_t)gpu);
}

/* Does JOB share, and how? */
static bool tenancy_has_mark(const job_record_t *job, struct lw_sharemark *ret_mark)
{
	return !lw_sharemark_read(job->admin_comment, ret_mark) && ret_mark->parts;
}

/* What has no limit never ends. */
static int64_t tenancy_guest_end_s(const job_record_t *job, int64_t now_s)
{
	return job->time_limit >= NO_VAL ? INT64_MAX : now_s + INT64_C(60) * job->time_limit;
}

bool lw_tenancy_newcomer(const job_record_t *job, int64_t now_s,
			 struct lw_share_newcomer *ret_newcomer)
{
	struct lw_sharemark mark;

	if (!tenancy_has_mark(job, &mark))
		return false;
	*ret_newcomer = (struct lw_share_newcomer){ .user = job->user_id,
						    .parts = mark.parts,
						    .use = mark.use,
						    .guest = mark.guest };
	if (mark.guest)
		ret_newcomer->end_s = tenancy_guest_end_s(job, now_s);
	return true;
}

bool lw_tenancy_is_guest(const job_record_t *job)
{
	struct lw_sharemark mark;

	return tenancy_has_mark(job, &mark) && mark.guest;
}

/*
 * Is its GPU open to guests? Not before it has run so long: one that was requeued has the word of
 * its first run, until its step takes that back.
 */
static bool tenancy_is_idle(const job_record_t *job, const struct lw_sharemark *mark)
{
	return mark->lend_s && mark->idle && job->start_time &&
	       time(NULL) - job->start_time >= (time_t)mark->lend_s;
}

/* A walk through the GRES that a job has on one of its nodes. */
struct adding {
	struct lw_share_tenants *tenants;
	struct lw_share_tenant tenant;
	uint32_t host;
	bool with_whole;
	int rc;
};

static int tenancy_add_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct adding *add = arg;
	const gres_job_state_t *state = gres->gres_data;
	bool part = lw_gres_is_part(gres);
	bitstr_t *had;

	if (!part && (!add->with_whole || !lw_gres_is_gpu(gres)))
		return 0;
	if (add->host >= state->node_cnt || !state->gres_bit_alloc)
		return 0;
	had = state->gres_bit_alloc[add->host];
	add->tenant.whole = !part;
	/* of one GPU, unless the site lets them be spread: then it is more than enough */
	add->tenant.parts = part && state->gres_cnt_node_alloc
				    ? (uint32_t)state->gres_cnt_node_alloc[add->host]
				    : 0;
	for (bitoff_t i = 0; had && !add->rc && (i = bit_ffs_from_bit(had, i)) >= 0; i++) {
		add->tenant.gpu = (uint32_t)i;
		add->rc = lw_share_tenants_add(add->tenants, &add->tenant);
	}
	return add->rc ? -1 : 0;
}

int lw_tenancy_add(struct lw_share_tenants *tenants, const job_record_t *job, int64_t end_s,
		   bool with_whole)
{
	struct adding add = { .tenants = tenants, .with_whole = with_whole };
	struct lw_sharemark mark;

	if (!job->gres_list_alloc || !job->job_resrcs || !job->job_resrcs->node_bitmap)
		return 0;
	add.tenant = (struct lw_share_tenant){ .job_id = lw_slurm_job_id(job),
					       .user = job->user_id,
					       .end_s = end_s };
	add.tenant.known = tenancy_has_mark(job, &mark);
	if (add.tenant.known) {
		add.tenant.use = mark.use;
		add.tenant.idle = tenancy_is_idle(job, &mark);
		add.tenant.guest = mark.guest;
	}
	lw_bits_foreach(job->job_resrcs->node_bitmap, i)
	{
		add.tenant.node = (uint32_t)i;
		list_for_each(job->gres_list_alloc, tenancy_add_gres, &add);
		add.host++;
	}
	return add.rc;
}
