/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu --user: what a user's finished jobs made of their GPUs, from accounting. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "tagger/tag.h"
#include "cli/common/energy.h"
#include "cli/gpu/gpu.h"
#include "cli/gpu/gpu_shared.h"
#include "cli/history/history_share.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/rows.h"
#include "cli/common/tools.h"

static const enum lw_column needs[] = { LW_COL_JOB,  LW_COL_STATE,   LW_COL_ELAPSED,
					LW_COL_TRES, LW_COL_COMMENT, LW_COL_END_OF_LIST };

/* Sums over the user's jobs. Hours are of GPUs. */
struct totals {
	uint32_t jobs, recorded;
	double gpu_s, recorded_s, idle_s, empty_s;
	double util_gpu_s; /* mean utilisation weighted with GPU-seconds */
	double known_s;    /* of which the utilisation is known */
	double sm_gpu_s, sm_known_s; /* the same of multiprocessors busy */
	uint32_t metered;            /* jobs with known energy of their GPUs */
	double gpu_j, node_j;        /* theirs, and all jobs' share of the nodes */
};

struct job {
	const char *name, *state;
	int64_t elapsed_s;
	uint32_t gpus; /* allocated */
	double node_j; /* its share of its nodes */
	bool has_tag, has_word, has_mark;
	struct lw_tag tag;
	struct lw_sharemark mark;
	struct lw_summary_word word;
};

static int read_job(const struct lw_row *row, double cpu_w, struct job *job, struct lw_error *err)
{
	int64_t elapsed_s, gpus;

	*job = (struct job){ .name = row->job, .state = row->state };
	if (lw_row_value(row, LW_COL_ELAPSED, &elapsed_s, err) ||
	    lw_row_value(row, LW_COL_TRES, &gpus, err))
		return -EINVAL;
	job->elapsed_s = elapsed_s;
	job->node_j = cpu_w * (double)elapsed_s * (double)lw_sacct_tres(row->tres, "cpu");
	job->gpus = (uint32_t)gpus;
	job->has_tag = !lw_tag_decode(row->comment, &job->tag);
	job->has_word = !lw_summary_decode(row->comment, &job->word);
	job->has_mark = !lw_sharemark_read(row->comment, &job->mark);
	/* of shares, and where accounting keeps no GPUs at all, the record tells how many */
	if (!job->gpus && job->has_word)
		job->gpus = job->word.gpus;
	if (!job->gpus)
		job->gpus = (uint32_t)lw_sacct_gpus_held(row->tres, row->comment);
	return 0;
}

static void add_totals(struct totals *totals, const struct job *job)
{
	double gpu_s = (double)job->elapsed_s * job->gpus;

	totals->jobs++;
	totals->gpu_s += gpu_s;
	totals->node_j += job->node_j;
	if (!job->has_word)
		return;
	totals->recorded++;
	totals->recorded_s += gpu_s;
	totals->idle_s += (double)job->word.idle_s;
	totals->empty_s += (double)job->word.empty_s;
	totals->metered += job->word.energy_gpus > 0;
	totals->gpu_j += (double)job->word.energy_j;
	if (job->word.has_util) {
		totals->known_s += gpu_s;
		totals->util_gpu_s += gpu_s * job->word.util_mean;
	}
	if (job->word.has_sm) {
		totals->sm_known_s += gpu_s;
		totals->sm_gpu_s += gpu_s * job->word.sm_percent;
	}
}

static const char *tag_name(const struct job *job)
{
	return job->has_tag ? lw_tag_class_name(job->tag.class) : "-";
}

static void print_mean(bool known, uint32_t mean)
{
	if (known)
		printf(" %4" PRIu32, mean);
	else
		printf(" %4s", "-");
}

/*
 * Its part of a GPU, the other jobs there, and the cost; nothing for a job that had its GPUs
 * alone.
 */
static void print_shared(const struct job *job)
{
	const struct lw_summary_word *word = &job->word;
	char text[TOOLS_GPU_SHARED_TEXT];

	if (job->has_mark) {
		lw_gpu_parts_line(&job->mark, text, sizeof(text));
		printf("%14s %s\n", "", text);
	}
	lw_gpu_shared_who(word, text, sizeof(text));
	if (*text)
		printf("%14s %s\n", "", text);
	lw_gpu_shared_cost(word, text, sizeof(text));
	if (*text)
		printf("%14s %s\n", "", text);
}

