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

static const char help[] =
	"usage: leeway gpu [--since TIME] [--wide] [--json[=FILE]]\n"
	"       leeway gpu JOBID [--json[=FILE]] [--svg FILE] [--html FILE]\n"
	"                 [--charts DIR] [--dir DIR]...\n"
	"       leeway gpu --user U [--since TIME] [--config FILE] [--share FILE]\n"
	"                 [--json[=FILE]]\n"
	"       leeway gpu --idle [--window TIME] [--json[=FILE]] [--dir DIR]...\n"
	"       leeway gpu --prometheus FILE [--dir DIR]...\n"
	"       leeway gpu publish JOBID...|--owed [--js1] [--yes] [--dir DIR]...\n"
	"Show how jobs use their GPUs. Without an option: your jobs of the last days,\n"
	"each with advice. One job (JOBID) and what shares its GPUs: its record, or its\n"
	"summary in Slurm if there is no record. --user: a user's jobs, from accounting.\n"
	"--idle: jobs that hold idle GPUs now. --prometheus: the values of this moment.\n"
	"publish: send to AdminComment the summaries that a node could not send.\n\n"
	"  --dir DIR           where records are (/var/spool/leeway); may be given again;\n"
	"                      with it, Slurm is not asked about jobs without a record\n"
	"  --json[=FILE]       print JSON\n"
	"  --svg FILE          draw utilisation, memory, power and more in one image\n"
	"  --html FILE         the same as a page\n"
	"  --charts DIR        each chart as an image of its own, its numbers beside it\n"
	"                      as CSV\n"
	"  --user U            a user's name or number\n"
	"  --since TIME        how far back (7d)\n"
	"  --wide              all columns, beyond 80, energy among them\n"
	"  --sacct FILE        what sacct printed, in place of asking it; for --user\n"
	"  --config FILE       leeway.yaml, for the watts of CPUs; for --user\n"
	"  --share FILE        also print what is known of the user's runs for sharing\n"
	"                      GPUs, from the file of share.record in leeway.yaml\n"
	"  --idle              list jobs with GPUs idle all through the window\n"
	"  --window TIME       how long GPUs must have been idle (30m)\n"
	"  --util-below N      a GPU is idle if its utilisation is below N % (1)\n"
	"  --mem-below MIB     and if it has less memory in use than this (no limit)\n"
	"  --now SECONDS       what time it is, since the epoch; for tests\n"
	"  --prometheus FILE   write a file for node_exporter's textfile collector\n"
	"  --bin DIR           where sacct and sacctmgr are\n"
	"  --js1               also publish the form that jobstats reads\n"
	"  --owed              publish all that the nodes of DIR tried to send and could\n"
	"                      not\n"
	"  --yes               publish, instead of saying what would be published\n\n"
	"Exit code: 0, or with --idle 3 if there are idle GPUs; 1 it failed, 2 wrong\n"
	"usage.\n";

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
		{ "dir", .set = add_dir },
		{ "json", .text = &request->json, .bare = "-" },
		{ "svg", .text = &request->svg },
		{ "html", .text = &request->html },
		{ "charts", .text = &request->charts },
		{ "user", .text = &request->user },
		{ "since", .duration_s = &request->since_s, .given = &request->has_since },
		{ "sacct", .text = &request->sacct },
		{ "config", .text = &request->config },
		{ "share", .text = &request->share },
		{ "idle", .given = &request->idle },
		{ "window", .duration_s = &request->window_s, .given = &request->has_window },
		{ "util-below", .count = &request->util_below, .most = 101,
		  .given = &request->has_window },
		{ "mem-below", .count = &request->mem_below_mib, .most = UINT32_MAX,
		  .given = &request->has_window },
		{ "now", .set = set_now, .given = &request->has_window },
		{ "prometheus", .text = &request->prometheus },
		{ "bin", .text = &request->bin },
		{ "js1", .given = &request->js1 },
		{ "owed", .given = &request->owed },
		{ "wide", .given = &request->wide },
		{ "yes", .given = &request->yes },
		{ NULL },
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
		return lw_options_refused("gpu", help, rc, &err);
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
