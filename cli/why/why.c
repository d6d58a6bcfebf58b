/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why, one job that waits, and leeway when, several. */
#include "cli/why/why.h"

#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

#define WATCH_LEAST_S 10
/* Slurm is asked of each running job by itself, and of no more. */
#define PROGRESS_MOST 16

static const char json_or_watch[] = "--json or --watch, not both: a file is written anew each time "
				    "(--json=FILE --watch), a script asks again by itself";

struct request {
	const char *json, *user;
	bool all, watch, history;
	uint32_t every_s, now_s;
	struct lw_strbuf ids; /* parted by commas */
	bool one;             /* leeway why */
};

/* Several documents in one stream are none. */
static bool is_stream_of_json(const struct request *request)
{
	return request->json && request->watch && !strcmp(request->json, "-");
}

static int set_watch(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct request *request = arg;

	request->watch = true;
	return lw_tools_read_count(name, value, WATCH_LEAST_S, 86400, &request->every_s, err);
}

static int read_why(struct request *request, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "cli/why/why_options.def"
	};

	return lw_options_read(options, request, argc, argv, err);
}

static int read_when(struct request *request, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "cli/why/when_options.def"
	};

	return lw_options_read(options, request, argc, argv, err);
}

/* Of "12_[3-5,9]", as squeue and leeway when call an array that waits, the job: 12. */
static size_t array_of(const char *text)
{
	size_t len = strspn(text, "0123456789"), tasks;

	if (!len || strncmp(text + len, "_[", 2) != 0)
		return 0;
	tasks = strspn(text + len + 2, "0123456789-,:%.");
	return strcmp(text + len + 2 + tasks, "]") == 0 ? len : 0;
}

/* "12", "12_3" or "12+1"; a list is squeue's to read, and nothing else is to get there. */
static bool is_job(const char *text)
{
	size_t len = strspn(text, "0123456789");

	if (len && (text[len] == '_' || text[len] == '+') && text[len + 1])
		len += 1 + strspn(text + len + 1, "0123456789");
	return len && !text[len] && len < 24;
}

static int take_jobs(struct request *request, int argc, char **argv, struct lw_error *err)
{
	for (int i = 0; i < argc; i++) {
		size_t array = array_of(argv[i]);

		if (!array && !is_job(argv[i]))
			return lw_error_set(err, -EINVAL,
					    "\"%s\" is no job id, such as 12 or 12_3",
					    lw_tools_plain(argv[i]));
		lw_strbuf_add(&request->ids, "%s%.*s", i ? "," : "",
			      array ? (int)array : (int)strlen(argv[i]), argv[i]);
	}
	return request->ids.error ? lw_error_set(err, -ENOMEM, "out of memory") : 0;
}

/* The user to show if no job is named; by name if there is one, as squeue takes it. */
static const char *user_of(const struct request *request)
{
	static char digits[16];
	const struct passwd *passwd;

	if (request->all)
		return NULL;
	if (request->user)
		return request->user;
	passwd = getpwuid(geteuid());
	if (passwd)
		return passwd->pw_name;
	snprintf(digits, sizeof(digits), "%u", (unsigned)geteuid());
	return digits;
}

/* Of an array some tasks may run. */
static const struct lw_why_job *first_waiting(const struct lw_why_jobs *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++)
		if (jobs->jobs[i].waits)
			return &jobs->jobs[i];
	return &jobs->jobs[0];
}

static int print_one_json(const struct request *request, const struct lw_why_job *job,
			  int64_t now_s, struct lw_error *err)
{
	json_t *o = lw_why_json(job, now_s);

	if (o && request->history)
		json_object_set_new(o, "history", lw_why_past_json(job));
	return lw_output_json(request->json, lw_json_named("leeway.why", o), err);
}

static int print_json(const struct request *request, const struct lw_why_jobs *jobs,
		      int64_t now_s, struct lw_error *err)
{
	json_t *list;

	if (request->one)
		return print_one_json(request, first_waiting(jobs), now_s, err);
	list = json_array();
	for (uint32_t i = 0; i < jobs->count; i++)
		json_array_append_new(list, lw_why_json(&jobs->jobs[i], now_s));
	return lw_output_json(request->json,
			      lw_json_named("leeway.when", json_pack("{s:o}", "jobs", list)),
			      err);
}

