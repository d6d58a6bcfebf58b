/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: run a policy, or several, over a trace. */
#include "tools/sim/sim.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/tools.h"

static const char help[] =
	"usage: leeway sim TRACE.swf[.gz] [OPTION...]\n"
	"       leeway sim --compare TRACE.swf[.gz] [--policies P,P,...] [OPTION...]\n"
	"Run a policy over a trace in the Standard Workload Format, or over a workload\n"
	"(lw-workload(5)).\n\n"
	"  --policy P            fcfs, easy, conservative, relaxed, adaptive or leeway (leeway);\n"
	"                        clairvoyant: EASY, shortest first, that knows all run times;\n"
	"                        published and published-adaptive: as a published study has it\n"
	"  --runtime R           what is taken for a job's run time: user (its limit), exact,\n"
	"                        last2 or predicted (leeway: predicted; others: user)\n"
	"  --order O             of the queue: given, fcfs, sjf, wfp3, unicep or f1 (given)\n"
	"  --backfill-order O    behind a reservation: priority or shortest (priority)\n"
	"  --hold B              leeway: no starts a promised job as soon as it has room (yes)\n"
	"  --placement P         leeway, or stock: a model of Slurm's own choice of nodes\n"
	"  --gang-wait TIME      how long a gang may wait for a nearer domain (0)\n"
	"  --relax F             how far a promise may slip, as a share of the promised wait\n"
	"  --relax-cap TIME      and at most so far\n\n"
	"  --nodes N             spread the jobs over nodes; without it the machine is one\n"
	"                        pool of the trace's MaxProcs processors\n"
	"  --gpus-per-node G     a processor of the trace is then a GPU (0: it is a CPU)\n"
	"  --cpus-per-node C     (1 a GPU, else 1)\n"
	"  --mem-per-node M      MiB; of a workload (0: memory does not count)\n"
	"  --racks R             leaf switches of equally many nodes, under one spine\n"
	"  --blocks              they are blocks, as of topology/block: a job is never spread\n"
	"                        over more than it must be on an empty machine\n"
	"  --user-field F        user or group: who counts as a job's user (user)\n"
	"  --jobs A:B            only the jobs at places A to B, from 1\n"
	"  --lenient             skip and count bad lines\n\n"
	"  --shakes N            N runs with submissions moved by up to 30 s: mean and\n"
	"                        standard deviation\n"
	"  --seed S              of the first shake; the next one has S + 1 (1)\n\n"
	"  --json FILE           figures as JSON\n"
	"  --schedule FILE       a line \"job_id start end\" a job\n"
	"  --print KEYS          only these figures, by JSON key, with tabs between; KEY:sd is\n"
	"                        a standard deviation\n"
	"  -q, --quiet           no table\n\n"
	"  --compare             several policies, in one table\n"
	"  --policies P,P,...    each as NAME[:OPTION=VALUE...], such as relaxed:relax=0.02\n"
	"  --no-frontier         leave out the curve of relaxed by factors from 0 to 0.5\n"
	"  --html FILE           table and charts as one page\n"
	"  --svg FILE            the charts\n"
	"\"-\" as FILE is standard output.\n";

