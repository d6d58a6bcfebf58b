/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the thread that samples one step's GPUs while it runs. */
/*
 * It lives in slurmstepd, where nothing of ours may fail, wait or be noticed: so one
 * small thread does everything that touches a driver, a disk or the network, and the
 * stepd only ever waits for it a bounded time.
 *
 * Time between samples is poll()'s, which an accelerated clock (libfaketime) speeds up as
 * it does the job's own sleep; the wait in lw_watch_stop() is the kernel's receive
 * timeout, which it does not.
 */
#include "record/watch.h"

#include "record/access.h"
#include "record/file.h"
#include "record/list.h"
#include "record/savetime.h"
#include "record/tenant.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* as much as Slurm gives its own threads; only what is used is ever resident */
#define STACK_SIZE (1024 * 1024)
/* Of a file for which there are rights, but for moments. */
#define WRITE_TRIES 8
/* So the stepd has forked its tasks before we take any lock of the C library. */
#define FIRST_WAIT_MS 500
/* The end of a job waits so long for what steps on other nodes have still to write. */
#define OTHERS_WAIT_MS 2000
#define OTHERS_POLL_MS 20

struct lw_watch {
	struct lw_watch_params params;
	char source[256];
	char dir[256];
	char group[64];
	pthread_t thread;
	int ours;   /* end of the thread */
	int theirs; /* end of the thread that stops it */
	const struct lw_sampler_ops *ops;
	void *sampler;
	struct lw_record *record;
	struct lw_record_file *file;
	struct lw_save_time saving;
	struct lw_shared shared;
	int64_t energy_from_s; /* when the counters of energy were read first */
	uint64_t energy_mj[LW_RECORD_GPUS_MAX];
	bool told;        /* that the file cannot be written */
	bool told_hidden; /* that its user cannot read it */
};

static int64_t watch_now_s(void)
{
	return (int64_t)time(NULL);
}

/* By a clock that only goes forward. */
static int64_t watch_passed_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* True when it is time to stop. */
static bool watch_wait_ms(const struct lw_watch *watch, int ms)
{
	struct pollfd fd = { .fd = watch->ours, .events = POLLIN };

	return poll(&fd, 1, ms) > 0;
}

/* How much of the present second is over, by the same coarse clock as time(). */
static int watch_second_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return (int)(now.tv_nsec / 1000000);
}

/* True when it is time to stop, false at UNTIL_S, or as soon as the clock is set back. */
static bool watch_wait_until(const struct lw_watch *watch, int64_t until_s)
{
	int64_t left_s;

	while ((left_s = until_s - watch_now_s()) > 0 && left_s <= watch->params.head.interval_s)
		if (watch_wait_ms(watch,
				  left_s > 60 ? 60000 : (int)left_s * 1000 - watch_second_ms()))
			return true;
	return watch_wait_ms(watch, 0);
}

/* A batch step sees all GPUs the job has on its node, so steps beside it need not look. */
static bool watch_batch_watches(const struct lw_watch *watch)
{
	const struct lw_record_head *head = &watch->params.head;

	return strcmp(head->step, "batch") &&
	       lw_record_is_watched(watch->dir, head->job_id, head->node, "batch");
}

/*
 * While other plugins prepare a step, by unpacking a container for minutes, slurmstepd is its
 * user, and all its threads with it: but for files, and this thread alone, it may stay what
 * it was.
 */
static void watch_keep_file_rights(void)
{
	setfsuid(getuid());
	setfsgid(getgid());
}

/* False where nothing is counted, or not for this job alone. */
static bool watch_read_energy(const struct lw_watch *watch, int64_t at_s, uint64_t *mj)
{
	if (!watch->sampler || !watch->ops->energy || watch->params.shared)
		return false;
	watch->ops->energy(watch->sampler, at_s, mj);
	return true;
}

static void watch_begin_energy(struct lw_watch *watch)
{
	for (uint32_t g = 0; g < LW_RECORD_GPUS_MAX; g++)
		watch->energy_mj[g] = LW_SAMPLER_NO_ENERGY;
	watch->energy_from_s = watch_now_s();
	watch_read_energy(watch, watch->energy_from_s, watch->energy_mj);
}

