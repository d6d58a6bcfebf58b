/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: all that is found in a log. */
#include "lab/questions/analysis.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by class ---- */

/* Which slice a job goes into, by what is asked. */
enum question { BY_ALL, BY_SIZE, BY_LENGTH, BY_OUTCOME, BY_KIND };

static uint8_t slice_of(const struct lw_analysis *analysis, const struct lw_joblog_job *job,
			enum question by)
{
	switch (by) {
	case BY_SIZE:
		return (uint8_t)lw_size_class(&analysis->bounds, job->size);
	case BY_LENGTH:
		return (uint8_t)lw_length_class(job->run_s);
	case BY_OUTCOME:
		return job->outcome;
	case BY_KIND:
		return job->kind;
	default:
		return 0;
	}
}

static int fill_slices(const struct lw_joblog *log, struct lw_analysis *analysis)
{
	const struct {
		enum question by;
		uint32_t count;
		struct lw_slice *slices;
	} all[] = {
		{ BY_ALL, 1, &analysis->all },
		{ BY_SIZE, LW_SIZES, analysis->size },
		{ BY_LENGTH, LW_LENGTHS, analysis->length },
		{ BY_OUTCOME, LW_OUTCOMES, analysis->outcome },
		{ BY_KIND, LW_JOBLOG_KINDS, analysis->kind },
	};
	uint8_t *group = calloc((size_t)log->count + 1, 1);
	int rc = group ? 0 : -ENOMEM;

	for (size_t q = 0; !rc && q < sizeof(all) / sizeof(all[0]); q++) {
		for (uint32_t i = 0; i < log->count; i++)
			group[i] = slice_of(analysis, &log->jobs[i], all[q].by);
		rc = lw_slices_of(log, &analysis->bounds, group, all[q].count, all[q].slices);
	}
	free(group);
	return rc;
}

static void fill_grid(const struct lw_joblog *log, struct lw_analysis *analysis)
{
	uint32_t waits[LW_SIZES][LW_LENGTHS] = { { 0 } };

	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];
		uint32_t s = lw_size_class(&analysis->bounds, job->size);
		uint32_t l = lw_length_class(job->run_s);

		analysis->grid_area_s[s][l] += lw_joblog_area_s(job);
		if (job->wait_s < 0)
			continue;
		waits[s][l]++;
		analysis->grid_wait_s[s][l] += (double)job->wait_s;
	}
	for (uint32_t s = 0; s < LW_SIZES; s++)
		for (uint32_t l = 0; l < LW_LENGTHS; l++)
			analysis->grid_wait_s[s][l] =
				lw_share(analysis->grid_wait_s[s][l], waits[s][l]);
}

/* ---- widths ---- */

/* Each is FACTOR times as wide as the one before: the least power of two with which they do. */
static void widths_make(struct lw_analysis *analysis, double most)
{
	uint64_t factor = 2, high = 1, low = 1;

	while (pow((double)factor, LW_WIDTHS - 1) < most)
		factor *= 2;
	while (analysis->width_count < LW_WIDTHS && (double)low <= most) {
		analysis->width[analysis->width_count++] =
			(struct lw_width){ .low = (uint32_t)low, .high = (uint32_t)high };
		low = high + 1;
		high *= factor;
		if ((double)high > most)
			high = (uint64_t)most;
	}
}

static void fill_widths(const struct lw_joblog *log, struct lw_analysis *analysis)
{
	if (!(analysis->all.size.most >= 1))
		return;
	widths_make(analysis, analysis->all.size.most);
	for (uint32_t i = 0; i < log->count; i++) {
		uint32_t w = 0, size = log->jobs[i].size;

		while (w < analysis->width_count - 1 && size > analysis->width[w].high)
			w++;
		if (size < 1)
			continue;
		analysis->width[w].jobs++;
		analysis->width[w].area_s += lw_joblog_area_s(&log->jobs[i]);
	}
}

/* ---- curves ---- */

static int fill_curves(const struct lw_joblog *log, struct lw_analysis *analysis)
{
	analysis->runs = calloc((size_t)log->count + 1, sizeof(double));
	for (uint32_t s = 0; s < LW_SIZES; s++)
		analysis->waits[s] = calloc((size_t)analysis->size[s].jobs + 1, sizeof(double));
	for (uint32_t s = 0; s < LW_SIZES; s++)
		if (!analysis->runs || !analysis->waits[s])
			return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];
		uint32_t s = lw_size_class(&analysis->bounds, job->size);

		analysis->runs[analysis->run_count++] = (double)job->run_s;
		if (job->wait_s >= 0)
			analysis->waits[s][analysis->wait_count[s]++] = (double)job->wait_s;
	}
	lw_dist_sort(analysis->runs, analysis->run_count);
	for (uint32_t s = 0; s < LW_SIZES; s++)
		lw_dist_sort(analysis->waits[s], analysis->wait_count[s]);
	return 0;
}

/* ---- all of it ---- */

static int fill_load(const struct lw_joblog *log, struct lw_analysis *analysis)
{
	uint32_t *queue = calloc((size_t)log->count + 1, sizeof(*queue));
	int rc = queue ? lw_load_of(log, &analysis->load, queue) : -ENOMEM;

	if (!rc) {
		/* without a machine that is known sizes are seen beside the most in use */
		analysis->bounds = lw_size_bounds_of(log->unit, (uint64_t)analysis->load.machine);
		rc = lw_size_bounds_raise(&analysis->bounds, log);
	if (!rc)
		rc = lw_behaviour_of(log, &analysis->bounds,
				     analysis->load.has_waits ? queue : NULL,
				     &analysis->behaviour);
	}
	free(queue);
	return rc;
}

int lw_analysis_of(const struct lw_joblog *log, struct lw_analysis *ret_analysis)
{
	struct lw_analysis *analysis = ret_analysis;
	int rc;

	memset(analysis, 0, sizeof(*analysis));
	analysis->unit = log->unit;
	rc = fill_load(log, analysis);
	if (!rc)
		rc = fill_slices(log, analysis);
	if (!rc)
		rc = fill_curves(log, analysis);
	if (!rc)
		rc = lw_arrivals_of(log, &analysis->arrivals);
	if (!rc)
		rc = lw_limits_of(log, &analysis->limits);
	if (!rc)
		rc = lw_repeat_of(log, &analysis->repeat);
	if (!rc)
		rc = lw_steps_of(log, analysis->steps);
	if (!rc)
		rc = lw_elapsed_of(log, &analysis->elapsed);
	if (!rc)
		rc = lw_gpu_report_of(log, &analysis->gpu);
	for (uint32_t by = 0; !rc && by < LW_PEOPLE_KINDS; by++)
		rc = lw_people_of(log, (enum lw_people_by)by, &analysis->people[by]);
	if (rc) {
		lw_analysis_fini(analysis);
		return rc;
	}
	fill_grid(log, analysis);
	fill_widths(log, analysis);
	return 0;
}

void lw_analysis_fini(struct lw_analysis *analysis)
{
	free(analysis->runs);
	for (uint32_t s = 0; s < LW_SIZES; s++)
		free(analysis->waits[s]);
	memset(analysis, 0, sizeof(*analysis));
}
