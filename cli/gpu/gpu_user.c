/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu --user: what a user's finished jobs made of their GPUs, from accounting. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/grow.h"
#include "tagger/tag.h"
#include "cli/common/energy.h"
#include "cli/common/slurmcall.h"
#include "cli/gpu/gpu.h"
#include "cli/gpu/gpu_attempts.h"
#include "cli/gpu/gpu_ended.h"
#include "cli/history/history_share.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/rows.h"
#include "cli/common/tools.h"

static const enum lw_column needs[] = { LW_COL_JOB,  LW_COL_STATE,   LW_COL_ELAPSED,
					LW_COL_TRES, LW_COL_COMMENT, LW_COL_END_OF_LIST };
/* For the runs of requeued jobs. */
static const enum lw_column uses[] = { LW_COL_RAW_ID, LW_COL_SUBMIT,       LW_COL_START,
				       LW_COL_END,    LW_COL_USER_COMMENT, LW_COL_END_OF_LIST };

/* Sums over the user's jobs. Hours are of GPUs. */
struct totals {
	uint32_t jobs, recorded;
	double gpu_s, recorded_s, idle_s, empty_s;
	double util_gpu_s;           /* mean utilisation weighted with GPU-seconds */
	double known_s;              /* of which the utilisation is known */
	double sm_gpu_s, sm_known_s; /* the same of multiprocessors busy */
	uint32_t metered;            /* jobs with known energy of their GPUs */
	double gpu_j, node_j;        /* theirs, and all jobs' share of the nodes */
	struct lw_ettr ettr;         /* of all runs that ended */
};

struct job {
	char *name, *state;
	uint32_t gpus; /* allocated */
	double node_j; /* its share of its nodes */
	bool has_tag;
	struct lw_tag tag;
	struct lw_gpu_ended ended;
	struct lw_progress progress;
};

static int read_job(const struct lw_row *row, double cpu_w, struct job *job, struct lw_error *err)
{
	int64_t elapsed_s, gpus;

	*job = (struct job){ .gpus = 0 };
	if (lw_row_value(row, LW_COL_ELAPSED, &elapsed_s, err) ||
	    lw_row_value(row, LW_COL_TRES, &gpus, err))
		return -EINVAL;
	job->ended.elapsed_s = elapsed_s;
	job->node_j = cpu_w * (double)elapsed_s * (double)lw_sacct_tres(row->tres, "cpu");
	job->gpus = (uint32_t)gpus;
	job->has_tag = !lw_tag_decode(row->comment, &job->tag);
	lw_gpu_ended_read(row->comment, &job->ended);
	lw_progress_read(row->user_comment, -1, 0, &job->progress);
	/* of shares, and where accounting keeps no GPUs at all, the record tells how many */
	if (!job->gpus && job->ended.has_word)
		job->gpus = job->ended.word.gpus;
	if (!job->gpus)
		job->gpus = (uint32_t)lw_sacct_gpus_held(row->tres, row->comment);
	return 0;
}

static void add_totals(struct totals *totals, const struct job *job)
{
	double gpu_s = (double)job->ended.elapsed_s * job->gpus;

	totals->jobs++;
	totals->gpu_s += gpu_s;
	totals->node_j += job->node_j;
	if (!job->ended.has_word)
		return;
	totals->recorded++;
	totals->recorded_s += gpu_s;
	totals->idle_s += (double)job->ended.word.idle_s;
	totals->empty_s += (double)job->ended.word.empty_s;
	totals->metered += job->ended.word.energy_gpus > 0;
	totals->gpu_j += (double)job->ended.word.energy_j;
	if (job->ended.word.has_util) {
		totals->known_s += gpu_s;
		totals->util_gpu_s += gpu_s * job->ended.word.util_mean;
	}
	if (job->ended.word.has_sm) {
		totals->sm_known_s += gpu_s;
		totals->sm_gpu_s += gpu_s * job->ended.word.sm_percent;
	}
}

static void make_row(const struct job *job, bool wide, struct lw_gpu_row *ret_row)
{
	const char *tag = job->has_tag ? lw_tag_class_name(job->tag.class) : NULL;

	ret_row->fields = (struct lw_fields){ {
		{ "job", "job", -14, wide ? LW_FIELD_TEXT : LW_FIELD_CUT, .text = job->name },
		{ "state", "state", -13, LW_FIELD_CUT, .text = job->state },
		{ "tag", wide ? "tag" : NULL, -10, LW_FIELD_TEXT, .text = tag },
		{ "gpus", "GPUs", wide ? 5 : 4, .value = job->gpus },
		{ "elapsed_s", "elapsed", wide ? 8 : 7, LW_FIELD_DURATION,
		  (double)job->ended.elapsed_s, NULL },
	} };
	lw_gpu_ended_use(&job->ended, job->gpus, wide, ret_row);
}

