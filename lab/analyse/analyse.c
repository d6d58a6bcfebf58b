/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: what a workload is like, its heaviest users, what would help. */
#include "lab/analyse/analyse.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/analyse/cluster.h"
#include "lab/sim/pool.h"

#define DAY_S 86400
/* Six simulations of so many take some minutes at most. */
#define SAMPLE 500000

struct request {
	struct lw_ana_machine machine; /* first, for lw_ana_add_set() */
	const char *inputs[ANA_INPUTS_MAX];
	uint32_t input_count;
	const char *sacct, *bin, *salt, *json, *html, *charts;
	int64_t since_s;
	struct lw_ana_options options;
	bool cluster, compare, what_if, anonymous, quiet;
};

/* ---- what is asked for ---- */

static int take_inputs(struct request *request, int argc, char **argv, struct lw_error *err)
{
	for (int i = optind; i < argc; i++) {
		if (request->input_count == ANA_INPUTS_MAX)
			return lw_error_set(err, -EINVAL, "at most %d traces", ANA_INPUTS_MAX);
		if (!*argv[i])
			return lw_error_set(err, -EINVAL, "the name of a trace is empty");
		request->inputs[request->input_count++] = argv[i];
	}
	return 0;
}

static int check_request(const struct request *request, bool has_since, struct lw_error *err)
{
	uint32_t sources = request->input_count + (request->sacct != NULL) + request->cluster;

	if (!sources)
		return lw_error_set(err, -EINVAL,
				    "a trace, --sacct FILE or --cluster is missing");
	if (sources > 1 && !request->compare)
		return lw_error_set(err, -EINVAL,
				    "of several workloads: --compare puts them side by side");
	if (sources > ANA_INPUTS_MAX)
		return lw_error_set(err, -EINVAL, "at most %d workloads", ANA_INPUTS_MAX);
	if (request->compare && sources < 2)
		return lw_error_set(err, -EINVAL,
				    "--compare: one workload has nothing beside it");
	if (request->compare && (request->what_if || request->options.side))
		return lw_error_set(err, -EINVAL,
				    "--compare: --what-if and --gpu-csv are of one workload");
	if (request->what_if && request->input_count && strcmp(request->inputs[0], "-") == 0)
		return lw_error_set(
			err, -EINVAL,
			"--what-if: reads the trace twice, and standard input is gone "
			"then: name a file");
	if (request->options.side && !request->input_count)
		return lw_error_set(err, -EINVAL, "--gpu-csv: is of a trace");
	if (has_since && !request->cluster)
		return lw_error_set(err, -EINVAL, "--since: is of --cluster");
	if (request->salt && !request->anonymous)
		return lw_error_set(err, -EINVAL, "--salt-file: is of --anonymous");
	if ((request->machine.nodes || request->machine.cpus_per_node) && !request->what_if)
		return lw_error_set(err, -EINVAL,
				    "--nodes and --cpus-per-node: are of --what-if");
	return 0;
}

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	static const char *const units[] = { "core", "gpu", "node", NULL };
	static const char *const fields[] = { "user", "group", NULL };
	struct lw_ana_options *o = &request->options;
	uint32_t range[2] = { 0 }, unit = 0, field = 0;
	bool has_since = false, has_sample = false, has_parallel = false;
	const struct lw_option options[] = {
#include "lab/analyse/analyse_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (!rc)
		rc = take_inputs(request, argc, argv, err);
	if (!rc)
		rc = check_request(request, has_since, err);
	if (!rc && request->machine.set_count && !request->what_if)
		rc = lw_error_set(err, -EINVAL, "--set: is of --what-if");
	if (!rc)
		rc = lw_ana_what_if_check(&request->machine, err);
	if (!rc && (has_sample || has_parallel) && !request->what_if)
		rc = lw_error_set(err, -EINVAL, "--%s: is of --what-if",
				  has_sample ? "sample" : "parallel");
	if (rc)
		return rc;
	o->unit = (enum lw_joblog_unit)unit;
	o->group_as_user = field == 1;
	o->first_job = range[0];
	o->last_job = range[1];
	return 0;
}

static int check_outputs(const struct request *request, bool *ret_stdout, struct lw_error *err)
{
	const char *const paths[] = { request->json, request->html };
	int rc = lw_output_shared(paths, 2, ret_stdout, err);

	if (!rc && request->charts)
		rc = lw_output_folder(request->charts, err);
	for (size_t i = 0; !rc && i < 2; i++)
		rc = lw_output_check(paths[i], err);
	return rc;
}

/* ---- one workload ---- */

static void result_fini(struct lw_ana_result *result)
{
	lw_ana_what_if_fini(result->what_if);
	lw_analysis_fini(&result->analysis);
	lw_ana_input_fini(&result->input);
}

static int hide_names(struct lw_ana_input *input, const struct lw_ana_salt *salt)
{
	static const enum lw_people_by hidden[] = { LW_BY_USER, LW_BY_ACCOUNT, LW_BY_NAME };
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(hidden) / sizeof(hidden[0]); i++)
		rc = lw_ana_names_hash(&input->names[hidden[i]],
				       input->accounts_as_users && hidden[i] == LW_BY_USER
					       ? lw_ana_people_word(LW_BY_ACCOUNT)
					       : lw_ana_people_word(hidden[i]),
				       salt);
	return rc;
}

