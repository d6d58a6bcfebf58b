/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim --outlook: how often jobs started by what leeway when would have said. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "base/duration.h"
#include "lab/cli_sim/sim.h"
#include "lab/cli_sim/sim_json.h"

/* What a row is of: "up to 4 wait", "more wait", "after 10m", "all". */
static void name_queue(uint32_t number, char *buf, size_t size)
{
	if (lw_outlook_queue_end(number))
		snprintf(buf, size, "up to %" PRIu32 " wait", lw_outlook_queue_end(number));
	else
		snprintf(buf, size, "more wait");
}

static double mean(double sum, uint32_t count)
{
	return count ? sum / count : 0;
}

static void print_row(const char *name, const struct lw_sim_outlook_row *row, FILE *out)
{
	char wait[32], p50[32], p90[32], told[32] = "-  ";
	uint32_t shown = row->count - row->wide;

	if (!row->count)
		return;
	if (shown)
		snprintf(told, sizeof(told), "%.1f %%", 100 * mean(row->told_by_p90, shown));
	lw_duration_print((int64_t)mean(row->wait_s, row->count), wait, sizeof(wait));
	lw_duration_print((int64_t)mean(row->p50_s, row->count), p50, sizeof(p50));
	lw_duration_print((int64_t)mean(row->p90_s, row->count), p90, sizeof(p90));
	fprintf(out,
		"  %-14s %6" PRIu32 " %6" PRIu32 " %5.1f %% %5.1f %% %5.1f %% %7s %7s %7s %7s\n",
		name, row->count, row->spells, 100 * mean(row->by_p50, row->count),
		100 * mean(row->by_p90, row->count), 100 * mean(row->wide, row->count), told,
		wait, p50, p90);
}

void lw_simrun_print_outlook(const struct lw_simrun *run, FILE *out)
{
	static const char *const ages[LW_OUTLOOK_AGES] = { "at submission", "after 10m",
							   "after 1h", "after 6h", "after 1d" };
	const struct lw_sim_outlook *outlook = &run->outlook;
	char name[32];

	fprintf(out, "\nwhat would have been said of jobs that wait, and how it held\n");
	fprintf(out, "  %-14s %6s %6s %7s %7s %7s %7s %23s\n", "", "said", "spells", "by p50",
		"by p90", "wide", "told", "mean left, p50, p90");
	for (uint32_t i = 0; i < LW_OUTLOOK_QUEUES; i++) {
		name_queue(i, name, sizeof(name));
		print_row(name, &outlook->rows[i], out);
	}
	for (uint32_t i = 0; i < LW_OUTLOOK_AGES; i++)
		print_row(ages[i], &outlook->ages[i], out);
	print_row("all", &outlook->all, out);
}

/* Of nothing nothing is known. */
static json_t *make_mean(double sum, uint32_t count)
{
	return count ? json_real(sum / count) : json_null();
}

static json_t *make_row(const struct lw_sim_outlook_row *row)
{
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "said",
			 (json_int_t)row->count, "spells", (json_int_t)row->spells, "by_p50",
			 make_mean(row->by_p50, row->count), "by_p90",
			 make_mean(row->by_p90, row->count), "too_wide",
			 make_mean(row->wide, row->count), "told_by_p90",
			 make_mean(row->told_by_p90, row->count - row->wide), "left_mean_s",
			 make_mean(row->wait_s, row->count), "p50_mean_s",
			 make_mean(row->p50_s, row->count), "p90_mean_s",
			 make_mean(row->p90_s, row->count));
}

json_t *lw_simrun_outlook_json(const struct lw_simrun *run)
{
	json_t *queues = json_array(), *ages = json_array();

	for (uint32_t i = 0; i < LW_OUTLOOK_QUEUES; i++) {
		json_t *row = make_row(&run->outlook.rows[i]);

		json_object_set_new(row, "waiting_max",
				    lw_outlook_queue_end(i)
					    ? json_integer(lw_outlook_queue_end(i))
					    : json_null());
		json_array_append_new(queues, row);
	}
	for (uint32_t i = 0; i < LW_OUTLOOK_AGES; i++) {
		json_t *row = make_row(&run->outlook.ages[i]);

		json_object_set_new(row, "waited_min_s", json_integer(lw_outlook_age_s(i)));
		json_array_append_new(ages, row);
	}
	return json_pack("{s:o, s:o, s:o}", "by_queue", queues, "by_age", ages, "all",
			 make_row(&run->outlook.all));
}