static void watch_end_energy(struct lw_watch *watch)
{
	uint64_t mj[LW_RECORD_GPUS_MAX];
	int64_t at_s = watch_now_s();

	if (!watch_read_energy(watch, at_s, mj))
		return;
	for (uint32_t g = 0; g < watch->record->head.gpu_count; g++)
		if (mj[g] != LW_SAMPLER_NO_ENERGY && watch->energy_mj[g] != LW_SAMPLER_NO_ENERGY)
			lw_record_note_energy(watch->record, g, watch->energy_mj[g], mj[g],
					      at_s - watch->energy_from_s);
}

static int watch_open_source(struct lw_watch *watch, struct lw_error *err)
{
	struct lw_record_head *head = &watch->params.head;
	const char *arg = "";
	int rc = lw_sampler_choose(watch->source, &watch->ops, &arg, err);

	watch_keep_file_rights();
	if (!rc)
		rc = watch->ops->open(arg, head->gpu, head->gpu_count, head->start_s,
				      &watch->sampler, err);
	if (rc)
		return rc;
	rc = lw_record_create(head, &watch->record);
	return rc ? lw_error_set(err, rc, "no record: %s", strerror(-rc)) : 0;
}

static void watch_tell_file_error(struct lw_watch *watch, const struct lw_error *err)
{
	if (!watch->told)
		lw_log_error(watch->params.log, "job %" PRIu32 ": GPU record: %s",
			     watch->params.head.job_id, err->text);
	watch->told = true;
}

static void watch_tell_hidden(struct lw_watch *watch)
{
	if (!watch->told_hidden && lw_record_file_is_hidden(watch->file))
		lw_log_info(watch->params.log,
			    "job %" PRIu32 ": GPU record: the file system of %s has no ACLs: the "
			    "job's user cannot read it",
			    watch->params.head.job_id, watch->dir);
	watch->told_hidden = true;
}

static int watch_write_file(struct lw_watch *watch, struct lw_error *err)
{
	watch_keep_file_rights();
	return watch->file ? lw_record_file_save(watch->file, watch->record, err)
			   : lw_record_file_create(watch->dir, watch->record, &watch->file, err);
}

/* The newest reading is of AT_S. */
static void watch_save(void *arg, int64_t at_s)
{
	struct lw_watch *watch = arg;
	struct lw_error err;
	int rc = watch_write_file(watch, &err);

	watch->saving.saved_s = at_s;
	/*
	 * slurmstepd became its user in the middle of it; of an ACL that is EPERM. It does so
	 * several times while a step begins, for a moment each.
	 */
	for (int tries = 1; (rc == -EACCES || rc == -EPERM) && tries < WRITE_TRIES; tries++)
		rc = watch_write_file(watch, &err);
	if (rc)
		watch_tell_file_error(watch, &err);
	else
		watch_tell_hidden(watch);
}

static void watch_read_all(struct lw_watch *watch, int64_t at_s, struct lw_gpu_sample *samples)
{
	if (watch->params.shared)
		lw_shared_read(&watch->shared, watch->ops, watch->sampler, watch->record, at_s,
			       samples);
	else
		watch->ops->sample(watch->sampler, at_s, samples);
}

/* ---- what a job that shares does after a reading (record/tenant.h) ---- */

static bool watch_hand_wait(void *arg, int ms)
{
	return watch_wait_ms(arg, ms);
}

static int64_t watch_hand_read(void *arg, struct lw_gpu_sample *samples)
{
	int64_t at_s = watch_now_s();

	watch_read_all(arg, at_s, samples);
	return at_s;
}

static void watch_act(struct lw_watch *watch, int64_t at_s, const struct lw_gpu_sample *samples)
{
	const struct lw_tenant_hands hands = { watch_hand_wait, watch_hand_read, watch_save,
					       watch };

	if (watch->params.shared)
		lw_tenant_act(&watch->shared, watch->record, &hands, at_s, samples);
}