/* RESULT's input has been read: find what there is in it. */
static int result_fill(struct lw_ana_result *result, const struct request *request,
		       const struct lw_ana_salt *salt, struct lw_error *err)
{
	int rc = 0;

	if (!request->quiet)
		lw_ana_input_print_notes(&result->input);
	if (salt && hide_names(&result->input, salt))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc && lw_analysis_of(&result->input.log, &result->analysis))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (rc)
		return rc;
	lw_questions_of(&result->analysis, result->questions);
	if (request->what_if)
		rc = lw_ana_what_if(result, &request->options, &request->machine, err);
	return rc;
}

/* All workloads that are asked for. */
struct results {
	struct lw_ana_result list[ANA_INPUTS_MAX];
	uint32_t count;
	struct lw_ana_cluster cluster;
};

static int results_add(struct results *results, const struct request *request, int read,
		       const struct lw_ana_salt *salt, struct lw_error *err)
{
	if (read)
		return read;
	return result_fill(&results->list[results->count++], request, salt, err);
}

static int results_read(struct results *results, const struct request *request,
			const struct lw_ana_salt *salt, struct lw_error *err)
{
	const struct lw_ana_options *o = &request->options;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < request->input_count; i++)
		rc = results_add(results, request,
				 lw_ana_input_read(&results->list[results->count].input,
						   request->inputs[i], o, err),
				 salt, err);
	if (!rc && request->sacct)
		rc = results_add(results, request,
				 lw_ana_input_sacct(&results->list[results->count].input,
						    request->sacct, o, err),
				 salt, err);
	if (rc || !request->cluster)
		return rc;
	rc = lw_ana_cluster_ask(&results->cluster, request->bin, request->since_s, err);
	if (rc)
		return rc;
	return results_add(results, request,
			   lw_ana_input_cluster(&results->list[results->count].input,
						results->cluster.fd, o, err),
			   salt, err);
}

static void results_fini(struct results *results)
{
	for (uint32_t i = 0; i < results->count; i++)
		result_fini(&results->list[i]);
	lw_ana_cluster_fini(&results->cluster);
}

/* ---- what is written ---- */

static int write_all_charts(const struct results *results, bool compare, const char *dir,
			    struct lw_error *err)
{
	struct lw_charts charts;
	int rc = 0;

	if (compare) {
		lw_ana_compare_charts(results->list, results->count, &charts);
		rc = lw_charts_write(&charts, dir, err);
		lw_charts_fini(&charts);
		return rc;
	}
	for (int s = 0; !rc && s < ANA_SECTIONS; s++) {
		lw_ana_charts(&results->list[0], (enum lw_ana_section)s, &charts);
		rc = lw_charts_write(&charts, dir, err);
		lw_charts_fini(&charts);
	}
	return rc;
}

static int write_page(const struct results *results, bool compare, const char *path,
		      struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	if (compare)
		lw_ana_compare_page(results->list, results->count, &sb);
	else
		lw_ana_page(&results->list[0], &sb);
	return lw_output_text(path, &sb, err);
}

static int write_json(const struct results *results, bool compare, const char *path,
		      struct lw_error *err)
{
	json_t *root = compare ? lw_json_named("leeway.analyse.compare",
					       lw_ana_compare_json(results->list, results->count))
			       : lw_json_named("leeway.analyse", lw_ana_json(&results->list[0]));

	return lw_output_json(path, root, err);
}

static int write_results(const struct results *results, const struct request *request,
			 bool is_taken, struct lw_error *err)
{
	int rc = 0;

	if (!request->quiet && !is_taken) {
		if (request->compare)
			lw_ana_compare_print(results->list, results->count, stdout);
		else
			lw_ana_print(&results->list[0], stdout);
	}
	if (request->json)
		rc = write_json(results, request->compare, request->json, err);
	if (!rc && request->html)
		rc = write_page(results, request->compare, request->html, err);
	if (!rc && request->charts)
		rc = write_all_charts(results, request->compare, request->charts, err);
	return rc;
}

static int analyse(const struct request *request, struct results *results, struct lw_error *err)
{
	struct lw_ana_salt salt;
	bool is_taken = false;
	int rc = check_outputs(request, &is_taken, err);

	if (!rc && request->anonymous)
		rc = lw_ana_salt_make(&salt, request->salt, err);
	if (!rc)
		rc = results_read(results, request, request->anonymous ? &salt : NULL, err);
	if (!rc)
		rc = write_results(results, request, is_taken, err);
	return rc;
}

int lw_tools_analyse(int argc, char **argv)
{
	struct request request = { .since_s = 30 * DAY_S,
				   .bin = "",
				   .machine = { .gpus_per_node = LW_SIM_NOT_SAID,
						.sample = SAMPLE,
						.at_once = lw_pool_processors() } };
	struct results *results = calloc(1, sizeof(*results));
	struct lw_error err = { "out of memory" };
	int rc = results ? read_options(&request, argc, argv, &err) : -ENOMEM;

	if (rc) {
		free(results);
		return lw_options_refused("analyse", rc, &err);
	}
	results->cluster.fd = -1;
	rc = analyse(&request, results, &err);
	results_fini(results);
	free(results);
	/* only the file could tell that it is none */
	return lw_tools_ended("analyse", rc == -EINVAL || rc == -EDOM ? -EIO : rc, &err);
}
