/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where jobs that share GPUs may go, and how much longer they would take there. */
#include "slurm/read/tenancies.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/grow.h"
#include "slurm/query/tenancy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALONE 1000u
/* Nodes that are closed to one kind are in so many windows, by when they open. */
#define KIND_WINDOWS 4
/* And all kinds leave so many to others. */
#define SPARE_WINDOWS 8
/*
 * It is not known when an owner will be idle. A guest starts now or not at all, so any later
 * time will do.
 */
#define GUEST_LATER_S 3600

void lw_tenancies_begin(struct lw_tenancies *tenancies, const struct lw_share_house *house)
{
	tenancies->house = house && house->rule.mode != LW_SHARE_OFF ? house : NULL;
}

void lw_tenancies_fini(struct lw_tenancies *tenancies)
{
	lw_share_tenants_fini(&tenancies->tenants);
	memset(tenancies, 0, sizeof(*tenancies));
}

int lw_tenancies_note(struct lw_tenancies *tenancies, const job_record_t *job, int64_t end_s)
{
	return tenancies->house ? lw_tenancy_add(&tenancies->tenants, job, end_s, true) : 0;
}

/* The longest of all GPUs that a job has. */
static int tenancies_note_stretch(struct lw_reading *reading, uint32_t job_id, uint32_t stretch)
{
	if (stretch <= ALONE)
		return 0;
	if (lw_grow((void **)&reading->stretches, &reading->stretch_room,
		    reading->stretch_count + 1, sizeof(*reading->stretches)))
		return -ENOMEM;
	reading->stretches[reading->stretch_count++] = (struct lw_stretch){ job_id, stretch };
	return 0;
}

int lw_tenancies_read(struct lw_tenancies *tenancies, struct lw_reading *reading)
{
	struct lw_share_tenants *tenants = &tenancies->tenants;
	uint32_t count = 0;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < tenants->count; i += count) {
		const struct lw_share_tenant *there;

		/* the first call puts them in order */
		(void)lw_share_tenants_on(tenants, 0, 0, &count);
		there = lw_share_tenants_on(tenants, tenants->items[i].node,
					    tenants->items[i].gpu, &count);
		for (uint32_t who = 0; !rc && count > 1 && who < count; who++)
			rc = tenancies_note_stretch(
				reading, there[who].job_id,
				lw_share_stretch(tenancies->house, there, count, who));
	}
	return rc;
}

/* A node that is closed to a kind. */
struct closed_node {
	int64_t until_s;
	uint32_t node;
};

/* What a walk over all nodes finds for a kind. */
struct looking {
	struct lw_tenancies *tenancies;
	const struct lw_share_newcomer *newcomer;
	int64_t now_s;
	struct closed_node *closed;
	uint32_t closed_count;
	bool open; /* somewhere */
	struct lw_share_offer best;
	uint32_t least; /* least stretch beside any single tenant there now */
};

/* If nothing is free, the job will be beside one of these tenants. */
static void tenancies_look_beside(struct looking *look, const struct lw_share_tenant *there,
				  uint32_t count)
{
	struct lw_share_offer offer;

	for (uint32_t i = 0; i < count; i++) {
		if (lw_share_offers(look->tenancies->house, &there[i], 1, look->newcomer, &offer) &&
		    (!look->least || offer.stretch < look->least))
			look->least = offer.stretch;
	}
}

/* When the GPU will take the job; INT64_MAX if an unknown job has parts of it. */
static int64_t tenancies_look_at_gpu(struct looking *look, const struct lw_tenancy_gpus *gpus,
				     uint32_t node, uint32_t gpu)
{
	const struct lw_share_house *house = look->tenancies->house;
	struct lw_share_offer offer;
	uint32_t count, parts = 0;
	const struct lw_share_tenant *there =
		lw_share_tenants_on(&look->tenancies->tenants, node, gpu, &count);
	bool lets_in;

	tenancies_look_beside(look, there, count);
	for (uint32_t i = 0; i < count; i++)
		parts += there[i].parts;
	if (gpus->parts->topo_gres_cnt_alloc[gpu] > parts)
		return INT64_MAX;
	lets_in = lw_share_offers(house, there, count, look->newcomer, &offer);
	if (lets_in && (!look->open || lw_share_better(house, &offer, &look->best))) {
		look->best = offer;
		look->open = true;
	}
	if (look->newcomer->guest)
		return lets_in ? look->now_s : INT64_MAX;
	return lw_share_opens_s(house, there, count, look->newcomer, look->now_s);
}