static void print_job(const struct job *job)
{
	const struct lw_summary_word *word = &job->word;
	char elapsed[32], idle[32] = "-", util[32] = "-", mem[32] = "-";
	char energy[LW_ENERGY_TEXT_MAX] = "-";

	lw_duration_print(job->elapsed_s, elapsed, sizeof(elapsed));
	if (word->has_util) {
		snprintf(util, sizeof(util), "%" PRIu32 "/%" PRIu32, word->util_mean,
			 word->util_max);
		lw_duration_print(word->idle_s, idle, sizeof(idle));
	}
	if (word->has_mem)
		snprintf(mem, sizeof(mem), "%.1f/%.1f", word->mem_mean_mib / 1024.0,
			 word->mem_max_mib / 1024.0);
	printf("%-14s %-13.13s %-10s %5" PRIu32 " %8s %8s", lw_tools_plain(job->name),
	       lw_tools_plain(job->state), tag_name(job), job->gpus, elapsed, util);
	print_mean(word->has_sm, word->sm_percent);
	print_mean(word->has_tensor, word->tensor_percent);
	print_mean(word->has_membw, word->membw_percent);
	if (word->energy_gpus)
		lw_energy_print((double)word->energy_j, energy, sizeof(energy));
	printf(" %11s %10s %9s%s\n", mem, idle, energy, job->has_word ? "" : "  no record");
	print_shared(job);
}

/* A line for each job that fits 80 columns, and one more with advice. */
static void print_narrow(const struct job *job)
{
	const struct lw_summary_word *word = &job->word;
	char elapsed[32], util[32] = "-", mem[32] = "-", idle[16] = "-", advice[80] = "";
	double gpu_s = (double)job->elapsed_s * job->gpus;

	lw_duration_print(job->elapsed_s, elapsed, sizeof(elapsed));
	if (word->has_util) {
		double share = gpu_s > 0 ? 100 * (double)word->idle_s / gpu_s : 0;

		snprintf(util, sizeof(util), "%" PRIu32 "/%" PRIu32, word->util_mean,
			 word->util_max);
		snprintf(idle, sizeof(idle), "%.0f %%", share < 100 ? share : 100);
	}
	if (word->has_mem)
		snprintf(mem, sizeof(mem), "%.1f/%.1f", word->mem_mean_mib / 1024.0,
			 word->mem_max_mib / 1024.0);
	printf("%-14.14s %-13.13s %4" PRIu32 " %7s %8s %11s %6s%s\n", lw_tools_plain(job->name),
	       lw_tools_plain(job->state), job->gpus, elapsed, util, mem, idle,
	       job->has_word ? "" : "  no record");
	if (job->has_word && lw_gpu_advise(word, job->elapsed_s, job->has_mark && job->mark.parts,
					   advice, sizeof(advice)))
		printf("%14s %s\n", "", advice);
	print_shared(job);
}

static void set_advice(json_t *o, const struct job *job)
{
	char advice[80];
	enum lw_gpu_advice kind =
		lw_gpu_advise(&job->word, job->elapsed_s, job->has_mark && job->mark.parts,
			      advice, sizeof(advice));

	json_object_set_new(o, "advice",
			    kind ? json_string(lw_gpu_advice_name(kind)) : json_null());
}

static json_t *make_job(const struct job *job)
{
	const struct lw_summary_word *word = &job->word;
	json_t *o = json_pack("{s:o, s:o, s:I, s:I, s:b}", "job", lw_output_string(job->name),
			      "state", lw_output_string(job->state), "gpus",
			      (json_int_t)job->gpus, "elapsed_s", (json_int_t)job->elapsed_s,
			      "recorded", (int)job->has_word);

	json_object_set_new(o, "tag", job->has_tag ? json_string(tag_name(job)) : json_null());
	json_object_set_new(o, "node_energy_j", json_real(job->node_j));
	json_object_set_new(o, "share", lw_gpu_parts_json(job->has_mark ? &job->mark : NULL));
	if (!job->has_word)
		return o;
	set_advice(o, job);
	json_object_set_new(o, "shared", lw_gpu_shared_json(word));
	json_object_set_new(o, "idle_s", json_integer((json_int_t)word->idle_s));
	json_object_set_new(o, "empty_s", json_integer((json_int_t)word->empty_s));
	if (word->has_util) {
		json_object_set_new(o, "util_mean", json_integer(word->util_mean));
		json_object_set_new(o, "util_max", json_integer(word->util_max));
	}
	if (word->has_sm)
		json_object_set_new(o, "sm_mean", json_integer(word->sm_percent));
	if (word->has_tensor)
		json_object_set_new(o, "tensor_mean", json_integer(word->tensor_percent));
	if (word->has_membw)
		json_object_set_new(o, "membw_mean", json_integer(word->membw_percent));
	if (word->has_mem) {
		json_object_set_new(o, "mem_mean_mib", json_integer(word->mem_mean_mib));
		json_object_set_new(o, "mem_max_mib", json_integer(word->mem_max_mib));
	}
	if (word->has_nvlink)
		json_object_set_new(o, "nvlink_mib_s", json_integer(word->nvlink_mib_s));
	if (word->has_pcie)
		json_object_set_new(o, "pcie_mib_s", json_integer(word->pcie_mib_s));
	if (word->energy_gpus) {
		json_object_set_new(o, "energy_j", json_integer((json_int_t)word->energy_j));
		json_object_set_new(o, "energy_gpus", json_integer(word->energy_gpus));
	}
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
	print_energy(totals);
}