/* The reading that was planned for PLANNED_S; returns when it was. */
static int64_t watch_sample(struct lw_watch *watch, int64_t planned_s,
			    struct lw_gpu_sample *samples)
{
	int64_t now = watch_now_s();

	watch_read_all(watch, now, samples);
	lw_record_add(watch->record, now, samples);
	if (lw_save_time_is_due(&watch->saving, now))
		watch_save(watch, now);
	lw_save_time_note(&watch->saving, planned_s, watch_now_s());
	return now;
}

/*
 * Steps on other nodes end with this one; what they saw last is not in their parts yet. A time
 * of day that is set meanwhile makes the wait neither longer nor shorter.
 */
static void watch_wait_for_others(const struct lw_watch *watch)
{
	int64_t until_ms = watch_passed_ms() + OTHERS_WAIT_MS;

	while (lw_record_job_is_live(watch->dir, watch->params.head.job_id) &&
	       watch_passed_ms() < until_ms)
		poll(NULL, 0, OTHERS_POLL_MS);
}

/* What the directory knows of the job, or this record alone when it cannot be read. */
static void watch_tell(struct lw_watch *watch)
{
	const struct lw_record_head *head = &watch->params.head;
	const char *const dir = watch->dir;
	struct lw_record_list list;

	watch_wait_for_others(watch);
	if (lw_record_list_read(&dir, 1, head->job_id, &list, NULL)) {
		watch->params.done(watch->params.arg, &watch->record, 1);
		return;
	}
	if (watch->params.done(watch->params.arg, list.records, list.count))
		lw_record_note_sent(watch->dir, head->job_id, head->node);
	lw_record_list_fini(&list);
}

static void watch_read_end(struct lw_watch *watch)
{
	struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };

	if (!watch->sampler || !watch->ops->sample_end || watch->params.shared)
		return;
	watch->ops->sample_end(watch->sampler, samples);
	lw_record_add_at_end(watch->record, samples);
}

static void watch_finish(struct lw_watch *watch)
{
	struct lw_error err;

	watch_read_end(watch);
	watch_end_energy(watch);
	watch->record->head.end_s = watch_now_s();
	watch_keep_file_rights();
	if (watch->file && lw_record_file_finish(watch->file, watch->record, &err))
		watch_tell_file_error(watch, &err);
	watch->file = NULL;
	if (watch->params.done)
		watch_tell(watch);
}

/*
 * A step so short that nothing was opened yet: its record says that there was one, and no
 * driver makes its end wait.
 */
static void watch_record_unread(struct lw_watch *watch)
{
	struct lw_record_head *head = &watch->params.head;

	for (uint32_t g = 0; g < head->gpu_count; g++)
		if (!head->gpu[g].id[0])
			snprintf(head->gpu[g].id, sizeof(head->gpu[g].id), "index-%" PRIu32,
				 head->gpu[g].index);
	if (lw_record_create(head, &watch->record))
		return;
	watch_save(watch, watch_now_s());
	watch_finish(watch);
}

static void watch_tell_no_source(const struct lw_watch *watch, const struct lw_error *err)
{
	/* a node without NVIDIA's library is nothing to complain of */
	lw_log_write(watch->params.log,
		     strcmp(watch->source, "auto") ? LW_LOG_ERROR : LW_LOG_INFO,
		     "job %" PRIu32 ": no GPU record: %s", watch->params.head.job_id,
		     err->text);
}

/* Without the group a record is its user's and root's. */
static void watch_find_group(struct lw_watch *watch)
{
	struct lw_error err;

	if (*watch->group &&
	    lw_access_find_group(watch->group, &watch->params.head.group_id, &err))
		lw_log_error(watch->params.log, "job %" PRIu32 ": GPU record: plugstack.conf: %s",
			     watch->params.head.job_id, err.text);
}

int lw_watch_phase_ms(uint32_t reading)
{
	return (int)((uint64_t)reading * 618 % 1000 * 9 / 10);
}

