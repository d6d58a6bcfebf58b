/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of what the subcommands write as JSON. */
#include "base/savefile.h"
#include "cli/common/tools.h"
#include "lab/history/evaluate.h"
#include "lab/sim/model_file.h"
#include "share/known.h"
#include "unit/scratch.h"
#include "unit/tool_files.h"
#include "unit/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GANG(nodes) \
	"1|7|p|10|60|COMPLETED|100|8|" nodes "|leeway:gpu=n:8,util:90/99,mem:-,idle:0,pcie:940\n"

static json_t *call_json(int (*command)(int, char **), const char *options, const char *name)
{
	char line[256];

	snprintf(line, sizeof(line), options, scratch_path(name));
	ck_assert_int_eq(scratch_call(command, line), LW_TOOLS_OK);
	return json_load_file(scratch_path("out"), 0, NULL);
}

FIXTURE(scratch_setup, scratch_teardown);

/* Of jobs of several nodes, where accounting told how many; of any job it is shown. */
TEST_EACH(traffic_of_gangs_is_imported, 3)
{
	static const struct {
		const char *rows;
		int64_t jobs;
	} sacct[] = {
		{ "|ReqCPUS|NNodes|AdminComment\n" GANG("2") GANG("1") GANG("16"), 2 },
		{ "|ReqCPUS|NNodes|AdminComment\n" GANG("1"), 0 },
		{ "|ReqCPUS|JobName|AdminComment\n" GANG("2"), 0 },
	};
	static const char user[] = ACCOUNTING
		"1|COMPLETED|60|gres/gpu=8|leeway:gpu=n:8,nvlink:0,pcie:940\n";
	char line[256], rows[1024];
	json_t *root, *entry;

	snprintf(rows, sizeof(rows), "JobID|UID|Partition|TimelimitRaw|ElapsedRaw|State|End%s",
		 sacct[_i].rows);
	snprintf(line, sizeof(line), "history import --sacct %s -o %s",
		 scratch_write("sacct", rows), scratch_path("history"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	root = call_json(lw_tools_history, "history show %s --gpus --json", "history");
	ck_assert_int_eq(strncmp(json_string_value(json_object_get(
					 json_object_get(root, "made_with"), "command")),
				 "leeway history show ", 20),
			 0);
	entry = json_array_get(json_object_get(root, "habits"), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(entry, "pcie_jobs")), sacct[_i].jobs);
	ck_assert(!json_object_get(entry, "pcie_mib_s") == !sacct[_i].jobs);
	if (sacct[_i].jobs)
		ck_assert(json_real_value(json_object_get(entry, "pcie_mib_s")) == 940);
	ck_assert_ptr_null(json_object_get(entry, "nvlink_mib_s"));
	json_decref(root);
	scratch_write("user", user);
	root = call_json(lw_tools_gpu, "gpu --user 0 --json --sacct %s", "user");
	entry = json_array_get(json_object_get(root, "jobs"), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(entry, "pcie_mib_s")), 940);
	ck_assert(json_is_integer(json_object_get(entry, "nvlink_mib_s")));
	json_decref(root);
}

#define TYPED(id, run, tres, name) id "|7|p|100|" run "|COMPLETED|" id "|1|1||" tres "|" name "\n"
#define TWICE(id, run, tres, name) TYPED("1" id, run, tres, name) TYPED("2" id, run, tres, name)

