/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which free GPUs of a node are near each other, as slurmctld knows it. */
#include "slurm/islands.h"

#include <string.h>

static bool is_free(const gres_node_state_t *gpus, int gpu)
{
	return !gpus->gres_bit_alloc || gpu >= bit_size(gpus->gres_bit_alloc) ||
	       !bit_test(gpus->gres_bit_alloc, gpu);
}

/* GPUs that are free and linked to GPU, itself included. */
static uint16_t linked_to(const gres_node_state_t *gpus, int gpu, bool *any_link)
{
	uint16_t count = 1;

	for (int other = 0; other < gpus->link_len; other++) {
		if (other == gpu || gpus->links_cnt[gpu][other] <= 0)
			continue;
		*any_link = true;
		count = (uint16_t)(count + is_free(gpus, other));
	}
	return count;
}

static uint16_t by_links(const gres_node_state_t *gpus, bool *any_link)
{
	uint16_t most = 0;

	*any_link = false;
	for (int gpu = 0; gpus->links_cnt && gpu < gpus->link_len; gpu++) {
		uint16_t count;

		if (!gpus->links_cnt[gpu])
			continue;
		count = linked_to(gpus, gpu, any_link);
		if (is_free(gpus, gpu) && count > most)
			most = count;
	}
	return most;
}

static uint16_t free_of(const gres_node_state_t *gpus, bitstr_t *which)
{
	uint16_t count = 0;

	for (int gpu = 0; gpu < bit_size(which); gpu++)
		count = (uint16_t)(count + (bit_test(which, gpu) && is_free(gpus, gpu)));
	return count;
}

/* The GPUs of a line of gres.conf have the same cores; so may those of several lines. */
static uint16_t by_cores(const gres_node_state_t *gpus)
{
	uint16_t most = 0;

	for (uint16_t i = 0; gpus->topo_core_bitmap && i < gpus->topo_cnt; i++) {
		uint16_t count = 0;

		if (!gpus->topo_core_bitmap[i])
			return 0;
		for (uint16_t j = 0; j < gpus->topo_cnt; j++) {
			bitstr_t *cores = gpus->topo_core_bitmap[j];
			bitstr_t *which = gpus->topo_gres_bitmap[j];

			if (cores && which && bit_equal(gpus->topo_core_bitmap[i], cores))
				count = (uint16_t)(count + free_of(gpus, which));
		}
		most = count > most ? count : most;
	}
	return most;
}

static int find_gpus(void *x, void *arg)
{
	const gres_state_t *gres = x;

	(void)arg;
	return gres->gres_name && gres->gres_data && !strcmp(gres->gres_name, "gpu");
}

uint16_t lw_node_linked(const node_record_t *node)
{
	const gres_state_t *gres =
		node->gres_list ? list_find_first(node->gres_list, find_gpus, NULL) : NULL;
	uint16_t linked;
	bool any_link;

	if (!gres)
		return 0;
	linked = by_links(gres->gres_data, &any_link);
	return any_link ? linked : by_cores(gres->gres_data);
}
