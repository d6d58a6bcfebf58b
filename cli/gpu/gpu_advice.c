/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu: one line of advice, from the summary in accounting alone. */

/* The worst is said first, and only that: one line is read. */
#include "cli/gpu/gpu.h"

#include <inttypes.h>
#include <stdio.h>

#define IDLE_PERCENT 95
#define LOW_PERCENT  30
#define BUSY_PERCENT 70
/* Shorter jobs are tests. */
#define SHORT_S 300

static uint32_t percent_of(int64_t part_s, double whole_s)
{
	double percent = whole_s > 0 ? 100 * (double)part_s / whole_s : 0;

	return percent > 100 ? 100 : (uint32_t)(percent + 0.5);
}

enum lw_gpu_advice lw_gpu_advise(const struct lw_summary_word *word, int64_t elapsed_s,
				 bool parts, char *buf, size_t size)
{
	double whole_s = (double)elapsed_s * word->gpus;

	buf[0] = '\0';
	if (elapsed_s < SHORT_S || !word->gpus)
		return TOOLS_GPU_ADVICE_NONE;
	if (percent_of(word->empty_s, whole_s) >= IDLE_PERCENT) {
		snprintf(buf, size, "no process used its GPUs: did it need them?");
		return TOOLS_GPU_ADVICE_IDLE;
	}
	if (!word->has_util)
		return TOOLS_GPU_ADVICE_NONE;
	if (percent_of(word->idle_s, whole_s) >= IDLE_PERCENT) {
		snprintf(buf, size, "idle all the time: does the program see its GPUs?");
		return TOOLS_GPU_ADVICE_IDLE;
	}
	if (word->quiet && word->quiet < word->gpus) {
		snprintf(buf, size,
			 "%" PRIu32 " of %" PRIu32 " GPUs idle: ask for %" PRIu32
			 ", or use a launcher",
			 word->quiet, word->gpus, word->gpus - word->quiet);
		return TOOLS_GPU_ADVICE_SOME;
	}
	if (word->util_mean < LOW_PERCENT && word->util_max >= BUSY_PERCENT) {
		snprintf(buf, size, "CPU-bound: more CPUs a GPU, or data on a local disk");
		return TOOLS_GPU_ADVICE_BOUND;
	}
	if (word->util_mean < LOW_PERCENT) {
		snprintf(buf, size,
			 word->shared || parts
				 ? "little to do: a smaller part of a GPU would do"
				 : "little to do: a smaller or shared GPU would do");
		return TOOLS_GPU_ADVICE_LOW;
	}
	if (word->half_gib) {
		snprintf(buf, size, "half of the memory was never used: %.0f of %" PRIu32 " GiB",
			 word->mem_max_mib / 1024.0, word->half_gib);
		return TOOLS_GPU_ADVICE_MEMORY;
	}
	return TOOLS_GPU_ADVICE_NONE;
}

const char *lw_gpu_advice_name(enum lw_gpu_advice advice)
{
	static const char *const names[] = {
		[TOOLS_GPU_ADVICE_NONE] = "none",      [TOOLS_GPU_ADVICE_IDLE] = "idle",
		[TOOLS_GPU_ADVICE_SOME] = "some_idle", [TOOLS_GPU_ADVICE_BOUND] = "cpu_bound",
		[TOOLS_GPU_ADVICE_LOW] = "low",        [TOOLS_GPU_ADVICE_MEMORY] = "memory",
	};

	return names[advice];
}
