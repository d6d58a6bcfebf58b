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

static int make_frontier(struct lw_simcompare *compare, struct lw_error *err)
{
	struct lw_simbase base = { .set_count = 0 };
	struct lw_simsettings settings;
	char text[48];
	int rc = 0;

	lw_simsettings_default(&base.settings);
	for (size_t i = 0; !rc && i < FACTORS; i++) {
		snprintf(text, sizeof(text), "sched.policy=relaxed sched.relax=%s", factors[i]);
		rc = lw_simspec_parse(&base, text, &settings, &compare->frontier[i].spec, err);
		compare->frontier_count++;
	}
	return rc;
}

int lw_simcompare_do(struct lw_simcompare *compare, const struct lw_simtrace *trace,
		     const struct lw_simspecs *specs, const struct lw_simrepeat *repeat,
		     bool frontier, struct lw_error *err)
{
	int rc = 0;

	*compare = (struct lw_simcompare){ .trace = trace, .count = specs->count };
	compare->runs = calloc(specs->count + FACTORS, sizeof(*compare->runs));
	if (!compare->runs)
		return lw_error_set(err, -ENOMEM, "out of memory");
	compare->frontier = compare->runs + specs->count;
	for (uint32_t i = 0; i < specs->count; i++)
		compare->runs[i].spec = specs->specs[i];
	if (frontier)
		rc = make_frontier(compare, err);
	if (!rc)
		rc = lw_simruns_do(compare->runs, compare->count + compare->frontier_count, trace,
				   repeat, err);
	if (rc)
		lw_simcompare_fini(compare);
	return rc;
}

void lw_simcompare_fini(struct lw_simcompare *compare)
{
	for (uint32_t i = 0; i < compare->count + compare->frontier_count; i++)
		lw_simrun_fini(&compare->runs[i]);
	free(compare->runs);
	memset(compare, 0, sizeof(*compare));
}

const struct lw_simrun *lw_simcompare_run(const struct lw_simcompare *compare, uint32_t i)
{
	return &compare->runs[i];
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
