/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu: what jobs make of their GPUs, while they run and after. */
#include "tools/gpu/gpu.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/tools.h"

#define DEFAULT_DIR    "/var/spool/leeway"
#define DEFAULT_SINCE  (7 * 86400)
#define DEFAULT_WINDOW (30 * 60)

static const char help[] =
	"usage: leeway gpu JOBID [--json | --svg FILE] [--dir DIR]...\n"
	"       leeway gpu --user U [--since TIME] [--json]\n"
	"       leeway gpu --idle [--window TIME] [--json] [--dir DIR]...\n"
	"       leeway gpu --prometheus FILE [--dir DIR]...\n"
	"       leeway gpu publish JOBID... [--js1] [--yes] [--dir DIR]...\n"
	"What jobs make of their GPUs: one job by its record, a user's jobs from accounting,\n"
	"jobs that hold idle GPUs now, and the moment's values for Prometheus. \"publish\" puts\n"
	"summaries into AdminComment that a node could not send.\n\n"
	"  --dir DIR           where records are (/var/spool/leeway); may be given again\n"
	"  --json              print JSON\n"
	"  --svg FILE          draw utilisation, memory and power over time\n"
	"  --user U            a user's name or number\n"
	"  --since TIME        how far back (7d)\n"
	"  --sacct FILE        what sacct printed, in place of asking it; for --user\n"
	"  --idle              jobs with GPUs idle all through the window\n"
	"  --window TIME       how long they must have been idle (30m)\n"
	"  --util-below N      idle is a utilisation below N % (1)\n"
	"  --mem-below MIB     and, when given, less memory in use than this\n"
	"  --now SECONDS       what time it is, since the epoch; for tests\n"
	"  --prometheus FILE   write a file for node_exporter's textfile collector\n"
	"  --bin DIR           where sacct and sacctmgr are\n"
	"  --js1               publish what jobstats reads too\n"
	"  --yes               publish does it, instead of saying what it would do\n\n"
	"Exit code: 0, or with --idle 3 when there are idle GPUs; 1 it failed, 2 wrong usage.\n";

enum {
	OPT_DIR = 256,
	OPT_JSON,
	OPT_SVG,
	OPT_USER,
	OPT_SINCE,
	OPT_SACCT,
	OPT_IDLE,
	OPT_WINDOW,
	OPT_UTIL_BELOW,
	OPT_MEM_BELOW,
	OPT_NOW,
	OPT_PROMETHEUS,
	OPT_BIN,
	OPT_JS1,
	OPT_YES,
};

static const struct option long_options[] = {
	{ "dir", required_argument, NULL, OPT_DIR },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "svg", required_argument, NULL, OPT_SVG },
	{ "user", required_argument, NULL, OPT_USER },
	{ "since", required_argument, NULL, OPT_SINCE },
	{ "sacct", required_argument, NULL, OPT_SACCT },
	{ "idle", no_argument, NULL, OPT_IDLE },
	{ "window", required_argument, NULL, OPT_WINDOW },
	{ "util-below", required_argument, NULL, OPT_UTIL_BELOW },
	{ "mem-below", required_argument, NULL, OPT_MEM_BELOW },
	{ "now", required_argument, NULL, OPT_NOW },
	{ "prometheus", required_argument, NULL, OPT_PROMETHEUS },
	{ "bin", required_argument, NULL, OPT_BIN },
	{ "js1", no_argument, NULL, OPT_JS1 },
	{ "yes", no_argument, NULL, OPT_YES },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int add_dir(struct tools_gpu_request *request, struct lw_error *err)
{
	if (request->dir_count == TOOLS_GPU_DIRS_MAX)
		return lw_error_set(err, -EINVAL, "--dir: more than %d", TOOLS_GPU_DIRS_MAX);
	request->dirs[request->dir_count++] = optarg;
	return 0;
}

static int set_now(struct tools_gpu_request *request, struct lw_error *err)
{
	uint32_t now = 0;
	int rc = lw_tools_read_count("now", optarg, UINT32_MAX, &now, err);

	request->now_s = now;
	return rc;
}

