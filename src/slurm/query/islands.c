/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the most free GPUs of a node in one island, as slurmctld knows it. */
#include "slurm/query/islands.h"

/* Also part of the select plugin: refers to nothing that only slurmctld has. */

#include "slurm/query/amounts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* GPUs of a node that are looked at; shared ones may be more. */
#define GPUS_MAX 64

void lw_islands_fini(struct lw_islands *islands)
{
	free(islands->gpus);
	memset(islands, 0, sizeof(*islands));
}

int lw_islands_copy(struct lw_islands *to, const struct lw_islands *from)
{
	memset(to, 0, sizeof(*to));
	if (!from->count)
		return 0;
	to->gpus = malloc(from->count * sizeof(*to->gpus));
	if (!to->gpus)
		return -ENOMEM;
	memcpy(to->gpus, from->gpus, from->count * sizeof(*to->gpus));
	to->count = from->count;
	return 0;
}

/* The GPUs of a node, and of which of them jobs hold parts (or NULL). */
struct gpus {
	const gres_node_state_t *state;
	bitstr_t *parted;
};

static bool islands_has(bitstr_t *bits, int gpu)
{
	return bits && gpu < bit_size(bits) && bit_test(bits, gpu);
}

/* Bits by number: the free GPUs. */
static uint64_t islands_read_free(const struct gpus *gpus, int count)
{
	uint64_t free = 0;

	for (int gpu = 0; gpu < count && gpu < GPUS_MAX; gpu++) {
		bool taken = islands_has(gpus->state->gres_bit_alloc, gpu) ||
			     islands_has(gpus->parted, gpu);

		free |= (uint64_t)!taken << gpu;
	}
	return free;
}

/* How many of the FREE GPUs are linked to GPU, with GPU itself. */
static uint16_t islands_linked_to(const int *links, int gpu, int count, uint64_t free,
				  bool *any_link)
{
	uint16_t linked = 1;

	for (int other = 0; other < count; other++) {
		if (other == gpu || links[other] <= 0)
			continue;
		*any_link = true;
		linked = (uint16_t)(linked + (free >> other & 1));
	}
	return linked;
}

static uint16_t islands_by_links(const struct gpus *gpus, bool *any_link)
{
	int **links = gpus->state->links_cnt;
	int count = links ? gpus->state->link_len : 0;
	uint64_t free = islands_read_free(gpus, count);
	uint16_t most = 0;

	if (count > GPUS_MAX)
		count = GPUS_MAX;
	*any_link = false;
	for (int gpu = 0; gpu < count; gpu++) {
		uint16_t linked;

		if (!links[gpu] || (*any_link && !(free >> gpu & 1)))
			continue;
		linked = islands_linked_to(links[gpu], gpu, count, free, any_link);
		if ((free >> gpu & 1) && linked > most)
			most = linked;
	}
	return most;
}

static uint16_t islands_free_of(bitstr_t *which, uint64_t free)
{
	uint16_t count = 0;

	for (int gpu = 0; gpu < bit_size(which) && gpu < GPUS_MAX; gpu++)
		count = (uint16_t)(count + (bit_test(which, gpu) && (free >> gpu & 1)));
	return count;
}

/* The GPUs of a line of gres.conf have the same cores; so may those of several lines. */
static uint16_t islands_by_cores(const struct gpus *gpus)
{
	const gres_node_state_t *state = gpus->state;
	uint64_t free = islands_read_free(gpus, GPUS_MAX);
	uint16_t most = 0;

	for (uint16_t i = 0; state->topo_core_bitmap && i < state->topo_cnt; i++) {
		uint16_t count = 0;

		if (!state->topo_core_bitmap[i])
			return 0;
		for (uint16_t j = 0; j < state->topo_cnt; j++) {
			bitstr_t *cores = state->topo_core_bitmap[j];
			bitstr_t *which = state->topo_gres_bitmap[j];

			if (cores && which && bit_equal(state->topo_core_bitmap[i], cores))
				count = (uint16_t)(count + islands_free_of(which, free));
		}
		most = count > most ? count : most;
	}
	return most;
}

/* Without links Slurm gives the free GPUs of the lowest numbers. */
static uint16_t islands_by_numbers(const struct gpus *gpus, uint16_t ours)
{
	uint64_t all = gpus->state->gres_cnt_avail, count = all < GPUS_MAX ? all : GPUS_MAX;
	uint64_t free = islands_read_free(gpus, (int)count);
	uint16_t in_one = 0;
	int gpu = 0;

	while (gpu < GPUS_MAX && !(free >> gpu & 1))
		gpu++;
	for (int end = (gpu / ours + 1) * ours; gpu < end && gpu < GPUS_MAX; gpu++)
		in_one = (uint16_t)(in_one + (free >> gpu & 1));
	return in_one;
}

static int islands_find_gpus(void *x, void *arg)
{
	const gres_state_t *gres = x;
	struct gpus *gpus = arg;

	if (lw_gres_is_part(gres))
		gpus->parted = lw_gres_taken(gres, gpus->parted);
	else if (lw_gres_is_gpu(gres))
		gpus->state = gres->gres_data;
	return 0;
}

uint16_t lw_node_linked(const node_record_t *node, uint16_t ours)
{
	struct gpus gpus = { 0 };
	uint16_t linked;
	bool any_link;

	if (node->gres_list)
		list_for_each(node->gres_list, islands_find_gpus, &gpus);
	if (!gpus.state)
		return 0;
	linked = islands_by_links(&gpus, &any_link);
	if (any_link)
		return linked;
	return ours ? islands_by_numbers(&gpus, ours) : islands_by_cores(&gpus);
}
