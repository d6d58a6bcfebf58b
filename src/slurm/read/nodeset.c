/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that a Slurm job may use, as a node set of the snapshot. */

/*
 * What a job may use is judged by Slurm's own functions; this only sees to it that they are
 * asked once for all jobs that must get the same answer. A set is the meeting of three:
 *
 *   wish      nodes of the partition with the features and the size the job wants. Nodes
 *             with equal sizes are of one kind, so a look at one node of each kind says
 *             which jobs have the same wish;
 *   opening   nodes that no advance reservation takes until the job's limit;
 *   its own   nodes it excludes or requires.
 */
#include "slurm/read/nodeset.h"

#include "base/grow.h"
#include "base/lookup.h"
#include "slurm/bits.h"

#include <errno.h>
#include <stdlib.h>

struct wish {
	const part_record_t *part;
	uint32_t user_id; /* with features, which some sites open to some users */
	char *features;	  /* NULL: none */
	bitstr_t *kinds;  /* the entries of lw_nodesets.kinds with large enough nodes */
	bitstr_t *nodes;
};

/* What reservations leave to jobs without one that are alike in all of this. */
struct opening {
	const part_record_t *part;
	uint32_t limit_min;
	uint16_t warn_time, warn_flags;
	bool whole_node, whole_topo;
	int rc;		 /* 0, or -EBUSY and no nodes */
	bitstr_t *nodes; /* may be NULL */
};

struct lw_nodesets {
	struct lw_snapshot *snap;
	const struct lw_resv_windows *resv_windows;
	bitstr_t *kinds; /* one node of each kind */
	struct wish *wishes;
	struct opening *openings;
	uint32_t wish_count, wish_room, opening_count, opening_room;
	struct lw_lookup wish_index, opening_index; /* by hash */
	struct lw_lookup pairs;			    /* wish and opening: the set */
	struct lw_lookup contents;		    /* hash of the nodes: the set */
	struct lw_lookup most_cpus;		    /* of a set, once asked for */
};

static bool nodeset_is_same_kind(const node_record_t *a, const node_record_t *b)
{
	return a->cpus == b->cpus && a->real_memory == b->real_memory &&
	       a->tmp_disk == b->tmp_disk && a->tot_sockets == b->tot_sockets &&
	       a->cores == b->cores && a->threads == b->threads;
}

static uint64_t nodeset_hash_kind(const node_record_t *node)
{
	uint64_t hash = lw_hash_mix(LW_HASH_BEGIN, node->real_memory);

	hash = lw_hash_mix(hash, (uint64_t)node->cpus << 32 | node->tmp_disk);
	return lw_hash_mix(hash, (uint64_t)node->tot_sockets << 32 |
					 (uint64_t)node->cores << 16 | node->threads);
}

/* One node of each kind; two of a kind do no harm. */
static int nodeset_find_kinds(struct lw_nodesets *sets)
{
	struct lw_lookup known = { 0 };
	int rc = 0;

	for (int i = 0; i < node_record_count && !rc; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		uint64_t hash = node ? nodeset_hash_kind(node) : 0;
		uint32_t other;

		if (!node || (lw_lookup_get(&known, hash, &other) &&
			      nodeset_is_same_kind(node_record_table_ptr[other], node)))
			continue;
		bit_set(sets->kinds, i);
		rc = lw_lookup_put(&known, hash, (uint32_t)i);
	}
	lw_lookup_fini(&known);
	return rc;
}

int lw_nodesets_create(struct lw_snapshot *snap, const struct lw_resv_windows *resv_windows,
		       struct lw_nodesets **ret_sets)
{
	struct lw_nodesets *sets = calloc(1, sizeof(*sets));

	if (!sets)
		return -ENOMEM;
	sets->snap = snap;
	sets->resv_windows = resv_windows;
	sets->kinds = bit_alloc(node_record_count);
	if (nodeset_find_kinds(sets)) {
		lw_nodesets_destroy(sets);
		return -ENOMEM;
	}
	*ret_sets = sets;
	return 0;
}

