/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu JOBID where no record is at hand: by the summary that Slurm's commands tell.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/rows.h"
#include "cli/common/tools.h"
#include "cli/gpu/gpu.h"
#include "cli/gpu/gpu_ended.h"
#include "record/account.h"

static const enum lw_column needs[] = { LW_COL_RAW_ID, LW_COL_STATE, LW_COL_ELAPSED,
					LW_COL_COMMENT, LW_COL_END_OF_LIST };
/* How far it said that it is. */
static const enum lw_column gpu_told_uses[] = { LW_COL_USER_COMMENT, LW_COL_END_OF_LIST };

struct told {
	const char *job; /* which is asked for */
	struct lw_gpu_ended ended;
	struct lw_progress progress;
	char state[24];
};

/* 1: it is the row of the job, and has a word of ours. */
static int take_row(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct told *told = to;

	if (strcmp(row->raw_id, told->job) != 0 || !lw_gpu_ended_read(row->comment, &told->ended))
		return 0;
	snprintf(told->state, sizeof(told->state), "%s", row->state);
	lw_progress_read(row->user_comment, -1, 0, &told->progress);
	if (lw_row_value(row, LW_COL_ELAPSED, &told->ended.elapsed_s, err))
		told->ended.elapsed_s = 0;
	return 1;
}

/* The job's own row of sacct; -ENOENT: it is not there, or has no word of ours. */
static int ask_sacct(const struct lw_gpu_request *request, struct told *told,
		     struct lw_error *err)
{
	const char *options[] = { "-j", request->jobs[0], NULL };
	struct lw_rows rows = {
		.needs = needs,
		.uses = gpu_told_uses,
		.command = "gpu",
		.take = take_row,
		.to = told,
	};
	int rc = lw_rows_ask(&rows, request->bin, options, err);

	if (rc && !rows.opened)
		return rc;
	return rc || !(told->ended.has_word || told->ended.has_mark) ? -ENOENT : 0;
}

