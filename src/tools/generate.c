/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway generate: make a workload from published models. */
#include "tools/tools.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "sim/generate.h"

static const char help[] =
	"usage: leeway generate --model lublin|dl|mix -o FILE [OPTION...]\n"
	"Make a workload (lw-workload(5)). Give two of --jobs, --span and --load.\n\n"
	"  --model NAME          lublin: HPC jobs; dl: deep learning; mix: both\n"
	"  --jobs N              how many jobs\n"
	"  --span TIME           from the first submission to the last\n"
	"  --load F              work offered / what the machine can do in the span\n"
	"  --nodes N             nodes of the machine (16)\n"
	"  --gpus-per-node G     (4; for lublin 0)\n"
	"  --cpus-per-node C     (16)\n"
	"  --mem-per-node MIB    memory to share out; 0 asks for none (0)\n"
	"  --users U             (20)\n"
	"  --seed S              (1); the same seed makes the same workload everywhere\n"
	"  --max-run TIME        no job runs or asks longer\n"
	"  --compress X          divide every time by X: a day's pattern in less than a day (1)\n"
	"  --hpc-share P         mix: part of the work that is HPC (0.5)\n"
	"  -o, --output FILE     (standard output)\n"
	"  -q, --quiet           no summary on standard error\n";

enum {
	OPT_MODEL = 256,
	OPT_JOBS,
	OPT_SPAN,
	OPT_LOAD,
	OPT_NODES,
	OPT_GPUS,
	OPT_CPUS,
	OPT_MEM,
	OPT_USERS,
	OPT_SEED,
	OPT_MAX_RUN,
	OPT_COMPRESS,
	OPT_HPC_SHARE,
};

static const struct option long_options[] = {
	{ "model", required_argument, NULL, OPT_MODEL },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "span", required_argument, NULL, OPT_SPAN },
	{ "load", required_argument, NULL, OPT_LOAD },
	{ "nodes", required_argument, NULL, OPT_NODES },
	{ "gpus-per-node", required_argument, NULL, OPT_GPUS },
	{ "cpus-per-node", required_argument, NULL, OPT_CPUS },
	{ "mem-per-node", required_argument, NULL, OPT_MEM },
	{ "users", required_argument, NULL, OPT_USERS },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "max-run", required_argument, NULL, OPT_MAX_RUN },
	{ "compress", required_argument, NULL, OPT_COMPRESS },
	{ "hpc-share", required_argument, NULL, OPT_HPC_SHARE },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct request {
	struct lw_generate_options options;
	bool has_model;
	bool has_gpus;
	bool quiet;
	bool help;
	const char *output;
};

static int set_model(struct request *request, const char *text, struct lw_error *err)
{
	if (lw_generate_model_parse(text, &request->options.model))
		return lw_error_set(err, -EINVAL,
				    "--model: \"%s\" is not lublin, dl or mix", text);
	request->has_model = true;
	return 0;
}

static int set_machine(struct request *request, int c, struct lw_error *err)
{
	struct lw_generate_options *o = &request->options;
	uint32_t mem = 0;
	int rc;

	switch (c) {
	case OPT_NODES:
		return lw_tools_read_count("nodes", optarg, 1000000, &o->nodes, err);
	case OPT_GPUS:
		request->has_gpus = true;
		return lw_tools_read_count("gpus-per-node", optarg, 1000,
					   &o->gpus_per_node, err);
	case OPT_CPUS:
		return lw_tools_read_count("cpus-per-node", optarg, 100000,
					   &o->cpus_per_node, err);
	default:
		rc = lw_tools_read_count("mem-per-node", optarg, UINT32_MAX, &mem, err);
		o->mem_mib_per_node = mem;
		return rc;
	}
}