void lw_nodesets_destroy(struct lw_nodesets *sets)
{
	if (!sets)
		return;
	for (uint32_t i = 0; i < sets->wish_count; i++) {
		free(sets->wishes[i].features);
		FREE_NULL_BITMAP(sets->wishes[i].kinds);
		FREE_NULL_BITMAP(sets->wishes[i].nodes);
	}
	for (uint32_t i = 0; i < sets->opening_count; i++)
		FREE_NULL_BITMAP(sets->openings[i].nodes);
	free(sets->wishes);
	free(sets->openings);
	lw_lookup_fini(&sets->wish_index);
	lw_lookup_fini(&sets->opening_index);
	lw_lookup_fini(&sets->pairs);
	lw_lookup_fini(&sets->contents);
	lw_lookup_fini(&sets->most_cpus);
	FREE_NULL_BITMAP(sets->kinds);
	free(sets);
}

/* The kinds of nodes that are large enough for JOB, features left aside. */
static bitstr_t *nodeset_kinds_for(const struct lw_nodesets *sets, job_record_t *job)
{
	bitstr_t *kinds = bit_copy(sets->kinds);
	char none[] = "", *features = job->details->features_use;
	list_t *list = job->details->feature_list_use;

	job->details->features_use = none;
	job->details->feature_list_use = NULL;
	(void)job_req_node_filter(job, kinds, true);
	job->details->features_use = features;
	job->details->feature_list_use = list;
	return kinds;
}

static uint64_t nodeset_hash_wish(const struct wish *wish)
{
	uint64_t hash = lw_hash_mix(LW_HASH_BEGIN, (uintptr_t)wish->part);

	hash = lw_hash_mix(hash, wish->user_id);
	if (wish->features)
		hash = lw_hash_mix_bytes(hash, wish->features, strlen(wish->features));
	lw_bits_foreach(wish->kinds, i)
		hash = lw_hash_mix(hash, (uint64_t)i);
	return hash;
}

static bool nodeset_is_same_wish(const struct wish *a, const struct wish *b)
{
	return a->part == b->part && a->user_id == b->user_id &&
	       !xstrcmp(a->features, b->features) && bit_equal(a->kinds, b->kinds);
}

/* Add WISH, which gives away its kinds, with the nodes that JOB wishes for. */
static int nodeset_add_wish(struct lw_nodesets *sets, const struct wish *wish, uint64_t hash,
			    job_record_t *job, uint32_t *ret_index)
{
	struct wish added = *wish;

	added.features = wish->features ? strdup(wish->features) : NULL;
	if ((wish->features && !added.features) ||
	    lw_grow((void **)&sets->wishes, &sets->wish_room, sets->wish_count + 1,
		    sizeof(*sets->wishes)) ||
	    lw_lookup_put(&sets->wish_index, hash, sets->wish_count)) {
		free(added.features);
		return -ENOMEM;
	}
	added.nodes = bit_copy(wish->part->node_bitmap);
	/* the return value says only whether counts of features can be met; Slurm will */
	(void)job_req_node_filter(job, added.nodes, true);
	sets->wishes[sets->wish_count] = added;
	*ret_index = sets->wish_count++;
	return 0;
}

static int nodeset_find_wish(struct lw_nodesets *sets, job_record_t *job,
			     const part_record_t *part, uint32_t *ret_index)
{
	struct wish wish = { .part = part, .features = job->details->features_use };
	uint64_t hash;
	int rc = 0;

	wish.user_id = wish.features ? job->user_id : 0;
	wish.kinds = nodeset_kinds_for(sets, job);
	hash = nodeset_hash_wish(&wish);
	if (!lw_lookup_get(&sets->wish_index, hash, ret_index) ||
	    !nodeset_is_same_wish(&sets->wishes[*ret_index], &wish))
		rc = nodeset_add_wish(sets, &wish, hash, job, ret_index);
	if (rc || sets->wishes[*ret_index].kinds != wish.kinds)
		bit_free(wish.kinds);
	return rc;
}

/* What job_test_resv() looks at in a job without a reservation. */
static void nodeset_describe_opening(const job_record_t *job, const part_record_t *part,
				     struct opening *opening)
{
	if (!list_count(resv_list)) /* then at nothing */
		return;
	opening->part = part;
	opening->limit_min = job->time_limit;
	opening->whole_node = lw_slurm_is_exclusive(job->details->whole_node);
	opening->whole_topo = IS_JOB_WHOLE_TOPO(job);
	opening->warn_flags = job->warn_flags & KILL_JOB_RESV;
	opening->warn_time = opening->warn_flags ? job->warn_time : 0;
}