enum {
	OPT_POLICY = 256,
	OPT_SPEC, /* what lw_simspec_set() knows by its name */
	OPT_NODES,
	OPT_GPUS,
	OPT_CPUS,
	OPT_MEM,
	OPT_RACKS,
	OPT_BLOCKS,
	OPT_USER_FIELD,
	OPT_JOBS,
	OPT_LENIENT,
	OPT_SHAKES,
	OPT_SEED,
	OPT_JSON,
	OPT_SCHEDULE,
	OPT_PRINT,
	OPT_COMPARE,
	OPT_POLICIES,
	OPT_NO_FRONTIER,
	OPT_HTML,
	OPT_SVG,
};

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "runtime", required_argument, NULL, OPT_SPEC },
	{ "order", required_argument, NULL, OPT_SPEC },
	{ "backfill-order", required_argument, NULL, OPT_SPEC },
	{ "hold", required_argument, NULL, OPT_SPEC },
	{ "placement", required_argument, NULL, OPT_SPEC },
	{ "gang-wait", required_argument, NULL, OPT_SPEC },
	{ "relax", required_argument, NULL, OPT_SPEC },
	{ "relax-cap", required_argument, NULL, OPT_SPEC },
	{ "nodes", required_argument, NULL, OPT_NODES },
	{ "gpus-per-node", required_argument, NULL, OPT_GPUS },
	{ "cpus-per-node", required_argument, NULL, OPT_CPUS },
	{ "mem-per-node", required_argument, NULL, OPT_MEM },
	{ "racks", required_argument, NULL, OPT_RACKS },
	{ "blocks", no_argument, NULL, OPT_BLOCKS },
	{ "user-field", required_argument, NULL, OPT_USER_FIELD },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "lenient", no_argument, NULL, OPT_LENIENT },
	{ "shakes", required_argument, NULL, OPT_SHAKES },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "json", required_argument, NULL, OPT_JSON },
	{ "schedule", required_argument, NULL, OPT_SCHEDULE },
	{ "print", required_argument, NULL, OPT_PRINT },
	{ "quiet", no_argument, NULL, 'q' },
	{ "compare", no_argument, NULL, OPT_COMPARE },
	{ "policies", required_argument, NULL, OPT_POLICIES },
	{ "no-frontier", no_argument, NULL, OPT_NO_FRONTIER },
	{ "html", required_argument, NULL, OPT_HTML },
	{ "svg", required_argument, NULL, OPT_SVG },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* Options of the policy, kept until the policy is known. */
#define SETTINGS_MAX 16

struct setting {
	const char *key, *value;
};

struct request {
	const char *trace, *policy, *policies;
	struct setting settings[SETTINGS_MAX];
	uint32_t setting_count;
	struct lw_simspec spec;
	struct lw_simtrace_options options;
	struct lw_simrepeat repeat;
	const char *json, *schedule, *print, *html, *svg;
	bool compare, no_frontier, quiet, help;
};

static int set_jobs(struct request *request, const char *text, struct lw_error *err)
{
	struct lw_tracejobs_options *jobs = &request->options.jobs;
	uint32_t first, last;
	char end;

	if (sscanf(text, "%" SCNu32 ":%" SCNu32 "%c", &first, &last, &end) != 2 || !first ||
	    last < first)
		return lw_error_set(err, -EINVAL, "--jobs: \"%s\" is not A:B with 1 <= A <= B",
				    text);
	jobs->first_job = first;
	jobs->last_job = last;
	return 0;
}

static int set_user_field(struct request *request, const char *text, struct lw_error *err)
{
	bool group = strcmp(text, "group") == 0;

	if (!group && strcmp(text, "user") != 0)
		return lw_error_set(err, -EINVAL, "--user-field: \"%s\" is not user or group",
				    text);
	request->options.jobs.group_as_user = group;
	return 0;
}

static int set_setting(struct request *request, const char *key, const char *value,
		       struct lw_error *err)
{
	if (request->setting_count == SETTINGS_MAX)
		return lw_error_set(err, -EINVAL, "--%s: too many options", key);
	request->settings[request->setting_count++] = (struct setting){ key, value };
	return 0;
}

static int set_number(struct request *request, int c, struct lw_error *err)
{
	struct lw_machine *machine = &request->options.jobs.machine;
	uint32_t seed = 0;
	int rc;

	switch (c) {
	case OPT_NODES:
		return lw_tools_read_count("nodes", optarg, 1000000, &machine->nodes, err);
	case OPT_GPUS:
		return lw_tools_read_count("gpus-per-node", optarg, 1000, &machine->gpus_per_node,
					   err);
	case OPT_CPUS:
		return lw_tools_read_count("cpus-per-node", optarg, 100000,
					   &machine->cpus_per_node, err);
	case OPT_MEM:
		return lw_tools_read_count("mem-per-node", optarg, UINT32_MAX,
					   &machine->mem_mib_per_node, err);
	case OPT_RACKS:
		return lw_tools_read_count("racks", optarg, 16000, &machine->racks, err);
	case OPT_SHAKES:
		return lw_tools_read_count("shakes", optarg, 10000, &request->repeat.shakes, err);
	default:
		rc = lw_tools_read_count("seed", optarg, UINT32_MAX, &seed, err);
		request->repeat.seed = seed;
		return rc;
	}
}

