/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway promises: the open promises, the last that ended, and how they were kept. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grow.h"
#include "base/lookup.h"
#include "base/promise_ended.h"
#include "base/savefile.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"
#include "cli/why/why.h"

#define PROMISES_FILE "leeway_promises"
#define ENDED_SHOWN   20

struct request {
	const char *state, *json;
	uint32_t ended, now_s;
};

/* What is known of promises. */
struct known {
	struct lw_promise *open;
	uint32_t count, room;
	struct lw_promise_totals totals;
	struct lw_promise_ring ended;
	bool whole; /* from the files; else what squeue shows */
};

static int add_open(void *arg, const struct lw_promise *promise)
{
	struct known *known = arg;

	if (lw_grow((void **)&known->open, &known->room, known->count + 1, sizeof(*known->open)))
		return -ENOMEM;
	known->open[known->count++] = *promise;
	return 0;
}

static int read_open(const char *path, struct known *known, struct lw_error *err)
{
	const struct lw_promise_taker taker = { add_open, known };

	lw_origin_add_file(path);
	return lw_promise_read(path, &taker, &known->totals, err);
}

/* There is none before the first promise has ended. */
static int read_ended(const char *path, struct known *known, struct lw_error *err)
{
	char *text;
	size_t size;
	int rc = lw_savefile_read(path, LW_PROMISE_ENDED_KIND, LW_PROMISE_ENDED_VERSION, &text,
				  &size, err);

	if (rc)
		return rc == -ENOENT ? 0 : rc;
	lw_origin_add_file(path);
	rc = lw_promise_ring_parse(&known->ended, text, size, path, err);
	free(text);
	return rc;
}

static int read_files(const char *dir, struct known *known, struct lw_error *err)
{
	char path[PATH_MAX];
	int rc;

	if (snprintf(path, sizeof(path), "%s/" PROMISES_FILE, dir) >= (int)sizeof(path) - 8)
		return lw_error_set(err, -ENAMETOOLONG, "--state: too long");
	rc = read_open(path, known, err);
	if (!rc) {
		strcat(path, "_ended");
		rc = read_ended(path, known, err);
	}
	/* it was read, or slurmctld died, between the writes of the two */
	for (uint32_t i = 0; i < known->count; i++)
		lw_promise_ring_drop(&known->ended, &known->open[i]);
	known->whole = !rc;
	return rc;
}

/* What squeue shows of them. */
static int read_squeue(struct known *known, int64_t now_s, struct lw_error *err)
{
	const struct lw_why_asked all = { .command = "promises" };
	struct lw_why_jobs jobs;
	int rc = lw_why_ask(&all, &jobs, err);

	if (rc)
		return rc;
	lw_why_doubt(&jobs, now_s);
	lw_why_use_zone(&jobs);
	for (uint32_t i = 0; !rc && i < jobs.count; i++) {
		const struct lw_why_job *job = &jobs.jobs[i];
		struct lw_promise promise = { .job_id = (uint32_t)strtoul(job->id, NULL, 10),
					      .told = true,
					      .start_s = job->why.planned_s,
					      .latest_s = job->why.latest_s };

		if (promise.latest_s && add_open(known, &promise))
			rc = lw_error_set(err, -ENOMEM, "out of memory");
	}
	lw_why_fini(&jobs);
	return rc;
}

/* The files stay where another scheduler plans now: a promise that squeue does not tell is its.
 */
static void heed_squeue(struct known *known, int64_t now_s)
{
	const struct lw_why_asked all = { .command = "promises" };
	struct lw_lookup untold = { 0 };
	struct lw_why_jobs jobs;
	struct lw_error why;
	uint32_t ignored;
	int rc = lw_why_ask(&all, &jobs, &why);

	if (!rc) {
		lw_why_doubt(&jobs, now_s);
		lw_why_use_zone(&jobs);
	}
	for (uint32_t i = 0; !rc && i < jobs.count; i++)
		if (jobs.jobs[i].waits && !jobs.jobs[i].why.latest_s)
			rc = lw_lookup_put(&untold, (uint32_t)strtoul(jobs.jobs[i].id, NULL, 10),
					   1);
	for (uint32_t i = 0; i < known->count; i++)
		known->open[i].told =
			rc || !lw_lookup_get(&untold, known->open[i].job_id, &ignored);
	lw_lookup_fini(&untold);
	lw_why_fini(&jobs);
}

static int gather(const struct request *request, int64_t now_s, struct known *known,
		  struct lw_error *err)
{
	char dir[PATH_MAX];
	int rc;

	if (request->state)
		return read_files(request->state, known, err);
	rc = lw_slurm_state_dir(dir, sizeof(dir), err);
	if (!rc)
		rc = read_files(dir, known, err);
	if (!rc)
		heed_squeue(known, now_s);
	else if (rc == -ENOENT || rc == -EACCES || rc == -ENOTDIR)
		rc = read_squeue(known, now_s, err);
	return rc;
}

static const char *end_name(enum lw_promise_end end)
{
	static const char *const names[] = {
		[LW_PROMISE_KEPT] = "kept",     [LW_PROMISE_LATER] = "later_than_shown",
		[LW_PROMISE_BROKEN] = "broken", [LW_PROMISE_CANCELLED] = "cancelled",
		[LW_PROMISE_HELD] = "held",     [LW_PROMISE_LOST] = "lost",
	};

	return names[end];
}

