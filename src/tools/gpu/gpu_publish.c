/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu publish: send summaries that a node could not send, or not whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/account.h"
#include "tools/gpu/gpu.h"

static int publish(const struct tools_gpu_request *request, const char *job, struct lw_error *err)
{
	struct lw_record_list list;
	char *comment = NULL;
	uint32_t job_id = 0;
	int rc = tools_gpu_read_job(job, &job_id, err);

	if (!rc)
		rc = lw_record_list_read(request->dirs, request->dir_count, job_id, &list, err);
	if (rc)
		return rc;
	rc = lw_account_put(request->bin, list.records, list.count, request->js1, request->yes,
			    &comment, err);
	if (!rc)
		printf("job %s: %s %s\n", job, request->yes ? "set" : "would set", comment);
	free(comment);
	lw_record_list_fini(&list);
	return rc;
}

/* All of them, whatever becomes of one; the last failure is told at the end. */
int tools_gpu_publish(const struct tools_gpu_request *request, struct lw_error *err)
{
	int failed = 0;

	for (int i = 0; i < request->job_count; i++) {
		struct lw_error why = { "" };
		int rc = publish(request, request->jobs[i], &why);

		if (!rc)
			continue;
		failed++;
		fprintf(stderr, "leeway gpu: job %s: %s\n", request->jobs[i], why.text);
	}
	if (!request->yes)
		fprintf(stderr, "nothing was changed; give --yes to do it\n");
	return failed ? lw_error_set(err, -EIO, "%d of %d jobs failed", failed,
				     request->job_count)
		      : 0;
}
