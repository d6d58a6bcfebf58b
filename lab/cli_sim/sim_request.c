/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: its options, and what they ask for together. */
#include "lab/cli_sim/sim_request.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/sim/gpumap.h"

/* All options there are, and one that ends their table. */
#define OPTIONS_MAX 96

const char lw_simrequest_help[] =
	"usage: leeway sim TRACE.swf[.gz] [OPTION...]\n"
	"       leeway sim --compare TRACE.swf[.gz] [--policies P,P,...] [OPTION...]\n"
	"Run a policy over a trace in the Standard Workload Format, or over a workload\n"
	"(lw-workload(5)).\n\n"
	"  --policy P            how the queue is planned (leeway):\n"
#define LW_POLICY(id, name, traits, help) "                        " #name ": " help "\n"
#include "planner/model/policies.def"
	"                        clairvoyant: EASY, shortest first, with exact run times\n"
	"                        published, published-adaptive: relaxed and adaptive, as\n"
	"                          in the published study\n"
	"                        published-rl, -rl-fcfs, -rl-order: as in RLScheduler's\n"
	"                          simulator: no backfilling; backfill in order of\n"
	"                          arrival; backfill in --order\n"
	"  --as NAME             run a published scheduler; --as list shows what each is\n"
	"                        made of; NAME,NAME,... compares several\n"
	"  --runtime R           the expected run time of a job: user (its time limit),\n"
	"                        exact, last2 or predicted (leeway: predicted; others:\n"
	"                        user)\n"
	"  --order O             order of the queue (given):\n"