static void tenancies_look_at_node(struct looking *look, uint32_t node)
{
	struct lw_tenancy_gpus gpus;
	int64_t opens_s = INT64_MAX;

	if (!lw_tenancy_gpus(node_record_table_ptr[node], &gpus))
		return;
	for (uint32_t gpu = 0; gpu < gpus.count; gpu++) {
		int64_t own_s = tenancies_look_at_gpu(look, &gpus, node, gpu);

		opens_s = own_s < opens_s ? own_s : opens_s;
	}
	if (look->newcomer->guest && opens_s > look->now_s)
		opens_s = look->now_s + GUEST_LATER_S;
	/* an unknown time: the next reading looks again */
	if (opens_s > look->now_s && opens_s < INT64_MAX)
		look->closed[look->closed_count++] = (struct closed_node){ opens_s, node };
}

static int tenancies_by_opening(const void *a, const void *b)
{
	const struct closed_node *x = a, *y = b;

	if (x->until_s != y->until_s)
		return x->until_s < y->until_s ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Close CLOSED[COUNT] until the last of them opens: later than the others do, and never before. */
static int tenancies_close_nodes(struct lw_snapshot *snap, const struct closed_node *closed,
				 uint32_t count, uint64_t *mask)
{
	struct lw_bitset nodes;
	struct lw_error err;
	int rc;

	if (lw_bitset_init(&nodes, snap->node_count))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		lw_bitset_set(&nodes, closed[i].node);
	*mask |= UINT64_C(1) << snap->resv_window_count;
	rc = lw_snapshot_add_resv_window(snap, &nodes, snap->now_s, closed[count - 1].until_s,
					 &err);
	lw_bitset_fini(&nodes);
	return rc ? -ENOMEM : 0;
}

static int tenancies_close_all(struct lw_snapshot *snap, struct looking *look, uint64_t *mask)
{
	uint32_t each = (look->closed_count + KIND_WINDOWS - 1) / KIND_WINDOWS;
	int rc = 0;

	if (look->closed_count)
		qsort(look->closed, look->closed_count, sizeof(*look->closed),
		      tenancies_by_opening);
	for (uint32_t i = 0; !rc && i < look->closed_count; i += each) {
		uint32_t left = look->closed_count - i;

		if (snap->resv_window_count + SPARE_WINDOWS >= LW_RESV_WINDOWS_MAX)
			break;
		rc = tenancies_close_nodes(snap, look->closed + i, left < each ? left : each,
					   mask);
	}
	return rc;
}

static int tenancies_read_kind(struct lw_tenancies *tenancies, struct lw_reading *reading,
			       struct lw_tenancy_kind *kind)
{
	struct looking look = { .tenancies = tenancies,
				.newcomer = &kind->newcomer,
				.now_s = reading->snap.now_s };
	int rc;

	look.closed = calloc((size_t)reading->slurm_nodes + 1, sizeof(*look.closed));
	if (!look.closed)
		return -ENOMEM;
	for (uint32_t i = 0; i < reading->slurm_nodes; i++)
		if (reading->snap.nodes[i].total.gpu_parts)
			tenancies_look_at_node(&look, i);
	rc = tenancies_close_all(&reading->snap, &look, &kind->closed);
	kind->stretch = look.open ? look.best.stretch : look.least ? look.least : ALONE;
	free(look.closed);
	return rc;
}

/* What is known of two is the same. */
static bool tenancies_are_alike(const struct lw_share_newcomer *a,
				const struct lw_share_newcomer *b)
{
	return a->user == b->user && a->parts == b->parts && a->guest == b->guest &&
	       a->end_s == b->end_s && a->use.has_util == b->use.has_util &&
	       a->use.has_sm == b->use.has_sm && a->use.has_mem == b->use.has_mem &&
	       a->use.util == b->use.util && a->use.sm == b->use.sm &&
	       a->use.mem_mib == b->use.mem_mib;
}

int lw_tenancies_for(struct lw_tenancies *tenancies, const job_record_t *job,
		     struct lw_reading *reading, uint64_t *closed, uint32_t *ret_stretch)
{
	struct lw_share_newcomer newcomer;
	struct lw_tenancy_kind *kind = tenancies->kinds, *end = kind + tenancies->kind_count;
	int rc = 0;

	*ret_stretch = ALONE;
	if (!tenancies->house ||
	    !lw_tenancy_newcomer(job, reading->snap.now_s, &newcomer))
		return 0;
	while (kind < end && !tenancies_are_alike(&kind->newcomer, &newcomer))
		kind++;
	if (kind == end) {
		if (tenancies->kind_count == LW_TENANCY_KINDS_MAX)
			return 0;
		tenancies->kind_count++;
		*kind = (struct lw_tenancy_kind){ .newcomer = newcomer };
		rc = tenancies_read_kind(tenancies, reading, kind);
	}
	*closed |= kind->closed;
	*ret_stretch = kind->stretch;
	return rc;
}
