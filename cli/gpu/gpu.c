/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu: what jobs make of their GPUs, while they run and after. */
#include "cli/gpu/gpu.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

#define DEFAULT_DIR    "/var/spool/leeway"
#define DEFAULT_SINCE  (7 * 86400)
#define DEFAULT_WINDOW (30 * 60)

static int add_dir(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct lw_gpu_request *request = arg;

	if (request->dir_count == TOOLS_GPU_DIRS_MAX)
		return lw_error_set(err, -EINVAL, "--%s: more than %d", name, TOOLS_GPU_DIRS_MAX);
	request->dirs[request->dir_count++] = value;
	return 0;
}

static int set_now(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct lw_gpu_request *request = arg;
	uint32_t now_s = 0;
	int rc = lw_tools_read_count(name, value, 0, UINT32_MAX, &now_s, err);

	request->now_s = now_s;
	return rc;
}

static int read_options(struct lw_gpu_request *request, int argc, char **argv,
			struct lw_error *err)
{
	const struct lw_option options[] = {
#include "cli/gpu/gpu_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	request->jobs = argv + optind;
	request->job_count = argc - optind;
	if (!request->dir_count)
		request->dirs[request->dir_count++] = DEFAULT_DIR;
	else
		request->dir_given = true;
	return rc;
}

/* What an action that is done, with 0 or FOUND, had to leave out is in ERR; else nothing is. */
typedef int (*action_f)(const struct lw_gpu_request *request, struct lw_error *err);

/* What is to be done; NULL with a word on what is wrong. */
static action_f gpu_choose(struct lw_gpu_request *request, const char **why)
{
	int modes = (request->user != NULL) + request->idle + (request->prometheus != NULL);
	/* without anything else: one's own, as with --user */
	bool mine = request->user || (!modes && !request->job_count);
	bool publish = request->job_count && strcmp(request->jobs[0], "publish") == 0;

	*why = "give one of JOBID, publish, --user, --idle and --prometheus, or none";
	if (modes + (request->job_count > 0) > 1)
		return NULL;
	*why = "--js1, --owed and --yes belong to publish";
	if (!publish && (request->js1 || request->owed || request->yes))
		return NULL;
	*why = "--svg, --html and --charts belong to one job, and go without --json";
	if ((request->svg || request->html || request->charts) &&
	    (modes || publish || request->json))
		return NULL;
	*why = "--since, --sacct, --config and --share belong to --user, or to no job at all";
	if ((request->has_since || request->sacct || request->config || request->share) && !mine)
		return NULL;
	*why = "--window, --util-below, --mem-below and --now belong to --idle";
	if (request->has_window && !request->idle)
		return NULL;
	*why = publish ? "publish which jobs? Name them, or give --owed" : "one job at a time";
	if (publish ? (request->job_count > 1) == request->owed : request->job_count > 1)
		return NULL;
	if (publish) {
		request->jobs++;
		request->job_count--;
		return lw_gpu_publish;
	}
	return mine                  ? lw_gpu_user
	       : request->idle       ? lw_gpu_idle
	       : request->prometheus ? lw_gpu_prometheus
				     : lw_gpu_job;
}

/* Two drawings must not run together. */
static int check_stdout(const struct lw_gpu_request *request, struct lw_error *err)
{
	const char *const paths[] = { request->svg, request->html };
	bool taken;

	return lw_output_shared(paths, sizeof(paths) / sizeof(paths[0]), &taken, err);
}

/* Before anything is published: a slip in the last job must not leave the others half done. */
static int check_jobs(const struct lw_gpu_request *request, struct lw_error *err)
{
	uint32_t job_id;
	int rc = 0;

	for (int i = 0; !rc && i < request->job_count; i++)
		rc = lw_gpu_read_job(request->jobs[i], &job_id, err);
	return rc;
}

int lw_tools_gpu(int argc, char **argv)
{
	struct lw_gpu_request request = { .bin = "",
					  .since_s = DEFAULT_SINCE,
					  .window_s = DEFAULT_WINDOW,
					  .now_s = (int64_t)time(NULL),
					  .util_below = 1 };
	struct lw_error err = { "" };
	const char *why = "";
	action_f action;
	int rc;

	rc = read_options(&request, argc, argv, &err);
	if (rc)
		return lw_options_refused("gpu", rc, &err);
	action = gpu_choose(&request, &why);
	if (!action)
		return lw_tools_usage("gpu", "%s", why);
	if (check_stdout(&request, &err) || check_jobs(&request, &err))
		return lw_tools_usage("gpu", "%s", err.text);
	rc = action(&request, &err);
	if (rc < 0)
		return lw_tools_failed("gpu", &err);
	if (err.text[0])
		fprintf(stderr, "leeway gpu: left out what cannot be read: %s\n", err.text);
	return rc;
}
