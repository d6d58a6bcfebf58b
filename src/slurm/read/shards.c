/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPUs with parts that running jobs hold (gres/shard, gres/mps). */
#include "slurm/read/shards.h"

#include "base/grow.h"
#include "slurm/query/amounts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool lw_shards_begin(struct lw_shards *shards)
{
	const char *names = slurm_conf.gres_plugins;

	/* another GRES with such a word in its name costs no more than a look at its jobs */
	shards->known = names && (strstr(names, "shard") || strstr(names, "mps"));
	return shards->known;
}

void lw_shards_fini(struct lw_shards *shards)
{
	lw_lookup_fini(&shards->last);
	free(shards->items);
	memset(shards, 0, sizeof(*shards));
}

static uint64_t shards_key_of(uint32_t node, bitoff_t gpu)
{
	return (uint64_t)node << 32 | (uint32_t)gpu;
}

/* A cycle through the GRES that a job has on one of its nodes, to note the parts of GPUs. */
struct noting {
	struct lw_shards *shards;
	struct lw_shard_holder holder;
	uint32_t host, node;
	int rc;
};

/* The same walk, to find the GPUs of which the job is the last to hold parts. */
struct holding {
	const struct lw_shards *shards;
	struct lw_snapshot *snap;
	uint32_t job_id, host, node;
	struct lw_res *res;
};

/* The GPUs, by number, of which GRES is parts on number HOST of the job's nodes, or NULL. */
static bitstr_t *shards_held_of(const gres_state_t *gres, uint32_t host)
{
	const gres_job_state_t *state = gres->gres_data;

	if (!lw_gres_is_part(gres) || host >= state->node_cnt || !state->gres_bit_alloc)
		return NULL;
	return state->gres_bit_alloc[host];
}

static bool shards_ends_later(const struct lw_shard_holder *a, const struct lw_shard_holder *b)
{
	return a->end_s != b->end_s ? a->end_s > b->end_s : a->job_id > b->job_id;
}

static int shards_note_gpu(struct lw_shards *shards, uint64_t key,
			   const struct lw_shard_holder *holder)
{
	uint32_t item;

	if (!lw_lookup_get(&shards->last, key, &item)) {
		item = shards->count;
		if (lw_grow((void **)&shards->items, &shards->room, item + 1,
			    sizeof(*shards->items)) ||
		    lw_lookup_put(&shards->last, key, item))
			return -ENOMEM;
		shards->count++;
	} else if (!shards_ends_later(holder, &shards->items[item])) {
		return 0;
	}
	shards->items[item] = *holder;
	return 0;
}

static int shards_note_gres(void *x, void *arg)
{
	struct noting *note = arg;
	bitstr_t *held = shards_held_of(x, note->host);

	for (bitoff_t i = 0; held && !note->rc && (i = bit_ffs_from_bit(held, i)) >= 0; i++)
		note->rc = shards_note_gpu(note->shards, shards_key_of(note->node, i),
					   &note->holder);
	return note->rc ? -1 : 0;
}

int lw_shards_note(struct lw_shards *shards, const job_record_t *job, int64_t end_s)
{
	struct noting note = { .shards = shards, .holder = { lw_slurm_job_id(job), end_s } };
	bitstr_t *nodes = job->job_resrcs->node_bitmap;

	if (!job->gres_list_alloc)
		return 0;
	for (bitoff_t i = 0; !note.rc && (i = bit_ffs_from_bit(nodes, i)) >= 0; i++) {
		note.node = (uint32_t)i;
		list_for_each(job->gres_list_alloc, shards_note_gres, &note);
		note.host++;
	}
	return note.rc;
}

/* A job that started after jobs were noted is the last on a GPU for which no other was. */
static bool shards_is_last(const struct holding *hold, uint64_t key)
{
	uint32_t item;

	return !lw_lookup_get(&hold->shards->last, key, &item) ||
	       hold->shards->items[item].job_id == hold->job_id;
}

static int shards_hold_gres(void *x, void *arg)
{
	struct holding *hold = arg;
	bitstr_t *held = shards_held_of(x, hold->host);

	for (bitoff_t i = 0; held && (i = bit_ffs_from_bit(held, i)) >= 0; i++) {
		if (shards_is_last(hold, shards_key_of(hold->node, i)))
			lw_add_gpu(hold->snap, node_record_table_ptr[hold->node],
				   &hold->snap->nodes[hold->node].total, (uint32_t)i, hold->res);
	}
	return 0;
}

void lw_shards_hold(const struct lw_shards *shards, struct lw_snapshot *snap,
		    const job_record_t *job, uint32_t host, uint32_t index, struct lw_res *res)
{
	struct holding hold = { .shards = shards,
				.snap = snap,
				.job_id = lw_slurm_job_id(job),
				.host = host,
				.node = index,
				.res = res };

	/* a job that has the node for itself holds all its GPUs anyway */
	if (shards->known && job->gres_list_alloc &&
	    !lw_slurm_is_exclusive(job->job_resrcs->whole_node))
		list_for_each(job->gres_list_alloc, shards_hold_gres, &hold);
}