static void watch_run(struct lw_watch *watch)
{
	int64_t next_s = watch->params.head.start_s, planned_s;
	bool short_step = watch_wait_ms(watch, FIRST_WAIT_MS);
	uint32_t readings = 0;
	struct lw_error err;

	if (watch_batch_watches(watch))
		return;
	watch_find_group(watch);
	if (short_step) {
		watch_record_unread(watch);
		return;
	}
	if (watch_open_source(watch, &err)) {
		watch_tell_no_source(watch, &err);
		return;
	}
	watch_begin_energy(watch);
	watch->saving.start_s = watch->params.head.start_s;
	watch->saving.interval_s = watch->params.head.interval_s;
	planned_s = watch_now_s();
	do {
		struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };

		watch_act(watch, watch_sample(watch, planned_s, samples), samples);
		next_s += watch->params.head.interval_s;
		if (next_s <= watch_now_s() ||
		    next_s > watch_now_s() + watch->params.head.interval_s)
			next_s = watch_now_s() + watch->params.head.interval_s;
		planned_s = next_s;
	} while (!watch_wait_until(watch, next_s) &&
		 !watch_wait_ms(watch, lw_watch_phase_ms(++readings)));
	watch_finish(watch);
}

static void *watch_thread_main(void *arg)
{
	struct lw_watch *watch = arg;

	watch_run(watch);
	if (watch->sampler)
		watch->ops->close(watch->sampler);
	lw_record_file_abandon(watch->file);
	lw_record_destroy(watch->record);
	shutdown(watch->ours, SHUT_WR); /* the waiting thread reads the end */
	return NULL;
}

static int watch_start_thread(struct lw_watch *watch)
{
	sigset_t all, old;
	pthread_attr_t attr;
	int rc;

	sigfillset(&all);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&watch->thread, &attr, watch_thread_main, watch);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (!rc)
		pthread_setname_np(watch->thread, "leeway-gpu");
	return -rc;
}

static void watch_destroy(struct lw_watch *watch)
{
	close(watch->ours);
	close(watch->theirs);
	free(watch);
}

static struct lw_watch *watch_create(const struct lw_watch_params *params)
{
	struct lw_watch *watch = calloc(1, sizeof(*watch));
	int pair[2];

	if (!watch)
		return NULL;
	if (strlen(params->options.source) >= sizeof(watch->source) ||
	    strlen(params->options.dir) >= sizeof(watch->dir) ||
	    strlen(params->options.group) >= sizeof(watch->group) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		free(watch);
		return NULL;
	}
	watch->params = *params;
	strcpy(watch->source, params->options.source);
	strcpy(watch->dir, params->options.dir);
	strcpy(watch->group, params->options.group);
	watch->params.head.interval_s = params->options.interval_s;
	watch->params.head.shared = params->shared;
	lw_shared_init(&watch->shared, params->share_calls, watch->dir, params->log);
	watch->ours = pair[0];
	watch->theirs = pair[1];
	return watch;
}

int lw_watch_start(const struct lw_watch_params *params, struct lw_watch **ret_watch,
		   struct lw_error *err)
{
	struct lw_watch *watch = watch_create(params);
	int rc;

	if (!watch)
		return lw_error_set(err, -ENOMEM, "no memory, or an option is too long");
	rc = watch_start_thread(watch);
	if (rc) {
		watch_destroy(watch);
		return lw_error_set(err, rc, "no thread: %s", strerror(-rc));
	}
	*ret_watch = watch;
	return 0;
}

int lw_watch_stop(struct lw_watch *watch, uint32_t wait_s)
{
	struct timeval limit = { .tv_sec = wait_s };
	ssize_t got;
	char byte;

	if (!watch)
		return 0;
	setsockopt(watch->theirs, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	shutdown(watch->theirs, SHUT_WR);
	do {
		got = recv(watch->theirs, &byte, 1, 0);
	} while (got < 0 && errno == EINTR);
	if (got) {
		pthread_detach(watch->thread);
		return -ETIMEDOUT;
	}
	pthread_join(watch->thread, NULL);
	watch_destroy(watch);
	return 0;
}
