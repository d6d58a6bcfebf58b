/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's topology as its plugins print it, line by line. */
#ifndef LW_SLURM_TOPOTEXT_H
#define LW_SLURM_TOPOTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The output of `scontrol show topology`: "SwitchName=s0 Level=1 LinkSpeed=1 Nodes=n[0-15]
 * Switches=s[1-2]", "BlockName=b1 BlockIndex=0 Nodes=n[0-7] BlockSize=8" and
 * "AggregatedBlock=b[1-2] ...". The plugins do not give access to their records.
 */
struct lw_topo_record {
	char *name;
	char *nodes; /* all its nodes, as a host list */
	uint32_t level; /* level of a switch, or size of a block: larger for outer ones */
};

struct lw_topo_records {
	struct lw_topo_record *items; /* outer ones first, else in the order of the text */
	uint32_t count, room;
	bool blocks; /* topology/block */
};

/* Read TEXT; lines without a name or nodes are left out. -ENOMEM leaves it empty. */
int lw_topo_records_read(struct lw_topo_records *ret_records, const char *text);
/* Safe on a zeroed one. */
void lw_topo_records_fini(struct lw_topo_records *records);

#endif
