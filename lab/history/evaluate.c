/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history evaluate: how well run times and speeds would have been predicted. */
#include "lab/history/evaluate.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "config/recipes.h"
#include "lab/history/accuracy.h"
#include "lab/history/speedtrial.h"

struct request {
	const char *file; /* the operand */
	uint32_t keys_max;
	bool users_are_groups;
	bool lenient;
	const char *json;    /* where to; NULL: as text */
	const char *recipes; /* on jobs made from these, in place of a trace */
};

static void print_table(const struct lw_accuracy *accuracy, const char *path)
{
	printf("%s: %" PRIu32 " jobs, %" PRIu32 " without a limit left out\n",
	       lw_tools_plain(path), accuracy->jobs, accuracy->left_out);
	printf("accuracy = mean of min(p,a)/max(p,a); under = share with p < a; error = mean "
	       "|p - a| in minutes\n\n%8s %7s",
	       "elapsed", "jobs");
	for (int by = 0; by < LW_ACCURACY_PREDICTORS; by++)
		printf("  %-20s", lw_accuracy_name((enum lw_accuracy_by)by));
	printf(" a quantile of ... held\n%8s %7s", "s", "");
	for (int by = 0; by < LW_ACCURACY_PREDICTORS; by++)
		printf("  %-20s", "acc. under   error");
	for (int i = 0; i < LW_ACCURACY_QUANTILES; i++)
		printf("  %4.0f %%", 100 * lw_accuracy_quantiles[i]);
	printf("\n");
	for (int k = 0; k < LW_ACCURACY_ELAPSED; k++) {
		const struct lw_accuracy_row *row = &accuracy->rows[k];

		printf("%8" PRId64 " %7" PRIu32, lw_accuracy_elapsed_s[k], row->jobs);
		/* too few jobs have ended before, or all are shorter */
		if (!row->jobs) {
			printf("  -\n");
			continue;
		}
		for (int by = 0; by < LW_ACCURACY_PREDICTORS; by++)
			printf("  %.3f %4.1f %% %6.0f", row->scores[by].accuracy,
			       100 * row->scores[by].under, row->scores[by].mean_abs_s / 60);
		for (int i = 0; i < LW_ACCURACY_QUANTILES; i++)
			printf("  %4.1f %%", 100 * row->holds[i]);
		printf("\n");
	}
}

/* Of no jobs there is none. */
static json_t *make_share(const struct lw_accuracy_row *row, double value)
{
	return row->jobs ? json_real(value) : json_null();
}

static json_t *make_row(const struct lw_accuracy_row *row, int64_t elapsed_s)
{
	json_t *o = json_pack("{s:I, s:I, s:{}, s:[]}", "elapsed_s", (json_int_t)elapsed_s,
			      "jobs", (json_int_t)row->jobs, "predictors", "quantiles");

	for (int by = 0; by < LW_ACCURACY_PREDICTORS; by++) {
		const struct lw_accuracy_score *score = &row->scores[by];

		json_object_set_new(json_object_get(o, "predictors"),
				    lw_accuracy_name((enum lw_accuracy_by)by),
				    json_pack("{s:o, s:o, s:o}", "accuracy",
					      make_share(row, score->accuracy), "under",
					      make_share(row, score->under), "mean_abs_error_s",
					      make_share(row, score->mean_abs_s)));
	}
	for (int i = 0; i < LW_ACCURACY_QUANTILES; i++)
		json_array_append_new(json_object_get(o, "quantiles"),
				      json_pack("{s:f, s:o}", "q", lw_accuracy_quantiles[i],
						"held", make_share(row, row->holds[i])));
	return o;
}

static json_t *make_json(const struct lw_accuracy *accuracy, const char *path)
{
	const char *slash = strrchr(path, '/');
	json_t *o = json_pack("{s:o, s:I, s:I, s:[]}", "trace",
			      lw_output_string(slash ? slash + 1 : path), "jobs",
			      (json_int_t)accuracy->jobs, "left_out",
			      (json_int_t)accuracy->left_out, "elapsed");

	for (int k = 0; k < LW_ACCURACY_ELAPSED; k++)
		json_array_append_new(json_object_get(o, "elapsed"),
				      make_row(&accuracy->rows[k], lw_accuracy_elapsed_s[k]));
	return o;
}

static json_t *make_trial_row(const struct lw_speedtrial_row *row, uint32_t runs)
{
	return json_pack("{s:i, s:i, s:f, s:f, s:f}", "runs", (int)runs, "pairs", (int)row->pairs,
			 "error_mean", row->mean, "error_p90", row->p90, "error_max", row->worst);
}