#define LW_ORDER(id, name, needs, help) "                        " #name ": " help "\n"
#include "planner/model/orders.def"
	"  --order-age TIME      under any --order but given: move a job that has waited\n"
	"                        this long to the head of the queue (0: never)\n"
	"  --inspector I         off, or learned: a net may hold back a start (off)\n"
	"  --inspect-cap TIME    the longest that the net may hold back a job (6h)\n"
	"  --model FILE          the net for --order learned or --inspector learned, as\n"
	"                        leeway train makes it\n"
	"  --las-threshold TIME  las2d: GPU time from which on a job is in the second\n"
	"                        queue (3200)\n"
	"  --backfill-order O    which job behind a reservation is tried first: priority\n"
	"                        or shortest (priority)\n"
	"  --keep-promises B     under any --order but given: yes keeps promised jobs at\n"
	"                        the head of the queue, no lets the order alone decide\n"
	"                        (yes)\n"
	"  --patience F          leeway: promise a job a start when it has waited for\n"
	"                        this share of its time limit; 0: at once (0.5)\n"
	"  --hold B              leeway: no starts a promised job once it has room (yes)\n"
	"  --placement P         how nodes are chosen: leeway, or stock: a model of Slurm\n"
	"                        (leeway)\n"
	"  --chain M             jobs that wait for other jobs (on):\n"
	"                        on: planned for the end of the other jobs\n"
	"                        off: join the queue at that end, as in Slurm\n"
	"                        start-rule: submitted by the start that squeue --start\n"
	"                          would show\n"
	"  --chain-share F       the most that chain links of one user may take over, as\n"
	"                        a share of the machine; other links come in as with\n"
	"                        --chain off (0.1)\n"
	"  --chain-total F       the same for chain links of all users together (0.2)\n"
	"  --chain-min TIME      links with a shorter time limit come in as with --chain\n"
	"                        off (6h)\n"
	"  --deadlines M         how jobs with a deadline are planned (off):\n"
	"                        order: jobs that can still meet their deadline go first,\n"
	"                          the nearest deadline first; late jobs go last\n"
	"                        guard: as order; an accepted job meets its deadline, by\n"
	"                          hard limits\n"
	"  --preempt TIME        every TIME, preempt resumable jobs for jobs that would\n"
	"                        otherwise miss a deadline (never)\n"
	"  --type T              GPUs for a job that may have several types (any):\n"
	"                        any: the free ones\n"
	"                        finish: the type on which the job is expected to end\n"
	"                          first; the job may wait for it\n"
	"                        fair: as finish, and each account has its share of the\n"
	"                          fast types\n"
	"  --account-shares N=S,...\n"
	"                        share S for account N, the group of a trace or the user\n"
	"                        of a workload; others have 1\n"
	"  --energy-choice M     on: of types on which a job ends at about the same time,\n"
	"                        take the one that needs less energy; needs --energy\n"
	"                        (off)\n"
	"  --energy-slack F      how far two ends may be apart to count as the same, as a\n"
	"                        share of the run time (0.05)\n"
	"  --gang-wait TIME      how long a gang may wait for a nearer domain (0)\n"
	"  --share M             slice or mps: two jobs of one GPU share it if no whole\n"
	"                        GPU is free; with slice they take turns, with mps both\n"
	"                        run at the same time (off)\n"
	"  --share-by W          which jobs share: rule; learned; table: as rule, but all\n"
	"                        pairs are known; horus; any; trial; lucid (rule)\n"
	"  --share-below F       rule: the sum that SM activities stay below and that\n"
	"                        utilisations do not exceed (0.9, 1)\n"
	"  --share-part F        if, half a minute after a job joined another, one of the\n"
	"                        two has less than F of its speed, the job that joined\n"
	"                        leaves and starts anew (0: never)\n"
	"  --slack F             leeway: how far a promised start may slip, as a share of\n"
	"                        the promised wait (0.1)\n"
	"  --slack-cap TIME      leeway: the most it may slip (45m)\n"
	"  --relax F, --relax-cap TIME\n"
	"                        relaxed, adaptive: the same (0.1, no cap)\n\n"
	"  --nodes N             spread the jobs over N nodes; without it the machine is\n"
	"                        the workload's own, or one pool of the trace's MaxProcs\n"
	"                        processors\n"
	"  --gpus-per-node G     a processor of the trace is then a GPU (0: it is a CPU)\n"
	"  --gpus-per-island I   GPUs linked to each other, as by NVLink (0: not known)\n"
	"  --cpus-per-node C     (the workload's; MaxProcs over the nodes; else 16, or G)\n"
	"  --mem-per-node M      MiB; of a workload (its own; 0: memory does not count)\n"
	"  --recipes FILE        for a workload: how fast its jobs run on each GPU type\n"
	"                        (lw-recipes(5))\n"
	"  --racks R             divide the nodes into R leaf switches under one spine\n"
	"  --blocks              the racks are blocks, as of topology/block: a job uses\n"
	"                        no more of them than on an empty machine\n"
	"  --completing TIME     after a job ends, its nodes take no new job for TIME, as\n"
	"                        while Slurm's epilog runs (0)\n"
	"  --plan-delay TIME     plan TIME after something happened (0)\n"
	"  --main-loop TIME      also start jobs in queue order TIME after something\n"
	"                        happened, as Slurm's main loop does (only plans start\n"
	"                        jobs)\n"
	"  --tenants FILE        what kinds of jobs use of a GPU, and how fast they run\n"
	"                        together (lw-tenants(5)); the kind is the application\n"
	"                        number of the trace\n"
	"  --tenant-runs N       learn that from N earlier runs of each kind (0: as the\n"
	"                        file says)\n"
	"  --tenant-noise F      how much each of these runs is off (0.1)\n"
	"  --default-limit TIME  time limit of jobs that ask for none (the longest that\n"
	"                        jobs of their partition ask for)\n"
	"  --user-field F        user or group: the field that names a job's user (user)\n"
	"  --jobs A:B            only the jobs at places A to B, from 1\n"
	"  --no-cancels          for a workload: ignore cancellations, so that all jobs\n"
	"                        run under every policy\n"
	"  --lenient             skip and count bad lines\n"
	"  --allow-dropped       go on although more than 1 % of the jobs are left out,\n"
	"                        because they are wider than the machine or have no\n"
	"                        processors or run time\n\n"
	"  --shakes N            N runs with submissions moved at random: mean and\n"
	"                        standard deviation\n"
	"  --shake-by TIME       how far a submission is moved at most (30 s)\n"
	"  --shake-sessions      move all that a user submits in one session together\n"
	"  --seed S              seed of the first shake; the next one has S + 1 (1)\n\n"
	"  --outlook             how often jobs started by the time that leeway when\n"
	"                        would have said, by queue length and by wait\n"
	"  --energy              count energy, by the watts of leeway.yaml(5)\n"
	"  --config FILE         take these watts from FILE; its other settings have no\n"
	"                        effect (the defaults)\n"
	"  --suspend-after TIME  power down nodes that had no job for TIME\n"
	"  --resume-delay TIME   a job that wakes a node begins TIME later (0)\n"
	"  --factors FILE        price and CO2 of a kWh, a line for each hour\n\n"
	"  --json[=FILE]         figures as JSON; without a file instead of the table\n"
	"  --schedule FILE       a line \"job_id start end\" for each job\n"
	"  --jobs-csv FILE       a line for each job with times and processors, as evalys\n"
	"                        reads it\n"
	"  --print KEYS          only these figures, by JSON key, separated by tabs;\n"
	"                        KEY:sd is a standard deviation; with several policies\n"
	"                        each line begins with the name of one\n"
	"  -q, --quiet           no table\n\n"
	"  --compare             several policies, in one table\n"
	"  --policies P,P,...    each as NAME[:OPTION=VALUE...], such as\n"
	"                        relaxed:relax=0.02\n"
	"  --no-frontier         leave out the curve of relaxed by factors from 0 to 0.5\n"
	"  --html FILE           table and charts as one page\n"
	"  --svg FILE            the charts in one image\n"
	"  --charts DIR          each chart as an image of its own, its numbers beside it\n"
	"                        as CSV, and each policy's jobs as --jobs-csv has them\n"
	"\"-\" as FILE is standard output.\n\n"
	"Exit code: 0; 1 it failed, 2 wrong usage.\n";

