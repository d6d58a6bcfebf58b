/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: long work in a thread that lets all others of the daemon go first. */

/* Refers to nothing of Slurm, so that it is unit-tested. */

#include "slurm/agent/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Who runs keeps a processor for so long, if the kernel hears of it (Linux 6.12); its least. */
#define SLICE_NS 100000
/* Steps of nice. With these it gets a tenth of a processor that others want too: it still ends.
 */
#define LESS_URGENT 10

struct errand {
	void (*work)(void *);
	void *arg;
};

/* On Linux nice is the calling thread's, not the process's. */
static void become_less_urgent(void)
{
	int nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (nice != -1 || !errno)
		(void)setpriority(PRIO_PROCESS, 0, nice + LESS_URGENT);
}

/*
 * Being less urgent is not all: where slices are kept to (Linux 6.6 and later), who wakes for a
 * request waits for the end of the slice, or for the next tick of the clock, even for who is less
 * urgent.
 */
static void take_short_turns(void)
{
	struct lw_sched_attr attr = { .size = sizeof(attr) };

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0))
		return;
	attr.runtime_ns = SLICE_NS;
	(void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void *run_errand(void *arg)
{
	struct errand *errand = arg;

	prctl(PR_SET_NAME, "leeway-plan", NULL, NULL, NULL);
	become_less_urgent();
	take_short_turns();
	errand->work(errand->arg);
	return NULL;
}

bool lw_worker_run(void (*work)(void *), void *arg)
{
	struct errand errand = { .work = work, .arg = arg };
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_errand, &errand)) {
		work(arg);
		return false;
	}
	pthread_join(thread, NULL);
	return true;
}
