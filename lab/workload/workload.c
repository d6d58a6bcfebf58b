/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway workload: turn a trace into a workload. */
#include "cli/common/tools.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "lab/sim/convert.h"
#include "lab/sim/workload_sum.h"
#include "lab/workload/workload_sacct.h"

#define DAY_S 86400

struct request {
	struct lw_convert_options options;
	const char *trace;
	const char *output;
	bool lenient;
	const char *sacct; /* its file; NULL: a trace */
	bool allow_dropped;
	bool fixed_cancels;
	bool quiet;
};

static int set_day(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct request *request = arg;
	uint32_t day = 0;
	int rc = lw_tools_read_count(name, value, 0, 100000, &day, err);

	if (rc)
		return rc;
	if (!day)
		return lw_error_set(err, -EINVAL, "--%s: days are counted from 1", name);
	request->options.from_s = (int64_t)(day - 1) * DAY_S;
	request->options.span_s = DAY_S;
	return 0;
}

static int read_options(struct request *request, int argc, char **argv,
			struct lw_error *err)
{
	static const char *const units[] = { [LW_CONVERT_GPU] = "gpu",
					     [LW_CONVERT_CPU] = "cpu",
					     [LW_CONVERT_NODE] = "node",
					     NULL };
	struct lw_convert_options *o = &request->options;
	uint32_t range[2] = { 0 }, unit = 0, seed = 1;
	bool has_unit = false;
	const struct lw_option options[] = {
#include "lab/workload/workload_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (!rc && request->sacct && optind < argc)
		rc = lw_error_set(err, -EINVAL, "--sacct has its file: \"%s\" is one more",
				  argv[optind]);
	else if (!rc && request->sacct)
		request->trace = request->sacct;
	else if (!rc)
		rc = lw_options_word("trace", argc, argv, &request->trace, err);
	if (!rc && request->fixed_cancels && !request->sacct)
		rc = lw_error_set(err, -EINVAL, "--fixed-cancels needs --sacct");
	if (rc)
		return rc;
	o->unit = has_unit           ? (enum lw_convert_unit)unit
		  : o->gpus_per_node ? LW_CONVERT_GPU
				     : LW_CONVERT_CPU;
	if (o->unit == LW_CONVERT_GPU && !o->gpus_per_node && !request->sacct)
		return lw_error_set(err, -EINVAL, "--processor gpu: how many has a node? give "
				    "--gpus-per-node");
	o->first_job = range[0];
	o->last_job = range[1];
	o->seed = seed;
	return 0;
}

/* How many of SIZE hold the trace's processors; 0: its header does not count them. */
static int64_t divide_procs(const struct lw_swf *swf, uint32_t size)
{
	return swf->max_procs > 0 && size ? (swf->max_procs + size - 1) / size : 0;
}

/* The nodes that the header tells of; 0: none. */
static int64_t nodes_of(const struct lw_convert_options *o, const struct lw_swf *swf)
{
	int64_t nodes = 0;

	if (o->unit == LW_CONVERT_NODE)
		nodes = divide_procs(swf, 1);
	else if (o->unit == LW_CONVERT_GPU)
		nodes = divide_procs(swf, o->gpus_per_node);
	else if (swf->max_nodes < 1)
		nodes = divide_procs(swf, o->cpus_per_node);
	return nodes ? nodes : swf->max_nodes;
}

/* Without --nodes the machine is the trace's own. */
static int set_nodes(struct request *request, const struct lw_swf *swf,
		     struct lw_error *err)
{
	struct lw_convert_options *o = &request->options;
	int64_t nodes = nodes_of(o, swf);

	if (o->nodes)
		return 0;
	if (nodes < 1 || nodes > 1000000)
		return lw_error_set(
			err, -EINVAL,
			"%s: the header does not say how many nodes: give --nodes",
			request->trace);
	o->nodes = (uint32_t)nodes;
	return 0;
}

/* And without --cpus-per-node its nodes have as many CPUs as hold its processors. */
static void set_cpus(struct lw_convert_options *o, const struct lw_swf *swf)
{
	int64_t cpus = o->unit == LW_CONVERT_CPU ? divide_procs(swf, o->nodes) : 0;

	if (!o->cpus_per_node)
		o->cpus_per_node = cpus > 0 && cpus <= LW_WORKLOAD_CPUS_MAX ?
					   (uint32_t)cpus :
					   lw_nodes_default_cpus(o->gpus_per_node);
}

/* A name may hold a newline, which would end the comment. */
static void add_word(struct lw_strbuf *sb, const char *word)
{
	lw_strbuf_add(sb, " ");
	for (; *word; word++)
		lw_strbuf_add_bytes(sb, (unsigned char)*word < ' ' ? "?" : word, 1);
}

static void workload_describe(const struct request *request, int argc, char **argv,
			      struct lw_strbuf *sb)
{
	const char *base = strrchr(request->trace, '/');

