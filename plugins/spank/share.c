/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job that shares a GPU asks of Slurm, from the watch's thread. */
/*
 * All of it goes through Slurm's own functions: no command is run, and nothing that a user wrote
 * is more than a number or a text in a message. slurmstepd does not wait for any of it but at its
 * end, and then for ten seconds at most.
 */
#include "spank/share.h"

#include "base/words.h"
#include "slurm/compat/public.h"
#include "spank/job.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <string.h>

/* Slurm takes no change of a job for the moment in which it numbers its new record. */
#define UPDATE_TRIES   20
#define UPDATE_WAIT_MS 250

static struct {
	uint32_t job_id;
	/* what its id is called by people; of an array's task the raw id may mean all of them */
	char name[32];
} share;

/* Slurm itself knows the job of a process, by whatever tracks its processes. */
static int share_ask_owner(void *arg, uint32_t pid, uint32_t *ret_job)
{
	uint32_t job_id = 0;

	(void)arg;
	errno = 0;
	if (!lw_public_pid_job((pid_t)pid, &job_id)) {
		*ret_job = job_id;
		return 0;
	}
	if (errno != ESLURM_INVALID_JOB_ID)
		return -EAGAIN;
	*ret_job = 0;
	return 0;
}

static void share_name_job(const slurm_job_info_t *job)
{
	if (job->array_task_id == NO_VAL)
		snprintf(share.name, sizeof(share.name), "%" PRIu32, share.job_id);
	else
		snprintf(share.name, sizeof(share.name), "%" PRIu32 "_%" PRIu32,
			 job->array_job_id, job->array_task_id);
}

static int share_take_job(void *arg, const slurm_job_info_t *job)
{
	struct lw_shared_job *ret_job = arg;

	if (lw_sharemark_read(job->admin_comment, &ret_job->mark) ||
	    !(ret_job->mark.mem_hard || ret_job->mark.lend_s || ret_job->mark.guest))
		return -ENOENT;
	share_name_job(job);
	ret_job->can_requeue = job->requeue != 0;
	return 0;
}

static int share_ask_job(void *arg, struct lw_shared_job *ret_job)
{
	int rc = lw_job_look(share.job_id, share_take_job, ret_job);

	(void)arg;
	/* whatever kept slurmctld from an answer, it may give one later */
	return !rc || rc == -ENOENT ? rc : rc == -ESRCH ? -ENOENT : -EAGAIN;
}

static void share_tell_user_of_job(void *arg, const char *line)
{
	(void)arg;
	slurm_spank_log("%s", line);
}

static int share_put_mark(const struct lw_sharemark *mark, const char *old,
			  char buf[LW_COMMENT_MAX])
{
	char word[LW_SHAREMARK_MAX];
	int rc = lw_sharemark_print(mark, word, sizeof(word));

	return rc ? rc : lw_words_put(old, LW_SHAREMARK_PREFIX, word, buf, LW_COMMENT_MAX);
}

/* Of the mark that stands there now whether its GPU is idle, and nothing else. */
static int share_put_idle(void *arg, const char *old, char buf[LW_COMMENT_MAX])
{
	const struct lw_sharemark *mark = arg;
	struct lw_sharemark now;
	int rc = lw_sharemark_read(old, &now);

	if (rc)
		return rc;
	now.idle = mark->idle;
	return share_put_mark(&now, old, buf);
}

static int share_put_mark_of_job(void *arg, const struct lw_sharemark *mark)
{
	struct lw_sharemark copy = *mark;

	(void)arg;
	return lw_job_change(share.job_id, NULL, share_put_idle, &copy);
}

static int share_put_leaving(void *arg, const char *old, char buf[LW_COMMENT_MAX])
{
	return share_put_mark(arg, old, buf);
}

/* It waits again: what it asks for is changed, and its comment says why. */
static int share_ask_for_whole(const char *whole, const struct lw_sharemark *mark)
{
	struct lw_sharemark copy = *mark;
	int rc = -ENOSPC;

	for (int tries = 0; tries < UPDATE_TRIES; tries++) {
		rc = lw_job_change(share.job_id, whole, share_put_leaving, &copy);
		if (!rc || rc == -ESLURM_JOB_FINISHED || rc == -ESLURM_INVALID_JOB_ID ||
		    rc == -ESLURM_INVALID_GRES || rc == -ENOSPC)
			break;
		poll(NULL, 0, UPDATE_WAIT_MS);
	}
	return rc;
}

/*
 * A job that was requeued does not start for two minutes, until its old credential is over: time
 * enough to change what it asks for. Were it not changed, it would share again, and leave again.
 */
static int share_requeue(const struct lw_sharemark *had, const struct lw_sharemark *mark)
{
	char all[LW_SHAREMARK_GRES], named[LW_SHAREMARK_GRES + sizeof(LW_GRES_PREFIX)];
	int rc = lw_public_requeue(share.job_id, 0);

	if (rc)
		return errno ? -errno : -EIO;
	if (!mark)
		return 0;
	rc = share_ask_for_whole(had->was, mark);
	if (rc == -ESLURM_INVALID_GRES && had->of) {
		/* 22.05 changes no shard into a GPU; with all of them the job has it alone as
		 * well */
		lw_sharemark_all_parts(had, all);
		snprintf(named, sizeof(named), LW_GRES_PREFIX "%s", all);
		rc = share_ask_for_whole(named, mark);
	}
	if (rc)
		slurm_error(
			"leeway: job %u: was requeued, but still asks for a part of a GPU: %s",
			share.job_id, slurm_strerror(-rc));
	return 0;
}

static int share_leave_gpu_of_job(void *arg, const struct lw_shared_job *job,
				  const struct lw_sharemark *mark)
{
	int rc = -ESLURM_DISABLED;

	(void)arg;
	if (job->can_requeue)
		rc = share_requeue(&job->mark, mark);
	if (rc != -ESLURM_DISABLED && rc != -ESLURM_BATCH_ONLY)
		return rc == -ESLURM_JOB_PENDING ? 0 : rc;
	return slurm_kill_job2(share.name, SIGKILL, 0, NULL) ? -errno : 0;
}

const struct lw_shared_calls *lw_share_calls(uint32_t job_id)
{
	static const struct lw_shared_calls calls = {
		.owner = share_ask_owner,
		.ask = share_ask_job,
		.tell = share_tell_user_of_job,
		.leave = share_leave_gpu_of_job,
		.put = share_put_mark_of_job,
	};

	share.job_id = job_id;
	return &calls;
}
