/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: long work in a thread that lets all other threads of the daemon go first. */
#ifndef LW_SLURM_WORKER_H
#define LW_SLURM_WORKER_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel's struct sched_attr (sched_setattr(2)), since not every libc has it. */
struct lw_sched_attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* How the work ended. */
enum lw_worker_end {
	LW_WORKER_DONE, /* by a thread of its own */
	LW_WORKER_HERE, /* by the calling thread, because no other could be made */
	LW_WORKER_LEFT, /* it is stuck and was left behind: it may still run, now or later */
};

/* Must the work end? Then it has LW_WORKER_GRACE_S of real time to do so. */
typedef bool (*lw_worker_ends_f)(void *arg);
#define LW_WORKER_GRACE_S 2

/*
 * A thread that is used again for the next work. With a new thread each time, the allocator
 * would use its arenas in turn, and each arena would keep the most that the work ever needs.
 */
struct lw_worker;

/*
 * Do WORK(ARG) and wait for its end. The thread of *WORKER does it, and is made if there is none
 * (NULL). It is less urgent than the calling thread by 10 steps of nice, so that a thread that
 * serves an RPC gets a processor. WORK must not take locks that other threads wait for.
 *
 * ENDS(ARG) is called some times a second. Work that does not heed it, such as an endless loop,
 * is left behind, so that slurmctld can end. From then on all that the work uses, including its
 * code, must stay in place as long as the process lives, and *WORKER is NULL.
 */
enum lw_worker_end lw_worker_run(struct lw_worker **worker, void (*work)(void *),
				 lw_worker_ends_f ends, void *arg);
/* End the thread and wait for that; *WORKER is NULL afterwards, and may be NULL before. */
void lw_worker_stop(struct lw_worker **worker);

#endif
