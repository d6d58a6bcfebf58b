/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway workload: turn a trace into a workload. */
#include "tools/tools.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "sim/convert.h"
#include "tools/workload_sacct.h"

#define DAY_S 86400

static const char help[] =
	"usage: leeway workload TRACE.swf[.gz] [OPTION...]\n"
	"       leeway workload --sacct FILE [OPTION...]\n"
	"Turn a trace in the Standard Workload Format into a workload (lw-workload(5)), or what\n"
	"sacct printed of the jobs of a cluster.\n\n"
	"  --sacct               FILE is from sacct --allusers --allocations --parsable2\n"
	"                        --format=JobIDRaw,JobID,User,Submit,Start,End,TimelimitRaw,\n"
	"                        State,NNodes,NCPUS,AllocTRES,ReqTRES,JobName; of the options\n"
	"                        below only those of the machine, -o and -q count\n"
	"  --processor UNIT      what a processor of the trace is: gpu, cpu or node\n"
	"                        (gpu when --gpus-per-node is above 0, else cpu)\n"
	"  --nodes N             nodes of the machine (from the trace's header)\n"
	"  --gpus-per-node G     (0)\n"
	"  --cpus-per-node C     (16)\n"
	"  --day D               only the jobs submitted on day D of the log, from 1\n"
	"  --from TIME           only from here on, counted from the start of the log\n"
	"  --span TIME           only so long\n"
	"  --jobs A:B            only the jobs at places A to B, from 1\n"
	"  --carry-over          also what waits or runs in the log when the window opens\n"
	"  --compress X          divide every time by X (1)\n"
	"  --seed S              for limits the trace lacks (1)\n"
	"  --lenient             skip and count bad lines\n"
	"  -o, --output FILE     (standard output)\n"
	"  -q, --quiet           no summary on standard error\n";

enum {
	OPT_PROCESSOR = 256,
	OPT_NODES,
	OPT_GPUS,
	OPT_CPUS,
	OPT_DAY,
	OPT_FROM,
	OPT_SPAN,
	OPT_JOBS,
	OPT_CARRY_OVER,
	OPT_COMPRESS,
	OPT_SEED,
	OPT_LENIENT,
	OPT_SACCT,
};

static const struct option long_options[] = {
	{ "processor", required_argument, NULL, OPT_PROCESSOR },
	{ "nodes", required_argument, NULL, OPT_NODES },
	{ "gpus-per-node", required_argument, NULL, OPT_GPUS },
	{ "cpus-per-node", required_argument, NULL, OPT_CPUS },
	{ "day", required_argument, NULL, OPT_DAY },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "span", required_argument, NULL, OPT_SPAN },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "carry-over", no_argument, NULL, OPT_CARRY_OVER },
	{ "compress", required_argument, NULL, OPT_COMPRESS },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "lenient", no_argument, NULL, OPT_LENIENT },
	{ "sacct", no_argument, NULL, OPT_SACCT },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct request {
	struct lw_convert_options options;
	const char *trace;
	const char *output;
	bool has_unit;
	bool lenient;
	bool sacct;
	bool quiet;
	bool help;
};

static int set_unit(struct request *request, const char *text, struct lw_error *err)
{
	static const char *const names[] = { "gpu", "cpu", "node" };

	for (int i = 0; i < 3; i++) {
		if (strcmp(text, names[i]) == 0) {
			request->options.unit = (enum lw_convert_unit)i;
			request->has_unit = true;
			return 0;
		}
	}
	return lw_error_set(err, -EINVAL, "--processor: \"%s\" is not gpu, cpu or node",
			    text);
}

static int set_day(struct request *request, const char *text, struct lw_error *err)
{
	uint32_t day = 0;
	int rc = lw_tools_read_count("day", text, 100000, &day, err);

	if (rc)
		return rc;
	if (!day)
		return lw_error_set(err, -EINVAL, "--day: days are counted from 1");
	request->options.from_s = (int64_t)(day - 1) * DAY_S;
	request->options.span_s = DAY_S;
	return 0;
}

