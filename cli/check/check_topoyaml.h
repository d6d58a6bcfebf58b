/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: the switches and blocks of topology.yaml, as lines of topology.conf. */
#ifndef LW_CLI_CHECK_TOPOYAML_H
#define LW_CLI_CHECK_TOPOYAML_H

#include "cli/common/slurmconf.h"

#include <stdbool.h>
#include <yaml.h>

/* Deeper ones are passed over: Slurm's has five. */
#define LW_TOPOYAML_DEPTH 16
#define LW_TOPOYAML_KEYS  4

/* A mapping or a list that has not ended. */
struct lw_topoyaml_frame {
	bool is_mapping;
	uint32_t number; /* of its first line */
	char key[32];    /* the value that comes next is of this one; or "" */
	char *values[LW_TOPOYAML_KEYS];
};

/* All zero but path. */
struct lw_topoyaml {
	const char *path;
	struct lw_topoyaml_frame frames[LW_TOPOYAML_DEPTH];
	uint32_t depth;
	uint32_t sizes; /* in a list of block_sizes, which begins in this line; 0: not */
	/* of the topology that is being read, as topology.conf has it */
	struct lw_slurmconf tree, blocks;
	int error; /* -ENOMEM once */
};

/* Take EVENT of the file. True: a topology has ended. */
bool lw_topoyaml_take(struct lw_topoyaml *topo, const yaml_event_t *event);
/* Forget that topology. */
void lw_topoyaml_clear(struct lw_topoyaml *topo);
void lw_topoyaml_fini(struct lw_topoyaml *topo);

#endif
