/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: run a policy, or several, over a trace. */
#include "tools/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "sim/gpumap.h"
#include "tools/jobscsv.h"
#include "tools/json.h"
#include "tools/options.h"
#include "tools/output.h"
#include "tools/sim/sim_json.h"
#include "tools/tools.h"

static const char help[] =
	"usage: leeway sim TRACE.swf[.gz] [OPTION...]\n"
	"       leeway sim --compare TRACE.swf[.gz] [--policies P,P,...] [OPTION...]\n"
	"Run a policy over a trace in the Standard Workload Format, or over a workload\n"
	"(lw-workload(5)).\n\n"
	"  --policy P            how the queue is planned (leeway):\n"
#define LW_POLICY(id, name, traits, help) "                        " #name ": " help "\n"
#include "planner/model/policies.def"
	"                        clairvoyant: EASY, shortest first, that knows all run times\n"
	"                        published and published-adaptive: as a published study has it\n"
	"                        published-rl, -rl-fcfs, -rl-order: as RLScheduler's simulator:\n"
	"                        nobody passes; the first to come do; those first in --order\n"
	"  --as NAME             as a published scheduler, of which list tells what it is made\n"
	"                        of; NAME,NAME,... compares several\n"
	"  --runtime R           what is taken for a job's run time: user (its limit), exact,\n"
	"                        last2 or predicted (leeway: predicted; others: user)\n"
	"  --order O             of the queue (given):\n"