static int set_text(struct request *request, int c)
{
	switch (c) {
	case OPT_POLICY:
		request->policy = optarg;
		return 0;
	case OPT_POLICIES:
		request->policies = optarg;
		return 0;
	case OPT_JSON:
		request->json = optarg;
		return 0;
	case OPT_SCHEDULE:
		request->schedule = optarg;
		return 0;
	case OPT_PRINT:
		request->print = optarg;
		return 0;
	case OPT_HTML:
		request->html = optarg;
		return 0;
	case OPT_SVG:
		request->svg = optarg;
		return 0;
	default:
		return -ENOENT;
	}
}

static int set_option(struct request *request, int c, int index, struct lw_error *err)
{
	switch (c) {
	case OPT_SPEC:
		return set_setting(request, long_options[index].name, optarg, err);
	case OPT_USER_FIELD:
		return set_user_field(request, optarg, err);
	case OPT_JOBS:
		return set_jobs(request, optarg, err);
	case OPT_BLOCKS:
		request->options.jobs.machine.blocks = true;
		return 0;
	case OPT_LENIENT:
		request->options.lenient = true;
		return 0;
	case OPT_COMPARE:
		request->compare = true;
		return 0;
	case OPT_NO_FRONTIER:
		request->no_frontier = true;
		return 0;
	case 'q':
		request->quiet = true;
		return 0;
	case 'h':
		request->help = true;
		return 0;
	default:
		return set_text(request, c) ? set_number(request, c, err) : 0;
	}
}

/* The machine as a whole, once all of its options are known. */
static int check_machine(struct request *request, struct lw_error *err)
{
	struct lw_machine *machine = &request->options.jobs.machine;

	if (!machine->nodes && (machine->gpus_per_node || machine->cpus_per_node ||
				machine->mem_mib_per_node))
		return lw_error_set(err, -EINVAL, "how many nodes? give --nodes");
	if (!machine->cpus_per_node)
		machine->cpus_per_node = machine->gpus_per_node ? machine->gpus_per_node : 1;
	if ((uint64_t)machine->nodes * machine->cpus_per_node > UINT32_MAX)
		return lw_error_set(err, -EINVAL, "--nodes: the machine is too large");
	return 0;
}

static int make_spec(struct request *request, struct lw_error *err)
{
	int rc = lw_simspec_parse(request->policy ? request->policy : "leeway", &request->spec,
				  err);

	for (uint32_t i = 0; !rc && i < request->setting_count; i++)
		rc = lw_simspec_set(&request->spec, request->settings[i].key,
				    request->settings[i].value, err);
	return rc;
}

static bool is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static int check_options(struct request *request, struct lw_error *err)
{
	if (request->compare &&
	    (request->policy || request->setting_count || request->print || request->schedule))
		return lw_error_set(err, -EINVAL,
				    "--compare: policies and their options go into --policies");
	if (!request->compare && (request->policies || request->html || request->svg))
		return lw_error_set(err, -EINVAL, "--policies, --html and --svg need --compare");
	/* what is meant for programs must not stand below a table */
	request->quiet = request->quiet || is_stdout(request->json) ||
			 is_stdout(request->schedule) || is_stdout(request->html) ||
			 is_stdout(request->svg);
	return 0;
}

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	int c, index = 0, rc;

	while ((c = getopt_long(argc, argv, "qh", long_options, &index)) != -1) {
		if (c == '?')
			return lw_error_set(err, -EINVAL, "bad option");
		rc = set_option(request, c, index, err);
		if (rc || request->help)
			return rc;
	}
	if (optind + 1 != argc)
		return lw_error_set(err, -EINVAL,
				    optind < argc ? "more than one trace" : "which trace?");
	request->trace = argv[optind];
	rc = check_options(request, err);
	if (!rc)
		rc = check_machine(request, err);
	return rc ? rc : make_spec(request, err);
}

