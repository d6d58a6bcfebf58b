/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the readers of Slurm's records share during one reading. */
#ifndef LW_SLURM_READER_H
#define LW_SLURM_READER_H

#include "base/error.h"
#include "base/lookup.h"
#include "slurm/bfparams.h"
#include "slurm/read/follow.h"
#include "slurm/read/resv_windows.h"
#include "slurm/read/preempt_classes.h"
#include "slurm/read/licences.h"
#include "slurm/read/nodeset.h"
#include "slurm/read/user_nodes.h"
#include "slurm/read/read.h"
#include "slurm/read/shards.h"
#include "slurm/read/tenancies.h"

/* One pass through Slurm's records; on the stack of lw_read(). */
struct lw_reader {
	struct lw_reading *reading;
	const struct lw_reading_context *context;
	struct lw_resv_windows resv_windows;
	struct lw_user_nodes owners;
	struct lw_licences licences;
	struct lw_shards shards;
	struct lw_tenancies tenancies;
	struct lw_preempt_classes kinds;
	struct lw_follows follows;
	struct lw_bfparams bf;
	struct lw_nodesets *sets;
	struct lw_lookup variants; /* by job: the number of its records */
	struct lw_res *used;       /* by node */
	struct lw_alloc *allocs;   /* scratch, a job's */
	uint32_t alloc_room;
	uint32_t sized_count; /* jobs of which the size was chosen */
	uint32_t slower;      /* as of the ticket, of the record that is read; 0: not chosen */
	double gpus, cpus;  /* of all nodes, once they are asked for */
	uint32_t asked;     /* jobs that Slurm was asked about */
	uint64_t asking_us; /* the processor time of that */
	struct lw_error *err;
};

#endif
