/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway generate: make a workload from published models. */
#include "cli/common/tools.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "lab/sim/chains.h"
#include "lab/sim/generate.h"
#include "lab/sim/workload_sum.h"

/* What no --gpus-per-node is taken for until the model is known. */
#define NOT_SAID UINT32_MAX

struct request {
	struct lw_generate_options options;
	bool has_model;
	bool quiet;
	const char *output;
	const char *recipes; /* NULL, or the file of recipes */
};

static int set_model(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct request *request = arg;

	if (lw_generate_model_parse(value, &request->options.model))
		return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not lublin, dl or mix", name,
				    value);
	request->has_model = true;
	return 0;
}

/* What was given must go together: OF_MIX, OF_CHAINS, LIMIT say which was. */
static int check_request(const struct request *request, bool of_mix, bool of_chains, bool limit,
			 struct lw_error *err)
{
	const struct lw_generate_options *o = &request->options;

	if (!request->has_model)
		return lw_error_set(err, -EINVAL, "--model is missing");
	if (of_mix && o->model != LW_GENERATE_MIX)
		return lw_error_set(err, -EINVAL, "--hpc-share is of --model mix");
	if ((of_chains || limit) && !o->chains)
		return lw_error_set(
			err, -EINVAL,
			"--chain-limit, --chain-links, --chain-nodes, --chain-early and "
			"--chain-fails: of how many? give --chains");
	if (limit && !o->chain_limit_s)
		return lw_error_set(err, -EINVAL, "--chain-limit: a job of no time is none");
	if (o->chain_nodes > o->nodes)
		return lw_error_set(err, -EINVAL,
				    "--chain-nodes: the machine has %" PRIu32
				    " nodes: see --nodes",
				    o->nodes);
	if (request->recipes && (!o->gpus_per_node || o->model == LW_GENERATE_LUBLIN))
		return lw_error_set(err, -EINVAL,
				    "--recipes: no job has GPUs; take --model dl or mix");
	return 0;
}