static int set_option(struct request *request, int c, struct lw_error *err)
{
	struct lw_generate_options *o = &request->options;
	uint32_t seed = 0;
	int rc;

	switch (c) {
	case OPT_MODEL:
		return set_model(request, optarg, err);
	case OPT_JOBS:
		return lw_tools_read_count("jobs", optarg, 5000000, &o->jobs, err);
	case OPT_SPAN:
		return lw_tools_read_duration("span", optarg, &o->span_s, err);
	case OPT_LOAD:
		return lw_tools_read_real("load", optarg, 0.001, 100, &o->load, err);
	case OPT_USERS:
		return lw_tools_read_count("users", optarg, 1000, &o->users, err);
	case OPT_SEED:
		rc = lw_tools_read_count("seed", optarg, UINT32_MAX, &seed, err);
		o->seed = seed;
		return rc;
	case OPT_MAX_RUN:
		return lw_tools_read_duration("max-run", optarg, &o->max_run_s, err);
	case OPT_COMPRESS:
		return lw_tools_read_real("compress", optarg, 1, 1e6, &o->compress, err);
	case OPT_HPC_SHARE:
		return lw_tools_read_real("hpc-share", optarg, 0.001, 0.999,
					  &o->hpc_share, err);
	case 'o':
		request->output = optarg;
		return 0;
	case 'q':
		request->quiet = true;
		return 0;
	case 'h':
		request->help = true;
		return 0;
	default:
		return set_machine(request, c, err);
	}
}

static int read_options(struct request *request, int argc, char **argv,
			struct lw_error *err)
{
	int c, rc;

	while ((c = getopt_long(argc, argv, "o:qh", long_options, NULL)) != -1) {
		if (c == '?')
			return lw_error_set(err, -EINVAL, "bad option");
		rc = set_option(request, c, err);
		if (rc || request->help)
			return rc;
	}
	if (optind < argc)
		return lw_error_set(err, -EINVAL, "unexpected \"%s\"", argv[optind]);
	if (!request->has_model)
		return lw_error_set(err, -EINVAL, "--model is missing");
	if (!request->has_gpus)
		request->options.gpus_per_node =
			request->options.model == LW_GENERATE_LUBLIN ? 0 : 4;
	return 0;
}

/* Everything that is needed to make the file again. */
static void describe(const struct lw_generate_options *o, struct lw_strbuf *sb)
{
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
	lw_strbuf_add(sb, "\n");
}

static int write_workload(const struct request *request,
			  const struct lw_workload *workload, struct lw_error *err)
{
	struct lw_strbuf comments = LW_STRBUF_INIT;
	FILE *out = lw_tools_open_output(request->output, err);
	int rc;

	if (!out)
		return -EIO;
	describe(&request->options, &comments);
	rc = lw_workload_write(workload, lw_strbuf_text(&comments), out);
	lw_strbuf_fini(&comments);
	return lw_tools_close_output(out, request->output, rc, err);
}

static int run(const struct request *request, struct lw_error *err)
{
	const struct lw_generate_options *o = &request->options;
	struct lw_workload workload = { 0 };
	struct lw_workload_summary summary;
	int rc = lw_generate(o, &workload, err);

	if (rc)
		return rc;
	rc = write_workload(request, &workload, err);
	if (!rc && !request->quiet &&
	    !lw_workload_sum(&workload, o->nodes, o->gpus_per_node, o->cpus_per_node,
			     &summary))
		lw_workload_print_summary(&summary, stderr);
	lw_workload_fini(&workload);
	return rc;
}

int lw_tools_generate(int argc, char **argv)
{
	struct request request = { .options = { .nodes = 16,
						.cpus_per_node = 16,
						.users = 20,
						.seed = 1,
						.hpc_share = 0.5 } };
	struct lw_error err = { "" };

	if (read_options(&request, argc, argv, &err))
		return lw_tools_usage("generate", "%s", err.text);
	if (request.help) {
		fputs(help, stdout);
		return LW_TOOLS_OK;
	}
	switch (run(&request, &err)) {
	case 0:
		return LW_TOOLS_OK;
	case -EINVAL:
		return lw_tools_usage("generate", "%s", err.text);
	default:
		return lw_tools_failed("generate", &err);
	}
}
