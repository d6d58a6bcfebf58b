/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the time limits that users ask for, beside what they use of them. */
#include "lab/questions/limits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MINUTE_S 60

static const double bounds[LW_LIMIT_PARTS] = { 0.01, 0.1, 0.5, 0.9, INFINITY };

const char *lw_limit_part_name(uint32_t part)
{
	static const char *const names[LW_LIMIT_PARTS] = { "up to 1 %", "1 to 10 %", "10 to 50 %",
							   "50 to 90 %", "over 90 %" };

	return names[part];
}

static void limits_count(struct lw_limits *limits, const struct lw_joblog_job *job, double used)
{
	uint32_t part = 0;

	while (part < LW_LIMIT_PARTS - 1 && used > bounds[part])
		part++;
	limits->part[part]++;
	limits->reached +=
		job->outcome == LW_OUTCOME_TIMEOUT || job->run_s >= job->limit_s - MINUTE_S;
}

/* VALUES rise: how often each is asked for tells which are popular. */
static void limits_popular(struct lw_limits *limits, double *values, double *often)
{
	double top = 0;

	for (uint32_t i = 0, k; i < limits->jobs; i = k) {
		for (k = i + 1; k < limits->jobs && values[k] <= values[i]; k++)
			;
		often[limits->values++] = k - i;
	}
	lw_dist_sort(often, limits->values);
	for (uint32_t i = 0; i < LW_LIMIT_TOP && i < limits->values; i++)
		top += often[limits->values - 1 - i];
	limits->top_share = lw_share(top, limits->jobs);
}

int lw_limits_of(const struct lw_joblog *log, struct lw_limits *ret_limits)
{
	double *used = calloc(3 * (size_t)log->count + 1, sizeof(*used));
	double *asked = used ? used + log->count : NULL, run_s = 0, limit_s = 0;
	struct lw_limits limits = { 0 };

	if (!used)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];

		if (job->limit_s < 1)
			continue;
		used[limits.jobs] = (double)job->run_s / (double)job->limit_s;
		asked[limits.jobs] = (double)job->limit_s;
		limits_count(&limits, job, used[limits.jobs]);
		run_s += (double)job->run_s;
		limit_s += (double)job->limit_s;
		limits.jobs++;
	}
	lw_dist_of(used, limits.jobs, &limits.used);
	limits.used_total = lw_share(run_s, limit_s);
	lw_dist_sort(asked, limits.jobs);
	limits_popular(&limits, asked, used + 2 * (size_t)log->count);
	free(used);
	*ret_limits = limits;
	return 0;
}
