/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: run a policy, or several, over a trace. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/chart/jobscsv.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/cli_sim/sim_json.h"
#include "lab/cli_sim/sim_request.h"

/* Can all be written that a run of minutes is to be written to? */
static int check_outputs(const struct lw_simrequest *request, struct lw_error *err)
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

static int run_one(const struct lw_simrequest *request, const struct lw_simtrace *trace,
		   struct lw_error *err)
{
	struct lw_simrepeat repeat = request->repeat;
	struct lw_simrun run;
	int rc;

	repeat.in_place = !repeat.shakes;
	rc = lw_simrun_do(&run, trace, &request->specs.specs[0], &repeat, err);
	if (rc)
		return rc;
	if (request->print)
		lw_simrun_print_keys(&run, request->print, stdout);
	else if (!request->quiet)
		lw_simrun_print(&run, trace, stdout);
	if (request->repeat.outlook && !request->print && !request->quiet)
		lw_simrun_print_outlook(&run, stdout);
	if (!request->quiet)
		lw_simshare_print_note(&run, trace);
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

static int write_charts(const struct lw_simrequest *request, const struct lw_simcompare *compare,
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

static int run_several(const struct lw_simrequest *request, const struct lw_simtrace *trace,
		       struct lw_error *err)
{
	struct lw_simcompare compare;
	int rc = lw_simcompare_do(&compare, trace, &request->specs, &request->repeat,
				  request->frontier, err);

	if (rc)
		return rc;
	if (request->print)
		lw_simcompare_print_keys(&compare, request->print, stdout);
	else if (!request->quiet)
		lw_simcompare_print(&compare, stdout);
	for (uint32_t i = 0; !request->quiet && i < compare.count; i++)
		lw_simshare_print_note(&compare.runs[i], trace);
	if (request->json)
		rc = lw_output_json(
			request->json,
			lw_json_named("leeway.sim.compare", lw_simcompare_json(&compare)), err);
	if (!rc && (request->svg || request->html || request->charts))
		rc = write_charts(request, &compare, err);
	lw_simcompare_fini(&compare);
	return rc;
}

/* What was asked of policies is not to come to nothing without a word. */
static void note_types(const struct lw_simrequest *request)
{
	for (uint32_t i = 0; !request->options.recipes && i < request->specs.count; i++) {
		const struct lw_simspec *spec = &request->specs.specs[i];

		if (lw_simspec_chooses(spec))
			fprintf(stderr,
				"%s: without --recipes jobs run as fast on every type of GPU, and "
				"there is nothing to choose\n",
				spec->label);
	}
}

static int sim_run(struct lw_simrequest *request, struct lw_error *err)
{
	struct lw_simtrace trace;
	const char *note;
	int rc = check_outputs(request, err);

	if (!rc)
		rc = lw_simenergy_read(&request->energy, &request->repeat.energy, err);
	if (!rc)
		rc = lw_simtrace_open(&trace, request->trace, &request->options, err);
	if (rc) {
		lw_energy_model_fini(&request->energy.model);
		return rc;
	}
	lw_energy_add_recipes(&request->energy.model, &trace.recipes);
	if (!request->quiet)
		lw_simtrace_print_notes(&trace);
	if (!request->quiet)
		note_types(request);
	note = request->compare ? NULL : lw_simspec_note(&request->specs.specs[0]);
	if (!request->quiet && note)
		fprintf(stderr, "%s %s\n", request->specs.specs[0].label, note);
	rc = request->compare ? run_several(request, &trace, err) : run_one(request, &trace, err);
	lw_simtrace_close(&trace);
	lw_energy_model_fini(&request->energy.model);
	return rc;
}

int lw_tools_sim(int argc, char **argv)
{
	const struct lw_machine nothing = { .gpus_per_node = LW_SIM_NOT_SAID,
					    .mem_mib_per_node = LW_SIM_NOT_SAID };
	struct lw_simrequest request = { .options.jobs.machine = nothing };
	struct lw_error err = { "" };
	int rc;

	rc = lw_simrequest_read(&request, argc, argv, &err);
	if (rc)
		return lw_options_refused("sim", rc, &err);
	if (request.list)
		lw_simsystems_print(stdout);
	if (request.list_settings)
		lw_simsettings_print(stdout);
	if (request.list || request.list_settings)
		return 0;
	rc = sim_run(&request, &err);
	/* only the file could tell whether such a machine can be */
	return lw_tools_ended("sim", rc == -EDOM ? -EINVAL : rc == -EINVAL ? -EIO : rc, &err);
}
