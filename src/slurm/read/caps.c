/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: MaxCPUsPerNode as caps on the CPUs of nodes. */
#include "slurm/read/caps.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>

static bool caps_is_capped(const part_record_t *part)
{
	return part->node_bitmap && (part->max_cpus_per_node != INFINITE ||
				     lw_slurm_max_cpus_per_socket(part) != INFINITE);
}

/* The lowest number that no partition with a node of PART has; 0: all are taken. */
static uint16_t caps_free_number(const struct lw_caps *caps, const part_record_t *part)
{
	bool taken[LW_CAPS_MAX + 1] = { false };

	for (uint32_t i = 0; i < caps->count; i++) {
		const part_record_t *other = caps->items[i].part;

		if (bit_overlap_any(other->node_bitmap, part->node_bitmap))
			taken[caps->items[i].number] = true;
	}
	for (uint16_t number = 1; number <= LW_CAPS_MAX; number++) {
		if (!taken[number])
			return number;
	}
	return 0;
}

struct reading {
	struct lw_caps *caps;
	int rc;
};

static int caps_add(void *x, void *arg)
{
	const part_record_t *part = x;
	struct reading *reading = arg;
	struct lw_caps *caps = reading->caps;
	uint16_t number = caps_is_capped(part) ? caps_free_number(caps, part) : 0;

	if (!number)
		return 0;
	reading->rc = lw_grow((void **)&caps->items, &caps->room, caps->count + 1,
			      sizeof(*caps->items));
	if (reading->rc)
		return -1;
	caps->items[caps->count++] = (struct lw_cap){ .part = part, .number = number };
	return 0;
}

int lw_caps_read(struct lw_caps *caps)
{
	struct reading reading = { .caps = caps };

	list_for_each(part_list, caps_add, &reading);
	return reading.rc;
}

void lw_caps_fini(struct lw_caps *caps)
{
	free(caps->items);
	*caps = (struct lw_caps){ 0 };
}

static uint64_t caps_most_of(const part_record_t *part, const node_record_t *node)
{
	uint64_t most = part->max_cpus_per_node, of_socket = lw_slurm_max_cpus_per_socket(part);
	uint64_t sockets = node->tot_sockets ? node->tot_sockets : 1;

	return of_socket != INFINITE && of_socket * sockets < most ? of_socket * sockets : most;
}

void lw_caps_total(const struct lw_caps *caps, const node_record_t *node, struct lw_res *total)
{
	for (uint32_t i = 0; i < caps->count; i++) {
		const struct lw_cap *cap = &caps->items[i];
		const part_record_t *part = cap->part;
		uint64_t most;

		if (!bit_test(part->node_bitmap, node->index))
			continue;
		most = caps_most_of(part, node);
		if (most > total->cpus)
			most = total->cpus;
		total->capped[cap->number - 1] = most < UINT16_MAX ? (uint16_t)most : UINT16_MAX;
	}
}
