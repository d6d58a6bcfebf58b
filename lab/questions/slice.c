/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: classes of jobs by size and by length, and what is to be told of a class. */
#include "lab/questions/slice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MINUTE_S     60
#define HOUR_S       3600
#define DAY_S        86400
#define NODE_OF_GPUS 8

struct lw_size_bounds lw_size_bounds_of(enum lw_joblog_unit unit, uint64_t machine)
{
	struct lw_size_bounds bounds = { 1, NODE_OF_GPUS };

	if (unit == LW_JOBLOG_GPUS)
		return bounds;
	/* on the smallest machine, too, one core is small */
	bounds.small = machine < 10 ? 1 : machine / 10;
	bounds.middle = machine * 3 / 10;
	if (bounds.middle < bounds.small)
		bounds.middle = bounds.small;
	return bounds;
}

static int slice_compare_sizes(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The size that only one of a hundred jobs is below: the least that can be asked for. */
static int least_asked(const struct lw_joblog *log, uint32_t *ret_size)
{
	uint32_t *sizes = malloc(((size_t)log->count + 1) * sizeof(*sizes));

	if (!sizes)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++)
		sizes[i] = log->jobs[i].size;
	qsort(sizes, log->count, sizeof(*sizes), slice_compare_sizes);
	*ret_size = log->count ? sizes[log->count / 100] : 0;
	free(sizes);
	return 0;
}

int lw_size_bounds_raise(struct lw_size_bounds *bounds, const struct lw_joblog *log)
{
	uint32_t least;
	int rc = least_asked(log, &least);

	if (!rc && least > bounds->small && least <= bounds->middle)
		bounds->small = least;
	return rc;
}

enum lw_size_class lw_size_class(const struct lw_size_bounds *bounds, uint32_t size)
{
	return size <= bounds->small    ? LW_SIZE_SMALL
	       : size <= bounds->middle ? LW_SIZE_MIDDLE
					: LW_SIZE_LARGE;
}

enum lw_length_class lw_length_class(int64_t run_s)
{
	return run_s <= MINUTE_S ? LW_LENGTH_MINUTE
	       : run_s <= HOUR_S ? LW_LENGTH_HOUR
	       : run_s <= DAY_S  ? LW_LENGTH_DAY
				 : LW_LENGTH_MORE;
}

const char *lw_size_name(enum lw_size_class size)
{
	static const char *const names[LW_SIZES] = { "small", "middle", "large" };

	return names[size];
}

const char *lw_length_name(enum lw_length_class length)
{
	static const char *const names[LW_LENGTHS] = { "up to a minute", "up to an hour",
						       "up to a day", "over a day" };

	return names[length];
}

uint32_t lw_slice_known(const struct lw_slice *slice)
{
	return slice->jobs - slice->outcome[LW_OUTCOME_UNKNOWN];
}

double lw_slice_lost_share(const struct lw_slice *slice)
{
	uint32_t known = lw_slice_known(slice);

	return lw_share((double)known - slice->outcome[LW_OUTCOME_COMPLETED], known);
}

static void slice_count(struct lw_slice *slice, const struct lw_joblog_job *job,
			const struct lw_size_bounds *bounds)
{
	double area_s = lw_joblog_area_s(job);

	slice->jobs++;
	slice->area_s += area_s;
	slice->outcome[job->outcome]++;
	slice->outcome_area_s[job->outcome] += area_s;
	slice->by_length[lw_length_class(job->run_s)]++;
	slice->by_size[lw_size_class(bounds, job->size)]++;
}

/* Room for three values of each job, of one slice at a time. */
struct scratch {
	double *run, *wait, *size;
};

static void slice_distribute(const struct lw_joblog *log, const uint8_t *group, uint32_t which,
			     const struct scratch *scratch, struct lw_slice *slice)
{
	uint32_t count = 0, waits = 0;

	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];

		if (group[i] != which)
			continue;
		scratch->run[count] = (double)job->run_s;
		scratch->size[count++] = job->size;
		if (job->wait_s >= 0)
			scratch->wait[waits++] = (double)job->wait_s;
	}
	lw_dist_of(scratch->run, count, &slice->run);
	lw_dist_of(scratch->size, count, &slice->size);
	lw_dist_of(scratch->wait, waits, &slice->wait);
}

int lw_slices_of(const struct lw_joblog *log, const struct lw_size_bounds *bounds,
		 const uint8_t *group, uint32_t count, struct lw_slice *ret_slices)
{
	double *values = calloc(3 * (size_t)log->count + 1, sizeof(*values));
	struct scratch scratch = { values, values + log->count, values + 2 * (size_t)log->count };

	if (!values)
		return -ENOMEM;
	memset(ret_slices, 0, count * sizeof(*ret_slices));
	for (uint32_t i = 0; i < log->count; i++)
		if (group[i] < count)
			slice_count(&ret_slices[group[i]], &log->jobs[i], bounds);
	for (uint32_t which = 0; which < count; which++)
		slice_distribute(log, group, which, &scratch, &ret_slices[which]);
	free(values);
	return 0;
}
