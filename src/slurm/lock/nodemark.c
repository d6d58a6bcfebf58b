/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: has Slurm's node table changed? */
#include "slurm/lock/nodemark.h"

#include "base/lookup.h"
#include "slurm/compat/compat.h"

#include <string.h>

/* A new record may have the address of one that was freed. */
uint64_t lw_nodemark(void)
{
	uint64_t mark = lw_hash_mix(LW_HASH_BEGIN, (uint64_t)node_record_count);

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		mark = lw_hash_mix(mark, (uintptr_t)node);
		if (!node)
			continue;
		mark = lw_hash_mix(mark, (uintptr_t)node->config_ptr);
		if (node->name)
			mark = lw_hash_mix_bytes(mark, node->name, strlen(node->name) + 1);
	}
	return mark;
}
