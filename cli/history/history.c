/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history: make, show and judge what the predictor learns from. */
#include "cli/history/history.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/savefile.h"
#include "base/strbuf.h"
#include "cli/common/lab.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "measure/learnable.h"
#include "predictor/predict.h"

static int read_options(struct lw_history_request *request, int argc, char **argv,
			struct lw_error *err)
{
	static const char *const user_fields[] = { "user", "group", NULL };
	uint32_t user_field = 0;
	const struct lw_option options[] = {
#include "cli/history/history_options.def"
	};
	int rc = lw_options_read(options, NULL, argc, argv, err);

	request->users_are_groups = user_field;
	if (rc || optind == argc)
		return rc;
	return lw_options_word("file", argc, argv, &request->file, err);
}

static int read_swf(const struct lw_history_request *request, struct lw_jobs *jobs,
		    struct lw_error *err)
{
	struct lw_swf swf;
	int rc = lw_swf_read(&swf, request->swf, request->lenient, err);

	if (rc)
		return rc;
	lw_origin_add(request->swf, NULL);
	jobs->bad = swf.skipped;
	if (lw_grow((void **)&jobs->jobs, &jobs->room, swf.job_count + 1, sizeof(*jobs->jobs)))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; !rc && i < swf.job_count; i++) {
		struct lw_history_job *job = &jobs->jobs[jobs->count];

		if (!lw_swf_learnable(&swf.jobs[i], request->users_are_groups, job)) {
			jobs->unusable++;
			continue;
		}
		if (swf.unix_start_s > 0)
			job->end_s += swf.unix_start_s;
		jobs->count++;
	}
	lw_swf_fini(&swf);
	return rc;
}

static int compare_gpm(const struct lw_gpu_use *a, const struct lw_gpu_use *b)
{
	if (a->sm_percent != b->sm_percent)
		return a->sm_percent < b->sm_percent ? -1 : 1;
	if (a->tensor_percent != b->tensor_percent)
		return a->tensor_percent < b->tensor_percent ? -1 : 1;
	return a->membw_percent < b->membw_percent ? -1 : a->membw_percent > b->membw_percent;
}

static int compare_types(const struct lw_history_job *a, const struct lw_history_job *b)
{
	const char *x = a->gpu_type ? a->gpu_type : "", *y = b->gpu_type ? b->gpu_type : "";

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->gpus != b->gpus)
		return a->gpus < b->gpus ? -1 : 1;
	return strcmp(x, y);
}

static int compare_use(const struct lw_history_job *a, const struct lw_history_job *b)
{
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	if (a->gpu.util_percent != b->gpu.util_percent)
		return a->gpu.util_percent < b->gpu.util_percent ? -1 : 1;
	if (a->gpu.idle_permille != b->gpu.idle_permille)
		return a->gpu.idle_permille < b->gpu.idle_permille ? -1 : 1;
	if (a->gpu.mem_mib != b->gpu.mem_mib)
		return a->gpu.mem_mib < b->gpu.mem_mib ? -1 : 1;
	if (a->nodes != b->nodes)
		return a->nodes < b->nodes ? -1 : 1;
	if (a->gpu.pcie_mib_s != b->gpu.pcie_mib_s)
		return a->gpu.pcie_mib_s < b->gpu.pcie_mib_s ? -1 : 1;
	if (a->gpu.nvlink_mib_s != b->gpu.nvlink_mib_s)
		return a->gpu.nvlink_mib_s < b->gpu.nvlink_mib_s ? -1 : 1;
	if (compare_types(a, b))
		return compare_types(a, b);
	return compare_gpm(&a->gpu, &b->gpu);
}

/* The order of jobs that ended together must not depend on the sort: user, limit, run time. */
static int compare_jobs(const void *left, const void *right)
{
	const struct lw_history_job *a = left, *b = right;

	if (a->end_s != b->end_s)
		return a->end_s < b->end_s ? -1 : 1;
	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->limit_s != b->limit_s)
		return a->limit_s < b->limit_s ? -1 : 1;
	if (a->run_s != b->run_s)
		return a->run_s < b->run_s ? -1 : 1;
	if (a->width != b->width)
		return a->width < b->width ? -1 : 1;
	if (a->partition != b->partition)
		return a->partition < b->partition ? -1 : 1;
	if (a->killed_at_limit != b->killed_at_limit)
		return (int)a->killed_at_limit - (int)b->killed_at_limit;
	return compare_use(a, b);
}