/* Where there is no accounting slurmctld knows it for a while. */
static int ask_scontrol(const struct lw_gpu_request *request, struct told *told,
			struct lw_error *why)
{
	static const char name[] = " AdminComment=", own[] = " Comment=";
	const char *argv[] = { "scontrol", "-o", "show", "job", request->jobs[0], NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;
	int rc = lw_account_run(request->bin, argv, &text, &err);
	const char *at = rc ? NULL : strstr(lw_strbuf_text(&text), name);
	const char *state = at ? strstr(lw_strbuf_text(&text), " JobState=") : NULL;
	const char *comment = at ? strstr(lw_strbuf_text(&text), own) : NULL;

	if (!rc)
		rc = at && lw_gpu_ended_read(at + strlen(name), &told->ended) ? 0 : -ENOENT;
	/* a good answer of sacct's, that it has none, does not excuse one that is none */
	if (rc == -ENOENT && !at && !strstr(lw_strbuf_text(&text), "JobId=") && !why->text[0])
		lw_error_set(why, rc,
			     "nothing that scontrol printed can be read as a job: is it "
			     "Slurm's?");
	if (!rc && state)
		snprintf(told->state, sizeof(told->state), "%.*s", (int)strcspn(state + 10, " "),
			 state + 10);
	if (!rc && comment)
		lw_progress_read(comment + strlen(own), -1, 0, &told->progress);
	lw_strbuf_fini(&text);
	return rc;
}

static void print_pair(const char *label, bool known, double mean, double most, const char *unit)
{
	if (known)
		printf("%-10s%.0f %s on average, %.0f at most\n", label, mean, unit, most);
	else
		printf("%-10snot known\n", label);
}

static void print_mean(const char *label, bool known, uint32_t percent, const char *of)
{
	if (known)
		printf("%-10s%" PRIu32 " %% %s\n", label, percent, of);
}

static void print_told_head(const char *job, const struct told *told)
{
	char elapsed[32];

	lw_duration_print(told->ended.elapsed_s, elapsed, sizeof(elapsed));
	printf("job %s, %s", job, lw_tools_plain(told->state));
	if (told->ended.has_word)
		printf(", %" PRIu32 " GPU%s", told->ended.word.gpus,
		       told->ended.word.gpus == 1 ? "" : "s");
	if (told->ended.elapsed_s)
		printf(", %s", elapsed);
	printf("%s\n\n", told->ended.has_word ? ", by its summary" : ", without a summary");
}

static void print_use(const struct told *told)
{
	const struct lw_summary_word *word = &told->ended.word;
	char idle[32], empty[32], advice[LW_GPU_ADVICE_TEXT];

	lw_duration_print(word->idle_s, idle, sizeof(idle));
	lw_duration_print(word->empty_s, empty, sizeof(empty));
	print_pair("use", word->has_util, word->util_mean, word->util_max, "%");
	print_mean("SM", word->has_sm, word->sm_percent, "of the multiprocessors busy");
	print_mean("tensor", word->has_tensor, word->tensor_percent,
		   "of what the tensor cores can do");
	print_mean("bandwidth", word->has_membw, word->membw_percent, "of the memory's");
	print_pair("memory", word->has_mem, word->mem_mean_mib / 1024.0,
		   word->mem_max_mib / 1024.0, "GiB");
	if (word->has_power)
		print_pair("power", true, word->power_mean_w, word->power_max_w, "W");
	printf("%-10s%s of GPU time, without a process %s\n", "idle", idle, empty);
	if (lw_gpu_ended_advise(&told->ended, advice))
		printf("%-10s%s\n", "advice", advice);
}

static void gpu_told_print_progress(const struct lw_progress *progress)
{
	struct lw_strbuf line = LW_STRBUF_INIT;

	lw_progress_tell_rate(progress, 0, &line);
	if (line.len)
		printf("%-10s%s\n", "progress", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
}

static void print_told(const char *job, const struct told *told)
{
	print_told_head(job, told);
	gpu_told_print_progress(&told->progress);
	if (told->ended.has_word)
		print_use(told);
	lw_gpu_ended_print_sharing(&told->ended, 10, true);
	lw_gpu_print_energy((double)told->ended.word.energy_j, told->ended.word.energy_gpus,
			    told->ended.word.gpus, false);
	printf("\neach GPU over time is shown where the job's records are: see --dir\n");
}

static int told_json(const struct lw_gpu_request *request, const struct told *told,
		     struct lw_error *err)
{
	bool has_word = told->ended.has_word;
	const struct lw_summary_word *word = &told->ended.word;
	struct lw_gpu_row row = {
		.fields = { {
			{ "job", NULL, 0, LW_FIELD_TEXT, .text = request->jobs[0] },
			{ "state", NULL, 0, LW_FIELD_TEXT, .text = told->state },
			{ "gpus", .value = lw_field_if(has_word, word->gpus) },
		} }
	};
	json_t *o;

	lw_gpu_ended_use(&told->ended, word->gpus, false, &row);
	o = lw_fields_json(row.fields, true);
	lw_gpu_ended_set(o, &told->ended, true);
	lw_progress_set(o, &told->progress);
	/* here 0 is told, too */
	if (has_word)
		json_object_set_new(o, "energy_gpus", json_integer(word->energy_gpus));
	return lw_output_json(request->json, lw_json_named("leeway.gpu.summary", o), err);
}

int lw_gpu_told(const struct lw_gpu_request *request, struct lw_error *err)
{
	struct told told = { .job = request->jobs[0] };
	struct lw_error why = { "" };
	int rc;

	/* of a job that runs slurmctld knows more than accounting */
	rc = ask_sacct(request, &told, &why);
	if (rc || !told.ended.has_word)
		rc = ask_scontrol(request, &told, &why) && rc ? -ENOENT : 0;
	if (rc && why.text[0])
		return lw_error_set(err, rc, "nor does Slurm tell: %s", why.text);
	if (rc)
		return lw_error_set(err, rc, "nor has Slurm a summary of it");
	if (request->json)
		return told_json(request, &told, err);
	print_told(request->jobs[0], &told);
	return 0;
}
