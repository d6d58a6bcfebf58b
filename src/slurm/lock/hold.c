/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's locks, held for a moment at a time. */
#include "slurm/lock/hold.h"

#include "slurm/bfparams.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/lock/pace.h"

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
/* The part of its limit for which lw_hold_anew() lets a hold go on: a tenth. */
#define SHORT_PART 10
/* Of a long row of short steps so many are done between two looks at the clock. */
#define STEPS 32

/* From 25.11 on slurmctld waits for this condition at shutdown; older ones do not have it. */
static void tell_inactive(void)
{
	pthread_cond_t *waits = dlsym(RTLD_DEFAULT, "check_bf_running_cond");

	if (waits)
		pthread_cond_broadcast(waits);
}

static void set_active(uint32_t active)
{
	slurm_mutex_lock(&check_bf_running_lock);
	slurmctld_diag_stats.bf_active = active;
	if (!active)
		tell_inactive();
	slurm_mutex_unlock(&check_bf_running_lock);
}

static void take(struct lw_hold *hold)
{
	lock_slurmctld(LW_LOCKS_ALL);
	hold->since_us = hold->offered_us = lw_clock_us();
}

static void give_up(struct lw_hold *hold)
{
	uint64_t held_us = lw_clock_us() - hold->since_us;

	unlock_slurmctld(LW_LOCKS_ALL);
	hold->count++;
	hold->held_us += held_us;
	if (held_us > hold->longest_us)
		hold->longest_us = held_us;
}

static uint32_t rpc_threads(void)
{
	int threads;

	slurm_mutex_lock(&slurmctld_config.thread_count_lock);
	threads = slurmctld_config.server_thread_count;
	slurm_mutex_unlock(&slurmctld_config.thread_count_lock);
	return threads > 0 ? (uint32_t)threads : 0;
}

/* How many RPCs are served while Slurm counts THREADS: some of these are always there. */
static uint32_t serving(uint32_t threads)
{
	return threads > LW_IDLE_RPC_THREADS ? threads - LW_IDLE_RPC_THREADS : 0;
}

bool lw_hold_is_crowded(uint32_t max_rpcs)
{
	return max_rpcs && lw_pace_is_crowded(rpc_threads(), max_rpcs);
}

bool lw_hold_is_completing(void)
{
	bool completing;

	if (!slurm_conf.complete_wait)
		return false;
	lock_slurmctld((slurmctld_lock_t){ .conf = READ_LOCK, .job = READ_LOCK });
	completing = job_is_completing(NULL);
	unlock_slurmctld((slurmctld_lock_t){ .conf = READ_LOCK, .job = READ_LOCK });
	return completing;
}

static void spend(struct lw_hold *hold, uint64_t passed_us)
{
	hold->patience_us -= passed_us < hold->patience_us ? passed_us : hold->patience_us;
}

/*
 * The locks are given up: wait a moment, and on while RPCs are served and patience lasts. If RPCs
 * were too many (max_rpc_cnt), wait until few are left, however long that takes.
 */
static void pause_hold(struct lw_hold *hold)
{
	struct timespec pause = { .tv_nsec = PAUSE_US * 1000 };
	uint64_t since_us = lw_clock_us(), passed_us;
	uint32_t threads = rpc_threads();
	bool crowded = false;

	do {
		crowded |= lw_pace_is_crowded(threads, hold->max_rpcs);
		nanosleep(&pause, NULL);
		threads = rpc_threads();
		passed_us = lw_clock_us() - since_us;
	} while (!slurmctld_config.shutdown_time &&
		 serving(threads) &&
		 ((crowded && threads > hold->few_rpcs) || passed_us < hold->patience_us));
	spend(hold, passed_us);
}

void lw_hold_no_locks(struct lw_hold *hold)
{
	*hold = (struct lw_hold){ .patience_us = PATIENCE_US };
}

static void step_aside(struct lw_hold *hold)
{
	uint64_t now_us = lw_clock_us();

	if (!lw_pace_steps_aside(now_us - hold->offered_us, hold->away_us, hold->patience_us))
		return;
	(void)sched_yield();
	hold->offered_us = lw_clock_us();
	hold->away_us = hold->offered_us - now_us;
	spend(hold, hold->away_us);
}

/* Nobody waits for locks meanwhile: however long others had work, they are let go first again. */
void lw_hold_off(struct lw_hold *hold)
{
	step_aside(hold);
	hold->away_us = 0;
	if (hold->patience_us && serving(rpc_threads()))
		pause_hold(hold);
}

static bool is_over(struct lw_hold *hold)
{
	uint32_t threads;

	step_aside(hold);
	threads = rpc_threads();
	return lw_pace_is_crowded(threads, hold->max_rpcs) ||
	       lw_pace_gives_way(lw_clock_us() - hold->since_us, hold->limit_us,
				 serving(threads), hold->patience_us);
}

static int count_reservations(void)
{
	return resv_list ? list_count(resv_list) : 0;
}

void lw_hold_begin(struct lw_hold *hold, uint32_t limit_ms, struct lw_budget *budget)
{
	struct lw_bfparams params;

	*hold = (struct lw_hold){ .limit_us = (uint64_t)limit_ms * 1000,
				  .patience_us = PATIENCE_US,
				  .budget = budget };
	pause_hold(hold);
	set_active(1);
	take(hold);
	lw_slurm_validate_reservations();
	params = lw_bfparams_of(slurm_conf.sched_params);
	hold->max_rpcs = params.max_rpcs;
	hold->few_rpcs = params.few_rpcs;
	hold->stamped_s = time(NULL);
	hold->parts_s = last_part_update;
	hold->conf_s = slurm_conf.last_update;
	hold->resvs_s = last_resv_update;
	hold->node_count = node_record_count;
	hold->resv_count = count_reservations();
}

void lw_hold_firmly(struct lw_hold *hold)
{
	hold->limit_us = UINT64_MAX;
	hold->patience_us = 0;
	hold->max_rpcs = 0;
}

/* Slurm stamps the table of reservations, but not when it purges one whose users are all gone. */
static bool is_stale(const struct lw_hold *hold)
{
	time_t now = time(NULL);

	return node_record_count != hold->node_count ||
	       count_reservations() != hold->resv_count ||
	       lw_pace_may_differ(hold->parts_s, last_part_update, hold->stamped_s, now) ||
	       lw_pace_may_differ(hold->conf_s, slurm_conf.last_update, hold->stamped_s, now) ||
	       lw_pace_may_differ(hold->resvs_s, last_resv_update, hold->stamped_s, now);
}

/* Pause if NOW says so, also after an overrun: cleaning up must not take one long hold. */
static int let_pass(struct lw_hold *hold, bool now)
{
	if (now) {
		give_up(hold);
		pause_hold(hold);
		take(hold);
		if (slurmctld_config.shutdown_time)
			return -ECANCELED;
		if (is_stale(hold))
			return -ESTALE;
	}
	return hold->budget && !lw_budget_allows(hold->budget, lw_cpu_us(), 0) ? -ETIME : 0;
}

int lw_hold_breathe(struct lw_hold *hold)
{
	return let_pass(hold, is_over(hold));
}

int lw_hold_step(struct lw_hold *hold, uint32_t step)
{
	return step % STEPS ? 0 : lw_hold_breathe(hold);
}

int lw_hold_anew(struct lw_hold *hold)
{
	return let_pass(hold, lw_clock_us() - hold->since_us >= hold->limit_us / SHORT_PART ||
				      lw_hold_is_crowded(hold->max_rpcs));
}

void lw_hold_end(struct lw_hold *hold)
{
	give_up(hold);
	set_active(0);
}
