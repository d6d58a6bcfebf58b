/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes a Slurm job may use, as a node set of the snapshot. */
#include "slurm/nodeset.h"

#include <errno.h>

static int copy_bits(bitstr_t *from, uint32_t bits, struct lw_bitset *ret_set)
{
	if (lw_bitset_init(ret_set, bits))
		return -ENOMEM;
	for (bitoff_t i = 0; (i = bit_ffs_from_bit(from, i)) >= 0; i++) {
		if (i >= bits)
			break;
		lw_bitset_set(ret_set, (uint32_t)i);
	}
	return 0;
}

/* The index of an equal set, or of a new one. */
static int find_or_add(struct lw_snapshot *snap, const char *name, const struct lw_bitset *nodes,
		       uint32_t *ret_set, struct lw_error *err)
{
	int rc;

	for (uint32_t i = 0; i < snap->set_count; i++) {
		if (lw_bitset_equal(&snap->sets[i].nodes, nodes)) {
			*ret_set = i;
			return 0;
		}
	}
	rc = lw_snapshot_add_set(snap, name, nodes, err);
	if (!rc)
		*ret_set = snap->set_count - 1;
	return rc;
}

/* Advance reservations are judged with the hard limit, never with a prediction. */
static int open_nodes(job_record_t *job, int64_t now_s, bitstr_t **ret_nodes)
{
	resv_exc_t exceptions = { 0 };
	time_t when = (time_t)now_s;
	bool overlap = false;
	int rc;

	rc = job_test_resv(job, &when, false, ret_nodes, &exceptions, &overlap, false);
	reservation_delete_resv_exc_parts(&exceptions);
	return rc == SLURM_SUCCESS && *ret_nodes ? 0 : -EBUSY;
}

/* Cut NODES down to what JOB may use. */
static void apply_wishes(job_record_t *job, part_record_t *part, bitstr_t *nodes)
{
	job_details_t *details = job->details;

	bit_and(nodes, part->node_bitmap);
	if (details->exc_node_bitmap)
		bit_and_not(nodes, details->exc_node_bitmap);
	if (details->req_node_bitmap && details->max_nodes &&
	    (uint32_t)bit_set_count(details->req_node_bitmap) >= details->max_nodes)
		bit_and(nodes, details->req_node_bitmap);
	details->features_use = details->features;
	details->feature_list_use = details->feature_list;
	/* the return value says only whether counts of features can be met; Slurm will */
	(void)job_req_node_filter(job, nodes, true);
}

int lw_nodeset_of(struct lw_snapshot *snap, job_record_t *job, part_record_t *part, int64_t now_s,
		  uint32_t *ret_set, uint32_t *ret_first, struct lw_error *err)
{
	struct lw_bitset set = { 0 };
	bitstr_t *nodes = NULL;
	int rc = open_nodes(job, now_s, &nodes);

	if (!rc) {
		apply_wishes(job, part, nodes);
		rc = copy_bits(nodes, snap->node_count, &set);
	}
	FREE_NULL_BITMAP(nodes);
	if (!rc)
		rc = find_or_add(snap, part->name, &set, ret_set, err);
	if (!rc) {
		uint32_t first = lw_bitset_next(&set, 0);

		*ret_first = first < set.bits ? first : LW_NO_NODE;
	}
	lw_bitset_fini(&set);
	return rc;
}
