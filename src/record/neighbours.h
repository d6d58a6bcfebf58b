/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which other jobs are on a GPU now, by the records that their steps write. */
#ifndef LW_RECORD_NEIGHBOURS_H
#define LW_RECORD_NEIGHBOURS_H

#include "record/record.h"

/* On one GPU; more are not looked at. */
#define LW_NEIGHBOURS_MAX 16

struct lw_neighbour {
	uint32_t job_id;
	int64_t since_s; /* when its run began */
	bool there;
};

/* Zeroed: nobody is known. */
struct lw_neighbours {
	uint32_t count;
	struct lw_neighbour one[LW_NEIGHBOURS_MAX];
};

/*
 * Bring NEIGHBOURS up to date: the jobs besides HEAD's of which a living step on its node writes
 * a record in DIR, of the GPU that is called ID. Who is known is not read again.
 */
void lw_neighbours_look(struct lw_neighbours *neighbours, const char *dir,
			const struct lw_record_head *head, const char *id);

/* Whether HEAD's job came after all NEIGHBOURS; of two of one second the higher id did. */
bool lw_neighbours_is_newest(const struct lw_neighbours *neighbours,
			     const struct lw_record_head *head);

#endif
