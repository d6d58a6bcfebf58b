/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does this slurmctld have the records that our headers describe? */
#include "slurm/agent/selfcheck.h"

#include "slurm/compat/compat.h"
#include "slurm/layout.h"

#include <errno.h>

/* Of one cycle through a list; the first thing that is wrong ends it. */
struct check {
	struct lw_error *err;
	int rc;
};

static int selfcheck_check_part(void *x, void *arg)
{
	const part_record_t *part = x;
	struct check *check = arg;

	check->rc = lw_layout_check_record("a partition", part, sizeof(*part), check->err);
	if (!check->rc && part->magic != PART_MAGIC)
		check->rc = lw_error_set(check->err, -EBADMSG, "a partition has magic 0x%x",
					 part->magic);
	return check->rc ? -1 : 0;
}

static int selfcheck_check_node(int index, struct lw_error *err)
{
	const node_record_t *node = node_record_table_ptr[index];
	int rc = lw_layout_check_record("a node", node, sizeof(*node), err);

	if (rc || !node)
		return rc;
	if (node->magic != NODE_MAGIC || node->index != (uint32_t)index)
		return lw_error_set(err, -EBADMSG, "node %d has magic 0x%x and index %u", index,
				    node->magic, node->index);
	return lw_layout_check_node_gres(node, err);
}

int lw_self_check_start(void)
{
	struct lw_error err;
	int rc = lw_layout_check_common(&err);

	if (!rc)
		rc = lw_layout_check_object("slurmctld_config", &slurmctld_config,
					    sizeof(slurmctld_config), &err);
	if (!rc)
		rc = lw_layout_check_object("slurmctld_diag_stats", &slurmctld_diag_stats,
					    sizeof(slurmctld_diag_stats), &err);
	if (rc)
		error("leeway: self-check failed: %s: stock backfill is used instead", err.text);
	return rc;
}

static int selfcheck_check_nodes(struct lw_session *session, struct lw_error *err)
{
	int rc = 0;

	for (int i = 0; i < node_record_count && !rc; i++) {
		rc = lw_session_yield_step(session, (uint32_t)i);
		if (!rc)
			rc = selfcheck_check_node(i, err);
	}
	return rc;
}

int lw_self_check_tables(struct lw_session *session, struct lw_error *err)
{
	struct check check = { .err = err };

	if (!job_list || !part_list || !resv_list || !avail_node_bitmap || !cg_node_bitmap ||
	    !rs_node_bitmap || !up_node_bitmap)
		return lw_error_set(err, -EAGAIN, "Slurm's tables are not there yet");
	if (!fed_mgr_sibs_synced())
		return lw_error_set(err, -EAGAIN, "the federation's clusters are not in step");
	check.rc = selfcheck_check_nodes(session, err);
	if (!check.rc)
		list_for_each(part_list, selfcheck_check_part, &check);
	return check.rc;
}
