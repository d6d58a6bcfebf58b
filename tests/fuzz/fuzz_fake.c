/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: the script of a GPU that is not there. */
#include "fuzz/fuzz.h"

#include "record/sampler.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lw_gpu gpus[3] = { { .index = 0 }, { .index = 1 }, { .index = 7 } };
	struct lw_gpu_sample samples[3];
	struct lw_error err = { "" };
	void *state;

	if (lw_sampler_fake.open(fuzz_write("script", data, size), gpus, 3, 100, &state, &err)) {
		fuzz_check(*err.text);
		return 0;
	}
	for (int64_t t_s = 90; t_s < 100000000000; t_s = t_s * 2 - 80)
		lw_sampler_fake.sample(state, t_s, samples);
	for (int i = 0; i < 3; i++)
		fuzz_check(!(samples[i].has & 1u << LW_METRIC_UTIL) ||
			   samples[i].value[LW_METRIC_UTIL] <= 100);
	lw_sampler_fake.close(state);
	return 0;
}
