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
#include "lab/sim/pool.h"

/* "KEY=VALUE". */
static int add_set(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct lw_simrequest *request = arg;

	request->list_settings |= strcmp(value, "list") == 0;
	if (request->list_settings)
		return 0;
	return lw_simset_add(request->sets, &request->set_count, LW_SIMREQUEST_SETS, name, value,
			     err);
}

static int add_run(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct lw_simrequest *request = arg;

	if (request->run_count == LW_SIMREQUEST_SETS)
		return lw_error_set(err, -EINVAL, "--%s: at most %d", name, LW_SIM_RUNS_MAX);
	request->runs[request->run_count++] = value;
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

	for (uint32_t i = 0; !rc && i < request->specs.count; i++)
		rc = lw_simspec_take_models(&request->specs.specs[i], &request->models, used,
					    err);
	return rc ? rc : lw_simmodels_check(&request->models, used, err);
}

/* Before anything runs: a slip in the last run must not cost the runs of the others. */
static int make_specs(struct lw_simrequest *request, struct lw_error *err)
{
	struct lw_simbase base = { .sets = request->sets, .set_count = request->set_count };
	struct lw_simspecs *specs = &request->specs;
	int rc = 0;

	lw_simsettings_default(&base.settings);
	if (request->config)
		rc = lw_simsettings_load(&base.settings, request->config, err);
	/* the file is at fault, not the command line */
	if (rc)
		return rc == -EINVAL ? -EIO : rc;
	if (request->as)
		return lw_simspecs_add_systems(specs, &base, request->as, err);
	for (uint32_t i = 0; !rc && i < request->run_count; i++)
		rc = lw_simspecs_add_run(specs, &base, request->runs[i], err);
	if (!rc && !request->run_count && request->compare)
		return lw_simspecs_add_standard(specs, &base, err);
	return rc || specs->count ? rc : lw_simspecs_add_run(specs, &base, "", err);
}