/* An option that lw_simspec_set() knows by its name. */
static int set_setting(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct lw_simrequest *request = arg;

	if (request->setting_count == LW_SIMREQUEST_SETTINGS)
		return lw_error_set(err, -EINVAL, "--%s: too many options", name);
	request->settings[request->setting_count++] = (struct lw_simsetting){ name, value };
	return 0;
}

static int set_model(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct lw_simrequest *request = arg;

	(void)name;
	return lw_simmodels_load(&request->models, value, err);
}

static int take_models(struct lw_simrequest *request, struct lw_error *err)
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
static int make_specs(struct lw_simrequest *request, struct lw_error *err)
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

/* A system is as it was published, whatever of it does nothing here. */
static int check_specs(const struct lw_simrequest *request, struct lw_error *err)
{
	uint32_t count = request->compare ? request->specs.count : 1;
	bool fair = false, shares = request->as != NULL;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < count; i++) {
		const struct lw_simspec *spec =
			request->compare ? &request->specs.specs[i] : &request->spec;

		rc = request->as ? 0 : lw_simspec_check(spec, err);
		if (!rc)
			rc = lw_simenergy_check_spec(&request->energy, spec, err);
		fair |= spec->policy.types == LW_TYPES_FAIR;
		shares |= lw_simspec_shares(spec);
	}
	if (!rc && !shares && request->options.tenants)
		return lw_error_set(err, -EINVAL, "--tenants does nothing without --share");
	if (!rc && !fair && request->options.account_shares)
		return lw_error_set(err, -EINVAL, "--account-shares: only type=fair goes by them");
	if (!rc && request->options.account_shares)
		rc = lw_simaccounts_check(request->options.account_shares, err);
	return rc;
}

/* What is meant for programs must not stand below a table, nor two such things together. */
static int check_stdout(struct lw_simrequest *request, struct lw_error *err)
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

