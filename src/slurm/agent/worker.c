/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: long work in a thread that lets all other threads of the daemon go first. */

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

/* The slice of a thread that runs, if the kernel takes it (Linux 6.12): the least it accepts. */
#define SLICE_NS 100000
/* Steps of nice. With these it gets a tenth of a processor that others want too: it still ends.
 */
#define LESS_URGENT 10

/* How often the waiting thread checks whether the work must end. */
#define LOOK_US 200000

struct lw_worker {
	pthread_t thread;
	pthread_mutex_t mutex; /* of all below */
	pthread_cond_t asked, done;
	void (*work)(void *); /* NULL: nothing is to be done */
	void *arg;
	int nice;
	bool stop;
	bool left; /* no thread waits for this one: it frees all of this when it is done */
};

/* On Linux nice is a property of the calling thread, not of the process. */
static int worker_less_urgent_nice(void)
{
	return getpriority(PRIO_PROCESS, 0) + LESS_URGENT;
}

/*
 * Less urgency is not enough: where the kernel keeps to slices (Linux 6.6 and later), a thread
 * that wakes for a request waits for the end of the slice, or for the next clock tick, even if
 * the running thread is less urgent.
 */
static void worker_take_short_turns(void)
{
	struct lw_sched_attr attr = { .size = sizeof(attr) };

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0))
		return;
	attr.runtime_ns = SLICE_NS;
	(void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void worker_free(struct lw_worker *worker)
{
	pthread_cond_destroy(&worker->done);
	pthread_cond_destroy(&worker->asked);
	pthread_mutex_destroy(&worker->mutex);
	free(worker);
}

/* What there is to do is done, with the mutex held before and after. */
static void worker_do_work(struct lw_worker *worker)
{
	void (*work)(void *) = worker->work;
	void *arg = worker->arg;
	int nice = worker->nice;

	pthread_mutex_unlock(&worker->mutex);
	(void)setpriority(PRIO_PROCESS, 0, nice);
	work(arg);
	pthread_mutex_lock(&worker->mutex);
	worker->work = NULL;
	pthread_cond_signal(&worker->done);
}

static void *run_worker(void *arg)
{
	struct lw_worker *worker = arg;
	bool left;

	prctl(PR_SET_NAME, "leeway-plan", NULL, NULL, NULL);
	worker_take_short_turns();
	pthread_mutex_lock(&worker->mutex);
	while (!worker->stop && !worker->left) {
		if (worker->work)
			worker_do_work(worker);
		else
			pthread_cond_wait(&worker->asked, &worker->mutex);
	}
	left = worker->left;
	pthread_mutex_unlock(&worker->mutex);
	if (left)
		worker_free(worker);
	return NULL;
}

static struct lw_worker *worker_make(void)
{
	struct lw_worker *worker = calloc(1, sizeof(*worker));

	if (!worker)
		return NULL;
	if (lw_clock_cond_init(&worker->done)) {
		free(worker);
		return NULL;
	}
	pthread_cond_init(&worker->asked, NULL);
	pthread_mutex_init(&worker->mutex, NULL);
	if (pthread_create(&worker->thread, NULL, run_worker, worker)) {
		worker_free(worker);
		return NULL;
	}
	return worker;
}

/* The kernel's own: a test cluster's clock is faster, and a busy machine is not. */
static int64_t worker_real_s(void)
{
	struct timespec now = { 0 };

	(void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* False: it is to end, and does not. */
static bool worker_wait_for_end(struct lw_worker *worker, lw_worker_ends_f ends, void *arg)
{
	int64_t since_s = 0;
	bool left;

	pthread_mutex_lock(&worker->mutex);
	while (worker->work) {
		bool timely = lw_clock_wait(&worker->done, &worker->mutex, lw_clock_us() + LOOK_US);

		if (!worker->work || timely)
			continue;
		/* the callback may take locks of its own */
		pthread_mutex_unlock(&worker->mutex);
		if (!since_s && ends(arg))
			since_s = worker_real_s();
		pthread_mutex_lock(&worker->mutex);
		if (since_s && worker_real_s() - since_s > LW_WORKER_GRACE_S)
			break;
	}
	left = worker->left = worker->work;
	if (left)
		pthread_detach(worker->thread);
	pthread_mutex_unlock(&worker->mutex);
	/* if it is left it may be gone by now */
	return !left;
}

enum lw_worker_end lw_worker_run(struct lw_worker **worker, void (*work)(void *),
				 lw_worker_ends_f ends, void *arg)
{
	struct lw_worker *who = *worker ? *worker : worker_make();

	*worker = who;
	if (!who) {
		work(arg);
		return LW_WORKER_HERE;
	}
	pthread_mutex_lock(&who->mutex);
	who->work = work;
	who->arg = arg;
	who->nice = worker_less_urgent_nice();
	pthread_cond_signal(&who->asked);
	pthread_mutex_unlock(&who->mutex);
	if (worker_wait_for_end(who, ends, arg))
		return LW_WORKER_DONE;
	*worker = NULL;
	return LW_WORKER_LEFT;
}

void lw_worker_stop(struct lw_worker **worker)
{
	struct lw_worker *who = *worker;

	if (!who)
		return;
	*worker = NULL;
	pthread_mutex_lock(&who->mutex);
	who->stop = true;
	pthread_cond_signal(&who->asked);
	pthread_mutex_unlock(&who->mutex);
	pthread_join(who->thread, NULL);
	worker_free(who);
}
