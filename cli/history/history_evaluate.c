/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history evaluate: how well run times would have been predicted. */
#include "cli/history/history.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "cli/common/json.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "cli/history/accuracy.h"

static void print_table(const struct lw_accuracy *accuracy, const char *path)
{
	printf("%s: %" PRIu32 " jobs, %" PRIu32 " without a limit left out\n", lw_tools_plain(path),
	       accuracy->jobs, accuracy->left_out);
	printf("accuracy = mean of min(p,a)/max(p,a); under = share with p < a; error = mean "
	       "|p - a| in minutes\n\n%8s %7s", "elapsed", "jobs");
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

int tools_history_evaluate(const struct tools_history_request *request, struct lw_error *err)
{
	struct lw_accuracy accuracy;
	struct lw_swf swf;
	int rc = lw_output_check(request->output, err);

	if (!rc && request->recipes)
		return tools_history_evaluate_types(request, err);
	if (!rc)
		rc = lw_swf_read(&swf, request->file, request->lenient, err);
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
