/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the other jobs on a GPU now, from the records that their steps write. */
#ifndef LW_RECORD_NEIGHBOURS_H
#define LW_RECORD_NEIGHBOURS_H

#include "record/record.h"

/* The most neighbours on one GPU; further ones are not read. */
#define LW_NEIGHBOURS_MAX 16

struct lw_neighbour {
	uint32_t job_id;
	int64_t since_s; /* start of its run */
	bool there;
};

/* Zeroed: none is known. */
struct lw_neighbours {
	uint32_t count;
	struct lw_neighbour one[LW_NEIGHBOURS_MAX];
};

/*
 * Bring NEIGHBOURS up to date: the jobs besides HEAD's with a living step on its node that
 * writes a record in DIR for the GPU with ID. A known neighbour is not read again.
 */
void lw_neighbours_look(struct lw_neighbours *neighbours, const char *dir,
			const struct lw_record_head *head, const char *id);

/* Did HEAD's job come after all NEIGHBOURS? In the same second the higher job id is later. */
bool lw_neighbours_is_newest(const struct lw_neighbours *neighbours,
			     const struct lw_record_head *head);

#endif
