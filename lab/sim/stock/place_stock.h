/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a model of where Slurm's own cons_tres puts a job, to compare with. */
#ifndef LW_LAB_SIM_STOCK_PLACE_STOCK_H
#define LW_LAB_SIM_STOCK_PLACE_STOCK_H

#include "planner/model/outside.h"

/* An lw_choose_f, for jobs that say what they want of each node. */
int lw_place_as_stock(struct lw_placer *placer, const struct lw_room *room,
		      const struct lw_request *req, uint32_t count, uint32_t *ret_count);

#endif