static int check_options(struct lw_simrequest *request, struct lw_error *err)
{
	int rc;

	if (request->as && (request->policy || request->policies))
		return lw_error_set(err, -EINVAL, "--as stands for a policy: leave out --%s",
				    request->policy ? "policy" : "policies");
	if (request->as && request->compare && request->setting_count)
		return lw_error_set(err, -EINVAL,
				    "--as: options of one of several go behind its name, as in "
				    "saf:order-age=1d");
	if (request->compare && request->setting_count)
		return lw_error_set(err, -EINVAL,
				    "--compare: policies and their options go into --policies, "
				    "as in leeway:%s=%s",
				    request->settings[0].key, request->settings[0].value);
	if (request->compare && request->policy)
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
static int apply_options(struct lw_simrequest *request, const struct numbers *numbers,
			 struct lw_error *err)
{
	struct lw_tracejobs_options *jobs = &request->options.jobs;
	int rc;

	/* several schedulers, and no curve is wanted */
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
	if ((request->options.tenant_runs || numbers->tenant_noise) && !request->options.tenants)
		return lw_error_set(err, -EINVAL,
				    "--tenant-runs and --tenant-noise need --tenants");
	if (numbers->tenant_noise && !request->options.tenant_runs)
		return lw_error_set(err, -EINVAL,
				    "--tenant-noise does nothing without "
				    "--tenant-runs");
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
	if (!rc)
		rc = check_specs(request, err);
	return rc ? rc : take_models(request, err);
}

/* The one word beside the options; where nothing runs there is none. */
static int read_trace(struct lw_simrequest *request, int argc, char **argv, struct lw_error *err)
{
	int rc = lw_options_word("trace", argc, argv, &request->trace, err);

	request->list = request->as && strcmp(request->as, "list") == 0;
	if (!request->list)
		return rc;
	return rc ? 0 : lw_error_set(err, -EINVAL, "--as list runs no trace");
}

static const char *const user_fields[] = { "user", "group", NULL };

/* Appends them to OPTIONS. */
static struct lw_option *policy_options(struct lw_simrequest *request, struct lw_option *options)
{
	const struct lw_option own[] = {
		{ "policy", .text = &request->policy, .values = lw_sim_policies },
		{ "as", .text = &request->as, .values = lw_sim_systems },
		{ "runtime", .set = set_setting, .values = "user exact last2 predicted" },
		{ "order", .set = set_setting, .values = lw_sim_orders },
		{ "las-threshold", .set = set_setting },
		{ "inspector", .set = set_setting, .values = "off learned" },
		{ "inspect-cap", .set = set_setting },
		{ "model", .set = set_model },
		{ "backfill-order", .set = set_setting, .values = "priority shortest" },
		{ "hold", .set = set_setting, .values = "yes no" },
		{ "keep-promises", .set = set_setting, .values = "yes no" },
		{ "placement", .set = set_setting, .values = "leeway stock" },
		{ "chain", .set = set_setting, .values = "on off start-rule" },
		{ "chain-share", .set = set_setting },
		{ "chain-total", .set = set_setting },
		{ "deadlines", .set = set_setting, .values = lw_deadlines_names() },
		{ "preempt", .set = set_setting },
		{ "gang-wait", .set = set_setting },
		{ "chain-min", .set = set_setting },
		{ "order-age", .set = set_setting },
		{ "share", .set = set_setting, .values = "off slice mps" },
		{ "share-by", .set = set_setting, .values = lw_sharing_way_names() },
		{ "share-below", .set = set_setting },
		{ "share-part", .set = set_setting },
		{ "relax", .set = set_setting },
		{ "relax-cap", .set = set_setting },
		{ "slack", .set = set_setting },
		{ "slack-cap", .set = set_setting },
		{ "patience", .set = set_setting },
		{ "type", .set = set_setting, .values = lw_types_names() },
		{ "energy-choice", .set = set_setting, .values = "on off" },
		{ "energy-slack", .set = set_setting },
	};

	memcpy(options, own, sizeof(own));
	return options + sizeof(own) / sizeof(own[0]);
}

static struct lw_option *input_options(struct lw_simrequest *request, struct numbers *numbers,
				       struct lw_option *options)
{
	struct lw_machine *machine = &request->options.jobs.machine;
	const struct lw_option own[] = {
		{ "recipes", .text = &request->options.recipes },
		{ "account-shares", .text = &request->options.account_shares },
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
		{ "tenant-noise", .text = &numbers->tenant_noise },
		{ "default-limit", .duration_s = &request->options.jobs.default_limit_s },
		{ "user-field", .choice = &numbers->user_field, .names = user_fields },
		{ "blocks", .given = &machine->blocks }, { "jobs", .range = numbers->range },
		{ "no-cancels", .given = &request->options.jobs.no_cancels },
		{ "lenient", .given = &request->options.lenient },
		{ "allow-dropped", .given = &request->options.allow_dropped },
	};

	memcpy(options, own, sizeof(own));
	return options + sizeof(own) / sizeof(own[0]);
}

static struct lw_option *output_options(struct lw_simrequest *request, struct numbers *numbers,
					struct lw_option *options)
{
	struct lw_simenergy *energy = &request->energy;
	const struct lw_option own[] = {
		{ "shakes", .count = &request->repeat.shakes, .most = 10000 },
		{ "shake-by", .duration_s = &numbers->shake_by_s },
		{ "shake-sessions", .given = &request->repeat.sessions },
		{ "seed", .count = &numbers->seed, .most = UINT32_MAX },
		{ "outlook", .given = &request->repeat.outlook },
		{ "energy", .given = &energy->wanted }, { "config", .text = &energy->config },
		{ "suspend-after", .duration_s = &energy->suspend_after_s,
		  .given = &energy->suspends },
		{ "resume-delay", .duration_s = &energy->resume_delay_s,
		  .given = &energy->resumes },
		{ "factors", .text = &energy->factors },
		{ "json", .text = &request->json, .bare = "-" },
		{ "schedule", .text = &request->schedule }, { "print", .text = &request->print },
		{ "jobs-csv", .text = &request->jobs_csv },
		{ "compare", .given = &request->compare },
		{ "policies", .text = &request->policies, .values = lw_sim_policies },
		{ "no-frontier", .given = &request->no_frontier },
		{ "html", .text = &request->html }, { "svg", .text = &request->svg },
		{ "quiet", 'q', .given = &request->quiet }, { "charts", .text = &request->charts },
	};

	memcpy(options, own, sizeof(own));
	return options + sizeof(own) / sizeof(own[0]);
}

int lw_simrequest_read(struct lw_simrequest *request, int argc, char **argv,
		       struct lw_error *err)
{
	struct numbers numbers = { .seed = 1, .shake_by_s = LW_SHAKE_S };
	struct lw_option options[OPTIONS_MAX] = { 0 }; /* and one that ends them */
	int rc;

	output_options(request, &numbers,
		       input_options(request, &numbers, policy_options(request, options)));
	rc = lw_options_read(options, request, argc, argv, err);
	if (!rc)
		rc = read_trace(request, argc, argv, err);
	return rc ? rc : apply_options(request, &numbers, err);
}