static int set_value(struct tools_gpu_request *request, int c, struct lw_error *err)
{
	switch (c) {
	case OPT_DIR:
		return add_dir(request, err);
	case OPT_SINCE:
		return lw_tools_read_duration("since", optarg, &request->since_s, err);
	case OPT_WINDOW:
		return lw_tools_read_duration("window", optarg, &request->window_s, err);
	case OPT_UTIL_BELOW:
		return lw_tools_read_count("util-below", optarg, 101, &request->util_below, err);
	case OPT_MEM_BELOW:
		return lw_tools_read_count("mem-below", optarg, UINT32_MAX,
					   &request->mem_below_mib, err);
	case OPT_NOW:
		return set_now(request, err);
	case OPT_SVG:
		request->svg = optarg;
		return 0;
	case OPT_USER:
		request->user = optarg;
		return 0;
	case OPT_SACCT:
		request->sacct = optarg;
		return 0;
	case OPT_PROMETHEUS:
		request->prometheus = optarg;
		return 0;
	case OPT_BIN:
		request->bin = optarg;
		return 0;
	default:
		return lw_error_set(err, -EINVAL, "bad option");
	}
}

static int set_option(struct tools_gpu_request *request, int c, struct lw_error *err)
{
	bool *const flag = c == OPT_JSON   ? &request->json
			   : c == OPT_IDLE ? &request->idle
			   : c == OPT_JS1  ? &request->js1
			   : c == OPT_YES  ? &request->yes
			   : c == 'h'      ? &request->help
					   : NULL;

	if (!flag)
		return set_value(request, c, err);
	*flag = true;
	return 0;
}

static int read_options(struct tools_gpu_request *request, int argc, char **argv,
			struct lw_error *err)
{
	int c, rc = 0;

	while (!rc && !request->help &&
	       (c = getopt_long(argc, argv, "h", long_options, NULL)) != -1)
		rc = set_option(request, c, err);
	request->jobs = argv + optind;
	request->job_count = argc - optind;
	if (!request->dir_count)
		request->dirs[request->dir_count++] = DEFAULT_DIR;
	return rc;
}

typedef int (*action_f)(const struct tools_gpu_request *request, struct lw_error *err);

/* What is to be done; NULL with a word on what is wrong. */
static action_f choose(struct tools_gpu_request *request, const char **why)
{
	int modes = (request->user != NULL) + request->idle + (request->prometheus != NULL);
	bool publish = request->job_count && strcmp(request->jobs[0], "publish") == 0;

	*why = "give one of JOBID, publish, --user, --idle and --prometheus";
	if (modes + (request->job_count > 0) != 1)
		return NULL;
	*why = "--js1 and --yes belong to publish";
	if (!publish && (request->js1 || request->yes))
		return NULL;
	*why = "--svg belongs to one job, and goes without --json";
	if (request->svg && (modes || publish || request->json))
		return NULL;
	*why = "--sacct belongs to --user";
	if (request->sacct && !request->user)
		return NULL;
	*why = publish ? "publish which jobs?" : "one job at a time";
	if (publish ? request->job_count < 2 : request->job_count > 1)
		return NULL;
	if (publish) {
		request->jobs++;
		request->job_count--;
		return tools_gpu_publish;
	}
	return request->user         ? tools_gpu_user
	       : request->idle       ? tools_gpu_idle
	       : request->prometheus ? tools_gpu_prometheus
				     : tools_gpu_job;
}

int lw_tools_gpu(int argc, char **argv)
{
	struct tools_gpu_request request = { .bin = "",
					     .since_s = DEFAULT_SINCE,
					     .window_s = DEFAULT_WINDOW,
					     .now_s = (int64_t)time(NULL),
					     .util_below = 1 };
	struct lw_error err = { "" };
	const char *why = "";
	action_f action;
	int rc;

	if (read_options(&request, argc, argv, &err))
		return lw_tools_usage("gpu", "%s", err.text);
	if (request.help) {
		fputs(help, stdout);
		return LW_TOOLS_OK;
	}
	action = choose(&request, &why);
	if (!action)
		return lw_tools_usage("gpu", "%s", why);
	rc = action(&request, &err);
	return rc < 0 ? lw_tools_failed("gpu", &err) : rc;
}
