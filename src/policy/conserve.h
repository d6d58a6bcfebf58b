/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: conservative backfilling: every job has a reservation. */
#ifndef LW_POLICY_CONSERVE_H
#define LW_POLICY_CONSERVE_H

#include "policy/profile.h"
#include "policy/walk.h"

/* Memory that is used again. All zero is empty. */
struct lw_conserve {
	struct lw_profile profile;
	uint32_t *order;      /* of the records */
	int64_t *class_from_s; /* by class: none of it can start earlier */
	uint32_t order_room, class_room;
};

void lw_conserve_fini(struct lw_conserve *conserve);

/* Plan the whole queue: start or reserve for every job. 0 or -ENOMEM. */
int lw_conserve_walk(struct lw_walk *walk, struct lw_conserve *conserve);

#endif