static void print_text(const struct request *request, const struct lw_why_jobs *jobs,
		       int64_t now_s)
{
	if (request->watch && isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", stdout);
	if (!request->one && jobs->count)
		lw_why_print_table(jobs, now_s);
	else if (request->history)
		lw_why_print_history(jobs, now_s);
	else if (jobs->count == 1)
		lw_why_print(&jobs->jobs[0], now_s);
	else if (jobs->count)
		lw_why_print_array(jobs, now_s);
	else
		printf("no job waits\n");
	lw_why_print_zone();
}

/* squeue does not know the jobs: they have ended, there are none, or they are hidden. */
static int look_back(const struct request *request, const char *ids, int64_t now_s,
		     struct lw_error *err)
{
	struct lw_why_jobs jobs;
	int rc = 0;

	if (!ids || !request->one || lw_why_ask_ended(ids, &jobs))
		return lw_error_set(err, -ENOENT,
				    "there is no job %s that you may see: squeue has it not, or "
				    "no longer",
				    ids ? ids : "");
	if (request->json)
		rc = print_json(request, &jobs, now_s, err);
	else if (request->history)
		lw_why_print_history(&jobs, now_s);
	else
		lw_why_print_ended(&jobs, now_s);
	lw_why_fini(&jobs);
	return rc;
}

/* Print what is said of JOBS. *ret_waits: does one of them wait? */
static int say(const struct request *request, struct lw_why_jobs *jobs, int64_t now_s,
	       bool *ret_waits, struct lw_error *err)
{
	lw_why_doubt(jobs, now_s);
	lw_why_use_zone(jobs);
	for (uint32_t i = 0; i < jobs->count; i++) {
		*ret_waits |= jobs->jobs[i].waits;
		if (request->one)
			lw_why_until(&jobs->jobs[i], now_s);
		if (jobs->count <= (request->one ? 1 : PROGRESS_MOST) && !request->history)
			lw_why_progress(&jobs->jobs[i], now_s);
	}
	if (request->json)
		return print_json(request, jobs, now_s, err);
	print_text(request, jobs, now_s);
	return 0;
}

/* Ask and print once, with CANARY. *ret_waits: does one of them wait? */
static int look_for(const struct request *request, const struct lw_why_canary *canary,
		    bool *ret_waits, struct lw_error *err)
{
	const char *ids = request->ids.len ? lw_strbuf_text(&request->ids) : NULL;
	const struct lw_why_asked asked = { .command = request->one ? "why" : "when",
					    .ids = ids,
					    .user = ids ? NULL : user_of(request),
					    .past = request->one || request->history,
					    .qos = canary->qos };
	int64_t now_s = request->now_s ? request->now_s : (int64_t)time(NULL);
	struct lw_why_jobs jobs;
	int rc = lw_why_ask(&asked, &jobs, err);

	*ret_waits = false;
	if (rc == -ENOENT)
		return look_back(request, ids, now_s, err);
	if (rc)
		return rc;
	lw_why_note_others(canary, &jobs);
	rc = ids && !jobs.count ? look_back(request, ids, now_s, err)
				: say(request, &jobs, now_s, ret_waits, err);
	lw_why_fini(&jobs);
	return rc;
}

static int look(const struct request *request, bool *ret_waits, struct lw_error *err)
{
	struct lw_why_canary canary;
	int rc;

	lw_why_canary_read(&canary);
	rc = look_for(request, &canary, ret_waits, err);
	lw_why_canary_fini(&canary);
	return rc;
}

static int run(const struct request *request, struct lw_error *err)
{
	bool waits = false;
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = look(request, &waits, err);
	while (!rc && request->watch && waits) {
		rc = lw_output_flush(0, err);
		sleep(request->every_s);
		if (!rc)
			rc = look(request, &waits, err);
	}
	return rc;
}

/* What was read is right; do it. */
static int finish(const char *command, struct request *request, int argc, char **argv)
{
	struct lw_error err = { "" };
	int rc = take_jobs(request, argc - optind, argv + optind, &err);

	lw_origin_begin(argc, argv);
	if (!rc) {
		rc = run(request, &err);
		/* what squeue refuses is no wrong usage of ours */
		rc = rc == -EINVAL ? -EIO : rc;
	}
	lw_strbuf_fini(&request->ids);
	return lw_tools_ended(command, rc, &err);
}

int lw_tools_why(int argc, char **argv)
{
	struct request request = { .one = true };
	struct lw_error err = { "" };
	const char *job;
	int rc = read_why(&request, argc, argv, &err);

	if (!rc)
		rc = lw_options_word("job", argc, argv, &job, &err);
	if (rc)
		return lw_options_refused("why", rc, &err);
	if (is_stream_of_json(&request))
		return lw_tools_usage("why", json_or_watch);
	return finish("why", &request, argc, argv);
}

int lw_tools_when(int argc, char **argv)
{
	struct request request = { 0 };
	struct lw_error err = { "" };
	int rc = read_when(&request, argc, argv, &err);

	if (rc)
		return lw_options_refused("when", rc, &err);
	if ((request.all || request.user) && optind < argc)
		return lw_tools_usage("when", "--user and --all go without a job");
	if (request.all && request.user)
		return lw_tools_usage("when", "--all or --user, not both");
	if (is_stream_of_json(&request))
		return lw_tools_usage("when", json_or_watch);
	return finish("when", &request, argc, argv);
}