#define LW_ORDER(id, name, needs, help) "                        " #name ": " help "\n"
#include "planner/model/orders.def"
	"  --order-age TIME      in any but given, who has waited so long goes first (0: nobody)\n"
	"  --inspector I         off, or learned: a net may hold back who would start (off)\n"
	"  --inspect-cap TIME    and at most for so long (6h)\n"
	"  --model FILE          the net of order or inspector learned, as leeway train makes it\n"
	"  --las-threshold TIME  las2d: the second queue begins at so much time of one GPU (3200)\n"
	"  --backfill-order O    behind a reservation: priority or shortest (priority)\n"
	"  --keep-promises B     in any order but given, no lets who comes first pass who was\n"
	"                        promised a start (yes)\n"
	"  --patience F          leeway: a job is promised a start once it has waited so long, as\n"
	"                        a share of its limit; 0: at once (0.5)\n"
	"  --hold B              leeway: no starts a promised job as soon as it has room (yes)\n"
	"  --placement P         leeway, or stock: a model of Slurm's own choice of nodes\n"
	"  --chain M             jobs that wait for others: on plans them for the end of those,\n"
	"                        off lets them into the queue then, as Slurm does; start-rule:\n"
	"                        submitted by the start that squeue --start would show (on)\n"
	"  --chain-share F       what the links of one user may take over, as a share of the\n"
	"                        machine (0.1); what is beyond comes in as with --chain off\n"
	"  --chain-total F       and those of all users together (0.2)\n"
	"  --chain-min TIME      links with a shorter limit come in as with --chain off (6h)\n"
	"  --deadlines M         order: those who can still meet theirs go first, the nearest\n"
	"                        first, who cannot goes last; guard: and who is accepted does\n"
	"                        meet it, by hard limits (off)\n"
	"  --preempt TIME        so often resumable jobs are preempted for those that would\n"
	"                        miss a deadline the next time (never)\n"
	"  --type T              which GPUs a job gets that may have several types: any that are\n"
	"                        free, finish: those on which it is expected to end first, and\n"
	"                        it may wait for them, fair: the same, and users have their\n"
	"                        share of the fast ones (any)\n"
	"  --gang-wait TIME      how long a gang may wait for a nearer domain (0)\n"
	"  --share M             one-GPU jobs share GPUs that take turns (slice) or run them at a\n"
	"                        time (mps), when no whole one is free (off)\n"
	"  --share-by W          who joins whom: rule; learned; table: as if all pairs were\n"
	"                        known; horus; any; trial; lucid (rule)\n"
	"  --share-below F       rule: SM activities add up to less, utilisations to no more\n"
	"                        (0.9, 1)\n"
	"  --share-part F        who joined goes again, and starts anew, if a minute later one of\n"
	"                        both has less than F of its speed (0: never)\n"
	"  --slack F             leeway: how far a promise may slip, as a share of the promised\n"
	"                        wait (0.1)\n"
	"  --slack-cap TIME      and at most so far (45m)\n"
	"  --relax F, --relax-cap TIME\n"
	"                        relaxed, adaptive: the same (0.1, no cap)\n\n"
	"  --nodes N             spread the jobs over nodes; without it the machine is the\n"
	"                        workload's own, or one pool of the trace's MaxProcs processors\n"
	"  --gpus-per-node G     a processor of the trace is then a GPU (0: it is a CPU)\n"
	"  --gpus-per-island I   linked to each other, as by NVLink (0: not known)\n"
	"  --cpus-per-node C     (the workload's; MaxProcs over the nodes; else 16, or G)\n"
	"  --mem-per-node M      MiB; of a workload (its own; 0: memory does not count)\n"
	"  --recipes FILE        of a workload: how fast its jobs run by type (lw-recipes(5))\n"
	"  --racks R             leaf switches of equally many nodes, under one spine\n"
	"  --blocks              they are blocks, as of topology/block: a job is never spread\n"
	"                        over more than it must be on an empty machine\n"
	"  --completing TIME     a node takes no new job for so long after the end of one there,\n"
	"                        as while Slurm's epilog runs (0)\n"
	"  --plan-delay TIME     a plan is made so long after something happened (0)\n"
	"  --main-loop TIME      besides, as Slurm's main loop would, jobs start in order of the\n"
	"                        queue so long after something happened (by plans alone)\n"
	"  --tenants FILE        what kinds of jobs use, and how they fare together\n"
	"                        (lw-tenants(5)); a kind is the application of the trace\n"
	"  --tenant-runs N       that is known by N earlier runs of each (0: as the file says)\n"
	"  --tenant-noise F      each off by so much (0.1)\n"
	"  --default-limit TIME  of jobs that ask for no time (the longest that jobs of their\n"
	"                        partition ask for)\n"
	"  --user-field F        user or group: who counts as a job's user (user)\n"
	"  --jobs A:B            only the jobs at places A to B, from 1\n"
	"  --lenient             skip and count bad lines\n"
	"  --allow-dropped       go on although more than 1 % of the jobs are left out, as wider\n"
	"                        than the machine or without processors or run time\n\n"
	"  --shakes N            N runs with submissions moved at random: mean and standard\n"
	"                        deviation\n"
	"  --shake-by TIME       by up to so much (30 s)\n"
	"  --shake-sessions      what a user submits in one session moves together\n"
	"  --seed S              of the first shake; the next one has S + 1 (1)\n\n"
	"  --outlook             how often jobs started by what leeway when would have said\n"
	"  --energy              count energy, by the watts of leeway.yaml(5)\n"
	"  --config FILE         which one; without, the defaults\n"
	"  --suspend-after TIME  nodes without a job are powered down after it\n"
	"  --factors FILE        price and CO2 of a kWh, a line for each hour\n\n"
	"  --json[=FILE]         figures as JSON; without a file instead of the table\n"
	"  --schedule FILE       a line \"job_id start end\" a job\n"
	"  --jobs-csv FILE       a line a job with times and processors, as evalys reads it\n"
	"  --print KEYS          only these figures, by JSON key, with tabs between; KEY:sd is\n"
	"                        a standard deviation; of several policies behind their names\n"
	"  -q, --quiet           no table\n\n"
	"  --compare             several policies, in one table\n"
	"  --policies P,P,...    each as NAME[:OPTION=VALUE...], such as relaxed:relax=0.02\n"
	"  --no-frontier         leave out the curve of relaxed by factors from 0 to 0.5\n"
	"  --html FILE           table and charts as one page\n"
	"  --svg FILE            the charts in one image\n"
	"  --charts DIR          each chart as an image of its own, its numbers beside it as CSV,\n"
	"                        and each policy's jobs as --jobs-csv has them\n"
	"\"-\" as FILE is standard output.\n";

/* Options of the policy, kept until the policy is known. */
#define SETTINGS_MAX 30

struct setting {
	const char *key, *value;
};