static void print_rows(const struct lw_speedtrial_row *known,
		       const struct lw_speedtrial_row *blank, uint32_t kinds)
{
	printf("%" PRIu32
	       " kinds of jobs, single runs off by 10 %%: how far the ratio of the run "
	       "times\non two types is off\n\n%14s %28s %28s\n%14s",
	       kinds, "", "published speeds known", "nothing known", "runs on a type");
	for (int i = 0; i < 2; i++)
		printf(" %9s %8s %8s%s", "mean", "p90", "worst", i ? "\n" : " ");
	for (int i = 0; i < LW_SPEEDTRIAL_ROWS; i++) {
		const struct lw_speedtrial_row *rows[] = { &known[i], &blank[i] };

		printf("%14" PRIu32, lw_speedtrial_runs[i]);
		for (int k = 0; k < 2; k++)
			printf(" %7.1f %% %6.1f %% %6.1f %%%s", 100 * rows[k]->mean,
			       100 * rows[k]->p90, 100 * rows[k]->worst, k ? "\n" : "");
	}
}

static json_t *make_rows(const struct lw_speedtrial_row *rows)
{
	json_t *list = json_array();

	for (int i = 0; i < LW_SPEEDTRIAL_ROWS; i++)
		json_array_append_new(list, make_trial_row(&rows[i], lw_speedtrial_runs[i]));
	return list;
}

/* How well the speeds of types are learned, on jobs made from recipes. */
static int evaluate_types(const struct request *request, struct lw_error *err)
{
	struct lw_speedtrial trial = { .seed = 1, .noise = 0.1, .users = 4, .published = true };
	struct lw_speedtrial_row known[LW_SPEEDTRIAL_ROWS], blank[LW_SPEEDTRIAL_ROWS];
	struct lw_recipes recipes;
	int rc = lw_recipes_read(request->recipes, &recipes, err);

	if (rc)
		return rc;
	lw_origin_add_file(request->recipes);
	rc = lw_speedtrial_run(&trial, &recipes, known);
	trial.published = false;
	if (!rc)
		rc = lw_speedtrial_run(&trial, &recipes, blank);
	if (rc)
		lw_error_set(err, rc, "out of memory");
	else if (!known[0].pairs)
		rc = lw_error_set(err, -EIO,
				  "%s: no recipe has a rate on two types: there is nothing to "
				  "compare",
				  request->recipes);
	else if (request->json)
		rc = lw_output_json(
			request->json,
			lw_json_named("leeway.history.evaluate.types",
				      json_pack("{s:o, s:o}", "published", make_rows(known),
						"nothing", make_rows(blank))),
			err);
	else
		print_rows(known, blank, recipes.count);
	lw_recipes_fini(&recipes);
	return rc;
}

/* How well run times are predicted, over a trace. */
static int evaluate_trace(const struct request *request, struct lw_error *err)
{
	struct lw_accuracy accuracy;
	struct lw_swf swf;
	int rc = lw_swf_read(&swf, request->file, request->lenient, err);

	if (rc)
		return rc;
	lw_origin_add(request->file, NULL);
	rc = lw_accuracy_measure(&swf, request->users_are_groups, request->keys_max, &accuracy,
				 err);
	lw_swf_fini(&swf);
	if (rc)
		return lw_error_prefix(err, rc, "%s: ", request->file);
	if (!request->json || strcmp(request->json, "-") != 0)
		print_table(&accuracy, request->file);
	if (request->json)
		rc = lw_output_json(request->json,
				    lw_json_named("leeway.history.evaluate",
						  make_json(&accuracy, request->file)),
				    err);
	return rc;
}

/* Those of the command history that it takes with this verb; it has looked at them. */
static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	static const char *const user_fields[] = { "user", "group", NULL };
	uint32_t user_field = 0;
	const struct lw_option options[] = {
		{ "keys", .count = &request->keys_max, .least = 1, .most = LW_HISTORY_KEYS_MAX },
		{ "user-field", .choice = &user_field, .names = user_fields },
		{ "lenient", .given = &request->lenient },
		{ "json", .text = &request->json, .bare = "-" },
		{ "recipes", .text = &request->recipes },
		{ NULL },
	};
	int rc = lw_options_read(options, NULL, argc, argv, err);

	request->users_are_groups = user_field;
	return rc || request->recipes ? rc
				      : lw_options_word("file", argc, argv, &request->file, err);
}

int lw_lab_history(int argc, char **argv)
{
	struct request request = { 0 };
	struct lw_error err = { "" };
	int rc = read_options(&request, argc - 1, argv + 1, &err);

	/* with the verb */
	lw_origin_begin(argc, argv);
	if (rc)
		return lw_tools_usage("history", "%s", err.text);
	rc = request.recipes ? evaluate_types(&request, &err) : evaluate_trace(&request, &err);
	return rc ? lw_tools_failed("history", &err) : LW_TOOLS_OK;
}