	lw_strbuf_add(sb, "# made by: leeway %s workload", PACKAGE_VERSION);
	/* the folder of the trace is private */
	for (int i = 1; i < argc; i++)
		add_word(sb, argv[i] == request->trace && base ? base + 1 : argv[i]);
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
		{ notes->afters_lost, "jobs without the one that precedes them" },
		{ swf->skipped, "bad lines skipped" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count)
			fprintf(stderr, "%s: %" PRIu32 " %s\n", lw_tools_plain(request->trace),
				lines[i].count, lines[i].what);
	if (swf->skipped)
		fprintf(stderr, "%s:%" PRIu32 ": %s\n", lw_tools_plain(request->trace),
			swf->bad_line, swf->bad.text);
}

static void print_machine(const struct lw_workload *workload, const char *path)
{
	const struct lw_nodes *n = workload->types;

	if (workload->type_count)
		fprintf(stderr,
			"%s: for %" PRIu32 " nodes of %" PRIu32 " GPUs and %" PRIu32 " CPUs\n",
			path, n->count, n->gpus, n->cpus);
	else
		fprintf(stderr, "%s: for a machine that is not known: give --nodes\n", path);
}

static int write_workload(const struct request *request,
			  const struct lw_workload *workload, const char *comments,
			  struct lw_error *err)
{
	struct lw_output output;
	int rc = lw_output_open(request->output, &output, err);

	if (rc)
		return rc;
	return lw_output_close(&output, lw_workload_write(workload, comments, output.to), err);
}

/* Why nothing is left of a trace. */
static int no_job(const struct request *request, const struct lw_convert_notes *notes,
		  struct lw_error *err)
{
	if (notes->dropped_wide || notes->dropped_unknown)
		return lw_error_set(err, -ENODATA,
				    "%s: no job is left: %" PRIu32 " wider than the machine, "
				    "%" PRIu32 " without processors or run time",
				    request->trace, notes->dropped_wide, notes->dropped_unknown);
	return lw_error_set(err, -ENODATA, "%s: no job in that window", request->trace);
}

/* Is enough of the trace left that it still is that trace? */
static int check_dropped(const struct request *request, const struct lw_convert_notes *notes,
			 struct lw_error *err)
{
	uint64_t dropped = (uint64_t)notes->dropped_wide + notes->dropped_unknown;