/* Run times by type, from what accounting says of types and names. */
TEST(types_are_imported)
{
	static const char rows[] =
		"JobID|UID|Partition|TimelimitRaw|ElapsedRaw|State|End|ReqCPUS|NNodes|AdminComment|"
		"AllocTRES|JobName\n" TWICE("00", "1000", "gres/gpu:a100=1,gres/gpu=1", "bert")
			TWICE("01", "4000", "gres/gpu:v100=1,gres/gpu=1", "bert")
		/* several types, or none: nothing to learn */
		TWICE("02", "9000", "gres/gpu:a100=1,gres/gpu:v100=1", "bert")
			TWICE("03", "9000", "gres/gpu=1", "bert")
				TWICE("04", "9000", "cpu=1", "bert");
	json_t *root, *kinds, *types;
	char line[256];

	snprintf(line, sizeof(line), "history import --sacct %s -o %s",
		 scratch_write("sacct", rows), scratch_path("history"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	root = call_json(lw_tools_history, "history show %s --types --json", "history");
	kinds = json_object_get(root, "kinds");
	ck_assert_uint_eq(json_array_size(kinds), 1);
	types = json_object_get(json_array_get(kinds, 0), "types");
	ck_assert_uint_eq(json_object_size(types), 2);
	ck_assert(json_number_value(json_object_get(json_object_get(types, "a100"), "time")) ==
		  1);
	ck_assert(json_number_value(json_object_get(json_object_get(types, "v100"), "time")) > 2);
	ck_assert_int_eq(
		json_integer_value(json_object_get(json_object_get(types, "v100"), "runs")), 2);
	json_decref(root);
}

/* What decides who shares a GPU: here two runs of "train", one of which told of no memory. */
TEST(what_jobs_use_of_a_gpu_is_shown)
{
	static const char payload[] = "learned 3\nuse 7 - train a100 2 5 600 300 9000 - "
				      "9 620 310 - 200\nuse 8 2 - - 3 7 100 - 10 -\n";
	struct lw_error err;
	json_t *root, *list, *entry;
	char line[256], *text;

	ck_assert_int_eq(lw_savefile_write(scratch_path("share"), LW_SHARE_FILE_KIND,
					   LW_SHARE_FILE_VERSION, payload, strlen(payload), &err),
			 0);
	root = call_json(lw_tools_history, "history show %s --share --user 7 --json", "share");
	list = json_object_get(root, "jobs");
	ck_assert_uint_eq(json_array_size(list), 1);
	entry = json_array_get(list, 0);
	ck_assert_str_eq(json_string_value(json_object_get(entry, "name")), "train");
	ck_assert(json_is_null(json_object_get(entry, "tag")));
	ck_assert_int_eq(json_integer_value(json_object_get(entry, "runs")), 2);
	ck_assert(json_real_value(json_object_get(entry, "sm_percent")) == 31);
	ck_assert_int_eq(json_integer_value(json_object_get(entry, "mem_mib")), 9000);
	json_decref(root);
	snprintf(line, sizeof(line), "history show %s --share", scratch_path("share"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(text, "sweep"));
	ck_assert_ptr_nonnull(strstr(text, "62.0"));
	free(text);
}

TEST(a_history_says_how_it_was_corrected)
{
	char line[256], *text;

	snprintf(line, sizeof(line), "history import --sacct %s -o %s",
		 scratch_write("sacct", HISTORY RUN("1", "10") "\n"), scratch_path("history"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	snprintf(line, sizeof(line), "history show %s", scratch_path("history"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_msg(strstr(text, "\nTo cover 90 % of runs, the 90.0 % quantile is used "
				   "(corrected by past misses).\n\n") != NULL,
		      "%s", text);
	free(text);
}

/* The first 500 jobs are not scored, and this has one. */
TEST(what_is_not_scored_is_null)
{
	char line[256], *text;
	json_t *root, *row, *limit;

	snprintf(line, sizeof(line), "history evaluate %s --json=%s",
		 scratch_write("t.swf", trace_text), scratch_path("figures"));
	ck_assert_int_eq(scratch_call(lw_lab_history, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("figures"), 0, NULL);
	row = json_array_get(json_object_get(root, "elapsed"), 0);
	limit = json_object_get(json_object_get(row, "predictors"), "limit");
	ck_assert_int_eq(json_integer_value(json_object_get(row, "jobs")), 0);
	ck_assert(json_is_null(json_object_get(limit, "accuracy")));
	ck_assert(json_is_null(json_object_get(limit, "under")));
	ck_assert(json_is_null(json_object_get(limit, "mean_abs_error_s")));
	row = json_array_get(json_object_get(row, "quantiles"), 0);
	ck_assert(json_is_null(json_object_get(row, "held")));
	ck_assert(json_is_number(json_object_get(row, "q")));
	json_decref(root);
	text = scratch_read(scratch_path("out"));
	ck_assert_ptr_null(strstr(text, "0.000"));
	ck_assert_ptr_null(strstr(text, "0.0 %"));
	free(text);
}

/* A net of no weight. */
static const char *write_model(const char *name)
{
	const struct lw_model model = { .net = { .kind = LW_NET_ORDER, .limit_s = 60 },
					.order = "saf",
					.rule = "fcfs",
					.trace = "0",
					.first_job = 1,
					.last_job = 2 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	const char *path;

	ck_assert_int_eq(lw_model_print(&model, &text), 0);
	path = scratch_write(name, lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
	return path;
}

/* Each JSON says what it is, and which version of that. Input NULL: a trained net. */
static const struct {
	int (*command)(int, char **);
	const char *options, *input, *schema;
} schemas[] = {
	{ lw_tools_sim, "sim % --set sched.policy=easy --json", trace_text, "leeway.sim" },
	{ lw_tools_sim, "sim % --compare --set figures.frontier=no --run easy --json", trace_text,
	  "leeway.sim.compare" },
	{ lw_tools_analyse, "analyse % --json", trace_text, "leeway.analyse" },
	{ lw_tools_bench, "bench -q --nodes 4 --pending 3 --running 3 --json=%", "",
	  "leeway.bench" },
	{ lw_lab_history, "history evaluate % --json", trace_text, "leeway.history.evaluate" },
	{ lw_tools_gpu, "gpu --user 0 --json --sacct %", ACCOUNTING, "leeway.gpu.user" },
	{ lw_tools_model, "model show % --json", NULL, "leeway.model" },
	{ lw_tools_tag, "tag --json %", "#!/bin/sh\n", "leeway.tag" },
	{ lw_tools_place, "place % --nodes 1 --json", snapshot, "leeway.place" },
	{ lw_tools_check, "check --conf % --json", "", "leeway.check" },
};

TEST_EACH(a_json_says_what_it_is, LW_COUNT_OF(schemas))
{
	const char *options = schemas[_i].options, *at = strchr(options, '%');
	const char *input = schemas[_i].input;
	const char *path = input ? scratch_write("in", input) : write_model("in");
	char line[512];
	json_t *root;

	at = at ? at : options + strlen(options);
	snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - options), options, *at ? path : "",
		 *at ? at + 1 : "");
	scratch_call(schemas[_i].command, line);
	root = json_load_file(strstr(options, "=%") ? path : scratch_path("out"), 0, NULL);
	ck_assert_msg(json_is_object(root), "%s", line);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), schemas[_i].schema);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "schema_version")), 1);
	json_decref(root);
}
