/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of publish share; no other file includes it. */
#ifndef LW_SLURM_PUBLISH_PARTS_H
#define LW_SLURM_PUBLISH_PARTS_H

#include "slurm/apply/publish.h"

/* All texts of Leeway begin with this. */
#define LW_SHOW_TEXT_START "planned "

/* Free what is prepared and not published. Needs no lock. */
void lw_publish_drop_next(struct lw_publish *show);

/* These need LW_LOCKS_ALL. */

/* Begin to gather the nodes that will be PLANNED. */
void lw_publish_begin_nodes(struct lw_publish *show);
/* Add the nodes that DECISION of PLAN gives its job. */
void lw_publish_plan_nodes(struct lw_publish *show, const struct lw_plan *plan,
			   const struct lw_decision *decision);
/* Call the gathered nodes PLANNED, and those of the last plan no longer. */
void lw_publish_nodes(struct lw_publish *show);
/* Remove PLANNED from all nodes that have it from Leeway. */
void lw_publish_take_down_nodes(struct lw_publish *show);
/* Remove PLANNED from all nodes. */
void lw_publish_sweep_nodes(void);

#endif
