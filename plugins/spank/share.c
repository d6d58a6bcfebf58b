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

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <string.h>

#define COMMENT_MAX 8192
/* Slurm takes no change of a job for the moment in which it numbers its new record. */
#define UPDATE_TRIES   20
#define UPDATE_WAIT_MS 250

static struct {
	uint32_t job_id;
	/* what its id is called by people; of an array's task the raw id may mean all of them */
	char name[32];
	char comment[COMMENT_MAX]; /* its admin_comment as it was when the job was asked for */
} share;

/* Slurm itself knows whose a process is, by whatever it tracks processes with. */
static int ask_owner(void *arg, uint32_t pid, uint32_t *ret_job)
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

static void name_job(const slurm_job_info_t *job)
{
	if (job->array_task_id == NO_VAL)
		snprintf(share.name, sizeof(share.name), "%" PRIu32, share.job_id);
	else
		snprintf(share.name, sizeof(share.name), "%" PRIu32 "_%" PRIu32,
			 job->array_job_id, job->array_task_id);
}

static int take_job(const slurm_job_info_t *job, struct lw_shared_job *ret_job)
{
	const char *comment = job->admin_comment ? job->admin_comment : "";

	if (strlen(comment) >= sizeof(share.comment) ||
	    lw_sharemark_read(comment, &ret_job->mark) ||
	    !(ret_job->mark.mem_hard || ret_job->mark.lend_s || ret_job->mark.guest))
		return -ENOENT;
	strcpy(share.comment, comment);
	name_job(job);
	ret_job->can_requeue = job->requeue != 0;
	return 0;
}

/* For the master of an array slurmctld answers with all its tasks. */
static int ask_job(void *arg, struct lw_shared_job *ret_job)
{
	job_info_msg_t *msg = NULL;
	int rc = -ENOENT;

	(void)arg;
	if (lw_public_load_job(&msg, share.job_id, SHOW_ALL | SHOW_LOCAL))
		return -EAGAIN;
	for (uint32_t i = 0; i < msg->record_count; i++)
		if (lw_public_job_id(&msg->job_array[i]) == share.job_id)
			rc = take_job(&msg->job_array[i], ret_job);
	slurm_free_job_info_msg(msg);
	return rc;
}

static void tell_user_of_job(void *arg, const char *line)
{
	(void)arg;
	slurm_spank_log("%s", line);
}

#define NEW_COMMENT_MAX (COMMENT_MAX + LW_SHAREMARK_MAX)

/* Its comment with MARK. False: there is no room for it. */
static bool put_mark(const struct lw_sharemark *mark, char comment[NEW_COMMENT_MAX])
{
	char word[LW_SHAREMARK_MAX];

	return !lw_sharemark_print(mark, word, sizeof(word)) &&
	       !lw_words_put(share.comment, LW_SHAREMARK_PREFIX, word, comment, NEW_COMMENT_MAX);
}

/* In what stands there now, since others write there, too. */
static int put_mark_of_job(void *arg, const struct lw_sharemark *mark)
{
	struct lw_shared_job now;
	char comment[NEW_COMMENT_MAX];
	job_desc_msg_t job;
	int rc = ask_job(arg, &now);

	if (rc)
		return rc;
	if (!put_mark(mark, comment))
		return -ENOSPC;
	slurm_init_job_desc_msg(&job);
	lw_public_desc_id(&job) = share.job_id;
	job.admin_comment = comment;
	errno = 0;
	return slurm_update_job(&job) ? (errno ? -errno : -EIO) : 0;
}

/* It waits again: what it asks for is changed, and its comment says why. */
static int ask_for_whole(const char *whole, const struct lw_sharemark *mark)
{
	char comment[NEW_COMMENT_MAX], gres[LW_SHAREMARK_GRES];
	job_desc_msg_t job;
	int rc = -ENOSPC;

	if (!put_mark(mark, comment))
		return rc;
	snprintf(gres, sizeof(gres), "%s", whole);
	slurm_init_job_desc_msg(&job);
	lw_public_desc_id(&job) = share.job_id;
	job.admin_comment = comment;
	job.tres_per_node = gres;
	for (int tries = 0; tries < UPDATE_TRIES; tries++) {
		rc = slurm_update_job(&job) ? -errno : 0;
		if (!rc || rc == -ESLURM_JOB_FINISHED || rc == -ESLURM_INVALID_JOB_ID ||
		    rc == -ESLURM_INVALID_GRES)
			break;
		poll(NULL, 0, UPDATE_WAIT_MS);
	}
	return rc;
}

/*
 * A job that was requeued does not start for two minutes, until its old credential is over: time
 * enough to change what it asks for. Were it not changed, it would share again, and leave again.
 */
static int requeue(const struct lw_sharemark *had, const struct lw_sharemark *mark)
{
	char all[LW_SHAREMARK_GRES], named[LW_SHAREMARK_GRES + sizeof(LW_GRES_PREFIX)];
	int rc = lw_public_requeue(share.job_id, 0);

	if (rc)
		return errno ? -errno : -EIO;
	if (!mark)
		return 0;
	rc = ask_for_whole(had->was, mark);
	if (rc == -ESLURM_INVALID_GRES && had->of) {
		/* 22.05 changes no shard into a GPU; with all of them the job has it alone as
		 * well */
		lw_sharemark_all_parts(had, all);
		snprintf(named, sizeof(named), LW_GRES_PREFIX "%s", all);
		rc = ask_for_whole(named, mark);
	}
	if (rc)
		slurm_error(
			"leeway: job %u: was requeued, but still asks for a part of a GPU: %s",
			share.job_id, slurm_strerror(-rc));
	return 0;
}

static int leave_gpu_of_job(void *arg, const struct lw_shared_job *job,
			    const struct lw_sharemark *mark)
{
	int rc = -ESLURM_DISABLED;

	(void)arg;
	if (job->can_requeue)
		rc = requeue(&job->mark, mark);
	if (rc != -ESLURM_DISABLED && rc != -ESLURM_BATCH_ONLY)
		return rc == -ESLURM_JOB_PENDING ? 0 : rc;
	return slurm_kill_job2(share.name, SIGKILL, 0, NULL) ? -errno : 0;
}

const struct lw_shared_calls *lw_share_calls(uint32_t job_id)
{
	static const struct lw_shared_calls calls = {
		.owner = ask_owner,
		.ask = ask_job,
		.tell = tell_user_of_job,
		.leave = leave_gpu_of_job,
		.put = put_mark_of_job,
	};

	share.job_id = job_id;
	return &calls;
}