static uint64_t nodeset_hash_opening(const struct opening *opening)
{
	uint64_t hash = lw_hash_mix(LW_HASH_BEGIN, (uintptr_t)opening->part);

	hash = lw_hash_mix(hash, (uint64_t)opening->limit_min << 32 |
					 (uint64_t)opening->warn_time << 16 |
					 opening->warn_flags);
	return lw_hash_mix(hash, (uint64_t)opening->whole_node << 1 | opening->whole_topo);
}

static bool nodeset_is_same_opening(const struct opening *a, const struct opening *b)
{
	return a->part == b->part && a->limit_min == b->limit_min &&
	       a->warn_time == b->warn_time && a->warn_flags == b->warn_flags &&
	       a->whole_node == b->whole_node && a->whole_topo == b->whole_topo;
}

static int nodeset_find_opening(struct lw_nodesets *sets, job_record_t *job,
				const part_record_t *part, uint32_t *ret_index)
{
	struct opening opening = { 0 };
	uint64_t hash;

	nodeset_describe_opening(job, part, &opening);
	hash = nodeset_hash_opening(&opening);
	if (lw_lookup_get(&sets->opening_index, hash, ret_index) &&
	    nodeset_is_same_opening(&sets->openings[*ret_index], &opening))
		return 0;
	if (lw_grow((void **)&sets->openings, &sets->opening_room, sets->opening_count + 1,
		    sizeof(*sets->openings)) ||
	    lw_lookup_put(&sets->opening_index, hash, sets->opening_count))
		return -ENOMEM;
	opening.rc = lw_resv_windows_open(sets->resv_windows, job, sets->snap->now_s, NULL,
					  &opening.nodes);
	sets->openings[sets->opening_count] = opening;
	*ret_index = sets->opening_count++;
	return 0;
}

/* The index of a set equal to NODES, or of a new one. */
static int nodeset_intern(struct lw_nodesets *sets, const char *name,
			  const struct lw_bitset *nodes, uint32_t *ret_set, struct lw_error *err)
{
	struct lw_snapshot *snap = sets->snap;
	uint64_t hash = lw_hash_mix_bytes(LW_HASH_BEGIN, nodes->words,
					  (size_t)(nodes->bits + 63) / 64 * 8);
	int rc;

	if (lw_lookup_get(&sets->contents, hash, ret_set) &&
	    lw_bitset_equal(&snap->sets[*ret_set].nodes, nodes))
		return 0;
	rc = lw_snapshot_add_set(snap, name, nodes, err);
	if (!rc)
		rc = lw_lookup_put(&sets->contents, hash, snap->set_count - 1);
	if (!rc)
		*ret_set = snap->set_count - 1;
	return rc;
}

static int nodeset_find_or_add(struct lw_nodesets *sets, const char *name, bitstr_t *nodes,
			       uint32_t *ret_set, struct lw_error *err)
{
	struct lw_bitset set = { 0 };
	int rc = lw_bits_to_set(nodes, sets->snap->node_count, &set);

	if (rc)
		return rc;
	rc = nodeset_intern(sets, name, &set, ret_set, err);
	lw_bitset_fini(&set);
	return rc;
}

/* A job that is like others of its wish and opening. */
static int nodeset_common_set(struct lw_nodesets *sets, uint32_t wish, job_record_t *job,
			      part_record_t *part, uint32_t *ret_set, struct lw_error *err)
{
	uint32_t opening;
	bitstr_t *nodes;
	uint64_t key;
	int rc = nodeset_find_opening(sets, job, part, &opening);

	if (!rc)
		rc = sets->openings[opening].rc;
	if (rc)
		return rc;
	key = (uint64_t)wish << 32 | opening;
	if (lw_lookup_get(&sets->pairs, key, ret_set))
		return 0;
	nodes = bit_copy(sets->openings[opening].nodes);
	bit_and(nodes, sets->wishes[wish].nodes);
	rc = nodeset_find_or_add(sets, part->name, nodes, ret_set, err);
	bit_free(nodes);
	return rc ? rc : lw_lookup_put(&sets->pairs, key, *ret_set);
}