struct request {
	const char *trace, *policy, *policies, *as;
	struct setting settings[SETTINGS_MAX];
	uint32_t setting_count;
	struct lw_simspec spec;
	struct lw_simspecs specs;
	struct lw_simmodels models;
	struct lw_simtrace_options options;
	struct lw_simrepeat repeat;
	struct lw_simenergy energy;
	const char *json, *schedule, *jobs_csv, *print, *html, *svg, *charts;
	bool compare, no_frontier, quiet, list;
};

/* An option that lw_simspec_set() knows by its name. */
static int set_setting(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct request *request = arg;

	if (request->setting_count == SETTINGS_MAX)
		return lw_error_set(err, -EINVAL, "--%s: too many options", name);
	request->settings[request->setting_count++] = (struct setting){ name, value };
	return 0;
}

static int set_model(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct request *request = arg;
	int rc = lw_simmodels_load(&request->models, value, err);

	(void)name;
	return rc && rc != -EINVAL ? -EINVAL : rc;
}

static int take_models(struct request *request, struct lw_error *err)
{
	bool used[LW_NET_KINDS] = { false };
	int rc = 0;

	if (!request->compare)
		rc = lw_simspec_take_models(&request->spec, &request->models, used, err);
	for (uint32_t i = 0; !rc && request->compare && i < request->specs.count; i++)
		rc = lw_simspec_take_models(&request->specs.specs[i], &request->models, used,
					    err);
	return rc ? rc : lw_simmodels_check(&request->models, used, err);
}

/* Before anything runs: a slip in the last policy must not cost the runs of the others. */
static int make_specs(struct request *request, struct lw_error *err)
{
	int rc;

	if (request->compare && request->as)
		return lw_simspecs_parse_systems(request->as, &request->specs, err);
	if (request->compare)
		return lw_simspecs_parse(request->policies, &request->specs, err);
	if (request->as)
		rc = lw_simsystem_parse(request->as, &request->spec, err);
	else
		rc = lw_simspec_parse(request->policy ? request->policy : "leeway",
				      &request->spec, err);
	for (uint32_t i = 0; !rc && i < request->setting_count; i++)
		rc = lw_simspec_set(&request->spec, request->settings[i].key,
				    request->settings[i].value, err);
	return rc;
}

/* What is meant for programs must not stand below a table, nor two such things together. */
static int check_stdout(struct request *request, struct lw_error *err)
{
	const char *const paths[] = { request->json,
				      request->schedule,
				      request->jobs_csv,
				      request->html,
				      request->svg,
				      request->print ? "-" : NULL };
	bool taken;
	int rc = lw_output_shared(paths, sizeof(paths) / sizeof(paths[0]), &taken, err);

	if (!rc && taken && !request->print)
		request->quiet = true;
	return rc;
}

static int check_options(struct request *request, struct lw_error *err)
{
	int rc;

	if (request->as && (request->policy || request->policies))
		return lw_error_set(err, -EINVAL, "--as stands for a policy: leave out --%s",
				    request->policy ? "policy" : "policies");
	if (request->as && request->compare && request->setting_count)
		return lw_error_set(err, -EINVAL,
				    "--as: options of one of several go behind its name, as in "
				    "saf:order-age=1d");
	if (request->compare && (request->policy || request->setting_count))
		return lw_error_set(err, -EINVAL,
				    "--compare: policies and their options go into --policies");
	if (request->compare &&
	    (request->schedule || request->jobs_csv || request->repeat.outlook))
		return lw_error_set(err, -EINVAL,
				    "--compare: --schedule, --jobs-csv and --outlook are of one "
				    "policy");
	if (!request->compare &&
	    (request->policies || request->html || request->svg || request->charts))
		return lw_error_set(err, -EINVAL,
				    "--policies, --html, --svg and --charts need --compare");
	rc = lw_simenergy_check(&request->energy, err);
	return rc ? rc : check_stdout(request, err);
}

static int set_shakes(struct lw_simrepeat *repeat, int64_t by_s, struct lw_error *err)
{
	if (by_s < 1 || by_s > LW_SHAKE_MAX_S)
		return lw_error_set(err, -EINVAL, "--shake-by: not between a second and a year");
	if (by_s != LW_SHAKE_S && !repeat->shakes)
		return lw_error_set(err, -EINVAL, "--shake-by needs --shakes");
	if (repeat->sessions && !repeat->shakes)
		return lw_error_set(err, -EINVAL, "--shake-sessions needs --shakes");
	repeat->shake_by_s = (uint32_t)by_s;
	return 0;
}

