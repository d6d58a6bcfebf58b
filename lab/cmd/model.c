/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway model: what is in a trained net. */
#include "cli/common/tools.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "lab/sim/explain.h"
#include "lab/sim/model_file.h"

struct request {
	const char *file, *json;
	bool explain;
};

/* What a net looks at; count 0: not asked. */
struct explained {
	struct lw_net_look looks[LW_NET_INPUTS_MAX];
	uint32_t count;
};

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "lab/cmd/model_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	return rc ? rc : lw_options_word("file", argc, argv, &request->file, err);
}

static void print_model(const struct lw_model *model)
{
	printf("kind      %s\n", lw_net_kind_name(model->net.kind));
	printf("inputs    %s\n", lw_net_inputs(model->net.kind));
	printf("weights   %" PRIu32 "\n", lw_net_weights(model->net.kind));
	printf("limit     %" PRId64 " s, the longest of the jobs\n", model->net.limit_s);
	printf("trace     %s\n", model->trace);
	printf("jobs      %" PRIu32 " to %" PRIu32 "\n", model->first_job, model->last_job);
	printf("order     %s, without the net\n", model->order);
	printf("may pass  %s\n", model->rule);
	printf("training  seed %" PRIu32 ", %" PRIu32 " rounds, sequences of %" PRIu32 " jobs\n",
	       model->seed, model->rounds, model->length);
	printf("held out  bounded slowdown %.2f without the net, %.2f with it\n",
	       (double)model->without / 100, (double)model->with / 100);
}

/* The word of an input, up to the next blank; *WORDS goes behind it. */
static int next_input(const char **words, const char **ret_word)
{
	int len = (int)strcspn(*words, " ");

	*ret_word = *words;
	*words += len + ((*words)[len] == ' ');
	return len;
}

static void print_explained(const struct lw_model *model, const struct explained *explained)
{
	const char *words = lw_net_inputs(model->net.kind), *word;

	printf("\nlooks at, in %d made-up moments\n", LW_EXPLAIN_MOMENTS);
	printf("  %-10s %9s %9s %9s\n", "input", "weight", "change", "turns");
	for (uint32_t i = 0; i < explained->count; i++) {
		const struct lw_net_look *look = &explained->looks[i];
		int len = next_input(&words, &word);

		printf("  %-10.*s %9.2f %9.2f %7.1f %%\n", len, word, look->weight,
		       look->change, 100 * look->flips);
	}
}

static json_t *json_explained(const struct lw_model *model, const struct explained *explained)
{
	const char *words = lw_net_inputs(model->net.kind), *word;
	json_t *list = explained->count ? json_array() : json_null();

	for (uint32_t i = 0; i < explained->count; i++) {
		const struct lw_net_look *look = &explained->looks[i];
		int len = next_input(&words, &word);

		json_array_append_new(list, json_pack("{s:s%, s:f, s:f, s:f}", "input", word,
						      (size_t)len, "weight", look->weight,
						      "change", look->change, "turns_share",
						      look->flips));
	}
	return list;
}

static int print_json(const struct lw_model *model, const struct explained *explained,
		      const char *path, struct lw_error *err)
{
	json_t *root = json_pack(
		"{ss,ss,sI,sI,ss,sI,sI,ss,ss,sI,sI,sI,sf,sf}", "kind",
		lw_net_kind_name(model->net.kind), "inputs", lw_net_inputs(model->net.kind),
		"weights", (json_int_t)lw_net_weights(model->net.kind), "limit_s",
		(json_int_t)model->net.limit_s, "trace_sha256", model->trace, "first_job",
		(json_int_t)model->first_job, "last_job", (json_int_t)model->last_job, "order",
		model->order, "may_pass", model->rule, "seed", (json_int_t)model->seed, "rounds",
		(json_int_t)model->rounds, "length", (json_int_t)model->length, "bsld_without",
		(double)model->without / 100, "bsld_with", (double)model->with / 100);

	json_object_set_new(root, "explain", json_explained(model, explained));
	return lw_output_json(path, lw_json_named("leeway.model", root), err);
}

static int show(const struct request *request, struct lw_error *err)
{
	struct explained explained = { .count = 0 };
	struct lw_model model;
	int rc = lw_model_load(request->file, &model, err);

	if (!rc && request->explain &&
	    lw_net_explain(&model.net, explained.looks, &explained.count))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (rc)
		return rc;
	lw_origin_add_file(request->file);
	if (!request->json || strcmp(request->json, "-") != 0) {
		print_model(&model);
		if (explained.count)
			print_explained(&model, &explained);
	}
	if (request->json)
		return print_json(&model, &explained, request->json, err);
	return lw_output_flush(0, err);
}

int lw_tools_model(int argc, char **argv)
{
	struct request request = { 0 };
	const char *verb = argc > 1 ? argv[1] : "";
	bool shows = strcmp(verb, "show") == 0;
	struct lw_error err = { "" };
	int rc;

	if (!shows && (!*verb || verb[0] != '-'))
		return lw_tools_usage("model", *verb ? "\"%s\" is not show" : "say show", verb);
	rc = read_options(&request, argc - shows, argv + shows, &err);
	if (rc)
		return lw_options_refused("model", rc, &err);
	if (!shows)
		return lw_tools_usage("model", "say show");
	return show(&request, &err) ? lw_tools_failed("model", &err) : LW_TOOLS_OK;
}