static int write_text(const char *path, const char *text, struct lw_error *err)
{
	FILE *out;

	if (!text)
		return lw_error_set(err, -ENOMEM, "out of memory");
	out = lw_tools_open_output(path, err);
	if (!out)
		return -EIO;
	fputs(text, out);
	/* JSON comes without one */
	if (text[0] && text[strlen(text) - 1] != '\n')
		fputc('\n', out);
	return lw_tools_close_output(out, path, 0, err);
}

static int write_json(char *text, const char *path, struct lw_error *err)
{
	int rc = write_text(path, text, err);

	free(text);
	return rc;
}

static int write_schedule(const struct lw_simrun *run, const struct lw_simtrace *trace,
			  const char *path, struct lw_error *err)
{
	FILE *out = lw_tools_open_output(path, err);

	if (!out)
		return -EIO;
	lw_simrun_print_schedule(run, trace, out);
	return lw_tools_close_output(out, path, 0, err);
}

static int run_one(const struct request *request, const struct lw_simtrace *trace,
		   struct lw_error *err)
{
	struct lw_simrun run;
	int rc = lw_simrun_do(&run, trace, &request->spec, &request->repeat, err);

	if (rc)
		return rc;
	if (request->print)
		rc = lw_simrun_print_keys(&run, request->print, stdout, err);
	else if (!request->quiet)
		lw_simrun_print(&run, trace, stdout);
	if (!rc && request->json)
		rc = write_json(lw_simrun_json(&run, trace), request->json, err);
	if (!rc && request->schedule)
		rc = write_schedule(&run, trace, request->schedule, err);
	lw_simrun_fini(&run);
	return rc;
}

static int write_drawing(const struct lw_simcompare *compare, const char *path,
			 void (*draw)(const struct lw_simcompare *, struct lw_strbuf *),
			 struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;
	int rc;

	draw(compare, &sb);
	rc = write_text(path, sb.error ? NULL : lw_strbuf_text(&sb), err);
	lw_strbuf_fini(&sb);
	return rc;
}

static int run_several(const struct request *request, const struct lw_simtrace *trace,
		       struct lw_error *err)
{
	struct lw_simcompare compare;
	int rc = lw_simcompare_do(&compare, trace, request->policies, &request->repeat,
				  !request->no_frontier, err);

	if (rc)
		return rc;
	if (!request->quiet)
		lw_simcompare_print(&compare, stdout);
	if (request->json)
		rc = write_json(lw_simcompare_json(&compare), request->json, err);
	if (!rc && request->svg)
		rc = write_drawing(&compare, request->svg, lw_simcompare_svg, err);
	if (!rc && request->html)
		rc = write_drawing(&compare, request->html, lw_simcompare_html, err);
	lw_simcompare_fini(&compare);
	return rc;
}

static int run(const struct request *request, struct lw_error *err)
{
	struct lw_simtrace trace;
	int rc = lw_simtrace_open(&trace, request->trace, &request->options, err);

	if (rc)
		return rc;
	if (!request->quiet)
		lw_simtrace_print_notes(&trace);
	rc = request->compare ? run_several(request, &trace, err) : run_one(request, &trace, err);
	lw_simtrace_close(&trace);
	return rc;
}

int lw_tools_sim(int argc, char **argv)
{
	struct request request = { .repeat = { .seed = 1 } };
	struct lw_error err = { "" };

	if (read_options(&request, argc, argv, &err))
		return lw_tools_usage("sim", "%s", err.text);
	if (request.help) {
		fputs(help, stdout);
		return LW_TOOLS_OK;
	}
	return run(&request, &err) ? lw_tools_failed("sim", &err) : LW_TOOLS_OK;
}
