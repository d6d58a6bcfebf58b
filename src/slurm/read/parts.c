/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPUs of which running jobs hold parts (gres/shard, gres/mps). */
#include "slurm/read/parts.h"

#include "base/grow.h"
#include "slurm/read/amounts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool lw_parts_begin(struct lw_parts *parts)
{
	const char *names = slurm_conf.gres_plugins;

	/* a name that only contains these costs a look at jobs that hold none */
	parts->known = names && (strstr(names, "shard") || strstr(names, "mps"));
	return parts->known;
}

void lw_parts_fini(struct lw_parts *parts)
{
	lw_lookup_fini(&parts->last);
	free(parts->items);
	memset(parts, 0, sizeof(*parts));
}

static uint64_t key_of(uint32_t node, bitoff_t gpu)
{
	return (uint64_t)node << 32 | (uint32_t)gpu;
}

/* A walk through the parts that a job holds of one of its nodes: to note them, */
struct noting {
	struct lw_parts *parts;
	struct lw_part part;
	uint32_t host, node;
	int rc;
};

/* or to hold the GPUs. */
struct holding {
	const struct lw_parts *parts;
	struct lw_snapshot *snap;
	uint32_t job_id, host, node;
	struct lw_res *res;
};

/* The GPUs, by number, of which JOB_GRES has parts on the visited node, or NULL. */
static bitstr_t *held_of(const gres_state_t *gres, uint32_t host)
{
	const gres_job_state_t *state = gres->gres_data;

	if (!lw_gres_is_part(gres) || host >= state->node_cnt || !state->gres_bit_alloc)
		return NULL;
	return state->gres_bit_alloc[host];
}

static bool ends_later(const struct lw_part *a, const struct lw_part *b)
{
	return a->end_s != b->end_s ? a->end_s > b->end_s : a->job_id > b->job_id;
}

static int note_gpu(struct lw_parts *parts, uint64_t key, const struct lw_part *part)
{
	uint32_t item;

	if (!lw_lookup_get(&parts->last, key, &item)) {
		item = parts->count;
		if (lw_grow((void **)&parts->items, &parts->room, item + 1,
			    sizeof(*parts->items)) ||
		    lw_lookup_put(&parts->last, key, item))
			return -ENOMEM;
		parts->count++;
	} else if (!ends_later(part, &parts->items[item])) {
		return 0;
	}
	parts->items[item] = *part;
	return 0;
}

static int note_gres(void *x, void *arg)
{
	struct noting *note = arg;
	bitstr_t *held = held_of(x, note->host);

	for (bitoff_t i = 0; held && !note->rc && (i = bit_ffs_from_bit(held, i)) >= 0; i++)
		note->rc = note_gpu(note->parts, key_of(note->node, i), &note->part);
	return note->rc ? -1 : 0;
}

int lw_parts_note(struct lw_parts *parts, const job_record_t *job, int64_t end_s)
{
	struct noting note = { .parts = parts, .part = { lw_slurm_job_id(job), end_s } };
	bitstr_t *nodes = job->job_resrcs->node_bitmap;

	if (!job->gres_list_alloc)
		return 0;
	for (bitoff_t i = 0; !note.rc && (i = bit_ffs_from_bit(nodes, i)) >= 0; i++) {
		note.node = (uint32_t)i;
		list_for_each(job->gres_list_alloc, note_gres, &note);
		note.host++;
	}
	return note.rc;
}

/* Who started while jobs were read was not noted: he may be the last as well as another. */
static bool is_last(const struct holding *hold, uint64_t key)
{
	uint32_t item;

	return !lw_lookup_get(&hold->parts->last, key, &item) ||
	       hold->parts->items[item].job_id == hold->job_id;
}

static int hold_gres(void *x, void *arg)
{
	struct holding *hold = arg;
	bitstr_t *held = held_of(x, hold->host);

	for (bitoff_t i = 0; held && (i = bit_ffs_from_bit(held, i)) >= 0; i++) {
		if (is_last(hold, key_of(hold->node, i)))
			lw_add_gpu(hold->snap, node_record_table_ptr[hold->node],
				   &hold->snap->nodes[hold->node].total, (uint32_t)i, hold->res);
	}
	return 0;
}

void lw_parts_hold(const struct lw_parts *parts, struct lw_snapshot *snap,
		   const job_record_t *job, uint32_t host, uint32_t index, struct lw_res *res)
{
	struct holding hold = { .parts = parts,
				.snap = snap,
				.job_id = lw_slurm_job_id(job),
				.host = host,
				.node = index,
				.res = res };

	/* who has the node for himself holds all of it anyway */
	if (parts->known && job->gres_list_alloc &&
	    !lw_slurm_is_exclusive(job->job_resrcs->whole_node))
		list_for_each(job->gres_list_alloc, hold_gres, &hold);
}
