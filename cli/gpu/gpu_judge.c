/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu: what a record says of a GPU in one word. */
/*
 * Shares of readings over the whole job, and for jobs that run a sliding window over the
 * recorded series: a job that worked once and then waited for hours is idle now, whatever
 * its mean.
 */
#include "cli/gpu/gpu.h"

#define MOST_PERCENT 95
#define LOW_PERCENT  15

const char *lw_gpu_verdict_name(enum lw_gpu_verdict verdict)
{
	static const char *const names[] = {
		[TOOLS_GPU_OK] = "ok",
		[TOOLS_GPU_LOW] = "low",
		[TOOLS_GPU_IDLE] = "idle",
		[TOOLS_GPU_EMPTY] = "empty",
		[TOOLS_GPU_UNSUPPORTED] = "unsupported",
		[TOOLS_GPU_UNREAD] = "unread",
	};

	return (unsigned)verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "?";
}

static bool is_most(int64_t part_s, uint64_t samples, uint32_t interval_s)
{
	return samples &&
	       100.0 * (double)part_s >= (double)samples * interval_s * MOST_PERCENT;
}

enum lw_gpu_verdict lw_gpu_judge(const struct lw_record *record, uint32_t gpu)
{
	uint32_t interval_s = record->head.interval_s;
	struct lw_gpu_summary sum;

	lw_summary_gpu(record, gpu, &sum);
	if (!sum.samples)
		return TOOLS_GPU_UNREAD;
	if (is_most(sum.empty_s, sum.samples, interval_s))
		return TOOLS_GPU_EMPTY;
	if (sum.unsupported)
		return TOOLS_GPU_UNSUPPORTED;
	if (is_most(sum.idle_s, sum.samples, interval_s))
		return TOOLS_GPU_IDLE;
	return lw_stat_mean(&sum.stat[LW_METRIC_UTIL]) < LOW_PERCENT ? TOOLS_GPU_LOW
								     : TOOLS_GPU_OK;
}

int64_t lw_gpu_end_s(const struct lw_record *record)
{
	int64_t end_s = record->head.end_s;

	if (!end_s && record->bucket_count)
		end_s = (record->slot[record->bucket_count - 1] + 1) * record->bucket_s;
	return end_s > record->head.start_s ? end_s : record->head.start_s;
}

static bool is_idle(const struct lw_gpu_request *request, const struct lw_gpu_bucket *bucket)
{
	const struct lw_stat *util = &bucket->stat[LW_METRIC_UTIL];
	const struct lw_stat *proc = &bucket->stat[LW_METRIC_PROC];
	const struct lw_stat *mem = &bucket->stat[LW_METRIC_MEM];
	const struct lw_stat *device = &bucket->stat[LW_METRIC_DUTIL];

	/* read while others are there: a GPU that a guest uses is not idle */
	if (device->count && device->max >= request->util_below)
		return false;
	/* where a device gives no utilisation, only the lack of processes can tell */
	if (!util->count)
		return proc->count && !proc->max;
	return util->max < request->util_below &&
	       (!request->mem_below_mib || !mem->count || mem->max < request->mem_below_mib);
}

/* A bucket that lies on the window's edge belongs to it: work in it counts. */
struct lw_gpu_window lw_gpu_look(const struct lw_gpu_request *request,
				 const struct lw_record *record, uint32_t gpu)
{
	int64_t from_s = request->now_s - request->window_s, samples = 0;
	struct lw_gpu_window window = { .since_s = record->head.start_s };
	bool idle = true;

	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_gpu_bucket *bucket = lw_record_at(record, i, gpu);
		int64_t end_s = (record->slot[i] + 1) * record->bucket_s;
		bool quiet = !bucket->samples || is_idle(request, bucket);

		if (!quiet)
			window.since_s = end_s;
		if (end_s <= from_s)
			continue;
		samples += bucket->samples;
		idle = idle && quiet;
	}
	/* half of the readings may have been missed; without more nothing can be said */
	window.covered = record->head.start_s <= from_s &&
			 samples * record->head.interval_s * 2 >= request->window_s;
	window.idle = window.covered && idle;
	return window;
}
