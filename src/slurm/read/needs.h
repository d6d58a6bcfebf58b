/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: needs of a waiting job: licences, and nodes for its other components. */
#ifndef LW_SLURM_NEEDS_H
#define LW_SLURM_NEEDS_H

#include "slurm/read/waiting.h"

/* A growing list of needs; zeroed it is empty. Its owner frees the items. */
struct lw_needs {
	struct lw_need *items;
	uint32_t count, room;
};

/* -ENOMEM. */
int lw_needs_add(struct lw_needs *needs, const struct lw_need *need);

/*
 * Add COMPONENT to the snapshot as a waiting job. NEEDS has one need for each other component of
 * a het job, in the order of the ticket's parts; the licences of all components are added to it.
 * Needs LW_LOCKS_ALL. 0, -ENOMEM or -EINVAL with the reader's error.
 */
int lw_add_component(struct lw_reader *reader, const struct lw_component *component,
		     struct lw_needs *needs);

#endif