/* A job with nodes, or a reservation, of its own. */
static int nodeset_own_set(struct lw_nodesets *sets, uint32_t wish, job_record_t *job,
			   part_record_t *part, struct lw_waiting *waiting, struct lw_error *err)
{
	const job_details_t *details = job->details;
	bitstr_t *nodes = NULL;
	int rc = lw_resv_windows_open(sets->resv_windows, job, sets->snap->now_s,
				      &waiting->constraints, &nodes);

	if (!rc) {
		bit_and(nodes, sets->wishes[wish].nodes);
		if (details->exc_node_bitmap)
			bit_and_not(nodes, details->exc_node_bitmap);
		rc = nodeset_find_or_add(sets, part->name, nodes, &waiting->set, err);
	}
	FREE_NULL_BITMAP(nodes);
	return rc;
}

int lw_nodeset_of(struct lw_nodesets *sets, job_record_t *job, part_record_t *part,
		  struct lw_waiting *waiting, uint32_t *ret_first, struct lw_error *err)
{
	const job_details_t *details = job->details;
	bool own = details->exc_node_bitmap || details->req_node_bitmap || job->resv_name;
	const struct lw_bitset *nodes;
	uint32_t wish;
	int rc = nodeset_find_wish(sets, job, part, &wish);

	if (!rc)
		rc = own ? nodeset_own_set(sets, wish, job, part, waiting, err)
			 : nodeset_common_set(sets, wish, job, part, &waiting->set, err);
	if (rc == -ENOMEM)
		return lw_error_set(err, rc, "out of memory");
	if (rc)
		return rc;
	nodes = &sets->snap->sets[waiting->set].nodes;
	*ret_first = lw_bitset_next(nodes, 0);
	if (*ret_first >= nodes->bits)
		*ret_first = LW_NO_NODE;
	return 0;
}

uint32_t lw_nodeset_most_cpus(struct lw_nodesets *sets, uint32_t set)
{
	const struct lw_snapshot *snap = sets->snap;
	uint32_t node, most = 0;

	if (lw_lookup_get(&sets->most_cpus, set, &most))
		return most;
	lw_bitset_foreach(&snap->sets[set].nodes, node)
	{
		if (snap->nodes[node].total.cpus > most)
			most = snap->nodes[node].total.cpus;
	}
	(void)lw_lookup_put(&sets->most_cpus, set, most); /* or it is found anew */
	return most;
}

int lw_nodeset_without(struct lw_nodesets *sets, uint64_t closed, int64_t end_s, uint32_t *set,
		       struct lw_error *err)
{
	const struct lw_snapshot *snap = sets->snap;
	const char *name = snap->sets[*set].name;
	struct lw_bitset nodes = { 0 };
	int rc;

	if (lw_bitset_copy(&nodes, &snap->sets[*set].nodes))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < snap->resv_window_count; i++) {
		const struct lw_resv_window *resv_window = &snap->resv_windows[i];

		if ((closed >> i & 1) && resv_window->from_s < end_s &&
		    resv_window->until_s > snap->now_s)
			lw_bitset_drop(&nodes, &resv_window->nodes);
	}
	rc = nodeset_intern(sets, name, &nodes, set, err);
	lw_bitset_fini(&nodes);
	return rc;
}

int lw_nodeset_exactly(struct lw_nodesets *sets, const struct lw_bitset *nodes, uint32_t *set,
		       struct lw_error *err)
{
	int rc = nodeset_intern(sets, sets->snap->sets[*set].name, nodes, set, err);

	return rc == -ENOMEM ? lw_error_set(err, rc, "out of memory") : rc;
}

int lw_nodeset_required(struct lw_nodesets *sets, const job_record_t *job, uint32_t *set,
			struct lw_error *err)
{
	const struct lw_node_set *all = &sets->snap->sets[*set];
	bitstr_t *nodes = bit_copy(job->details->req_node_bitmap);
	int rc;

	lw_bits_foreach(nodes, i) {
		if (!lw_bitset_test(&all->nodes, (uint32_t)i))
			bit_clear(nodes, i);
	}
	rc = nodeset_find_or_add(sets, all->name, nodes, set, err);
	bit_free(nodes);
	return rc == -ENOMEM ? lw_error_set(err, rc, "out of memory") : rc;
}
