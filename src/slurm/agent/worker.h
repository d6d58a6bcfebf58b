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

/*
 * Do WORK(ARG) and wait until it is done: in a thread of its own, less urgent than the calling
 * one by 10 steps of nice, so that whoever serves an RPC meanwhile is not kept off a processor.
 * A thread that made itself less urgent may not become as urgent again without privileges, so
 * each piece of work has a thread of its own. WORK must not take locks that others wait for.
 * False if no thread could be made: then the calling thread did the work.
 */
bool lw_worker_run(void (*work)(void *), void *arg);

#endif