static json_t *make_totals(const struct totals *totals)
{
	return json_pack("{s:i, s:i, s:f, s:f, s:f, s:o, s:o, s:i, s:f, s:f}", "jobs",
			 (int)totals->jobs, "recorded", (int)totals->recorded, "gpu_hours",
			 totals->gpu_s / 3600, "idle_gpu_hours", totals->idle_s / 3600,
			 "empty_gpu_hours", totals->empty_s / 3600, "util_mean",
			 totals->known_s > 0 ? json_real(totals->util_gpu_s / totals->known_s)
					     : json_null(),
			 "sm_mean",
			 totals->sm_known_s > 0 ? json_real(totals->sm_gpu_s / totals->sm_known_s)
						: json_null(),
			 "metered", (int)totals->metered, "energy_j", totals->gpu_j,
			 "node_energy_j", totals->node_j);
}

static void print_title(bool wide)
{
	if (wide)
		printf("%-14s %-13s %-10s %5s %8s %8s %4s %4s %4s %11s %10s %9s\n", "job",
		       "state", "tag", "GPUs", "elapsed", "util %", "sm %", "tens", "bw",
		       "memory GiB", "idle GPU-t", "energy");
	else
		printf("%-14s %-13s %4s %7s %8s %11s %6s\n", "job", "state", "GPUs", "elapsed",
		       "util %", "memory GiB", "idle");
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
	json_t *jobs; /* NULL: as text */
	struct behind *behind;
};

static int show_job(void *to, const struct lw_row *row, struct lw_error *err)
{
	const struct shown *shown = to;
	struct job job;
	int rc = read_job(row, shown->cpu_w, &job, err);

	if (rc || !job.gpus)
		return rc;
	if (!shown->jobs && !shown->behind->totals.jobs)
		print_title(shown->request->wide);
	add_totals(&shown->behind->totals, &job);
	if (shown->jobs)
		json_array_append_new(shown->jobs, make_job(&job));
	else if (shown->request->wide)
		print_job(&job);
	else
		print_narrow(&job);
	return 0;
}

/* Read from the file that was named, or from the command. */
static int user_ask(const struct lw_gpu_request *request, struct lw_rows *rows,
		    struct lw_error *err)
{
	const char *user = request->user ? request->user : lw_tools_user_name(geteuid());
	char since[32];
	const char *options[] = { "-u", user, "-S", since, "-E", "now", NULL };

	if (request->sacct)
		return lw_rows_of_file(rows, request->sacct, err);
	snprintf(since, sizeof(since), "now-%" PRId64 "seconds", request->since_s);
	return lw_rows_ask(rows, request->bin, options, err);
}

static int user_show(const struct lw_gpu_request *request, double cpu_w, struct behind *behind,
		     struct lw_error *err)
{
	struct shown shown = { request, cpu_w, request->json ? json_array() : NULL, behind };
	struct lw_rows rows = { .needs = needs, .take = show_job, .to = &shown };
	int rc = user_ask(request, &rows, err);

	if (!rc && shown.jobs)
		rc = lw_output_json(
			request->json,
			lw_json_named("leeway.gpu.user", make_all(shown.jobs, behind)), err);
	if (!rc && !shown.jobs && !behind->totals.jobs)
		print_title(request->wide);
	if (!rc && !shown.jobs)
		print_behind(behind);
	json_decref(shown.jobs);
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
