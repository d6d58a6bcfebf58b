/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which planned starts Slurm refused, so that nobody waits for them. */
#ifndef LW_SLURM_REFUSAL_H
#define LW_SLURM_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A refused job is left out of the plan for 1 cycle, then 2, 4, ... up to
 * LW_REFUSAL_CYCLES_MAX, so that it neither blocks the queue nor is tried in vain
 * for ever. What it was promised before is kept for it meanwhile, if it was refused for want of
 * room. Slurm's main loop may start it at any time. A job that may run in several
 * partitions, QOS or reservations is left out as the variant that was refused: the others may
 * start.
 *
 * A job that has room in the plan but not in Slurm (contiguous nodes, switches,
 * sockets, ...) would so be passed for ever: after LW_REFUSALS_STUCK refusals for want
 * of room it is stuck, and Slurm is asked when and where it could start. It stays so for
 * LW_REFUSAL_STUCK_CYCLES, or it would lose what is kept for it.
 *
 * Of a job that a limit of its account, QOS or array keeps waiting it can be asked whether the
 * limit still does: then there is no need to wait for the end of the pause.
 */
#define LW_REFUSAL_CYCLES_MAX 8
#define LW_REFUSALS_STUCK     3
#define LW_REFUSAL_STUCK_CYCLES 1000

struct lw_refusals; /* each variant of a job once */

int lw_refusals_create(struct lw_refusals **ret_refusals);
void lw_refusals_destroy(struct lw_refusals *refusals);

/*
 * Slurm refused VARIANT of JOB_ID in CYCLE, FOR_ROOM or for another reason. Returns true for
 * its first refusal, the one to talk about. Several in one cycle, of tasks of an array, count
 * once. A full memory is not an error: the job is then tried again in the next cycle.
 */
bool lw_refusals_add(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		     uint64_t cycle, bool for_room);
/* Is VARIANT of JOB_ID to be left out in CYCLE? */
bool lw_refusals_holds(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		       uint64_t cycle);
/* Was it refused for want of room, the last time? */
bool lw_refusals_want_room(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant);
bool lw_refusals_stuck(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant);
/* The last refusal was by a limit, of a start on NODES nodes. */
void lw_refusals_by_limit(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
			  uint32_t nodes);
/* Was it? On so many nodes; 0: no. */
uint32_t lw_refusals_limited(const struct lw_refusals *refusals, uint32_t job_id,
			     uint32_t variant);
/* From CYCLE on it is not left out any more, though the next refusal is no news. */
void lw_refusals_lift(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		      uint64_t cycle);
/* Forget those whose last refusal was long before CYCLE. */
void lw_refusals_expire(struct lw_refusals *refusals, uint64_t cycle);

#endif
