/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when a job could start at the earliest, searched at every time at which things change. */
#include "property/oracle_times.h"

#include <stdlib.h>

int64_t *oracle_ends(const struct lw_snapshot *snap, const struct lw_plan *plan,
		     uint32_t *ret_count)
{
	int64_t *times = calloc(1 + 2 * snap->running_count + plan->decision_count +
					snap->resv_window_count,
				sizeof(*times));
	uint32_t count = 0;

	for (uint32_t r = 0; r < snap->running_count; r++)
		times[count++] = snap->running[r].end_s > snap->now_s ? snap->running[r].end_s
								      : snap->now_s + 1;
	for (uint32_t r = 0; r < snap->running_count; r++)
		if (snap->running[r].yields_s > snap->now_s)
			times[count++] = snap->running[r].yields_s;
	for (uint32_t i = 0; i < snap->resv_window_count; i++)
		times[count++] = snap->resv_windows[i].until_s;
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		if (plan->decisions[i].verdict != LW_WAIT)
			times[count++] = plan->decisions[i].start_s +
					 snap->waiting[plan->decisions[i].waiting].limit_s;
	}
	*ret_count = count;
	return times;
}

static struct lw_res *least_free(const struct oracle_view *view, const int64_t *times,
				 uint32_t count, int64_t start_s)
{
	struct lw_res *least = oracle_free(view, start_s), *then;

	for (uint32_t i = 0; i < count; i++) {
		if (times[i] <= start_s || times[i] >= start_s + view->job->limit_s)
			continue;
		then = oracle_free(view, times[i]);
		for (uint32_t node = 0; node < view->snap->node_count; node++)
			lw_res_min(&least[node], &then[node]);
		free(then);
	}
	return least;
}

int64_t *oracle_times(const struct lw_snapshot *snap, const struct lw_plan *plan,
		      uint32_t *ret_count)
{
	int64_t *times = oracle_ends(snap, plan, ret_count);

	times = reallocarray(times, *ret_count + plan->decision_count + 1, sizeof(*times));
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		if (plan->decisions[i].verdict == LW_RESERVE)
			times[(*ret_count)++] = plan->decisions[i].start_s;
	}
	return times;
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

int64_t oracle_earliest(const struct oracle_view *view, int64_t *times, uint32_t count)
{
	int64_t from_s = view->snap->now_s, last_s = INT64_MIN;

	if (view->job->constraints.earliest_s > from_s)
		from_s = view->job->constraints.earliest_s;
	times[count++] = from_s;
	qsort(times, count, sizeof(*times), compare_times);
	for (uint32_t i = 0; i < count; i++) {
		struct lw_res *least;
		bool found;

		if (times[i] < from_s || times[i] == last_s)
			continue;
		last_s = times[i];
		least = least_free(view, times, count, times[i]);
		found = oracle_fits(view->snap, view->job, least, times[i]);
		free(least);
		if (found)
			return times[i];
	}
	return INT64_MAX;
}
