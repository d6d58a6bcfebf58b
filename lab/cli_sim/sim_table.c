/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: several policies on one trace, as tables. */
#include "lab/cli_sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/chart/table.h"
#include "cli/common/tools.h"

struct column {
	enum lw_figure figure;
	const char *title;
	int width, digits;
	double scale;
};

static const struct column columns[] = {
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

_Static_assert(sizeof(columns) / sizeof(columns[0]) <= LW_TABLE_COLUMNS, "too many columns");

static const struct column of_harm[] = {
	{ LW_FIGURE_LONGER, "longer %", 9, 1, 100 },
	{ LW_FIGURE_LONGER_MAX, "worst s", 9, 0, 1 },
	{ LW_FIGURE_SHORTER, "shorter %", 10, 1, 100 },
	{ LW_FIGURE_OVER_DAY, "over 1 day", 11, 0, 1 },
	{ LW_FIGURE_OVER_3_DAYS, "3 days", 7, 0, 1 },
};

static const struct column of_energy[] = {
	{ LW_FIGURE_ENERGY, "energy kWh", 12, 1, 1 },
	{ LW_FIGURE_ENERGY_EMPTY, "empty %", 8, 1, 100 },
	{ LW_FIGURE_SUSPENDED, "asleep %", 9, 1, 100 },
	{ LW_FIGURE_WAKES, "wakes", 8, 0, 1 },
	{ LW_FIGURE_PRICE, "price", 10, 2, 1 },
	{ LW_FIGURE_CO2, "CO2 kg", 10, 1, 1 },
};

static const struct column of_sharing[] = {
	{ LW_FIGURE_SHARED, "shared", 8, 0, 1 },
	{ LW_FIGURE_SHARED_SAVED, "GPUs saved", 11, 2, 1 },
	{ LW_FIGURE_SHARED_SLOWDOWN, "slower x", 9, 3, 1 },
	{ LW_FIGURE_SHARED_SLOWDOWN_P99, "p99 x", 7, 3, 1 },
	{ LW_FIGURE_SHARED_OUT, "no memory", 10, 0, 1 },
	{ LW_FIGURE_SHARED_PARTED, "parted", 7, 0, 1 },
	{ LW_FIGURE_SHARED_CUT, "cut", 6, 0, 1 },
};

static const struct column of_deadlines[] = {
	{ LW_FIGURE_DEADLINE_MISSED, "missed %", 9, 1, 100 },
	{ LW_FIGURE_DEADLINE_LOST, "value lost", 12, 0, 1 },
	{ LW_FIGURE_ACCEPTED, "accepted", 9, 0, 1 },
	{ LW_FIGURE_ACCEPTED_MISSED, "of them missed", 15, 0, 1 },
	{ LW_FIGURE_PREEMPTIONS, "preemptions", 12, 0, 1 },
};

static const struct column of_stops[] = {
	{ LW_FIGURE_AGREE, "agree %", 8, 1, 100 },
	{ LW_FIGURE_STOPS, "stops", 8, 0, 1 },
	{ LW_FIGURE_STOP_STRETCH, "stretch x", 10, 2, 1 },
	{ LW_FIGURE_STOP_STRETCH_WORST, "worst x", 8, 2, 1 },
	{ LW_FIGURE_STOP_LOST, "lost %", 7, 3, 100 },
	{ LW_FIGURE_STOP_LATE, "late", 6, 0, 1 },
};

/* A table is there if its first figure is known; the first table always. */
static const struct table {
	const struct column *columns;
	size_t count;
	const char *title;
} tables[] = {
	{ columns, sizeof(columns) / sizeof(columns[0]), NULL },
	{ of_harm, sizeof(of_harm) / sizeof(of_harm[0]), "waits" },
	{ of_energy, sizeof(of_energy) / sizeof(of_energy[0]), "energy" },
	{ of_sharing, sizeof(of_sharing) / sizeof(of_sharing[0]), "shared GPUs" },
	{ of_deadlines, sizeof(of_deadlines) / sizeof(of_deadlines[0]), "deadlines" },
	{ of_stops, sizeof(of_stops) / sizeof(of_stops[0]), "stops for others" },
};

static uint32_t all_runs(const struct lw_simcompare *compare)
{
	return compare->count + compare->frontier_count;
}

static int label_width(const struct lw_simcompare *compare)
{
	int width = 16;

	for (uint32_t i = 0; i < all_runs(compare); i++) {
		int len = (int)strlen(lw_simcompare_run(compare, i)->spec.label);

		width = len > width ? len : width;
	}
	return width;
}

static void print_row(const char *label, struct lw_table *to, const struct table *table,
		      const struct lw_figures *figures)
{
	lw_table_row(to, label);
	for (size_t c = 0; c < table->count; c++) {
		const struct column *column = &table->columns[c];
		double value = figures->value[column->figure];
		char cell[LW_TABLE_CELL] = "-";

		if (!isnan(value))
			snprintf(cell, sizeof(cell), "%.*f", column->digits,
				 column->scale * value);
		lw_table_cell(to, cell, NULL);
	}
}

bool lw_simcompare_knows(const struct lw_simcompare *compare, enum lw_figure figure)
{
	for (uint32_t i = 0; i < compare->count; i++)
		if (!isnan(compare->runs[i].mean.value[figure]))
			return true;
	return false;
}

static void print_table(const struct lw_simcompare *compare, const struct table *table,
			FILE *out)
{
	struct lw_table to = { .out = out, .name_width = label_width(compare) };

	for (size_t c = 0; c < table->count; c++)
		lw_table_add(&to, table->columns[c].title, NULL, table->columns[c].width);
	lw_table_begin(&to, table->title ? table->title : "");
	for (uint32_t i = 0; i < all_runs(compare); i++) {
		const struct lw_simrun *run = lw_simcompare_run(compare, i);

		if (i == compare->count)
			fprintf(out, "constant factors, for the curve of wait against violation\n");
		print_row(run->spec.label, &to, table, &run->mean);
		if (i < compare->count && run->repeat.shakes > 1)
			print_row("   ±", &to, table, &run->sd);
	}
}

/* Which jobs are the means of? */
static void print_started(const struct lw_simcompare *compare, FILE *out)
{
	for (uint32_t i = 0; i < compare->count + compare->frontier_count; i++) {
		const struct lw_simrun *run = lw_simcompare_run(compare, i);
		double never = run->mean.value[LW_FIGURE_NEVER];

		if (never > 0)
			fprintf(out, "%s: means over the %.0f of %.0f jobs that started\n",
				run->spec.label, run->mean.value[LW_FIGURE_JOBS],
				run->mean.value[LW_FIGURE_JOBS] + never);
	}
	if (lw_simcompare_differ(compare))
		fputs("these means are of different jobs, by more than 1 %: do not compare them; "
		      "with jobs.cancels=no all jobs run\n",
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
	uint32_t shakes = compare->runs[0].repeat.shakes;

	fprintf(out, "%s: %" PRIu32 " jobs", lw_tools_plain(compare->trace->name),
		compare->trace->jobs.count);
	if (shakes)
		fprintf(out, ", means of %" PRIu32 " shakes", shakes);
	fputc('\n', out);
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		if (!t || lw_simcompare_knows(compare, tables[t].columns[0].figure))
			print_table(compare, &tables[t], out);
	if (lw_simcompare_knows(compare, LW_FIGURE_LONGER))
		fprintf(out,
			"longer, shorter: jobs that wait over an hour longer or less than under "
			"%s; worst: the most that a job waits longer\n",
			compare->runs[0].spec.label);
	print_settings(compare, out);
	print_started(compare, out);
}
