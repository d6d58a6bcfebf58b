/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: long work in a thread that lets all others of the daemon go first. */

/* Refers to nothing of Slurm, so that it is unit-tested. */

#include "slurm/agent/aside.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* Steps of nice. With these it gets a tenth of a processor that others want too: it still ends. */
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

static void *run_errand(void *arg)
{
	struct errand *errand = arg;

	prctl(PR_SET_NAME, "leeway-plan", NULL, NULL, NULL);
	become_less_urgent();
	errand->work(errand->arg);
	return NULL;
}

bool lw_aside(void (*work)(void *), void *arg)
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
