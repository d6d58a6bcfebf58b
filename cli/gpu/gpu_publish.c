/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu publish: send summaries that a node could not send, or not whole. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/gpu/gpu.h"
#include "record/account.h"
#include "record/file.h"

struct publish {
	const struct lw_gpu_request *request;
	int jobs, failed;
};

/* Where the node has its file: a directory that lacks it, or may not be written, is passed. */
static void note_sent(const struct lw_gpu_request *request, const struct lw_record *record)
{
	for (uint32_t i = 0; i < request->dir_count; i++)
		lw_record_note_sent(request->dirs[i], record->head.job_id, record->head.node);
}

static bool is_owed(const struct lw_record_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (lw_record_is_owed(list->records[i]))
			return true;
	return false;
}

static void publish(struct publish *publish, uint32_t job_id, const struct lw_record_list *list)
{
	const struct lw_gpu_request *request = publish->request;
	const struct lw_account_how how = { request->bin, request->js1, request->yes };
	struct lw_error err = { "" };
	char *comment = NULL;

	publish->jobs++;
	if (lw_account_put(&how, list->records, list->count, &comment, &err)) {
		publish->failed++;
		fprintf(stderr, "leeway gpu: job %" PRIu32 ": %s\n", job_id, err.text);
		return;
	}
	printf("job %" PRIu32 ": %s %s\n", job_id, request->yes ? "set" : "would set", comment);
	free(comment);
	for (uint32_t i = 0; request->yes && i < list->count; i++)
		if (lw_record_is_owed(list->records[i]))
			note_sent(request, list->records[i]);
}

static int publish_named(struct publish *all, const char *job, struct lw_error *err)
{
	struct lw_record_list list;
	uint32_t job_id = 0;
	int rc = lw_gpu_read_job(job, &job_id, err);

	if (!rc)
		rc = lw_record_list_read(all->request->dirs, all->request->dir_count, job_id,
					 &list, err);
	if (rc)
		return rc;
	publish(all, job_id, &list);
	lw_record_list_fini(&list);
	return 0;
}

static int publish_owed(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	if (!list->live && is_owed(list))
		publish(arg, job_id, list);
	return 0;
}

/* All of them, whatever becomes of one; the last failure is told at the end. */
int lw_gpu_publish(const struct lw_gpu_request *request, struct lw_error *err)
{
	const struct lw_record_search every = { request->dirs, request->dir_count, 0, false };
	struct publish all = { .request = request };
	int rc = 0;

	for (int i = 0; i < request->job_count; i++) {
		struct lw_error why = { "" };

		if (!publish_named(&all, request->jobs[i], &why)) {
			if (why.text[0])
				*err = why;
			continue;
		}
		all.jobs++;
		all.failed++;
		fprintf(stderr, "leeway gpu: job %s: %s\n", request->jobs[i], why.text);
	}
	if (request->owed)
		rc = lw_record_visit(&every, publish_owed, &all, err);
	if (rc)
		return rc;
	if (request->owed && !all.jobs)
		fprintf(stderr, "no summary is owed\n");
	else if (!request->yes)
		fprintf(stderr, "nothing was changed; give --yes to do it\n");
	return all.failed ? lw_error_set(err, -EIO, "%d of %d jobs failed", all.failed, all.jobs)
			  : 0;
}
