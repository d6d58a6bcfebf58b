/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: several policies on one trace, as a table and as JSON. */
#include "tools/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/output.h"
#include "tools/sim/sim_json.h"
#include "tools/tools.h"

/* Of constant relaxing: where a policy's point must lie below the curve. */
static const char *const factors[] = { "0",    "0.01", "0.02", "0.03", "0.05",
				       "0.07", "0.1",  "0.2",  "0.3",  "0.5" };

#define FACTORS (sizeof(factors) / sizeof(factors[0]))

static int run_policies(struct lw_simcompare *compare, const struct lw_simspecs *specs,
			struct lw_simrepeat *repeat, struct lw_error *err)
{
	int rc = 0;

	while (!rc && compare->count < specs->count) {
		uint32_t i = compare->count;

		repeat->step.number++;
		rc = lw_simrun_do(&compare->runs[i], compare->trace, &specs->specs[i], repeat,
				  err);
		if (!rc)
			compare->count++;
	}
	return rc;
}

static int run_frontier(struct lw_simcompare *compare, struct lw_simrepeat *repeat,
			struct lw_error *err)
{
	struct lw_simspec spec;
	char text[32];
	int rc = 0;

	compare->frontier = calloc(FACTORS, sizeof(*compare->frontier));
	if (!compare->frontier)
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; !rc && i < FACTORS; i++) {
		snprintf(text, sizeof(text), "relaxed:relax=%s", factors[i]);
		rc = lw_simspec_parse(text, &spec, err);
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
	struct lw_simrepeat stepped = *repeat;
	int rc;

	*compare = (struct lw_simcompare){ .trace = trace };
	stepped.step = (struct lw_progress_step){
		.what = "policy",
		.count = specs->count + (frontier ? (uint32_t)FACTORS : 0),
		.begun_s = lw_progress_clock_s(),
	};
	rc = run_policies(compare, specs, &stepped, err);
	if (!rc && frontier)
		rc = run_frontier(compare, &stepped, err);
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

/* One column of the table. */
static const struct column {
	enum lw_figure figure;
	const char *title;
	int width, digits;
	double scale;
} columns[] = {
	{ LW_FIGURE_WAIT, "wait s", 8, 0, 1 },
	{ LW_FIGURE_BSLD, "bsld", 7, 1, 1 },
	{ LW_FIGURE_WAIT_P99, "p99 s", 8, 0, 1 },
	{ LW_FIGURE_WAIT_MAX, "max s", 8, 0, 1 },
	{ LW_FIGURE_WAIT_WIDE, "wide s", 8, 0, 1 },
	{ LW_FIGURE_WAIT_LONG, "long s", 8, 0, 1 },
	{ LW_FIGURE_UTILISATION, "use %", 6, 1, 100 },
	{ LW_FIGURE_PROMISED, "promised", 9, 0, 1 },
	{ LW_FIGURE_LATER, "later", 6, 0, 1 },
	{ LW_FIGURE_BROKEN, "broken", 7, 0, 1 },
	{ LW_FIGURE_VIOLATION, "violation s", 12, 0, 1 },
	{ LW_FIGURE_VIOLATION_MAX, "longest s", 10, 0, 1 },
	{ LW_FIGURE_WALL, "took s", 7, 2, 1 },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static int label_width(const struct lw_simcompare *compare)
{
	int width = 16;

	for (uint32_t i = 0; i < compare->count; i++) {
		int len = (int)strlen(compare->runs[i].spec.label);

		width = len > width ? len : width;
	}
	return width;
}

static void print_row(const char *label, int width, const struct lw_figures *figures, FILE *out)
{
	fprintf(out, "%-*s", width, lw_tools_plain(label));
	for (size_t c = 0; c < COLUMNS; c++) {
		double value = figures->value[columns[c].figure];

		if (isnan(value))
			fprintf(out, " %*s", columns[c].width, "-");
		else
			fprintf(out, " %*.*f", columns[c].width, columns[c].digits,
				columns[c].scale * value);
	}
	fputc('\n', out);
}

/* The runs, then those of the frontier. */
static const struct lw_simrun *run_at(const struct lw_simcompare *compare, uint32_t i)
{
	return i < compare->count ? &compare->runs[i] : &compare->frontier[i - compare->count];
}

bool lw_simcompare_differ(const struct lw_simcompare *compare)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < compare->count + compare->frontier_count; i++) {
		double started = run_at(compare, i)->mean.value[LW_FIGURE_JOBS];

		least = started < least ? started : least;
		most = started > most ? started : most;
	}
	return most > 1.01 * least;
}

/* Which jobs are the means of? */
static void print_started(const struct lw_simcompare *compare, FILE *out)
{
	for (uint32_t i = 0; i < compare->count + compare->frontier_count; i++) {
		const struct lw_simrun *run = run_at(compare, i);
		double never = run->mean.value[LW_FIGURE_NEVER];

		if (never > 0)
			fprintf(out, "%s: means over the %.0f of %.0f jobs that started\n",
				run->spec.label, run->mean.value[LW_FIGURE_JOBS],
				run->mean.value[LW_FIGURE_JOBS] + never);
	}
	if (lw_simcompare_differ(compare))
		fputs("these means are of different jobs, by more than 1 %: do not compare them\n",
		      out);
}

/* A label of the user's own does not say what it stands for. */
static void print_settings(const struct lw_simcompare *compare, FILE *out)
{
	for (uint32_t i = 0; i < compare->count; i++) {
		const struct lw_simspec *spec = &compare->runs[i].spec;

		if (strcmp(spec->label, spec->settings) != 0)
			fprintf(out, "%s: %s\n", spec->label, spec->settings);
		if (lw_simspec_note(spec))
			fprintf(out, "%s %s\n", spec->label, lw_simspec_note(spec));
	}
}

void lw_simcompare_print(const struct lw_simcompare *compare, FILE *out)
{
	int width = label_width(compare);
	uint32_t shakes = compare->runs[0].repeat.shakes;

	fprintf(out, "%s: %" PRIu32 " jobs", lw_tools_plain(compare->trace->name),
		compare->trace->jobs.count);
	if (shakes)
		fprintf(out, ", means of %" PRIu32 " shakes", shakes);
	fprintf(out, "\n%-*s", width, "");
	for (size_t c = 0; c < COLUMNS; c++)
		fprintf(out, " %*s", columns[c].width, columns[c].title);
	fputc('\n', out);
	for (uint32_t i = 0; i < compare->count; i++) {
		const struct lw_simrun *run = &compare->runs[i];

		print_row(run->spec.label, width, &run->mean, out);
		if (shakes > 1)
			print_row("   ±", width + 1, &run->sd, out);
	}
	if (compare->frontier_count)
		fprintf(out, "constant factors, for the curve of wait against violation\n");
	for (uint32_t i = 0; i < compare->frontier_count; i++)
		print_row(compare->frontier[i].spec.label, width, &compare->frontier[i].mean,
			  out);
	print_settings(compare, out);
	print_started(compare, out);
}

void lw_simcompare_print_keys(const struct lw_simcompare *compare, const char *keys, FILE *out)
{
	for (uint32_t i = 0; i < compare->count + compare->frontier_count; i++) {
		const struct lw_simrun *run = run_at(compare, i);

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
