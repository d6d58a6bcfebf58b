/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the end of a job on a node: merge the records of its steps and send the summary. */
#include "record/jobend.h"

#include "record/access.h"
#include "record/account.h"
#include "record/file.h"
#include "record/files.h"
#include "record/list.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* For steps on other nodes that may have records in the same directory. */
#define OTHERS_WAIT_S 5
/* For slurmctld's message of the job's end to reach slurmdbd: doubled from try to try. */
#define END_WAIT_MS 250
#define END_TRIES   6 /* 7.75 s in all */

static bool jobend_name_matches(const char *name, size_t len, const char *node)
{
	return strlen(node) == len && !memcmp(name, node, len);
}

static void jobend_wait_for_others(const char *dir, uint32_t job_id)
{
	const struct timespec pause = { 0, 50000000 };
	int left = OTHERS_WAIT_S * 20;

	while (left-- && lw_record_job_is_live(dir, job_id))
		nanosleep(&pause, NULL);
}

static bool jobend_is_told(const struct lw_record_list *list, const char *node)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (!strcmp(list->records[i]->head.node, node))
			return lw_record_is_sent(list->records[i]);
	return false;
}

/* The node is kept from other jobs meanwhile: not for longer than a busy slurmdbd needs. */
static int jobend_put_when_ended(const struct lw_watch_options *options,
				 const struct lw_record_list *list, struct lw_error *err)
{
	const struct lw_account_how how = { options->bin, options->js1, true };
	int rc = 0;

	for (int tries = 0; tries < END_TRIES; tries++) {
		rc = lw_account_put(&how, list->records, list->count, NULL, err);
		if (rc != -EAGAIN && rc != -ENOENT)
			break;
		if (tries + 1 < END_TRIES)
			poll(NULL, 0, END_WAIT_MS << tries);
	}
	return rc;
}

/* DIR's note that it was said; -EPERM where users could have put it there. */
static int jobend_name_note(const char *dir, char *path)
{
	int rc = lw_access_check_dir(dir, NULL);

	return rc ? rc : lw_files_path(path, dir, "%s", LW_JOBEND_TOLD);
}

/* Whether it is the first time; also where that cannot be noted. */
static bool jobend_note_told(const char *dir)
{
	char path[PATH_MAX];
	int fd;

	if (jobend_name_note(dir, path))
		return true;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno != EEXIST;
	close(fd);
	return true;
}

static void jobend_forget_told(const char *dir)
{
	char path[PATH_MAX];

	if (!jobend_name_note(dir, path))
		unlink(path);
}

/*
 * No administrator need mend that a cluster has no accounting: it is no error, and is said once.
 */
static void jobend_tell_lost(const struct lw_watch_options *options, uint32_t job_id,
			     const struct lw_log *log)
{
	if (jobend_note_told(options->dir))
		lw_log_info(
			log,
			"job %" PRIu32 ": without slurmdbd the summary of GPU use is lost of "
			"each job that is cancelled, reaches its limit or has no batch script; "
			"records stay in %s, for leeway gpu (said once, and not again)",
			job_id, options->dir);
}

static void jobend_tell_owed(const struct lw_watch_options *options, uint32_t job_id,
			     const char *node, const struct lw_error *err,
			     const struct lw_log *log)
{
	lw_record_note_owed(options->dir, job_id, node);
	lw_log_error(log,
		     "job %" PRIu32 ": the summary was not sent: %s "
		     "(leeway gpu publish --owed sends it later)",
		     job_id, err->text);
}

static void jobend_tell(const struct lw_watch_options *options, uint32_t job_id, const char *node,
			const struct lw_log *log)
{
	struct lw_record_list list;
	struct lw_error err;
	int rc;

	jobend_wait_for_others(options->dir, job_id);
	if (lw_record_list_read(&options->dir, 1, job_id, &list, NULL))
		return;
	if (!jobend_is_told(&list, node)) {
		rc = jobend_put_when_ended(options, &list, &err);
		if (!rc)
			lw_record_note_sent(options->dir, job_id, node);
		if (rc == -ENOTSUP)
			jobend_tell_lost(options, job_id, log);
		else
			jobend_forget_told(options->dir);
		if (rc && rc != -ENOTSUP)
			jobend_tell_owed(options, job_id, node, &err, log);
	}
	lw_record_list_fini(&list);
}

/* The first name of a list such as "n[01-04,07],m1": "n01". */
bool lw_jobend_is_first(const char *nodes, const char *node)
{
	size_t len = strcspn(nodes, ",[");
	const char *range = nodes + len + 1, *tail;
	size_t number;
	char name[LW_NODE_NAME_MAX];

	if (nodes[len] != '[')
		return jobend_name_matches(nodes, len, node);
	number = strcspn(range, "-,]");
	tail = strchr(range, ']');
	if (!tail || len + number + strcspn(tail + 1, ",[") >= sizeof(name))
		return true;
	memcpy(name, nodes, len);
	memcpy(name + len, range, number);
	memcpy(name + len + number, tail + 1, strcspn(tail + 1, ",["));
	return jobend_name_matches(name, len + number + strcspn(tail + 1, ",["), node);
}

void lw_jobend_run(const struct lw_watch_options *options, uint32_t job_id, const char *node,
		   const char *nodes, const struct lw_log *log)
{
	struct lw_error err;

	if (lw_record_settle(options->dir, job_id, node, &err))
		lw_log_error(log, "%s", err.text);
	if (options->summary && (!nodes || lw_jobend_is_first(nodes, node)))
		jobend_tell(options, job_id, node, log);
}