static int64_t start_of(const struct lw_history_job *job)
{
	return job->end_s - job->run_s;
}

static int compare_starts(const void *left, const void *right, void *arg)
{
	const struct lw_history_job *jobs = arg;
	uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
	int64_t a = start_of(&jobs[i]), b = start_of(&jobs[j]);

	if (a != b)
		return a < b ? -1 : 1;
	return i < j ? -1 : i > j;
}

/* What is known of the job when it starts, kept until it ends. */
static int look_out(const struct lw_history *history, struct lw_history_job *job)
{
	const struct lw_history_key key = {
		.user = job->user,
		.partition = job->partition,
		.limit_s = job->limit_s,
		.width = job->width,
		.now_s = start_of(job),
	};
	struct lw_estimate *estimate = malloc(sizeof(*estimate));

	if (!estimate)
		return -ENOMEM;
	lw_predict_estimate(history, &key, estimate);
	job->estimate = estimate;
	return 0;
}

/* The jobs, which are in order of their ends, as if they started and ended now. */
static int relive(struct lw_history *history, struct lw_jobs *jobs, const uint32_t *starts)
{
	uint32_t next = 0;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < jobs->count; i++) {
		struct lw_history_job *job = &jobs->jobs[i];

		/* what ended in the second of a start was known then; its own end was not */
		for (; !rc && next < jobs->count &&
		       (start_of(&jobs->jobs[starts[next]]) < job->end_s || starts[next] == i);
		     next++)
			rc = look_out(history, &jobs->jobs[starts[next]]);
		if (!rc)
			rc = lw_history_add(history, job);
		free((void *)job->estimate);
		job->estimate = NULL;
	}
	return rc;
}

static int learn_jobs(struct lw_history *history, struct lw_jobs *jobs)
{
	uint32_t *starts = calloc((size_t)jobs->count + 1, sizeof(*starts));
	int rc = -ENOMEM;

	if (!starts)
		return rc;
	for (uint32_t i = 0; i < jobs->count; i++)
		starts[i] = i;
	qsort_r(starts, jobs->count, sizeof(*starts), compare_starts, jobs->jobs);
	rc = relive(history, jobs, starts);
	for (uint32_t i = 0; i < jobs->count; i++)
		free((void *)jobs->jobs[i].estimate);
	free(starts);
	return rc;
}

static int history_learn(struct lw_jobs *jobs, uint32_t keys_max, struct lw_history **ret_history,
			 struct lw_error *err)
{
	int rc = lw_history_create(keys_max, ret_history);

	if (rc)
		return lw_error_set(err, rc, "out of memory");
	qsort(jobs->jobs, jobs->count, sizeof(*jobs->jobs), compare_jobs);
	rc = learn_jobs(*ret_history, jobs);
	if (!rc)
		return 0;
	lw_history_destroy(*ret_history);
	return lw_error_set(err, rc, "out of memory");
}

static int history_save(const struct lw_history *history, const char *path, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_strbuf file = LW_STRBUF_INIT;
	int rc = lw_history_print(history, &text);

	if (!rc)
		rc = lw_savefile_print(LW_HISTORY_FILE_KIND, LW_HISTORY_FILE_VERSION,
				       lw_strbuf_text(&text), text.len, &file);
	lw_strbuf_fini(&text);
	if (rc) {
		lw_strbuf_fini(&file);
		return lw_error_set(err, rc, "out of memory");
	}
	return lw_output_private(path, &file, err);
}

static int import_jobs(const struct lw_history_request *request, struct lw_jobs *jobs,
		       struct lw_error *err)
{
	const char *source = request->sacct ? request->sacct : request->swf;
	struct lw_history_stats stats;
	struct lw_history *history;
	int rc = request->sacct ? lw_read_sacct(source, request->lenient, jobs, err)
				: read_swf(request, jobs, err);

