/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: several policies on one trace, and what of them as JSON. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/cli_sim/sim_json.h"

/* Of constant relaxing: where a policy's point must lie below the curve. */
static const char *const factors[] = { "0",    "0.01", "0.02", "0.03", "0.05",
				       "0.07", "0.1",  "0.2",  "0.3",  "0.5" };

#define FACTORS (sizeof(factors) / sizeof(factors[0]))

/* The first is the base: the others need its waits, WAIT_S. */
static int run_policies(struct lw_simcompare *compare, const struct lw_simspecs *specs,
			struct lw_simrepeat *repeat, int64_t *wait_s, struct lw_error *err)
{
	int rc = 0;

	repeat->wait_s = wait_s;
	while (!rc && compare->count < specs->count) {
		uint32_t i = compare->count;

		repeat->step.number++;
		rc = lw_simrun_do(&compare->runs[i], compare->trace, &specs->specs[i], repeat,
				  err);
		if (!rc)
			compare->count++;
		repeat->wait_s = NULL;
		repeat->base_wait_s = wait_s;
	}
	return rc;
}

static int run_frontier(struct lw_simcompare *compare, struct lw_simrepeat *repeat,
			struct lw_error *err)
{
	struct lw_simbase base = { .set_count = 0 };
	struct lw_simsettings settings;
	struct lw_simspec spec;
	char text[48];
	int rc = 0;

	lw_simsettings_default(&base.settings);
	compare->frontier = calloc(FACTORS, sizeof(*compare->frontier));
	if (!compare->frontier)
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; !rc && i < FACTORS; i++) {
		snprintf(text, sizeof(text), "sched.policy=relaxed sched.relax=%s", factors[i]);
		rc = lw_simspec_parse(&base, text, &settings, &spec, err);
		repeat->step.number++;
		if (!rc)
			rc = lw_simrun_do(&compare->frontier[i], compare->trace, &spec, repeat,
					  err);
		if (!rc)
			compare->frontier_count++;
	}
	return rc;
}

int lw_simcompare_do(struct lw_simcompare *compare, const struct lw_simtrace *trace,
		     const struct lw_simspecs *specs, const struct lw_simrepeat *repeat,
		     bool frontier, struct lw_error *err)
{
	size_t waits = (size_t)trace->jobs.count * (repeat->shakes ? repeat->shakes : 1);
	int64_t *wait_s = calloc(waits + 1, sizeof(*wait_s));
	struct lw_simrepeat stepped = *repeat;
	int rc;

	*compare = (struct lw_simcompare){ .trace = trace };
	if (!wait_s)
		return lw_error_set(err, -ENOMEM, "out of memory");
	stepped.step = (struct lw_progress_step){
		.what = "policy",
		.count = specs->count + (frontier ? (uint32_t)FACTORS : 0),
		.begun_s = lw_progress_clock_s(),
	};
	rc = run_policies(compare, specs, &stepped, wait_s, err);
	if (!rc && frontier)
		rc = run_frontier(compare, &stepped, err);
	free(wait_s);
	if (rc)
		lw_simcompare_fini(compare);
	return rc;
}

void lw_simcompare_fini(struct lw_simcompare *compare)
{
	for (uint32_t i = 0; i < compare->count; i++)
		lw_simrun_fini(&compare->runs[i]);
	for (uint32_t i = 0; i < compare->frontier_count; i++)
		lw_simrun_fini(&compare->frontier[i]);
	free(compare->frontier);
	memset(compare, 0, sizeof(*compare));
}

const struct lw_simrun *lw_simcompare_run(const struct lw_simcompare *compare, uint32_t i)
{
	return i < compare->count ? &compare->runs[i] : &compare->frontier[i - compare->count];
}

bool lw_simcompare_differ(const struct lw_simcompare *compare)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < compare->count + compare->frontier_count; i++) {
		double started = lw_simcompare_run(compare, i)->mean.value[LW_FIGURE_JOBS];

		least = started < least ? started : least;
		most = started > most ? started : most;
	}
	return most > 1.01 * least;
}

void lw_simcompare_print_keys(const struct lw_simcompare *compare, const char *keys, FILE *out)
{
	for (uint32_t i = 0; i < compare->count + compare->frontier_count; i++) {
		const struct lw_simrun *run = lw_simcompare_run(compare, i);

		fprintf(out, "%s\t", lw_tools_plain(run->spec.label));
		lw_simrun_print_keys(run, keys, out);
	}
}

json_t *lw_simcompare_json(const struct lw_simcompare *compare)
{
	json_t *root = json_object(), *runs = json_array(), *frontier = json_array();

	for (uint32_t i = 0; i < compare->count; i++)
		json_array_append_new(runs, lw_simrun_json(&compare->runs[i], compare->trace));
	for (uint32_t i = 0; i < compare->frontier_count; i++)
		json_array_append_new(frontier,
				      lw_simrun_json(&compare->frontier[i], compare->trace));
	json_object_set_new(root, "trace", lw_output_string(compare->trace->name));
	json_object_set_new(root, "comparable", json_boolean(!lw_simcompare_differ(compare)));
	json_object_set_new(root, "runs", runs);
	json_object_set_new(root, "frontier", frontier);
	return root;
}
