/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a slurmctld of locks, counters and a table, for the agent to run in. */

/*
 * What of src/slurm goes through Slurm's records is replaced as well: a reading is a text, a look
 * at the table and some offers of the locks; what is written is counted in the stub_table. So all
 * that runs in threads is real, and all that it shares is here to be raced for.
 */

#include "unit/slurm_stub.h"

#include "slurm/clock.h"
#include "slurm/compat/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LOCKS 5
/* What the agent takes for a second is a twentieth of one. */
#define FASTER 20

/* Slurm's own */
slurm_conf_t slurm_conf;
slurmctld_config_t slurmctld_config = { .thread_count_lock = PTHREAD_MUTEX_INITIALIZER };
diag_stats_t slurmctld_diag_stats;
pthread_mutex_t check_bf_running_lock = PTHREAD_MUTEX_INITIALIZER;
time_t last_job_update, last_node_update, last_part_update, last_resv_update;
static config_record_t node_config;
static node_record_t stub_nodes[5] = {
	{ .name = "n0", .config_ptr = &node_config },
	{ .name = "n1", .config_ptr = &node_config },
	{ .name = "n2", .config_ptr = &node_config },
	{ .name = "n3", .config_ptr = &node_config },
	{ .name = "n4", .config_ptr = &node_config },
};
static node_record_t *node_table[] = { &stub_nodes[0], &stub_nodes[1], &stub_nodes[2],
				       &stub_nodes[3], &stub_nodes[4] };
node_record_t **node_record_table_ptr = node_table;
int node_record_count = 4;
list_t *resv_list, *part_list;

static pthread_rwlock_t locks[LOCKS] = {
	PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER,
	PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER,
};
struct stub_table stub_table;
static sem_t planned, stuck, arrived;
static bool sticks; /* atomic */
static _Thread_local unsigned held; /* locks, by this thread */
static const char *touched, *wrote; /* atomic */
static char folder_path[256];

static void take(pthread_rwlock_t *lock, lock_level_t level)
{
	if (level == READ_LOCK)
		pthread_rwlock_rdlock(lock);
	else if (level == WRITE_LOCK)
		pthread_rwlock_wrlock(lock);
	held += level != NO_LOCK;
}

void lock_slurmctld(slurmctld_lock_t levels)
{
	take(&locks[0], levels.conf);
	take(&locks[1], levels.job);
	take(&locks[2], levels.node);
	take(&locks[3], levels.part);
	take(&locks[4], levels.fed);
}

static void leave(pthread_rwlock_t *lock, lock_level_t level)
{
	if (level != NO_LOCK)
		pthread_rwlock_unlock(lock);
	held -= level != NO_LOCK;
}

void unlock_slurmctld(slurmctld_lock_t levels)
{
	leave(&locks[4], levels.fed);
	leave(&locks[3], levels.part);
	leave(&locks[2], levels.node);
	leave(&locks[1], levels.job);
	leave(&locks[0], levels.conf);
}

bool job_is_completing(bitstr_t *nodes)
{
	(void)nodes;
	return false;
}

/* Any job that the table has may be written to. */
job_record_t *find_job_record(uint32_t job_id)
{
	static job_record_t record = { .job_state = JOB_PENDING, .priority = 1 };

	return job_id >= stub_table.first_id && job_id < stub_table.first_id + stub_table.waiting
		       ? &record
		       : NULL;
}

/* No job has lost one. */
node_record_t *find_node_record2(char *name)
{
	(void)name;
	return NULL;
}

char *get_extra_conf_path(char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", folder_path, name) < 0 ? NULL : path;
}

void slurm_xfree(void **memory)
{
	free(*memory);
	*memory = NULL;
}

int bb_g_load_state(bool all)
{
	(void)all;
	return 0;
}

int bb_g_job_try_stage_in(void)
{
	return 0;
}

/* Nobody asks for these here: there is neither a list nor a stock agent. */
int list_count(list_t *list)
{
	(void)list;
	return 0;
}

int list_for_each(list_t *list, ListForF f, void *arg)
{
	(void)list, (void)f, (void)arg;
	return 0;
}

void slurmdb_destroy_bf_usage(void *usage)
{
	(void)usage;
}

void xhash_free_ptr(xhash_t **hash)
{
	(void)hash;
}

/* The log: a line is formatted, so that what it says is read, and goes nowhere. */
static unsigned mistakes; /* atomic */

static void drop_line(const char *format, va_list args)
{
	char line[1024];

	vsnprintf(line, sizeof(line), format, args);
	if (strstr(line, "/leeway.yaml:1:"))
		(void)__atomic_fetch_add(&mistakes, 1, __ATOMIC_RELAXED);
}

#define LOG_BODY                                                                                 \
	va_list args;                                                                            \
	va_start(args, format);                                                                  \
	drop_line(format, args);                                                                 \
	va_end(args)

int error(const char *format, ...)
{
	LOG_BODY;
	return -1;
}

#ifndef warning /* where it is none of its own */
void warning(const char *format, ...)
{
	LOG_BODY;
}
#endif

void log_var(const log_level_t level, const char *format, ...)
{
	(void)level;
	LOG_BODY;
}

int get_log_level(void)
{
	return LOG_LEVEL_DEBUG;
}

void fatal(const char *format, ...)
{
	(void)format;
	abort();
}

void fatal_abort(const char *format, ...)
{
	(void)format;
	abort();
}

/* The clock of src/slurm. */
static uint64_t read_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t lw_clock_us(void)
{
	return read_us(CLOCK_MONOTONIC) * FASTER;
}