static void gpu_user_print_progress(const struct lw_progress *progress, int64_t now_s)
{
	struct lw_strbuf line = LW_STRBUF_INIT;

	lw_progress_tell_rate(progress, now_s, &line);
	if (line.len)
		printf("%14s progress: %s\n", "", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
}

/*
 * A line for each job, and more with advice, its progress and on sharing; not WIDE: that fits 80
 * columns.
 */
static void print_job(const struct job *job, bool wide, int64_t now_s)
{
	char advice[LW_GPU_ADVICE_TEXT];
	struct lw_gpu_row row;

	make_row(job, wide, &row);
	lw_fields_print(row.fields, job->ended.has_word ? "" : "  no record");
	if (!wide && job->ended.has_word && lw_gpu_ended_advise(&job->ended, advice))
		printf("%14s %s\n", "", advice);
	gpu_user_print_progress(&job->progress, now_s);
	lw_gpu_ended_print_sharing(&job->ended, 15, false);
}

static json_t *make_job(const struct job *job)
{
	json_t *o = json_pack("{s:b, s:f, s:n}", "recorded", (int)job->ended.has_word,
			      "node_energy_j", job->node_j, "tag");
	struct lw_gpu_row row;

	make_row(job, true, &row);
	lw_fields_set(o, &row.fields, false);
	lw_gpu_ended_set(o, &job->ended, false);
	lw_progress_set(o, &job->progress);
	return o;
}

static void print_energy(const struct totals *totals)
{
	char gpus[LW_ENERGY_TEXT_MAX], nodes[LW_ENERGY_TEXT_MAX];

	lw_energy_print(totals->gpu_j, gpus, sizeof(gpus));
	lw_energy_print(totals->node_j, nodes, sizeof(nodes));
	if (totals->metered)
		printf("energy of GPUs %s (%" PRIu32 " job%s), ", gpus, totals->metered,
		       totals->metered == 1 ? "" : "s");
	printf("share of nodes %s\n", nodes);
}

static void print_totals(const struct totals *totals)
{
	printf("\n%" PRIu32 " job%s with GPUs, %" PRIu32 " of them recorded; %.1f GPU-hours",
	       totals->jobs, totals->jobs == 1 ? "" : "s", totals->recorded,
	       totals->gpu_s / 3600);
	if (totals->recorded_s > 0)
		printf("\nidle %.1f (%.0f %%), without a process %.1f", totals->idle_s / 3600,
		       100 * totals->idle_s / totals->recorded_s, totals->empty_s / 3600);
	if (totals->known_s > 0)
		printf("\nmean utilisation %.0f %%", totals->util_gpu_s / totals->known_s);
	if (totals->sm_known_s > 0)
		printf(", multiprocessors busy %.0f %%", totals->sm_gpu_s / totals->sm_known_s);
	printf("\n");
	lw_gpu_attempts_print(&totals->ettr);
	print_energy(totals);
}

static json_t *make_totals(const struct totals *totals)
{
	return json_pack("{s:i, s:i, s:f, s:f, s:f, s:o, s:o, s:i, s:f, s:f, s:o}", "jobs",
			 (int)totals->jobs, "recorded", (int)totals->recorded, "gpu_hours",
			 totals->gpu_s / 3600, "idle_gpu_hours", totals->idle_s / 3600,
			 "empty_gpu_hours", totals->empty_s / 3600, "util_mean",
			 totals->known_s > 0 ? json_real(totals->util_gpu_s / totals->known_s)
					     : json_null(),
			 "sm_mean",
			 totals->sm_known_s > 0 ? json_real(totals->sm_gpu_s / totals->sm_known_s)
						: json_null(),
			 "metered", (int)totals->metered, "energy_j", totals->gpu_j,
			 "node_energy_j", totals->node_j, "ettr",
			 lw_gpu_attempts_json(&totals->ettr));
}

static void print_title(bool wide)
{
	char empty[] = "";
	const struct job none = { .name = empty };
	struct lw_gpu_row row;

	make_row(&none, wide, &row);
	lw_fields_print_titles(row.fields, "");
}

/* What is printed behind the jobs. */
struct behind {
	struct totals totals;
	const struct lw_share_known *known; /* NULL: not asked for */
	uint32_t who;
};

static void print_behind(const struct behind *behind)
{
	print_totals(&behind->totals);
	if (!behind->known)
		return;
	printf("\nknown for sharing GPUs, 95 %% quantiles of runs alone:\n");
	lw_share_print(behind->known, behind->who);
}

static json_t *make_all(json_t *jobs, const struct behind *behind)
{
	return json_pack("{s:O, s:o, s:o}", "jobs", jobs, "totals", make_totals(&behind->totals),
			 "known",
			 behind->known ? lw_share_json(behind->known, behind->who) : json_null());
}

/* What is shown of each job, and of all behind them. */
struct shown {
	const struct lw_gpu_request *request;
	double cpu_w;
	struct job *list; /* of each row */
	uint32_t count, room;
	struct lw_gpu_attempts attempts; /* of the same rows */
	struct lw_progresses running;    /* of the user */
	json_t *jobs;                    /* NULL: as text */
	struct behind *behind;
};

static void shown_fini(struct shown *shown)
{
	for (uint32_t i = 0; i < shown->count; i++) {
		free(shown->list[i].name);
		free(shown->list[i].state);
	}
	free(shown->list);
	lw_gpu_attempts_fini(&shown->attempts);
	lw_progresses_fini(&shown->running);
	json_decref(shown->jobs);
}

/* Rows without GPUs as well: a job that waits anew has none. */
static int take_job(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct shown *shown = to;
	struct job job;
	int rc = read_job(row, shown->cpu_w, &job, err);

	if (!rc)
		rc = lw_grow((void **)&shown->list, &shown->room, shown->count + 1, sizeof(job));
	/* of parts of a GPU it is not known how much was taken */
	if (!rc)
		rc = lw_gpu_attempts_add(&shown->attempts, row, lw_sacct_gpus(row->tres),
					 job.ended.elapsed_s, err);
	if (rc)
		return rc;
	job.name = strdup(row->job);
	job.state = strdup(row->state);
	shown->list[shown->count++] = job;
	return job.name && job.state ? 0 : -ENOMEM;
}

/* Of a job that runs accounting does not have it yet. */
static void show_job(struct shown *shown, struct job *job)
{
	const struct lw_progress *running = lw_progresses_find(&shown->running, job->name);

	if (running)
		job->progress = *running;
	if (!shown->jobs && !shown->behind->totals.jobs)
		print_title(shown->request->wide);
	add_totals(&shown->behind->totals, job);
	if (shown->jobs)
		json_array_append_new(shown->jobs, make_job(job));
	else
		print_job(job, shown->request->wide, shown->request->now_s);
}

/* Of a job that was requeued its last run. */
static int show_jobs(struct shown *shown)
{
	int rc = lw_gpu_attempts_sum(&shown->attempts, &shown->behind->totals.ettr);

	for (uint32_t i = 0; !rc && i < shown->count; i++)
		if (shown->list[i].gpus && !shown->attempts.items[i].earlier)
			show_job(shown, &shown->list[i]);
	return rc;
}

/* Read from the file that was named, or from the commands. */
static int user_ask(const struct lw_gpu_request *request, struct lw_rows *rows,
		    struct lw_progresses *running, struct lw_error *err)
{
	const char *user = request->user ? request->user : lw_tools_user_name(geteuid());
	char since[32];
	const char *options[] = { "-u", user, "-D", "-S", since, "-E", "now", NULL };
	int rc;

	if (request->sacct)
		return lw_rows_of_file(rows, request->sacct, err);
	snprintf(since, sizeof(since), "now-%" PRId64 "seconds", request->since_s);
	lw_slurm_environment();
	rc = lw_rows_ask(rows, request->bin, options, err);
	if (!rc && lw_progresses_ask(request->bin, "-u", user, request->now_s, running))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	return rc;
}

static int user_show(const struct lw_gpu_request *request, double cpu_w, struct behind *behind,
		     struct lw_error *err)
{
	struct shown shown = { .request = request,
			       .cpu_w = cpu_w,
			       .jobs = request->json ? json_array() : NULL,
			       .behind = behind };
	struct lw_rows rows = { .needs = needs, .uses = uses, .take = take_job, .to = &shown };
	int rc = user_ask(request, &rows, &shown.running, err);

	if (!rc && show_jobs(&shown))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc && shown.jobs)
		rc = lw_output_json(
			request->json,
			lw_json_named("leeway.gpu.user", make_all(shown.jobs, behind)), err);
	if (!rc && !shown.jobs && !behind->totals.jobs)
		print_title(request->wide);
	if (!rc && !shown.jobs)
		print_behind(behind);
	shown_fini(&shown);
	return rc;
}

/* Read the file of share.record, and note which user's runs to show. */
static int load_known(const struct lw_gpu_request *request, struct lw_share_known *known,
		      struct behind *behind, struct lw_error *err)
{
	int rc = 0;

	behind->who = (uint32_t)geteuid();
	if (!request->share)
		return 0;
	if (request->user)
		rc = lw_tools_find_user(request->user, &behind->who, err);
	behind->known = known;
	return rc ? rc : lw_share_load(request->share, known, err);
}

int lw_gpu_user(const struct lw_gpu_request *request, struct lw_error *err)
{
	struct lw_share_known known = { 0 };
	struct behind behind = { .known = NULL };
	struct lw_energy_watts watts;
	int rc = lw_energy_read_watts(request->config, &watts, err);

	if (!rc)
		rc = load_known(request, &known, &behind, err);
	if (!rc)
		rc = user_show(request, watts.cpu, &behind, err);
	lw_share_known_fini(&known);
	return rc;
}