/* What options give that is no field of the request. */
struct numbers {
	uint32_t range[2], user_field, seed;
	const char *tenant_noise;
	int64_t shake_by_s;
};

/* Check what the options say together, and make of it what is to run. */
static int apply_options(struct request *request, const struct numbers *numbers,
			 struct lw_error *err)
{
	struct lw_tracejobs_options *jobs = &request->options.jobs;
	int rc;

	/* several, and nobody asked for a curve */
	request->compare |= request->as && strchr(request->as, ',');
	request->no_frontier |= request->as != NULL;
	rc = check_options(request, err);
	if (!rc)
		rc = set_shakes(&request->repeat, numbers->shake_by_s, err);
	if (rc)
		return rc;
	jobs->first_job = numbers->range[0];
	jobs->last_job = numbers->range[1];
	jobs->group_as_user = numbers->user_field;
	request->repeat.seed = request->options.tenant_seed = numbers->seed;
	request->options.tenant_noise = 0.1;
	if (numbers->tenant_noise) {
		rc = lw_tools_read_real("tenant-noise", numbers->tenant_noise, 0, 1,
					&request->options.tenant_noise, err);
		if (rc)
			return rc;
	}
	request->repeat.procs = request->jobs_csv || request->charts;
	rc = request->print ? lw_simrun_check_keys(request->print, err) : 0;
	if (rc || request->list)
		return rc;
	rc = make_specs(request, err);
	return rc ? rc : take_models(request, err);
}

/* The one word beside the options; where nothing runs there is none. */
static int read_trace(struct request *request, int argc, char **argv, struct lw_error *err)
{
	int rc = lw_options_word("trace", argc, argv, &request->trace, err);

	request->list = request->as && strcmp(request->as, "list") == 0;
	if (!request->list)
		return rc;
	return rc ? 0 : lw_error_set(err, -EINVAL, "--as list runs no trace");
}

