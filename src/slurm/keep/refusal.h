/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: planned starts that Slurm refused, so that no job waits for them. */
#ifndef LW_SLURM_REFUSAL_H
#define LW_SLURM_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A refused job is left out of the plan for 1 cycle, then 2, 4, ... up to LW_REFUSAL_CYCLES_MAX,
 * so that it does not block the queue and is not tried in vain for ever. Meanwhile its promise
 * is kept, if it was refused for want of room. Slurm's main loop may start it at any time. A job
 * in several partitions, QOS or reservations is left out only as the variant that was refused;
 * the others may start.
 *
 * A job that has room in the plan but not in Slurm (contiguous nodes, switches, sockets, ...)
 * would be passed for ever. So after LW_REFUSALS_STUCK refusals for want of room it is stuck,
 * and Slurm is asked when and where it could start. It stays stuck for LW_REFUSAL_STUCK_CYCLES,
 * or it would lose the room kept for it.
 *
 * For a job held back by a limit of its account, QOS or array, the reading can test whether the
 * limit still applies; the job then need not wait for the end of the pause.
 */
#define LW_REFUSAL_CYCLES_MAX 8
#define LW_REFUSALS_STUCK     3
#define LW_REFUSAL_STUCK_CYCLES 1000

struct lw_refusals; /* each variant of a job once */

int lw_refusals_create(struct lw_refusals **ret_refusals);
void lw_refusals_destroy(struct lw_refusals *refusals);

/*
 * Slurm refused VARIANT of JOB_ID in CYCLE, FOR_ROOM or for another reason. True for its first
 * refusal, which is logged. Several in one cycle, of tasks of an array, count once. Running out
 * of memory is no error: the job is then tried again in the next cycle.
 */
bool lw_refusals_add(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		     uint64_t cycle, bool for_room);
/* Is VARIANT of JOB_ID to be left out in CYCLE? */
bool lw_refusals_holds(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		       uint64_t cycle);
/* Was its last refusal for want of room? */
bool lw_refusals_want_room(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant);
bool lw_refusals_stuck(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant);
/* The last refusal was for a limit, of a start on NODES nodes. */
void lw_refusals_by_limit(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
			  uint32_t nodes);
/* The nodes of that start; 0: the last refusal was not for a limit. */
uint32_t lw_refusals_limited(const struct lw_refusals *refusals, uint32_t job_id,
			     uint32_t variant);
/* Plan it again from CYCLE on; the next refusal is still not logged as the first. */
void lw_refusals_lift(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		      uint64_t cycle);
/* Forget jobs with a last refusal long before CYCLE. */
void lw_refusals_expire(struct lw_refusals *refusals, uint64_t cycle);

#endif
