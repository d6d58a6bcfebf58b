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
#include "cli/gpu/gpu_shared.h"
#include "record/account.h"

static const enum lw_column needs[] = { LW_COL_RAW_ID, LW_COL_STATE, LW_COL_ELAPSED,
					LW_COL_COMMENT, LW_COL_END_OF_LIST };

struct told {
	const char *job; /* which is asked for */
	bool has_word, has_mark;
	struct lw_summary_word word;
	struct lw_sharemark mark; /* which part of a GPU it was given */
	char state[24];
	int64_t elapsed_s;
};

/* Does COMMENT have a word of ours? A newer one of either kind takes the place of an older. */
static bool read_comment(const char *comment, struct told *told)
{
	bool word = !lw_summary_decode(comment, &told->word);
	bool mark = !lw_sharemark_read(comment, &told->mark);

	told->has_word = told->has_word || word;
	told->has_mark = told->has_mark || mark;
	return word || mark;
}

/* 1: it is the row of the job, and has a word of ours. */
static int take_row(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct told *told = to;

	if (strcmp(row->raw_id, told->job) != 0 || !read_comment(row->comment, told))
		return 0;
	snprintf(told->state, sizeof(told->state), "%s", row->state);
	if (lw_row_value(row, LW_COL_ELAPSED, &told->elapsed_s, err))
		told->elapsed_s = 0;
	return 1;
}

/* The job's own row of sacct; -ENOENT: it is not there, or has no word of ours. */
static int ask_sacct(const struct lw_gpu_request *request, struct told *told,
		     struct lw_error *err)
{
	const char *options[] = { "-j", request->jobs[0], NULL };
	struct lw_rows rows = { .needs = needs, .command = "gpu", .take = take_row, .to = told };
	int rc = lw_rows_ask(&rows, request->bin, options, err);

	if (rc && !rows.opened)
		return rc;
	return rc || !(told->has_word || told->has_mark) ? -ENOENT : 0;
}

/* Where there is no accounting slurmctld knows it for a while. */
static int ask_scontrol(const struct lw_gpu_request *request, struct told *told,
			struct lw_error *why)
{
	static const char name[] = " AdminComment=";
	const char *argv[] = { "scontrol", "-o", "show", "job", request->jobs[0], NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;
	int rc = lw_account_run(request->bin, argv, &text, &err);
	const char *at = rc ? NULL : strstr(lw_strbuf_text(&text), name);
	const char *state = at ? strstr(lw_strbuf_text(&text), " JobState=") : NULL;

	if (!rc)
		rc = at && read_comment(at + strlen(name), told) ? 0 : -ENOENT;
	/* a good answer of sacct's, that it has none, does not excuse one that is none */
	if (rc == -ENOENT && !at && !strstr(lw_strbuf_text(&text), "JobId=") && !why->text[0])
		lw_error_set(why, rc,
			     "nothing that scontrol printed can be read as a job: is it "
			     "Slurm's?");
	if (!rc && state)
		snprintf(told->state, sizeof(told->state), "%.*s", (int)strcspn(state + 10, " "),
			 state + 10);
	lw_strbuf_fini(&text);
	return rc;
}

static bool has_parts(const struct told *told)
{
	return told->has_mark && told->mark.parts > 0;
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

	lw_duration_print(told->elapsed_s, elapsed, sizeof(elapsed));
	printf("job %s, %s", job, lw_tools_plain(told->state));
	if (told->has_word)
		printf(", %" PRIu32 " GPU%s", told->word.gpus, told->word.gpus == 1 ? "" : "s");
	if (told->elapsed_s)
		printf(", %s", elapsed);
	printf("%s\n\n", told->has_word ? ", by its summary" : ", without a summary");
}

static void print_use(const struct told *told)
{
	const struct lw_summary_word *word = &told->word;
	char idle[32], empty[32], advice[80];

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
	if (lw_gpu_advise(word, told->elapsed_s, has_parts(told), advice, sizeof(advice)))
		printf("%-10s%s\n", "advice", advice);
}

static void print_sharing(const struct told *told)
{
	char shared[TOOLS_GPU_SHARED_TEXT];

	if (told->has_mark) {
		lw_gpu_parts_line(&told->mark, shared, sizeof(shared));
		printf("%-10s%s\n", "sharing", shared);
	}
	lw_gpu_shared_who(&told->word, shared, sizeof(shared));
	if (*shared)
		printf("%-10s%s\n", "tenants", shared);
	lw_gpu_shared_cost(&told->word, shared, sizeof(shared));
	if (*shared)
		printf("%-10s%s\n", "", shared);
}

static void print_told(const char *job, const struct told *told)
{
	print_told_head(job, told);
	if (told->has_word)
		print_use(told);
	print_sharing(told);
	lw_gpu_print_energy((double)told->word.energy_j, told->word.energy_gpus, told->word.gpus,
			    false);
	printf("\neach GPU over time is shown where the job's records are: see --dir\n");
}

static json_t *if_known(bool known, int64_t value)
{
	return known ? json_integer((json_int_t)value) : json_null();
}

static int told_json(const struct lw_gpu_request *request, const struct told *told,
		     struct lw_error *err)
{
	const struct lw_summary_word *word = &told->word;
	char advice[80];
	enum lw_gpu_advice kind =
		lw_gpu_advise(word, told->elapsed_s, has_parts(told), advice, sizeof(advice));
	json_t *o = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "job", request->jobs[0], "state",
			      lw_output_string(told->state), "gpus",
			      if_known(told->has_word, word->gpus), "idle_s",
			      if_known(told->has_word, word->idle_s), "empty_s",
			      if_known(told->has_word, word->empty_s), "advice",
			      kind ? json_string(lw_gpu_advice_name(kind)) : json_null());
	const struct {
		const char *name;
		bool known;
		int64_t value;
	} figures[] = {
		{ "util_mean", word->has_util, word->util_mean },
		{ "util_max", word->has_util, word->util_max },
		{ "sm_mean", word->has_sm, word->sm_percent },
		{ "tensor_mean", word->has_tensor, word->tensor_percent },
		{ "membw_mean", word->has_membw, word->membw_percent },
		{ "mem_mean_mib", word->has_mem, word->mem_mean_mib },
		{ "mem_max_mib", word->has_mem, word->mem_max_mib },
		{ "energy_j", word->energy_gpus > 0, (int64_t)word->energy_j },
		{ "energy_gpus", told->has_word, word->energy_gpus },
	};

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		json_object_set_new(o, figures[i].name,
				    if_known(figures[i].known, figures[i].value));
	json_object_set_new(o, "share", lw_gpu_parts_json(told->has_mark ? &told->mark : NULL));
	json_object_set_new(o, "shared", lw_gpu_shared_json(word));
	return lw_output_json(request->json, lw_json_named("leeway.gpu.summary", o), err);
}

int lw_gpu_told(const struct lw_gpu_request *request, struct lw_error *err)
{
	struct told told = { .job = request->jobs[0] };
	struct lw_error why = { "" };
	int rc;

	/* of a job that runs slurmctld knows more than accounting */
	rc = ask_sacct(request, &told, &why);
	if (rc || !told.has_word)
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
