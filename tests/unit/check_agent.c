/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/agent/thread: it starts, plans and ends while a slurmctld goes on.
 */

/*
 * What is asserted is little: that it plans, and ends in time. The lane threads runs this under
 * ThreadSanitizer, where any use of what two threads share without a lock fails it.
 */

#include "slurm/agent/thread.h"

#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/lock/session.h"
#include "unit/scratch.h"
#include "unit/slurm_stub.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* Whoever ends waits for a plan, or for one that is stuck. */
#define END_MOST_S 5

/* Some settings of the test are to be refused; those of all others are to be taken. */
static bool mistaken;

static void begin(void)
{
	mistaken = false;
	scratch_setup();
	scratch_write("leeway.yaml", "sched: {interval: 1s, min_interval: 1s, hold_ms: 1}\n");
	stub_begin(scratch_dir);
}

static void end(void)
{
	const char *touched = stub_touched_locked(false);

	ck_assert_msg(!touched, "%s() was called with a lock of Slurm held", touched);
	ck_assert_int_eq(stub_mistakes() > 0, mistaken);
	scratch_teardown();
}

static int64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void stop_in_time(void)
{
	int64_t since_s = now_s();

	lw_thread_stop();
	ck_assert_int_le(now_s() - since_s, END_MOST_S);
}

/* Serves RPCs until it is told not to. */
struct server {
	pthread_t thread;
	bool ends; /* atomic */
};

static void *serve(void *arg)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct server *server = arg;

	while (!__atomic_load_n(&server->ends, __ATOMIC_RELAXED)) {
		stub_rpc();
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void serve_begin(struct server *server)
{
	server->ends = false;
	ck_assert_int_eq(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void serve_end(struct server *server)
{
	__atomic_store_n(&server->ends, true, __ATOMIC_RELAXED);
	pthread_join(server->thread, NULL);
}

FIXTURE(begin, end);

TEST(plans_while_rpcs_are_served)
{
	struct server servers[2];
	struct stub_table table;

	ck_assert_int_eq(lw_thread_start(), 0);
	for (size_t i = 0; i < LW_COUNT_OF(servers); i++)
		serve_begin(&servers[i]);
	stub_await_plans(2);
	for (size_t i = 0; i < LW_COUNT_OF(servers); i++)
		serve_end(&servers[i]);
	stop_in_time();
	table = stub_look();
	ck_assert_uint_ge(table.looked, 2);
	ck_assert_uint_gt(table.wrote, 0);
}

/* slurmctld reads its own state there, too, but need not wait until a disk has written. */
TEST(writes_nothing_while_slurm_starts)
{
	const char *wrote;

	ck_assert_int_eq(stub_start_locked(lw_thread_start), 0);
	wrote = stub_touched_locked(true);
	ck_assert_msg(!wrote, "%s() was called", wrote);
	stub_forget_touches();
	stub_await_plans(1);
	ck_assert_int_eq(access(scratch_path("leeway_settings"), F_OK), 0);
	stop_in_time();
}

/* Other settings each time, so that there is something to read, and to free. */
TEST(is_reconfigured_at_any_time)
{
	static const char *const settings[] = {
		"sched: {interval: 1s, min_interval: 1s, predict: no, outlook: no}\n",
		"sched: {interval: 1s, min_interval: 1s, policy: conservative, order: sjf}\n",
		"sched: {interval: 1s, min_interval: 1s, policy: nonsense}\n",
		"sched: {interval: 1s, min_interval: 1s}\nshare: {record: /nonexistent/share}\n",
		"sched: {interval: 1s, min_interval: 1s, model: /nonexistent, order: learned}\n",
		"sched: {interval: 1s, min_interval: 1s}\n",
	};
	struct server server;

	mistaken = true;
	ck_assert_int_eq(lw_thread_start(), 0);
	serve_begin(&server);
	for (size_t i = 0; i < LW_COUNT_OF(settings); i++) {
		scratch_write("leeway.yaml", settings[i]);
		stub_change_tables();
		lw_thread_reconfigure();
		stub_await_plans(1);
		lw_thread_reconfigure();
	}
	serve_end(&server);
	stop_in_time();
}

/* As a backup takes over and gives back, and at a shutdown: in whatever phase a cycle is. */
TEST(stops_and_starts_again)
{
	struct server server;

	serve_begin(&server);
	for (int i = 0; i < 8; i++) {
		ck_assert_int_eq(lw_thread_start(), 0);
		if (i % 2)
			stub_await_plans(1);
		stub_shut_down(i % 4 == 3);
		stop_in_time();
		stub_shut_down(false);
	}
	serve_end(&server);
}

/* The last of them: nothing starts any more after it. */
TEST(leaves_a_stuck_planner_behind)
{
	struct server server;

	serve_begin(&server);
	ck_assert_int_eq(lw_thread_start(), 0);
	stub_await_plans(1);
	stub_stick();
	stub_await_stuck();
	lw_thread_reconfigure();
	stop_in_time();
	ck_assert_int_ne(lw_thread_start(), 0);
	/* the locks are free, whatever it does */
	stub_rpc();
	serve_end(&server);
	stub_unstick();
}

static void *replace_node(void *done)
{
	stub_replace_node(done);
	return NULL;
}

/* The table is as long as before, and the record has its old address. */
TEST(a_node_in_the_place_of_another_is_noticed)
{
	struct lw_session session;
	pthread_t thread;
	bool done = false;
	uint64_t before;
	int rc = 0;

	lw_session_begin(&session, 1, NULL);
	before = session.nodes;
	ck_assert_int_eq(pthread_create(&thread, NULL, replace_node, &done), 0);
	while (!rc && !done)
		rc = lw_session_yield(&session);
	ck_assert_int_eq(rc, -ESTALE);
	ck_assert(done);
	ck_assert_uint_ne(session.nodes, before);
	lw_session_end(&session);
	pthread_join(thread, NULL);
}

/* Slurm purges no record while its flag is set: one scheduler must not unset that of another. */
TEST(stock_keeps_its_flag_and_locks_are_kept)
{
	struct lw_session session;
	uint64_t since_us;

	lw_session_beside_stock(true);
	slurmctld_diag_stats.bf_active = 1;
	lw_session_begin(&session, 1, NULL);
	since_us = lw_clock_us();
	while (lw_clock_us() < since_us + 3000)
		ck_assert_int_eq(lw_session_yield(&session), 0);
	ck_assert_uint_eq(session.count, 0);
	lw_session_end(&session);
	ck_assert_uint_eq(slurmctld_diag_stats.bf_active, 1);
	slurmctld_diag_stats.bf_active = 0;
	lw_session_begin(&session, 1, NULL);
	ck_assert_uint_eq(slurmctld_diag_stats.bf_active, 0);
	lw_session_end(&session);
	lw_session_beside_stock(false);
}
