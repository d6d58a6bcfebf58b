/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's locks, held for a moment at a time. */
#include "slurm/lock/session.h"

#include "slurm/bfparams.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/lock/nodemark.h"
#include "slurm/lock/trigger.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

/* Long enough for a thread that waits for the locks to get them, also if others are ready. */
#define PAUSE_US 2000
/*
 * How long one phase of a cycle waits for RPCs in all, so that these need not wait for locks, nor
 * share a processor with it. If RPCs never stop coming, they wait for locks as with stock after
 * that, and cycles still end.
 */
#define PATIENCE_US 500000
/* The part of its limit for which lw_session_yield_early() lets a session go on: a tenth. */
#define SHORT_PART 10
/* Of a long row of short steps so many are done between two looks at the clock. */
#define STEPS 32

/* From 25.11 on slurmctld waits for this condition at shutdown; older ones do not have it. */
static void session_tell_inactive(void)
{
	pthread_cond_t *waits = dlsym(RTLD_DEFAULT, "check_bf_running_cond");

	if (waits)
		pthread_cond_broadcast(waits);
}

static void session_set_active(uint32_t active)
{
	slurm_mutex_lock(&check_bf_running_lock);
	slurmctld_diag_stats.bf_active = active;
	if (!active)
		session_tell_inactive();
	slurm_mutex_unlock(&check_bf_running_lock);
}

/* Stock's backfill plans beside us. */
static bool beside_stock;

void lw_session_beside_stock(bool runs)
{
	beside_stock = runs;
}

static void session_take(struct lw_session *session)
{
	lock_slurmctld(LW_LOCKS_ALL);
	session->taken_us = lw_clock_us();
	session->nodes = lw_nodemark();
	session->since_us = session->offered_us = lw_clock_us();
}

static void session_give_up(struct lw_session *session)
{
	uint64_t held_us = lw_clock_us() - session->taken_us;

	unlock_slurmctld(LW_LOCKS_ALL);
	session->count++;
	session->held_us += held_us;
	if (held_us > session->longest_us)
		session->longest_us = held_us;
}

static uint32_t session_rpc_threads(void)
{
	int threads;

	slurm_mutex_lock(&slurmctld_config.thread_count_lock);
	threads = slurmctld_config.server_thread_count;
	slurm_mutex_unlock(&slurmctld_config.thread_count_lock);
	return threads > 0 ? (uint32_t)threads : 0;
}

/* How many RPCs are served while Slurm counts THREADS: some of these are always there. */
static uint32_t session_serving(uint32_t threads)
{
	return threads > LW_IDLE_RPC_THREADS ? threads - LW_IDLE_RPC_THREADS : 0;
}

bool lw_session_is_crowded(uint32_t max_rpcs)
{
	return max_rpcs && lw_trigger_is_crowded(session_rpc_threads(), max_rpcs);
}

bool lw_session_is_completing(void)
{
	bool completing;

	if (!slurm_conf.complete_wait)
		return false;
	lock_slurmctld((slurmctld_lock_t){ .conf = READ_LOCK, .job = READ_LOCK });
	completing = job_is_completing(NULL);
	unlock_slurmctld((slurmctld_lock_t){ .conf = READ_LOCK, .job = READ_LOCK });
	return completing;
}

static void session_spend(struct lw_session *session, uint64_t passed_us)
{
	session->patience_us -=
		passed_us < session->patience_us ? passed_us : session->patience_us;
}

/*
 * The locks are given up: wait a moment, and on while RPCs are served and patience lasts. If RPCs
 * were too many (max_rpc_cnt), wait until few are left, however long that takes.
 */
static void session_wait(struct lw_session *session)
{
	struct timespec pause = { .tv_nsec = PAUSE_US * 1000 };
	uint64_t since_us = lw_clock_us(), passed_us;
	uint32_t threads = session_rpc_threads();
	bool crowded = false;

	do {
		crowded |= lw_trigger_is_crowded(threads, session->max_rpcs);
		nanosleep(&pause, NULL);
		threads = session_rpc_threads();
		passed_us = lw_clock_us() - since_us;
	} while (!lw_slurm_peek(slurmctld_config.shutdown_time) && session_serving(threads) &&
		 ((crowded && threads > session->few_rpcs) || passed_us < session->patience_us));
	session_spend(session, passed_us);
}

