/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu --idle: jobs that hold GPUs now and have let them be for a while. */
#include "cli/gpu/gpu.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "base/duration.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

struct finding {
	const struct lw_gpu_request *request;
	json_t *list; /* NULL: as text */
	uint32_t jobs;
};

static json_t *make_gpu(const struct lw_record *record, uint32_t gpu, int64_t since_s)
{
	return json_pack("{s:o, s:I, s:o, s:I, s:b}", "node", lw_output_string(record->head.node),
			 "index", (json_int_t)record->head.gpu[gpu].index, "id",
			 lw_output_string(record->head.gpu[gpu].id), "idle_since_s",
			 (json_int_t)since_s, "shared", (int)record->head.shared);
}

/* The job's idle GPUs as JSON; how many it has in *ret_all. */
static json_t *find_gpus(const struct finding *finding, const struct lw_record_list *list,
			 uint32_t *ret_all, int64_t *ret_since_s)
{
	json_t *gpus = json_array();

	for (uint32_t i = 0; i < list->count; i++)
		for (uint32_t g = 0; g < list->records[i]->head.gpu_count; g++) {
			struct lw_gpu_window window =
				lw_gpu_look(finding->request, list->records[i], g);

			(*ret_all)++;
			if (!window.idle)
				continue;
			if (window.since_s > *ret_since_s)
				*ret_since_s = window.since_s;
			json_array_append_new(gpus,
					      make_gpu(list->records[i], g, window.since_s));
		}
	return gpus;
}

static void print_job(const struct finding *finding, uint32_t job_id, const char *user,
		      size_t idle, uint32_t all, int64_t since_s)
{
	char length[32], nodes_text[40];

	if (!finding->jobs)
		printf("%10s %-16s %12s %s\n", "job", "user", "idle GPUs", "idle for");
	lw_duration_print(finding->request->now_s - since_s, length, sizeof(length));
	snprintf(nodes_text, sizeof(nodes_text), "%zu of %" PRIu32, idle, all);
	printf("%10" PRIu32 " %-16s %12s %s\n", job_id, user ? lw_tools_plain(user) : "-",
	       nodes_text, length);
}

static int look_at_job(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	struct finding *finding = arg;
	const char *user = list->count ? lw_gpu_user_name(&list->records[0]->head) : NULL;
	uint32_t all = 0;
	int64_t since_s = 0;
	json_t *gpus = find_gpus(finding, list, &all, &since_s);
	char name[16];
	size_t idle = json_array_size(gpus);

	if (!idle) {
		json_decref(gpus);
		return 0;
	}
	if (!finding->list) {
		print_job(finding, job_id, user, idle, all, since_s);
		json_decref(gpus);
	} else {
		snprintf(name, sizeof(name), "%" PRIu32, job_id);
		json_array_append_new(finding->list,
				      json_pack("{s:s, s:o, s:i, s:i, s:I, s:o}", "job",
						name, "user",
						user ? lw_output_string(user) : json_null(),
						"gpus",
						(int)all, "idle_gpus", (int)idle, "idle_since_s",
						(json_int_t)since_s, "idle", gpus));
	}
	finding->jobs++;
	return 0;
}

int lw_gpu_idle(const struct lw_gpu_request *request, struct lw_error *err)
{
	const struct lw_record_search live = { request->dirs, request->dir_count, 0, true };
	struct finding finding = { .request = request,
				   .list = request->json ? json_array() : NULL };
	int rc = lw_record_visit(&live, look_at_job, &finding, err);

	if (!rc && finding.list)
		rc = lw_output_json(request->json,
				    lw_json_named("leeway.gpu.idle",
						  json_pack("{s:O}", "jobs", finding.list)),
				    err);
	else if (!rc && !finding.jobs)
		printf("no job holds idle GPUs\n");
	json_decref(finding.list);
	return rc ? rc : finding.jobs ? LW_TOOLS_FOUND : 0;
}