static void print_ended(const struct known *known, uint32_t most, int64_t now_s)
{
	char first[TOOLS_WHY_WHEN_MAX], latest[TOOLS_WHY_WHEN_MAX], started[TOOLS_WHY_WHEN_MAX];

	if (!known->ended.count || !most)
		return;
	printf("\n%-10s %-16s %-16s %-16s %s\n", "ended", "first shown", "at the latest",
	       "started", "");
	for (uint32_t i = 0; i < known->ended.count && i < most; i++) {
		const struct lw_promise_ended *ended = lw_promise_ring_at(&known->ended, i);
		int64_t at_s = ended->started_s ? ended->started_s : TOOLS_WHY_NONE;

		printf("%-10" PRIu32 " %-16s %-16s %-16s %s\n", ended->promise.job_id,
		       lw_why_when(ended->promise.start_s, now_s, first),
		       lw_why_when(ended->promise.latest_s, now_s, latest),
		       lw_why_when(at_s, now_s, started), lw_promise_end_text(ended->end));
	}
}

static void print_text(const struct request *request, const struct known *known, int64_t now_s)
{
	const struct lw_promise_totals *totals = &known->totals;
	char start[TOOLS_WHY_WHEN_MAX], latest[TOOLS_WHY_WHEN_MAX];

	printf("%-10s %-16s %s\n", "open", known->whole ? "first shown" : "planned",
	       "at the latest");
	for (uint32_t i = 0; i < known->count; i++)
		printf("%-10" PRIu32 " %-16s %s%s\n", known->open[i].job_id,
		       lw_why_when(known->open[i].start_s, now_s, start),
		       lw_why_when(known->open[i].latest_s, now_s, latest),
		       known->open[i].told ? "" : ", no longer kept");
	if (!known->count)
		printf("none\n");
	print_ended(known, request->ended, now_s);
	if (known->whole)
		printf("\nmade %" PRIu64 ": kept %" PRIu64 " (%" PRIu64
		       " later than shown), broken %" PRIu64 ", withdrawn %" PRIu64
		       ", open %" PRIu32 "\n",
		       totals->made, totals->kept, totals->later, totals->broken,
		       lw_promise_withdrawn(totals), known->count);
	else
		printf("\nof the jobs that squeue shows you; the controller has the others, and "
		       "those that ended\n");
	lw_why_print_zone();
}

static json_t *make_totals(const struct known *known)
{
	const struct lw_promise_totals *totals = &known->totals;

	if (!known->whole)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "promised",
			 (json_int_t)totals->made, "kept", (json_int_t)totals->kept,
			 "later_than_shown", (json_int_t)totals->later, "broken",
			 (json_int_t)totals->broken, "broken_late_s", (json_int_t)totals->late_s,
			 "withdrawn_cancelled", (json_int_t)totals->cancelled, "withdrawn_held",
			 (json_int_t)totals->held, "withdrawn_lost", (json_int_t)totals->lost);
}

static json_t *make_time(int64_t at_s)
{
	return at_s && at_s != TOOLS_WHY_NONE ? json_integer((json_int_t)at_s) : json_null();
}

static json_t *make_promise(const struct lw_promise *promise)
{
	char job[16];

	snprintf(job, sizeof(job), "%" PRIu32, promise->job_id);
	return json_pack("{s:s, s:o, s:o, s:o}", "job", job, "made_s", make_time(promise->made_s),
			 "start_s", make_time(promise->start_s), "latest_start_s",
			 make_time(promise->latest_s));
}

static int print_json(const struct request *request, const struct known *known,
		      struct lw_error *err)
{
	json_t *open = json_array(), *ended = json_array();

	for (uint32_t i = 0; i < known->count; i++) {
		json_t *promise = make_promise(&known->open[i]);

		json_object_set_new(promise, "kept_now", json_boolean(known->open[i].told));
		json_array_append_new(open, promise);
	}
	for (uint32_t i = 0; i < known->ended.count && i < request->ended; i++) {
		const struct lw_promise_ended *at = lw_promise_ring_at(&known->ended, i);
		json_t *promise = make_promise(&at->promise);

		json_object_set_new(promise, "end", json_string(end_name(at->end)));
		json_object_set_new(promise, "started_s", make_time(at->started_s));
		json_array_append_new(ended, promise);
	}
	return lw_output_json(
		request->json,
		lw_json_named("leeway.promises",
			      json_pack("{s:o, s:o, s:o, s:b}", "open", open, "ended", ended,
					"totals", make_totals(known), "whole",
					(int)known->whole)),
		err);
}

static int promises_run(const struct request *request, struct lw_error *err)
{
	int64_t now_s = request->now_s ? request->now_s : (int64_t)time(NULL);
	struct known known = { 0 };
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = gather(request, now_s, &known, err);
	if (!rc && request->json)
		rc = print_json(request, &known, err);
	else if (!rc)
		print_text(request, &known, now_s);
	free(known.open);
	return rc;
}

int lw_tools_promises(int argc, char **argv)
{
	struct request request = { .ended = ENDED_SHOWN };
	const struct lw_option options[] = {
#include "cli/cmd/promises_options.def"
	};
	struct lw_error err = { "" };
	int rc = lw_options_read(options, &request, argc, argv, &err);

	if (rc)
		return lw_options_refused("promises", rc, &err);
	if (optind < argc)
		return lw_tools_usage("promises", "\"%s\": there is nothing to name",
				      lw_tools_plain(argv[optind]));
	rc = promises_run(&request, &err);
	return lw_tools_ended("promises", rc == -EINVAL ? -EIO : rc, &err);
}
