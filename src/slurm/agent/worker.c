/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: long work in a thread that lets all others of the daemon go first. */

/* Refers to nothing of Slurm, so that it is unit-tested. */

#include "slurm/agent/worker.h"

#include "slurm/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Who runs keeps a processor for so long, if the kernel hears of it (Linux 6.12); its least. */
#define SLICE_NS 100000
/* Steps of nice. With these it gets a tenth of a processor that others want too: it still ends.
 */
#define LESS_URGENT 10

/* How often who waits for the work looks whether it is time to end. */
#define LOOK_US 200000

struct errand {
	void (*work)(void *);
	void *arg;
	pthread_mutex_t mutex; /* of the two below; the one who sees both set frees all */
	pthread_cond_t ended;
	bool done, left;
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

static void errand_free(struct errand *errand)
{
	pthread_cond_destroy(&errand->ended);
	pthread_mutex_destroy(&errand->mutex);
	free(errand);
}

static struct errand *errand_make(void (*work)(void *), void *arg)
{
	struct errand *errand = calloc(1, sizeof(*errand));

	if (!errand)
		return NULL;
	errand->work = work;
	errand->arg = arg;
	pthread_mutex_init(&errand->mutex, NULL);
	if (lw_clock_cond_init(&errand->ended)) {
		pthread_mutex_destroy(&errand->mutex);
		free(errand);
		return NULL;
	}
	return errand;
}

static void *run_errand(void *arg)
{
	struct errand *errand = arg;
	bool left;

	prctl(PR_SET_NAME, "leeway-plan", NULL, NULL, NULL);
	become_less_urgent();
	take_short_turns();
	errand->work(errand->arg);
	pthread_mutex_lock(&errand->mutex);
	errand->done = true;
	left = errand->left;
	pthread_cond_signal(&errand->ended);
	pthread_mutex_unlock(&errand->mutex);
	if (left)
		errand_free(errand);
	return NULL;
}

/* The kernel's own: a test cluster's clock is faster, and a busy machine is not. */
static int64_t real_s(void)
{
	struct timespec now = { 0 };

	(void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* False: it is to end, and does not. */
static bool wait_for_end(struct errand *errand, lw_worker_ends_f ends)
{
	int64_t since_s = 0;

	pthread_mutex_lock(&errand->mutex);
	while (!errand->done) {
		bool timely =
			lw_clock_wait(&errand->ended, &errand->mutex, lw_clock_us() + LOOK_US);

		if (errand->done || timely)
			continue;
		/* who is asked may take locks of its own */
		pthread_mutex_unlock(&errand->mutex);
		if (!since_s && ends(errand->arg))
			since_s = real_s();
		pthread_mutex_lock(&errand->mutex);
		if (since_s && real_s() - since_s > LW_WORKER_GRACE_S)
			break;
	}
	errand->left = !errand->done;
	pthread_mutex_unlock(&errand->mutex);
	return !errand->left;
}

enum lw_worker_end lw_worker_run(void (*work)(void *), lw_worker_ends_f ends, void *arg)
{
	struct errand *errand = errand_make(work, arg);
	pthread_t thread;

	if (!errand || pthread_create(&thread, NULL, run_errand, errand)) {
		if (errand)
			errand_free(errand);
		work(arg);
		return LW_WORKER_HERE;
	}
	if (!wait_for_end(errand, ends)) {
		pthread_detach(thread);
		return LW_WORKER_LEFT;
	}
	pthread_join(thread, NULL);
	errand_free(errand);
	return LW_WORKER_DONE;
}