static int check_specs(const struct lw_simrequest *request, struct lw_error *err)
{
	const struct lw_simspecs *specs = &request->specs;
	const struct lw_simown *own = &specs->settings[0].own;
	bool shares = request->as != NULL;
	int rc = lw_simsettings_check(specs->settings, specs->count, err);

	for (uint32_t i = 0; !rc && i < specs->count; i++) {
		rc = lw_simenergy_check_spec(&request->energy, &specs->specs[i], err);
		shares |= specs->settings[i].own.share_mode ||
			  lw_simsettings_given(&specs->settings[i], "share.mode");
	}
	if (!rc && !shares && request->options.tenants)
		return lw_error_set(err, -EINVAL, "--tenants does nothing without share.mode");
	if (!rc && own->tenant_runs && !request->options.tenants)
		return lw_error_set(err, -EINVAL, "jobs.tenant_runs needs --tenants");
	if (!rc && own->account_shares)
		rc = lw_simaccounts_check(own->account_shares, err);
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

static bool sets_policy(const struct lw_simrequest *request)
{
	static const char policy[] = "sched.policy=";

	for (uint32_t i = 0; i < request->set_count; i++)
		if (!strncmp(request->sets[i].key, policy, strlen(policy)))
			return true;
	return false;
}

static int check_options(struct lw_simrequest *request, struct lw_error *err)
{
	if (request->as && request->run_count)
		return lw_error_set(err, -EINVAL, "--as stands for runs: leave out --run");
	if (request->as && sets_policy(request))
		return lw_error_set(err, -EINVAL,
				    "--as stands for a policy: leave out sched.policy");
	if (request->compare && !request->run_count && sets_policy(request))
		return lw_error_set(err, -EINVAL, "--compare: policies go into --run");
	if (request->compare && (request->schedule || request->jobs_csv))
		return lw_error_set(err, -EINVAL,
				    "--schedule and --jobs-csv are of one run, not of several");
	if (!request->compare && (request->html || request->svg || request->charts))
		return lw_error_set(
			err, -EINVAL,
			"--html, --svg and --charts need --compare, or several --run");
	return check_stdout(request, err);
}

/* What is of all runs, into what they are made of. */
static int take_common(struct lw_simrequest *request, struct lw_error *err)
{
	const struct lw_simsettings *settings = &request->specs.settings[0];
	const struct lw_simown *own = &settings->own;
	struct lw_simtrace_options *options = &request->options;
	struct lw_machine *machine = &options->jobs.machine;

	if (own->shake_by_s < 1 || own->shake_by_s > LW_SHAKE_MAX_S)
		return lw_error_set(err, -EINVAL, "shake.by: not between a second and a year");
	if (own->outlook && request->compare)
		return lw_error_set(err, -EINVAL,
				    "figures.outlook is of one run, not of several");
	machine->blocks = own->blocks;
	machine->completing_s = own->completing_s;
	machine->plan_delay_s = own->plan_delay_s;
	machine->main_loop = lw_simsettings_given(settings, "cluster.main_loop");
	machine->main_delay_s = own->main_loop_s;
	machine->ungated = !own->gate;
	options->jobs.default_limit_s = own->default_limit_s;
	options->jobs.group_as_user = own->user_field;
	options->jobs.no_cancels = !own->cancels;
	options->account_shares = own->account_shares;
	options->tenant_runs = own->tenant_runs;
	options->tenant_noise = own->tenant_noise;
	options->tenant_seed = own->seed;
	request->energy = (struct lw_simenergy){
		.wanted = own->energy,
		.suspends = lw_simsettings_given(settings, "cluster.suspend_after"),
		.config = request->config,
		.factors = own->factors,
		.suspend_after_s = own->suspend_after_s,
		.resume_delay_s = own->resume_delay_s,
	};
	request->repeat.at_once = own->at_once ? own->at_once : lw_pool_processors();
	request->repeat.shakes = own->shakes;
	request->repeat.shake_by_s = (uint32_t)own->shake_by_s;
	request->repeat.sessions = own->shake_sessions;
	request->repeat.seed = own->seed;
	request->repeat.outlook = own->outlook;
	request->repeat.procs = request->jobs_csv || request->charts;
	request->frontier &= own->frontier;
	return 0;
}

/* Check what the options say together, and make of it what is to run. */
static int apply_options(struct lw_simrequest *request, const uint32_t range[2],
			 struct lw_error *err)
{
	int rc;

	/* a curve is for --compare alone */
	request->frontier = request->compare && !request->as;
	request->compare |= (request->as && strchr(request->as, ',')) || request->run_count > 1;
	request->options.jobs.first_job = range[0];
	request->options.jobs.last_job = range[1];
	if (request->list || request->list_settings)
		return 0;
	rc = request->print ? lw_simrun_check_keys(request->print, err) : 0;
	if (!rc)
		rc = make_specs(request, err);
	request->compare |= request->specs.count > 1;
	if (!rc)
		rc = check_options(request, err);
	if (!rc)
		rc = take_common(request, err);
	if (!rc)
		rc = check_specs(request, err);
	return rc ? rc : take_models(request, err);
}

/* The one word beside the options; where nothing runs there is none. */
static int read_trace(struct lw_simrequest *request, int argc, char **argv, struct lw_error *err)
{
	int rc = lw_options_word("trace", argc, argv, &request->trace, err);

	request->list = request->as && strcmp(request->as, "list") == 0;
	if (!request->list && !request->list_settings)
		return rc;
	return rc ? 0
		  : lw_error_set(err, -EINVAL, "--%s list runs no trace",
				 request->list ? "as" : "set");
}

int lw_simrequest_read(struct lw_simrequest *request, int argc, char **argv, struct lw_error *err)
{
	struct lw_machine *machine = &request->options.jobs.machine;
	uint32_t range[2] = { 0, 0 };
	const struct lw_option options[] = {
#include "lab/cli_sim/sim_options.def"
	};
	int rc = lw_simrequest_check_gone(argc, argv, err);

	if (!rc)
		rc = lw_options_read(options, request, argc, argv, err);
	if (!rc)
		rc = read_trace(request, argc, argv, err);
	return rc ? rc : apply_options(request, range, err);
}
