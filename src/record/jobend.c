/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job's end on a node: whatever its steps left is put in order and told. */
#include "record/jobend.h"

#include "record/account.h"
#include "record/file.h"
#include "record/list.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <time.h>

/* For steps on other nodes, whose records may be in the same directory. */
#define OTHERS_WAIT_S 5
/* For slurmctld's message of the job's end to reach slurmdbd: doubled from try to try. */
#define END_WAIT_MS 250
#define END_TRIES   6 /* 7.75 s in all */

static bool name_matches(const char *name, size_t len, const char *node)
{
	return strlen(node) == len && !memcmp(name, node, len);
}

static void wait_for_others(const char *dir, uint32_t job_id)
{
	const struct timespec pause = { 0, 50000000 };
	int left = OTHERS_WAIT_S * 20;

	while (left-- && lw_record_job_is_live(dir, job_id))
		nanosleep(&pause, NULL);
}

static bool is_told(const struct lw_record_list *list, const char *node)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (!strcmp(list->records[i]->head.node, node))
			return lw_record_is_sent(list->records[i]);
	return false;
}

/* The node is kept from other jobs meanwhile: not for longer than a busy slurmdbd needs. */
static int put_when_ended(const struct lw_watch_options *options,
			  const struct lw_record_list *list, struct lw_error *err)
{
	int rc = 0;

	for (int tries = 0; tries < END_TRIES; tries++) {
		rc = lw_account_put(options->bin, list->records, list->count, options->js1, true,
				    NULL, err);
		if (rc != -EAGAIN && rc != -ENOENT)
			break;
		if (tries + 1 < END_TRIES)
			poll(NULL, 0, END_WAIT_MS << tries);
	}
	return rc;
}

static void tell(const struct lw_watch_options *options, uint32_t job_id, const char *node,
		 const struct lw_log *log)
{
	struct lw_record_list list;
	struct lw_error err;

	wait_for_others(options->dir, job_id);
	if (lw_record_list_read(&options->dir, 1, job_id, &list, NULL))
		return;
	if (!is_told(&list, node)) {
		if (!put_when_ended(options, &list, &err)) {
			lw_record_note_sent(options->dir, job_id, node);
		} else {
			lw_record_note_owed(options->dir, job_id, node);
			lw_log_error(log,
				     "job %" PRIu32 ": the summary was not sent: %s "
				     "(leeway gpu publish --owed sends it later)",
				     job_id, err.text);
		}
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
		return name_matches(nodes, len, node);
	number = strcspn(range, "-,]");
	tail = strchr(range, ']');
	if (!tail || len + number + strcspn(tail + 1, ",[") >= sizeof(name))
		return true;
	memcpy(name, nodes, len);
	memcpy(name + len, range, number);
	memcpy(name + len + number, tail + 1, strcspn(tail + 1, ",["));
	return name_matches(name, len + number + strcspn(tail + 1, ",["), node);
}

void lw_jobend_run(const struct lw_watch_options *options, uint32_t job_id, const char *node,
		   const char *nodes, const struct lw_log *log)
{
	struct lw_error err;

	if (lw_record_settle(options->dir, job_id, node, &err))
		lw_log_error(log, "%s", err.text);
	if (options->summary && (!nodes || lw_jobend_is_first(nodes, node)))
		tell(options, job_id, node, log);
}