	if (rc)
		return rc;
	if (jobs->strangers)
		fprintf(stderr,
			"%s: %" PRIu32 " jobs of users with no account on this machine are left "
			"out: print column UID as well\n",
			lw_tools_plain(source), jobs->strangers);
	if (!jobs->count)
		return lw_error_set(err, -ENODATA,
				    "%s: no ended job with a time limit: nothing to learn",
				    source);
	rc = history_learn(jobs, request->keys_max, &history, err);
	if (rc)
		return rc;
	rc = history_save(history, request->output, err);
	lw_history_stats(history, &stats);
	lw_history_destroy(history);
	if (!rc)
		fprintf(stderr,
			"%s: %" PRIu32 " jobs learned, %" PRIu32 " without a run or a limit, %"
			PRIu32 " bad lines skipped; %" PRIu32 " keys, %" PRIu64 " given up\n",
			lw_tools_plain(source), jobs->count, jobs->unusable, jobs->bad, stats.keys,
			stats.evicted);
	return rc;
}

static int import(const struct lw_history_request *request, struct lw_error *err)
{
	struct lw_jobs jobs = { 0 };
	int rc = lw_output_check(request->output, err);

	if (!rc)
		rc = import_jobs(request, &jobs, err);

	free(jobs.jobs);
	return rc;
}

static const char *misused(const char *verb, const struct lw_history_request *request)
{
	bool importing = strcmp(verb, "import") == 0;

	bool evaluating = strcmp(verb, "evaluate") == 0;

	if (request->recipes && (!evaluating || request->file))
		return "--recipes belongs to evaluate, in place of a trace";
	if (!importing && !request->file && !request->recipes)
		return "which file?";
	if (!importing && (request->sacct || request->swf))
		return "--sacct and --swf belong to import";
	if (!importing && request->output)
		return "--output belongs to import; JSON goes to a file with --json=FILE";
	if (evaluating && (request->user || request->gpus || request->types || request->share))
		return "--user, --gpus, --types and --share belong to show";
	if (request->gpus + request->types + request->share > 1)
		return "give one of --gpus, --types and --share";
	if (!importing)
		return NULL;
	if (request->file || request->user || request->json || request->gpus || request->types ||
	    request->share)
		return "import takes its file with --sacct or --swf, no --user, --json, --gpus, "
		       "--types or --share";
	if (!request->sacct == !request->swf)
		return "give one of --sacct and --swf";
	if (!request->output)
		return "where to? Give -o HISTORY";
	return strcmp(request->output, "-") ? NULL : "a history is a file: give -o HISTORY";
}

int lw_tools_history(int argc, char **argv)
{
	static const struct {
		const char *verb;
		int (*run)(const struct lw_history_request *request, struct lw_error *err);
	} verbs[] = {
		{ "import", import },
		{ "show", lw_history_show },
		{ "evaluate", NULL }, /* the laboratory has it */
	};
	struct lw_history_request request = { 0 };
	const char *verb = argc > 1 ? argv[1] : "";
	struct lw_error err = { "" };
	int rc;

	if (strcmp(verb, LW_OPTIONS_LIST) == 0 || strcmp(verb, "--help") == 0 ||
	    strcmp(verb, "-h") == 0) {
		rc = read_options(&request, argc, argv, &err);
		return lw_options_refused("history", rc, &err);
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verb, verbs[i].verb) != 0)
			continue;
		rc = read_options(&request, argc - 1, argv + 1, &err);
		/* with the verb */
		lw_origin_begin(argc, argv);
		if (rc)
			return lw_options_refused("history", rc, &err);
		if (misused(verb, &request))
			return lw_tools_usage("history", "%s", misused(verb, &request));
		if (!verbs[i].run)
			return lw_lab_run(argc, argv);
		return verbs[i].run(&request, &err) ? lw_tools_failed("history", &err)
						    : LW_TOOLS_OK;
	}
	if (!*verb)
		return lw_tools_usage("history", "say import, show or evaluate");
	return lw_tools_usage("history", "\"%s\" is not import, show or evaluate", verb);
}