int64_t lw_clock_s(void)
{
	return (int64_t)(lw_clock_us() / 1000000);
}

uint64_t lw_cpu_us(void)
{
	return read_us(CLOCK_THREAD_CPUTIME_ID);
}

int lw_clock_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
	return 0;
}

bool lw_clock_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t end_us)
{
	const uint64_t real_us = end_us / FASTER;
	const struct timespec end = { .tv_sec = (time_t)(real_us / 1000000),
				      .tv_nsec = (long)(real_us % 1000000) * 1000 };

	return pthread_cond_timedwait(cond, mutex, &end) != ETIMEDOUT;
}

/* In the thread that plans. */
void stub_be_stuck(void)
{
	if (!__atomic_load_n(&sticks, __ATOMIC_RELAXED))
		return;
	sem_post(&arrived);
	while (__atomic_load_n(&sticks, __ATOMIC_RELAXED))
		sem_wait(&stuck);
}

void stub_note_plan(void)
{
	sem_post(&planned);
}

/* What a test does. */
void stub_begin(const char *folder)
{
	snprintf(folder_path, sizeof(folder_path), "%s", folder);
	sem_init(&planned, 0, 0);
	sem_init(&stuck, 0, 0);
	sem_init(&arrived, 0, 0);
	stub_table = (struct stub_table){ .waiting = 6, .first_id = 100 };
	stub_forget_touches();
	__atomic_store_n(&mistakes, 0, __ATOMIC_RELAXED);
	slurm_conf =
		(slurm_conf_t){ .state_save_location = folder_path, .plugindir = folder_path };
	slurmctld_config.thread_id_save = pthread_self();
	slurmctld_config.server_thread_count = LW_IDLE_RPC_THREADS;
}

static void count_rpc(int by)
{
	pthread_mutex_lock(&slurmctld_config.thread_count_lock);
	slurmctld_config.server_thread_count += by;
	pthread_mutex_unlock(&slurmctld_config.thread_count_lock);
}

/* Slurm's own counters have no lock: how they are written here nobody can mind. */
#define COUNT(counter)        ((void)__atomic_fetch_add(&(counter), 1, __ATOMIC_RELAXED))
#define STIR(variable, value) __atomic_store_n(&(variable), value, __ATOMIC_RELAXED)

void stub_rpc(void)
{
	const slurmctld_lock_t levels = { .job = WRITE_LOCK, .node = WRITE_LOCK };
	diag_stats_t *stats = &slurmctld_diag_stats;

	count_rpc(1);
	lock_slurmctld(levels);
	stub_table.first_id++;
	stub_table.waiting = 3 + stub_table.first_id % 5;
	STIR(last_job_update, time(NULL));
	STIR(last_node_update, time(NULL));
	unlock_slurmctld(levels);
	COUNT(stats->jobs_submitted);
	COUNT(stats->jobs_completed);
	COUNT(stats->schedule_cycle_counter);
	count_rpc(-1);
}

void stub_change_tables(void)
{
	const slurmctld_lock_t levels = {
		.conf = WRITE_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK, .part = WRITE_LOCK
	};

	lock_slurmctld(levels);
	last_part_update = last_resv_update = slurm_conf.last_update = time(NULL);
	node_record_count ^= 1;
	unlock_slurmctld(levels);
}

/* At the address of the one that was deleted. */
void stub_replace_node(bool *done)
{
	const slurmctld_lock_t levels = { .job = WRITE_LOCK, .node = WRITE_LOCK };
	static char name[] = "other";

	count_rpc(1);
	lock_slurmctld(levels);
	stub_nodes[2].name = name;
	STIR(last_node_update, time(NULL));
	*done = true;
	unlock_slurmctld(levels);
	count_rpc(-1);
}

void stub_await_plans(unsigned count)
{
	while (count)
		count -= !sem_wait(&planned);
}

void stub_stick(void)
{
	__atomic_store_n(&sticks, true, __ATOMIC_RELAXED);
}

void stub_await_stuck(void)
{
	while (sem_wait(&arrived))
		continue;
}

void stub_unstick(void)
{
	__atomic_store_n(&sticks, false, __ATOMIC_RELAXED);
	sem_post(&stuck);
}

void stub_shut_down(bool down)
{
	STIR(slurmctld_config.shutdown_time, down ? time(NULL) : 0);
}

void stub_touch(const char *call, bool writes)
{
	if (held)
		__atomic_store_n(&touched, call, __ATOMIC_RELAXED);
	if (held && writes)
		__atomic_store_n(&wrote, call, __ATOMIC_RELAXED);
}

const char *stub_touched_locked(bool writes)
{
	return __atomic_load_n(writes ? &wrote : &touched, __ATOMIC_RELAXED);
}

void stub_forget_touches(void)
{
	__atomic_store_n(&touched, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&wrote, NULL, __ATOMIC_RELAXED);
}

unsigned stub_mistakes(void)
{
	return __atomic_load_n(&mistakes, __ATOMIC_RELAXED);
}

int stub_start_locked(int (*start)(void))
{
	const slurmctld_lock_t levels = {
		.conf = WRITE_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK, .part = WRITE_LOCK
	};
	int rc;

	lock_slurmctld(levels);
	rc = start();
	unlock_slurmctld(levels);
	return rc;
}

struct stub_table stub_look(void)
{
	const slurmctld_lock_t levels = { .job = READ_LOCK };
	struct stub_table now;

	lock_slurmctld(levels);
	now = stub_table;
	unlock_slurmctld(levels);
	return now;
}