void lw_session_unlocked(struct lw_session *session)
{
	*session = (struct lw_session){ .patience_us = PATIENCE_US };
}

static void session_offer_cpu(struct lw_session *session)
{
	uint64_t now_us = lw_clock_us();

	if (!lw_trigger_offers_cpu(now_us - session->offered_us, session->away_us,
				   session->patience_us))
		return;
	(void)sched_yield();
	session->offered_us = lw_clock_us();
	session->away_us = session->offered_us - now_us;
	session_spend(session, session->away_us);
}

/*
 * No thread waits for locks now, so other threads go first again, however long their work was.
 */
void lw_session_pause(struct lw_session *session)
{
	session_offer_cpu(session);
	session->away_us = 0;
	if (session->patience_us && session_serving(session_rpc_threads()))
		session_wait(session);
}

static bool session_is_over(struct lw_session *session)
{
	uint32_t threads;

	session_offer_cpu(session);
	threads = session_rpc_threads();
	return lw_trigger_is_crowded(threads, session->max_rpcs) ||
	       lw_trigger_yields(lw_clock_us() - session->since_us, session->limit_us,
				 session_serving(threads), session->patience_us);
}

static int session_count_reservations(void)
{
	return resv_list ? list_count(resv_list) : 0;
}

void lw_session_begin(struct lw_session *session, uint32_t limit_ms, struct lw_budget *budget)
{
	struct lw_bfparams params;

	*session = (struct lw_session){ .limit_us = (uint64_t)limit_ms * 1000,
					.patience_us = PATIENCE_US,
					.whole = beside_stock,
					.budget = budget };
	session_wait(session);
	if (!session->whole)
		session_set_active(1);
	session_take(session);
	lw_slurm_validate_reservations();
	params = lw_bfparams_of(slurm_conf.sched_params);
	session->max_rpcs = params.max_rpcs;
	session->few_rpcs = params.few_rpcs;
	session->stamped_s = time(NULL);
	session->parts_s = last_part_update;
	session->conf_s = slurm_conf.last_update;
	session->resvs_s = last_resv_update;
	session->resv_count = session_count_reservations();
}

void lw_session_no_yield(struct lw_session *session)
{
	session->limit_us = UINT64_MAX;
	session->patience_us = 0;
	session->max_rpcs = 0;
}

/*
 * Slurm stamps the table of reservations, but not when it purges one after its users were
 * deleted.
 */
static bool session_is_stale(const struct lw_session *session)
{
	time_t now = time(NULL);

	return session_count_reservations() != session->resv_count ||
	       lw_trigger_may_differ(session->parts_s, last_part_update, session->stamped_s,
				     now) ||
	       lw_trigger_may_differ(session->conf_s, slurm_conf.last_update, session->stamped_s,
				     now) ||
	       lw_trigger_may_differ(session->resvs_s, last_resv_update, session->stamped_s, now);
}

/* Pause if NOW says so, also after an overrun: cleaning up must not take one long session. */
static int session_let_pass(struct lw_session *session, bool now)
{
	uint64_t nodes = session->nodes;

	if (now && !session->whole) {
		session_give_up(session);
		session_wait(session);
		session_take(session);
		if (lw_slurm_peek(slurmctld_config.shutdown_time))
			return -ECANCELED;
		if (session->nodes != nodes || session_is_stale(session))
			return -ESTALE;
	}
	return session->budget && !lw_budget_allows(session->budget, lw_cpu_us(), 0) ? -ETIME : 0;
}

int lw_session_yield(struct lw_session *session)
{
	return session_let_pass(session, session_is_over(session));
}

int lw_session_yield_step(struct lw_session *session, uint32_t step)
{
	return step % STEPS ? 0 : lw_session_yield(session);
}

int lw_session_yield_early(struct lw_session *session)
{
	return session_let_pass(session, lw_clock_us() - session->since_us >=
							 session->limit_us / SHORT_PART ||
						 lw_session_is_crowded(session->max_rpcs));
}

void lw_session_end(struct lw_session *session)
{
	session_give_up(session);
	if (!session->whole)
		session_set_active(0);
}
