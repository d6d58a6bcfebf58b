/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a fixed work: cycles of the agent in a stub of slurmctld. */
#include "slurm/agent/cycle.h"
#include "slurm/agent/worker.h"
#include "unit/scratch.h"
#include "unit/slurm_stub.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { CYCLES = 5, WAITING = 1000 };

/*
 * How often a thread looks whether another one is done depends on the machine, so there is no
 * other: the agent then plans itself. And the order of what is hashed depends on the time.
 */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*f)(void *),
			  void *arg);
time_t __wrap_time(time_t *ret_now);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*f)(void *),
			  void *arg)
{
	(void)thread, (void)attr, (void)f, (void)arg;
	return EAGAIN;
}

time_t __wrap_time(time_t *ret_now)
{
	const time_t now = 1764162000;

	if (ret_now)
		*ret_now = now;
	return now;
}

TEST(cycles_of_the_agent)
{
	static struct lw_agent agent = { .mutex = PTHREAD_MUTEX_INITIALIZER };

	scratch_setup();
	/* under valgrind it is slow: what it pauses for then, or gives up for, must not count */
	scratch_write("leeway.yaml", "sched: {hold_ms: 1000, budget_ms: 600000}\n");
	stub_begin(scratch_dir);
	stub_table.waiting = WAITING;
	ck_assert_int_eq(lw_agent_create(&agent), 0);
	for (int i = 0; i < CYCLES; i++)
		lw_cycle_run(&agent);
	ck_assert_uint_eq(agent.cycle, CYCLES);
	ck_assert(!agent.failures && !agent.yielded);
	ck_assert_uint_eq(agent.plan.decision_count, WAITING);
	lw_worker_stop(&agent.worker);
	lw_agent_destroy(&agent);
	scratch_teardown();
}