static int set_jobs(struct request *request, const char *text, struct lw_error *err)
{
	uint32_t first, last;
	char end;

	if (sscanf(text, "%" SCNu32 ":%" SCNu32 "%c", &first, &last, &end) != 2 ||
	    !first || last < first)
		return lw_error_set(err, -EINVAL,
				    "--jobs: \"%s\" is not A:B with 1 <= A <= B", text);
	request->options.first_job = first;
	request->options.last_job = last;
	return 0;
}

static int set_machine(struct request *request, int c, struct lw_error *err)
{
	struct lw_convert_options *o = &request->options;
	uint32_t seed = 0;
	int rc;

	switch (c) {
	case OPT_NODES:
		return lw_tools_read_count("nodes", optarg, 1000000, &o->nodes, err);
	case OPT_GPUS:
		return lw_tools_read_count("gpus-per-node", optarg, 1000,
					   &o->gpus_per_node, err);
	case OPT_CPUS:
		return lw_tools_read_count("cpus-per-node", optarg, 100000,
					   &o->cpus_per_node, err);
	default:
		rc = lw_tools_read_count("seed", optarg, UINT32_MAX, &seed, err);
		o->seed = seed;
		return rc;
	}
}

static int set_option(struct request *request, int c, struct lw_error *err)
{
	struct lw_convert_options *o = &request->options;

	switch (c) {
	case OPT_PROCESSOR:
		return set_unit(request, optarg, err);
	case OPT_DAY:
		return set_day(request, optarg, err);
	case OPT_FROM:
		return lw_tools_read_duration("from", optarg, &o->from_s, err);
	case OPT_SPAN:
		return lw_tools_read_duration("span", optarg, &o->span_s, err);
	case OPT_JOBS:
		return set_jobs(request, optarg, err);
	case OPT_CARRY_OVER:
		o->carry_over = true;
		return 0;
	case OPT_COMPRESS:
		return lw_tools_read_real("compress", optarg, 1, 1e6, &o->compress, err);
	case OPT_LENIENT:
		request->lenient = true;
		return 0;
	case OPT_SACCT:
		request->sacct = true;
		return 0;
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
	if (optind + 1 != argc)
		return lw_error_set(err, -EINVAL,
				    optind < argc ? "more than one trace"
						  : "which trace?");
	request->trace = argv[optind];
	if (!request->has_unit)
		request->options.unit =
			request->options.gpus_per_node ? LW_CONVERT_GPU : LW_CONVERT_CPU;
	return 0;
}

/* Without --nodes the machine is the trace's own. */
static int set_nodes(struct request *request, const struct lw_swf *swf,
		     struct lw_error *err)
{
	struct lw_convert_options *o = &request->options;
	int64_t nodes = swf->max_nodes;

	if (o->nodes)
		return 0;
	if (o->unit == LW_CONVERT_NODE && swf->max_procs > 0)
		nodes = swf->max_procs;
	else if (o->unit == LW_CONVERT_GPU && swf->max_procs > 0)
		nodes = (swf->max_procs + o->gpus_per_node - 1) / o->gpus_per_node;
	if (nodes < 1 || nodes > 1000000)
		return lw_error_set(
			err, -EINVAL,
			"%s: the header does not say how many nodes: give --nodes",
			request->trace);
	o->nodes = (uint32_t)nodes;
	return 0;
}

static void describe(const struct request *request, int argc, char **argv,
		     struct lw_strbuf *sb)
{
	const char *base = strrchr(request->trace, '/');

	lw_strbuf_add(sb, "# made by: leeway %s workload", PACKAGE_VERSION);
	/* the folder of the trace is nobody's business */
	for (int i = 1; i < argc; i++)
		lw_strbuf_add(sb, " %s",
			      argv[i] == request->trace && base ? base + 1 : argv[i]);
	lw_strbuf_add(sb, "\n");
}

static void print_notes(const struct request *request, const struct lw_swf *swf,
			const struct lw_convert_notes *notes)
{
	const struct {
		uint32_t count;
		const char *what;
	} lines[] = {
		{ notes->carried, "jobs were there when the window opened" },
		{ notes->limits_made, "jobs without a limit: drawn from popular limits" },
		{ notes->users_unknown,
		  "jobs without a user: their group stands in, or user 0" },
		{ notes->dropped_unknown,
		  "jobs dropped: processors or run time unknown" },
		{ notes->dropped_wide, "jobs dropped: wider than the machine" },
		{ swf->skipped, "bad lines skipped" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count)
			fprintf(stderr, "%s: %" PRIu32 " %s\n", request->trace,
				lines[i].count, lines[i].what);
	if (swf->skipped)
		fprintf(stderr, "%s:%" PRIu32 ": %s\n", request->trace, swf->bad_line,
			swf->bad.text);
}

static int write_workload(const struct request *request,
			  const struct lw_workload *workload, const char *comments,
			  struct lw_error *err)
{
	FILE *out = lw_tools_open_output(request->output, err);

	if (!out)
		return -EIO;
	return lw_tools_close_output(out, request->output,
				     lw_workload_write(workload, comments, out), err);
}

static int convert(struct request *request, const struct lw_swf *swf,
		   const char *comments, struct lw_error *err)
{
	const struct lw_convert_options *o = &request->options;
	struct lw_workload workload = { 0 };
	struct lw_workload_summary summary;
	struct lw_convert_notes notes;
	int rc = set_nodes(request, swf, err);

	if (!rc)
		rc = lw_convert_swf(swf, o, &workload, &notes, err);
	if (rc)
		return rc;
	if (!workload.job_count)
		rc = lw_error_set(err, -ENODATA, "%s: no job in that window",
				  request->trace);
	if (!rc)
		rc = write_workload(request, &workload, comments, err);
	if (!rc && !request->quiet &&
	    !lw_workload_sum(&workload, o->nodes, o->gpus_per_node, o->cpus_per_node,
			     &summary)) {
		print_notes(request, swf, &notes);
		lw_workload_print_summary(&summary, stderr);
	}
	lw_workload_fini(&workload);
	return rc;
}

static void print_sacct_notes(const struct request *request,
			      const struct lw_workload_sacct_notes *notes)
{
	if (notes->running)
		fprintf(stderr, "%s: %" PRIu32 " jobs left out: they have not ended\n",
			request->trace, notes->running);
	if (notes->unlimited)
		fprintf(stderr, "%s: %" PRIu32 " jobs without a limit: given a day or more\n",
			request->trace, notes->unlimited);
	if (notes->longer)
		fprintf(stderr, "%s: %" PRIu32 " jobs ran longer than their limit\n",
			request->trace, notes->longer);
}

static int take_sacct(const struct request *request, const char *comments, struct lw_error *err)
{
	const struct lw_convert_options *o = &request->options;
	struct lw_workload_sacct_notes notes;
	struct lw_workload_summary summary;
	struct lw_workload workload;
	int rc = lw_workload_of_sacct(request->trace, &workload, &notes, err);

	if (rc)
		return rc;
	rc = write_workload(request, &workload, comments, err);
	if (!rc && !request->quiet) {
		print_sacct_notes(request, &notes);
		if (o->nodes && !lw_workload_sum(&workload, o->nodes, o->gpus_per_node,
						 o->cpus_per_node, &summary))
			lw_workload_print_summary(&summary, stderr);
	}
	lw_workload_fini(&workload);
	return rc;
}

static int take_swf(struct request *request, const char *comments, struct lw_error *err)
{
	struct lw_swf swf;
	int rc = lw_swf_read(&swf, request->trace, request->lenient, err);

	if (rc)
		return rc;
	rc = convert(request, &swf, comments, err);
	lw_swf_fini(&swf);
	return rc;
}

int lw_tools_workload(int argc, char **argv)
{
	struct request request = {
		.options = { .cpus_per_node = 16, .compress = 1, .seed = 1 }
	};
	struct lw_strbuf comments = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	int rc;

	if (read_options(&request, argc, argv, &err))
		return lw_tools_usage("workload", "%s", err.text);
	if (request.help) {
		fputs(help, stdout);
		return LW_TOOLS_OK;
	}
	describe(&request, argc, argv, &comments);
	if (request.sacct)
		rc = take_sacct(&request, lw_strbuf_text(&comments), &err);
	else
		rc = take_swf(&request, lw_strbuf_text(&comments), &err);
	lw_strbuf_fini(&comments);
	return rc ? lw_tools_failed("workload", &err) : LW_TOOLS_OK;
}
