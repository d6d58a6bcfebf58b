/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/agent/worker: who works, how urgently, and in what memory. */
#include "slurm/agent/worker.h"

#include "unit/unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool no_threads;
static struct lw_worker *worker;

static void stop(void)
{
	lw_worker_stop(&worker);
}

/* The linker takes this one before libc's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
		   void *arg)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	return no_threads ? EAGAIN : next(thread, attr, start, arg);
}

/* How long the caller may keep a processor, in ns; 0: this kernel has no such thing. */
static uint64_t slice_ns(void)
{
	struct lw_sched_attr attr = { .size = sizeof(attr) };

	ck_assert_int_eq(syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0), 0);
	return attr.runtime_ns;
}

struct seen {
	pthread_t by;
	uint64_t slice_ns;
	int nice;
	int times;
};

static void see(void *arg)
{
	struct seen *seen = arg;

	seen->by = pthread_self();
	seen->nice = getpriority(PRIO_PROCESS, 0);
	seen->slice_ns = slice_ns();
	seen->times++;
}

static bool goes_on(void *arg)
{
	(void)arg;
	return false;
}

/* Nobody is nicer than that. */
static int at_most_19(int nice)
{
	return nice < 19 ? nice : 19;
}

/* the caller's, beside what the test was started with: more urgent takes privileges */
static const int steps[] = { 0, 3, 15 };

FIXTURE(NULL, stop);

TEST_EACH(works_less_urgently_and_once, LW_COUNT_OF(steps))
{
	struct seen seen = { 0 };
	int nice = at_most_19(getpriority(PRIO_PROCESS, 0) + steps[_i]);

	ck_assert_int_eq(setpriority(PRIO_PROCESS, 0, nice), 0);
	ck_assert_int_eq(lw_worker_run(&worker, see, goes_on, &seen), LW_WORKER_DONE);
	ck_assert_int_eq(seen.times, 1);
	ck_assert_int_eq(seen.nice, at_most_19(nice + 10));
	ck_assert_uint_eq(seen.slice_ns, slice_ns() ? 100000 : 0);
	ck_assert(!pthread_equal(seen.by, pthread_self()));
	ck_assert_int_eq(getpriority(PRIO_PROCESS, 0), nice);
}

TEST(without_a_thread_the_caller_works)
{
	struct seen seen = { 0 };
	int nice = getpriority(PRIO_PROCESS, 0);

	no_threads = true;
	ck_assert_int_eq(lw_worker_run(&worker, see, goes_on, &seen), LW_WORKER_HERE);
	no_threads = false;
	ck_assert_int_eq(seen.times, 1);
	ck_assert_int_eq(seen.nice, nice);
	ck_assert_uint_eq(seen.slice_ns, slice_ns());
	ck_assert(pthread_equal(seen.by, pthread_self()));
}

/* Work that lasts until it is let go, whatever it is told. */
struct stuck {
	sem_t let_go, gone;
	unsigned asked, until; /* it is time to end once that has been asked so often */
	bool heeds;
};

static void get_stuck(void *arg)
{
	struct stuck *stuck = arg;

	while (sem_wait(&stuck->let_go))
		continue;
	sem_post(&stuck->gone);
}

static bool ends(void *arg)
{
	struct stuck *stuck = arg;

	if (++stuck->asked < stuck->until)
		return false;
	if (stuck->heeds)
		sem_post(&stuck->let_go);
	return true;
}

/* Its thread has everything it needs until it ends at last. */
TEST(who_is_stuck_is_left_behind)
{
	static struct stuck stuck = { .until = 2 };

	sem_init(&stuck.let_go, 0, 0);
	sem_init(&stuck.gone, 0, 0);
	ck_assert_int_eq(lw_worker_run(&worker, get_stuck, ends, &stuck), LW_WORKER_LEFT);
	ck_assert_ptr_null(worker);
	ck_assert_uint_eq(stuck.asked, 2);
	sem_post(&stuck.let_go);
	while (sem_wait(&stuck.gone))
		continue;
}

TEST(who_ends_when_it_is_time_is_waited_for)
{
	static struct stuck stuck = { .until = 3, .heeds = true };

	sem_init(&stuck.let_go, 0, 0);
	sem_init(&stuck.gone, 0, 0);
	ck_assert_int_eq(lw_worker_run(&worker, get_stuck, ends, &stuck), LW_WORKER_DONE);
	ck_assert_uint_eq(stuck.asked, 3);
}

/* Others that hold an arena of the allocator's each, as slurmctld's threads do. */
enum { ARENAS = 16, OTHERS = 64, WORKS = 200, PIECES = 256, PIECE = 4000, LARGE = 16 << 20 };

static void *hold_arena(void *arg)
{
	pthread_barrier_t *both = arg;
	void *volatile held = malloc(PIECE);

	pthread_barrier_wait(both); /* all have theirs */
	pthread_barrier_wait(both); /* the test is over */
	free(held);
	return NULL;
}

/* A megabyte, in pieces that are not mapped from the kernel one by one, and given back. */
static void use_memory(void *arg)
{
	void *volatile pieces[PIECES];

	for (int i = 0; i < PIECES; i++)
		pieces[i] = malloc(PIECE);
	for (int i = 0; i < PIECES; i++)
		free(pieces[i]);
	(void)arg;
}

/*
 * Each arena keeps what was freed in it: of works in all arenas, all of them would. That is so once
 * something large was freed, by which the allocator learns that it is worth keeping.
 */
TEST(memory_of_one_work_serves_the_next)
{
	pthread_t others[OTHERS];
	pthread_barrier_t both;
	void *volatile large; /* else the compiler sees that nobody needs it */
	size_t before;

	mallopt(M_ARENA_MAX, ARENAS); /* else it goes by the processors, and they may be many */
	large = malloc(LARGE);
	free(large);
	pthread_barrier_init(&both, NULL, OTHERS + 1);
	for (int i = 0; i < OTHERS; i++)
		ck_assert_int_eq(pthread_create(&others[i], NULL, hold_arena, &both), 0);
	pthread_barrier_wait(&both);
	ck_assert_int_eq(lw_worker_run(&worker, use_memory, goes_on, NULL), LW_WORKER_DONE);
	before = mallinfo2().arena;
	for (int i = 0; i < WORKS; i++)
		ck_assert_int_eq(lw_worker_run(&worker, use_memory, goes_on, NULL),
				 LW_WORKER_DONE);
	ck_assert_uint_lt(mallinfo2().arena, before + 2 * PIECES * PIECE);
	pthread_barrier_wait(&both);
	for (int i = 0; i < OTHERS; i++)
		pthread_join(others[i], NULL);
	pthread_barrier_destroy(&both);
}

/* Who ends before anything was asked of it, and twice. */
TEST(nobody_is_stopped_as_well)
{
	struct seen seen = { 0 };

	lw_worker_stop(&worker);
	ck_assert_int_eq(lw_worker_run(&worker, see, goes_on, &seen), LW_WORKER_DONE);
	lw_worker_stop(&worker);
	ck_assert_ptr_null(worker);
	lw_worker_stop(&worker);
	ck_assert_int_eq(lw_worker_run(&worker, see, goes_on, &seen), LW_WORKER_DONE);
	ck_assert_int_eq(seen.times, 2);
}
