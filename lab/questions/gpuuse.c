/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what jobs make of their GPUs, where that is recorded. */
#include "lab/questions/gpuuse.h"

#include <errno.h>
#include <stdlib.h>

#define WHOLE_MILLI 1000

static const uint8_t bounds[LW_GPU_PARTS] = { 5, 25, 50, 75, 100 };

const char *lw_gpu_part_name(uint32_t part)
{
	static const char *const names[LW_GPU_PARTS] = { "up to 5 %", "5 to 25 %", "25 to 50 %",
							 "50 to 75 %", "over 75 %" };

	return names[part];
}

static uint32_t part_of(uint8_t percent)
{
	uint32_t part = 0;

	while (part < LW_GPU_PARTS - 1 && percent > bounds[part])
		part++;
	return part;
}

int lw_gpu_report_of(const struct lw_joblog *log, struct lw_gpu_report *ret_report)
{
	double *values = calloc((size_t)log->count + 1, sizeof(*values));
	double area_s = 0, used_s = 0, milli = 0;
	struct lw_gpu_report report = { 0 };

	if (!values)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];

		if (job->gpu_milli) {
			report.asked++;
			report.shared += job->gpu_milli < WHOLE_MILLI;
			milli += job->gpu_milli;
		}
		if (job->util_percent > 100)
			continue;
		values[report.recorded++] = job->util_percent;
		area_s += lw_joblog_area_s(job);
		used_s += lw_joblog_area_s(job) * job->util_percent;
		report.part_area[part_of(job->util_percent)] += lw_joblog_area_s(job);
	}
	lw_dist_of(values, report.recorded, &report.util);
	free(values);
	report.util_area = lw_share(used_s, area_s);
	report.milli_mean = lw_share(milli, report.asked);
	for (uint32_t p = 0; p < LW_GPU_PARTS; p++)
		report.part_area[p] = lw_share(report.part_area[p], area_s);
	*ret_report = report;
	return 0;
}
