/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway watch report: what planning costs slurmctld, by the file of metrics. */
#include "lab/watch/watch.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/origin.h"

#define AT(field) offsetof(struct lw_watch_cost, field)

/* As in src/slurm/keep/meter.def; of several lines of one place the values add up. */
static const struct {
	const char *name;
	size_t at;
} wanted[] = {
	{ "leeway_sched_cycles_total ", AT(cycles) },
	{ "leeway_sched_cycles_given_up_total ", AT(given_up) },
	{ "leeway_sched_cycle_seconds_total{part=\"read\"} ", AT(read_s) },
	{ "leeway_sched_cycle_seconds_total{part=\"think\"} ", AT(think_s) },
	{ "leeway_sched_cycle_seconds_total{part=\"apply\"} ", AT(apply_s) },
	{ "leeway_sched_lock_seconds_total{part=\"read\"} ", AT(lock_read_s) },
	{ "leeway_sched_lock_seconds_total{part=\"apply\"} ", AT(lock_apply_s) },
	{ "leeway_sched_watched_starts_total{plan=\"sooner\"} ", AT(sooner) },
	{ "leeway_sched_watched_starts_total{plan=\"alike\"} ", AT(alike) },
	{ "leeway_sched_watched_sooner_seconds_total ", AT(sooner_s) },
	{ "leeway_sched_handovers_total{reason=\"self_check\"} ", AT(handovers) },
	{ "leeway_sched_handovers_total{reason=\"budget\"} ", AT(handovers) },
	{ "leeway_sched_handovers_total{reason=\"failures\"} ", AT(handovers) },
};

static double *cost_place(struct lw_watch_cost *cost, size_t i)
{
	return (double *)((char *)cost + wanted[i].at);
}

static void cost_take_line(struct lw_watch_cost *cost, const char *line)
{
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		size_t len = strlen(wanted[i].name);
		double *place = cost_place(cost, i), value;
		char *end;

		if (strncmp(line, wanted[i].name, len) != 0)
			continue;
		value = strtod(line + len, &end);
		if (end == line + len || *end || !isfinite(value) || value < 0 || value > 1e15)
			return;
		*place = isnan(*place) ? value : *place + value;
		return;
	}
}

int lw_watch_cost_read(const char *path, struct lw_watch_cost *ret_cost, struct lw_error *err)
{
	struct lw_lines lines;
	const char *line;
	int rc = lw_lines_open(&lines, path, err);

	if (rc)
		return rc;
	lw_origin_add_file(path);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		*cost_place(ret_cost, i) = NAN;
	while ((line = lw_lines_next(&lines)))
		cost_take_line(ret_cost, line);
	lw_lines_fini(&lines);
	if (isnan(ret_cost->cycles))
		return lw_error_set(err, -EINVAL,
				    "%s: has no leeway_sched_cycles_total: give the file that "
				    "sched.metrics of leeway.yaml names",
				    path);
	return 0;
}
