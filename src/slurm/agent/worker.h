/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: long work in a thread that lets all others of the daemon go first. */
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

/* How it ended. */
enum lw_worker_end {
	LW_WORKER_DONE, /* by a thread of its own */
	LW_WORKER_HERE, /* by the calling thread, since no other could be made */
	LW_WORKER_LEFT, /* it is stuck, and was left behind: it may still run, now or later */
};

/* Is it time to end? Then the work has LW_WORKER_GRACE_S of real time to do so. */
typedef bool (*lw_worker_ends_f)(void *arg);
#define LW_WORKER_GRACE_S 2

/*
 * A thread for work after work. A thread of its own for each would have the allocator deal out its
 * arenas in turn, and each of them would keep what the work needs at most.
 */
struct lw_worker;

/*
 * Do WORK(ARG) and wait until it is done: by the thread of *WORKER, which is made if there is none
 * yet (NULL). It is less urgent than the calling one by 10 steps of nice, so that whoever serves
 * an RPC meanwhile is not kept off a processor. WORK must not take locks that others wait for.
 *
 * ENDS(ARG) is asked some times a second. Work that does not heed it, since a fault has it go
 * round and round, say, is left behind, so that it keeps nobody else from ending: then all that
 * it uses, its code too, must stay where it is for as long as the process lives. *WORKER is NULL
 * then, too.
 */
enum lw_worker_end lw_worker_run(struct lw_worker **worker, void (*work)(void *),
				 lw_worker_ends_f ends, void *arg);
/* Have its thread end, and wait for that; *WORKER is NULL after it, and may have been. */
void lw_worker_stop(struct lw_worker **worker);

#endif