static const char *const user_fields[] = { "user", "group", NULL };

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	struct lw_machine *machine = &request->options.jobs.machine;
	struct lw_simenergy *energy = &request->energy;
	struct numbers numbers = { .seed = 1, .shake_by_s = LW_SHAKE_S };
	const struct lw_option options[] = {
		{ "policy", .text = &request->policy, .values = lw_sim_policies },
		{ "as", .text = &request->as, .values = lw_sim_systems },
		{ "runtime", .set = set_setting, .values = "user exact last2 predicted" },
		{ "order", .set = set_setting, .values = lw_order_names() },
		{ "las-threshold", .set = set_setting },
		{ "inspector", .set = set_setting, .values = "off learned" },
		{ "inspect-cap", .set = set_setting }, { "model", .set = set_model },
		{ "backfill-order", .set = set_setting, .values = "priority shortest" },
		{ "hold", .set = set_setting, .values = "yes no" },
		{ "keep-promises", .set = set_setting, .values = "yes no" },
		{ "placement", .set = set_setting, .values = "leeway stock" },
		{ "chain", .set = set_setting, .values = "on off start-rule" },
		{ "chain-share", .set = set_setting }, { "chain-total", .set = set_setting },
		{ "deadlines", .set = set_setting, .values = lw_deadlines_names() },
		{ "preempt", .set = set_setting }, { "gang-wait", .set = set_setting },
		{ "chain-min", .set = set_setting }, { "order-age", .set = set_setting },
		{ "share", .set = set_setting, .values = "off slice mps" },
		{ "share-by", .set = set_setting, .values = lw_sharing_way_names() },
		{ "share-below", .set = set_setting }, { "share-part", .set = set_setting },
		{ "relax", .set = set_setting }, { "relax-cap", .set = set_setting },
		{ "slack", .set = set_setting }, { "slack-cap", .set = set_setting },
		{ "patience", .set = set_setting },
		{ "type", .set = set_setting, .values = lw_types_names() },
		{ "recipes", .text = &request->options.recipes },
		{ "nodes", .count = &machine->nodes, .most = 1000000 },
		{ "gpus-per-node", .count = &machine->gpus_per_node, .most = 1000 },
		{ "gpus-per-island", .count = &machine->gpus_per_island, .most = LW_GPUMAP_GPUS },
		{ "cpus-per-node", .count = &machine->cpus_per_node, .most = 100000 },
		{ "mem-per-node", .count = &machine->mem_mib_per_node, .most = UINT32_MAX },
		{ "racks", .count = &machine->racks, .most = 16000 },
		{ "completing", .duration_s = &machine->completing_s },
		{ "plan-delay", .duration_s = &machine->plan_delay_s },
		{ "main-loop", .duration_s = &machine->main_delay_s, .given = &machine->main_loop },
		{ "tenants", .text = &request->options.tenants },
		{ "tenant-runs", .count = &request->options.tenant_runs, .most = 20 },
		{ "tenant-noise", .text = &numbers.tenant_noise },
		{ "default-limit", .duration_s = &request->options.jobs.default_limit_s },
		{ "user-field", .choice = &numbers.user_field, .names = user_fields },
		{ "blocks", .given = &machine->blocks }, { "jobs", .range = numbers.range },
		{ "lenient", .given = &request->options.lenient },
		{ "allow-dropped", .given = &request->options.allow_dropped },
		{ "shakes", .count = &request->repeat.shakes, .most = 10000 },
		{ "shake-by", .duration_s = &numbers.shake_by_s },
		{ "shake-sessions", .given = &request->repeat.sessions },
		{ "seed", .count = &numbers.seed, .most = UINT32_MAX },
		{ "outlook", .given = &request->repeat.outlook },
		{ "energy", .given = &energy->wanted }, { "config", .text = &energy->config },
		{ "suspend-after", .duration_s = &energy->suspend_after_s,
		  .given = &energy->suspends },
		{ "factors", .text = &energy->factors },
		{ "json", .text = &request->json, .bare = "-" },
		{ "schedule", .text = &request->schedule }, { "print", .text = &request->print },
		{ "jobs-csv", .text = &request->jobs_csv },
		{ "compare", .given = &request->compare },
		{ "policies", .text = &request->policies, .values = lw_sim_policies },
		{ "no-frontier", .given = &request->no_frontier },
		{ "html", .text = &request->html }, { "svg", .text = &request->svg },
		{ "quiet", 'q', .given = &request->quiet }, { "charts", .text = &request->charts },
		{ NULL },
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (!rc)
		rc = read_trace(request, argc, argv, err);
	return rc ? rc : apply_options(request, &numbers, err);
}

/* Can all be written that a run of minutes is to be written to? */
static int check_outputs(const struct request *request, struct lw_error *err)
{
	const char *const paths[] = { request->json, request->schedule, request->jobs_csv,
				      request->html, request->svg };
	int rc = request->charts ? lw_output_folder(request->charts, err) : 0;

	for (size_t i = 0; !rc && i < sizeof(paths) / sizeof(paths[0]); i++)
		rc = lw_output_check(paths[i], err);
	return rc;
}

static int write_schedule(const struct lw_simrun *run, const struct lw_simtrace *trace,
			  const char *path, struct lw_error *err)
{
	struct lw_output output;
	int rc = lw_output_open(path, &output, err);

	if (rc)
		return rc;
	lw_simrun_print_schedule(run, trace, output.to);
	return lw_output_close(&output, 0, err);
}

static int write_jobs(const struct lw_simrun *run, const struct lw_simtrace *trace,
		      const char *path, struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_simrun_jobs_csv(run, trace, &sb);
	return lw_output_text(path, &sb, err);
}

static int run_one(const struct request *request, const struct lw_simtrace *trace,
		   struct lw_error *err)
{
	struct lw_simrun run;
	int rc = lw_simrun_do(&run, trace, &request->spec, &request->repeat, err);

