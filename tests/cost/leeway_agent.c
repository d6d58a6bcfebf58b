/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a fixed work: cycles of the agent in a stub of slurmctld. */
#include "slurm/agent/cycle.h"
#include "slurm/agent/worker.h"
#include "unit/scratch.h"
#include "unit/slurm_stub.h"

enum { CYCLES = 5, WAITING = 1000 };

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