static int read_options(struct request *request, int argc, char **argv,
			struct lw_error *err)
{
	struct lw_generate_options *o = &request->options;
	uint32_t mem_mib = 0, seed = 1;
	bool share = false, of_chains = false, limit = false;
	const struct lw_option options[] = {
#include "lab/cmd/generate_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (rc)
		return rc;
	if (optind < argc)
		return lw_error_set(err, -EINVAL, "unexpected \"%s\"", argv[optind]);
	rc = check_request(request, share, of_chains, limit, err);
	if (rc)
		return rc;
	if (o->gpus_per_node == NOT_SAID)
		o->gpus_per_node = o->model == LW_GENERATE_LUBLIN ? 0 : 4;
	o->mem_mib_per_node = mem_mib;
	o->seed = seed;
	return 0;
}

static void generate_describe_chains(const struct lw_generate_options *o, struct lw_strbuf *sb)
{
	if (o->deadlines)
		lw_strbuf_add(sb, " --deadlines %" PRIu32, o->deadlines);
	if (!o->chains)
		return;
	lw_strbuf_add(sb, " --chains %" PRIu32 " --chain-early %g --chain-fails %g", o->chains,
		      o->chain_early, o->chain_fails);
	if (o->chain_links)
		lw_strbuf_add(sb, " --chain-links %" PRIu32, o->chain_links);
	if (o->chain_nodes)
		lw_strbuf_add(sb, " --chain-nodes %" PRIu32, o->chain_nodes);
	if (o->chain_limit_s)
		lw_strbuf_add(sb, " --chain-limit %" PRId64 "s", o->chain_limit_s);
}

/* Everything that is needed to make the file again. */
static void generate_describe(const struct request *request, struct lw_strbuf *sb)
{
	const struct lw_generate_options *o = &request->options;

	lw_strbuf_add(sb, "# made by: leeway %s generate --model %s", PACKAGE_VERSION,
		      lw_generate_model_name(o->model));
	if (o->jobs)
		lw_strbuf_add(sb, " --jobs %" PRIu32, o->jobs);
	if (o->span_s)
		lw_strbuf_add(sb, " --span %" PRId64 "s", o->span_s);
	if (o->load > 0)
		lw_strbuf_add(sb, " --load %g", o->load);
	lw_strbuf_add(sb,
		      " --nodes %" PRIu32 " --gpus-per-node %" PRIu32
		      " --cpus-per-node %" PRIu32 " --mem-per-node %" PRId64
		      " --users %" PRIu32 " --seed %" PRIu64,
		      o->nodes, o->gpus_per_node, o->cpus_per_node, o->mem_mib_per_node,
		      o->users, o->seed);
	if (o->max_run_s)
		lw_strbuf_add(sb, " --max-run %" PRId64 "s", o->max_run_s);
	if (o->compress > 1)
		lw_strbuf_add(sb, " --compress %g", o->compress);
	if (o->model == LW_GENERATE_MIX)
		lw_strbuf_add(sb, " --hpc-share %g", o->hpc_share);
	generate_describe_chains(o, sb);
	if (request->recipes)
		lw_strbuf_add(sb, " --recipes %s", lw_tools_plain(request->recipes));
	lw_strbuf_add(sb, "\n");
}

static int write_workload(const struct request *request,
			  const struct lw_workload *workload, struct lw_error *err)
{
	struct lw_strbuf comments = LW_STRBUF_INIT;
	struct lw_output output;
	int rc = lw_output_open(request->output, &output, err);

	if (rc)
		return rc;
	generate_describe(request, &comments);
	rc = lw_workload_write(workload, lw_strbuf_text(&comments), output.to);
	lw_strbuf_fini(&comments);
	return lw_output_close(&output, rc, err);
}

static int read_recipes(const char *path, struct lw_recipes *recipes, struct lw_error *err)
{
	int rc = lw_recipes_read(path, recipes, err);

	/* the file is at fault, not the command line */
	if (rc)
		return rc == -EINVAL ? -EIO : rc;
	lw_origin_add(path, NULL);
	if (!recipes->count)
		return lw_error_set(err, -EIO, "%s: recipes: there are none; list them", path);
	return 0;
}

/* A run by recipes then finds none. */
static void note_recipes(const struct lw_workload *workload, const char *path)
{
	for (uint32_t i = 0; i < workload->job_count; i++)
		if (*workload->jobs[i].recipe)
			return;
	fprintf(stderr,
		"no job was given a recipe: none of %s is for as many GPUs as one has; a name that "
		"ends in -x and a number is for so many, others are for any\n",
		lw_tools_plain(path));
}

static int generate_run(struct request *request, struct lw_error *err)
{
	struct lw_generate_options *o = &request->options;
	struct lw_workload workload = { 0 };
	struct lw_recipes recipes = { 0 };
	struct lw_workload_summary summary;
	int rc = request->recipes ? read_recipes(request->recipes, &recipes, err) : 0;

	o->recipes = request->recipes ? &recipes : NULL;
	if (!rc)
		rc = lw_generate(o, &workload, err);
	if (!rc)
		rc = write_workload(request, &workload, err);
	if (!rc && !request->quiet && request->recipes)
		note_recipes(&workload, request->recipes);
	if (!rc && !request->quiet &&
	    !lw_workload_sum(&workload, o->recipes, o->nodes, o->gpus_per_node, o->cpus_per_node,
			     &summary))
		lw_workload_print_summary(&summary, stderr);
	lw_workload_fini(&workload);
	lw_recipes_fini(&recipes);
	return rc;
}

int lw_tools_generate(int argc, char **argv)
{
	struct request request = { .options = { .nodes = 16,
						.gpus_per_node = NOT_SAID,
						.cpus_per_node = LW_NODES_CPUS,
						.users = 20,
						.hpc_share = 0.5 } };
	struct lw_error err = { "" };
	int rc;

	rc = read_options(&request, argc, argv, &err);
	if (rc)
		return lw_options_refused("generate", rc, &err);
	return lw_tools_ended("generate", generate_run(&request, &err), &err);
}