	if (rc)
		return rc;
	if (request->print)
		lw_simrun_print_keys(&run, request->print, stdout);
	else if (!request->quiet)
		lw_simrun_print(&run, trace, stdout);
	if (request->repeat.outlook && !request->print && !request->quiet)
		lw_simrun_print_outlook(&run, stdout);
	if (request->json)
		rc = lw_output_json(request->json,
				    lw_json_named("leeway.sim", lw_simrun_json(&run, trace)), err);
	if (!rc && request->schedule)
		rc = write_schedule(&run, trace, request->schedule, err);
	if (!rc && request->jobs_csv)
		rc = write_jobs(&run, trace, request->jobs_csv, err);
	lw_simrun_fini(&run);
	return rc;
}

/* Of each policy. */
static int write_all_jobs(const struct lw_simcompare *compare, const char *dir,
			  struct lw_error *err)
{
	struct lw_jobnames names = { .dir = dir };
	int rc = 0;

	for (uint32_t i = 0; !rc && i < compare->count; i++) {
		rc = lw_jobnames_next(&names, compare->runs[i].spec.label, err);
		if (!rc)
			rc = write_jobs(&compare->runs[i], compare->trace, names.path, err);
	}
	return rc;
}

static int write_charts(const struct request *request, const struct lw_simcompare *compare,
			struct lw_error *err)
{
	struct lw_strbuf svg = LW_STRBUF_INIT, page = LW_STRBUF_INIT;
	struct lw_charts charts;
	struct lw_unit unit = lw_simcompare_charts(compare, &charts);
	int rc = 0;

	if (request->svg) {
		lw_charts_svg(&charts, &svg);
		rc = lw_output_text(request->svg, &svg, err);
	}
	if (!rc && request->html) {
		lw_simcompare_html(compare, &charts, &unit, &page);
		rc = lw_output_text(request->html, &page, err);
	}
	if (!rc && request->charts)
		rc = lw_charts_write(&charts, request->charts, err);
	if (!rc && request->charts)
		rc = write_all_jobs(compare, request->charts, err);
	lw_charts_fini(&charts);
	return rc;
}

static int run_several(const struct request *request, const struct lw_simtrace *trace,
		       struct lw_error *err)
{
	struct lw_simcompare compare;
	int rc = lw_simcompare_do(&compare, trace, &request->specs, &request->repeat,
				  !request->no_frontier, err);

	if (rc)
		return rc;
	if (request->print)
		lw_simcompare_print_keys(&compare, request->print, stdout);
	else if (!request->quiet)
		lw_simcompare_print(&compare, stdout);
	if (request->json)
		rc = lw_output_json(
			request->json,
			lw_json_named("leeway.sim.compare", lw_simcompare_json(&compare)), err);
	if (!rc && (request->svg || request->html || request->charts))
		rc = write_charts(request, &compare, err);
	lw_simcompare_fini(&compare);
	return rc;
}

static int sim_run(struct request *request, struct lw_error *err)
{
	struct lw_simtrace trace;
	int rc = check_outputs(request, err);

	if (!rc)
		rc = lw_simenergy_read(&request->energy, &request->repeat.energy, err);
	if (!rc)
		rc = lw_simtrace_open(&trace, request->trace, &request->options, err);
	if (rc)
		return rc;
	if (!request->quiet)
		lw_simtrace_print_notes(&trace);
	if (!request->quiet && !request->compare && lw_simspec_note(&request->spec))
		fprintf(stderr, "%s %s\n", request->spec.label, lw_simspec_note(&request->spec));
	rc = request->compare ? run_several(request, &trace, err) : run_one(request, &trace, err);
	lw_simtrace_close(&trace);
	lw_energy_model_fini(&request->energy.model);
	return rc;
}

int lw_tools_sim(int argc, char **argv)
{
	const struct lw_machine nothing = { .gpus_per_node = LW_SIM_NOT_SAID,
					    .mem_mib_per_node = LW_SIM_NOT_SAID };
	struct request request = { .options.jobs.machine = nothing };
	struct lw_error err = { "" };
	int rc;

	rc = read_options(&request, argc, argv, &err);
	if (rc)
		return lw_options_refused("sim", help, rc, &err);
	if (request.list) {
		lw_simsystems_print(stdout);
		return 0;
	}
	rc = sim_run(&request, &err);
	/* only the file could tell whether such a machine can be */
	return lw_tools_ended("sim", rc == -EDOM ? -EINVAL : rc == -EINVAL ? -EIO : rc, &err);
}
