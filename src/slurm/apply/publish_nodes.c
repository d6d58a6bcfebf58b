/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the node state PLANNED. */
#include "slurm/apply/publish_parts.h"

#include "slurm/compat/compat.h"

#include <time.h>

static node_record_t *publish_nodes_node_at(uint32_t index)
{
	return index < (uint32_t)node_record_count ? node_record_table_ptr[index] : NULL;
}

/*
 * Forgets the nodes that Slurm itself no longer calls PLANNED: if they are called so again, that
 * is a change.
 */
static void publish_nodes_clear_planned(struct lw_publish *show)
{
	uint32_t index;

	lw_bitset_foreach(&show->planned, index)
	{
		node_record_t *node = publish_nodes_node_at(index);

		if (node && (node->node_state & NODE_STATE_PLANNED))
			node->node_state &= ~NODE_STATE_PLANNED;
		else
			lw_bitset_clear(&show->planned, index);
	}
}

void lw_publish_take_down_nodes(struct lw_publish *show)
{
	publish_nodes_clear_planned(show);
	if (lw_bitset_count(&show->planned))
		last_node_update = time(NULL);
	lw_bitset_clear_all(&show->planned);
}

/* Only nodes that could take a job are called planned, as stock does: idle and mixed ones. */
static void publish_nodes_set_planned(struct lw_publish *show)
{
	uint32_t index;

	lw_bitset_foreach(&show->next_planned, index)
	{
		node_record_t *node = publish_nodes_node_at(index);

		if (!node || (node->node_state & NODE_STATE_PLANNED) ||
		    (IS_NODE_ALLOCATED(node) && !lw_bitset_test(&show->mixed, index)))
			lw_bitset_clear(&show->next_planned, index);
		else
			node->node_state |= NODE_STATE_PLANNED;
	}
}

static void publish_nodes_size_nodes(struct lw_publish *show)
{
	uint32_t count = (uint32_t)node_record_count;

	if (show->planned.bits == count && show->next_planned.bits == count)
		return;
	lw_publish_take_down_nodes(show);
	lw_bitset_fini(&show->planned);
	lw_bitset_fini(&show->next_planned);
	if (lw_bitset_init(&show->planned, count) || lw_bitset_init(&show->next_planned, count)) {
		lw_bitset_fini(&show->planned);
		lw_bitset_fini(&show->next_planned);
	}
}

void lw_publish_begin_nodes(struct lw_publish *show)
{
	publish_nodes_size_nodes(show);
	lw_bitset_clear_all(&show->next_planned);
}

void lw_publish_plan_nodes(struct lw_publish *show, const struct lw_plan *plan,
			   const struct lw_decision *decision)
{
	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		uint32_t node = plan->allocs[decision->first_alloc + i].node;

		if (node < show->next_planned.bits)
			lw_bitset_set(&show->next_planned, node);
	}
}

/*
 * If no node changes, last_node_update stays: others ask by that time whether there is something
 * new for them.
 */
void lw_publish_nodes(struct lw_publish *show)
{
	struct lw_bitset was = show->planned;

	publish_nodes_clear_planned(show);
	publish_nodes_set_planned(show);
	show->planned = show->next_planned;
	show->next_planned = was;
	if (!lw_bitset_equal(&show->planned, &show->next_planned))
		last_node_update = time(NULL);
}

void lw_publish_sweep_nodes(void)
{
	bool changed = false;

	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];

		if (!node || !(node->node_state & NODE_STATE_PLANNED))
			continue;
		node->node_state &= ~NODE_STATE_PLANNED;
		changed = true;
	}
	/* Slurm's power saving looks at once when this is new, and then not for ten seconds. */
	if (changed)
		last_node_update = time(NULL);
}