	if (!notes->taken)
		return no_job(request, notes, err);
	if (request->allow_dropped || dropped * 100 <= notes->taken + dropped)
		return 0;
	return lw_error_set(err, -ENODATA,
			    "%s: %" PRIu64 " of %" PRIu64
			    " jobs would be left out, more than 1 %%: %" PRIu32
			    " wider than the machine, %" PRIu32
			    " without processors or run time; --allow-dropped goes on with the "
			    "others",
			    request->trace, dropped, notes->taken + dropped, notes->dropped_wide,
			    notes->dropped_unknown);
}

static int convert(struct request *request, const struct lw_swf *swf,
		   const char *comments, struct lw_error *err)
{
	const struct lw_convert_options *o = &request->options;
	struct lw_workload workload = { 0 };
	struct lw_workload_summary summary;
	struct lw_convert_notes notes;
	int rc = set_nodes(request, swf, err);

	if (rc)
		return rc;
	set_cpus(&request->options, swf);
	rc = lw_convert_swf(swf, o, &workload, &notes, err);
	if (rc == -ERANGE)
		lw_error_prefix(err, rc, "%s: ", request->trace);
	if (rc)
		return rc;
	rc = check_dropped(request, &notes, err);
	if (!rc)
		rc = write_workload(request, &workload, comments, err);
	if (!rc && !request->quiet &&
	    !lw_workload_sum(&workload, NULL, o->nodes, o->gpus_per_node, o->cpus_per_node,
			     &summary)) {
		print_notes(request, swf, &notes);
		print_machine(&workload, request->trace);
		lw_workload_print_summary(&summary, stderr);
	}
	lw_workload_fini(&workload);
	return rc;
}

static void print_sacct_notes(const struct request *request,
			      const struct lw_workload_sacct_notes *notes)
{
	for (uint32_t i = 0; i < notes->lack_count; i++)
		fprintf(stderr, "%s: %s\n", request->trace, notes->lacks[i]);
	if (notes->cut)
		fprintf(stderr,
			"%s: %" PRIu32 " arrays that sacct cut off: at least %" PRIu32
			" tasks (SLURM_BITSTR_LEN=0 prints them all)\n",
			request->trace, notes->cut, notes->cut_tasks);
	if (notes->running)
		fprintf(stderr, "%s: %" PRIu32 " jobs left out: they have not ended\n",
			request->trace, notes->running);
	if (notes->unlimited)
		fprintf(stderr, "%s: %" PRIu32 " jobs without a limit: given a day or more\n",
			request->trace, notes->unlimited);
	if (notes->doubles)
		fprintf(stderr,
			"%s: %" PRIu32 " jobs have the JobID of another one: taken as jobs of "
			"their own\n",
			request->trace, notes->doubles);
	if (notes->shifted)
		fprintf(stderr,
			"%s: %" PRIu32 " jobs end later than End says, for local time was set "
			"back: ElapsedRaw counts\n",
			request->trace, notes->shifted);
	if (notes->longer)
		fprintf(stderr, "%s: %" PRIu32 " jobs ran longer than their limit\n",
			request->trace, notes->longer);
	if (notes->bad)
		fprintf(stderr, "%s: %" PRIu32 " bad lines skipped\n%s:%s\n", request->trace,
			notes->bad, request->trace, notes->first_bad.text);
}

/* sacct knows jobs, and no machine. */
static int set_machine(const struct request *request, struct lw_workload *workload,
		       struct lw_error *err)
{
	const struct lw_convert_options *o = &request->options;

	if (!o->nodes)
		return 0;
	if (!o->cpus_per_node)
		return lw_error_set(err, -EINVAL, "--nodes: how many CPUs has one? give "
						  "--cpus-per-node");
	for (uint32_t i = 0; i < workload->job_count && !o->gpus_per_node; i++)
		if (workload->jobs[i].gpus_per_node)
			return lw_error_set(err, -EINVAL, "--nodes: jobs of %s had GPUs: give "
							  "--gpus-per-node",
					    request->trace);
	workload->types[workload->type_count++] = (struct lw_nodes){
		o->nodes, o->cpus_per_node, o->gpus_per_node, o->mem_mib_per_node, ""
	};
	return 0;
}

static int take_sacct(const struct request *request, const char *comments, struct lw_error *err)
{
	const struct lw_convert_options *o = &request->options;
	unsigned how = (request->fixed_cancels ? LW_SACCT_FIXED_CANCELS : 0) |
		       (request->lenient ? LW_SACCT_LENIENT : 0);
	struct lw_workload_sacct_notes notes;
	struct lw_workload_summary summary;
	struct lw_workload workload;
	int rc = lw_workload_of_sacct(request->trace, how, &workload, &notes, err);

	if (rc)
		return rc;
	rc = set_machine(request, &workload, err);
	if (!rc)
		rc = write_workload(request, &workload, comments, err);
	if (!rc && !request->quiet) {
		print_sacct_notes(request, &notes);
		print_machine(&workload, request->trace);
		if (o->nodes && !lw_workload_sum(&workload, NULL, o->nodes, o->gpus_per_node,
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
	lw_origin_add(request->trace, NULL);
	rc = convert(request, &swf, comments, err);
	lw_swf_fini(&swf);
	return rc;
}

int lw_tools_workload(int argc, char **argv)
{
	struct request request = { .options = { .compress = 1 } };
	struct lw_strbuf comments = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	int rc;

	rc = read_options(&request, argc, argv, &err);
	if (rc)
		return lw_options_refused("workload", rc, &err);
	workload_describe(&request, argc, argv, &comments);
	if (request.sacct)
		rc = take_sacct(&request, lw_strbuf_text(&comments), &err);
	else
		rc = take_swf(&request, lw_strbuf_text(&comments), &err);
	lw_strbuf_fini(&comments);
	return rc ? lw_tools_failed("workload", &err) : LW_TOOLS_OK;
}
