/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the gate of a plan: what the plan keeps from starts that it did not make. */
#ifndef LW_PLANNER_GATE_MAKE_H
#define LW_PLANNER_GATE_MAKE_H

#include "planner/cycle/cycle.h"
#include "planner/model/gate.h"

/* Memory that is used again; all zero is empty. */
struct lw_gate_scratch {
	struct lw_profile profile;
	uint32_t *started; /* by record: tasks that start in the plan */
	uint8_t *planned;  /* by decision of the plan: a reservation in the profile */
	uint32_t started_room, planned_room;
};

void lw_gate_scratch_fini(struct lw_gate_scratch *scratch);

/*
 * Fill GATE with what CYCLE, which has just planned, keeps, in place of what GATE had. Nodes behind
 * the first PLACES are licences. 0, or -ENOMEM, and GATE lets everything through.
 */
int lw_gate_make(struct lw_gate *gate, uint32_t places, struct lw_cycle *cycle,
		 struct lw_gate_scratch *scratch);

#endif
