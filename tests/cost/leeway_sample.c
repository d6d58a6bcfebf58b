/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a fixed work: the GPU record of a step is sampled, and summed up at its end. */
#include "record/sampler.h"
#include "record/summary.h"
#include "unit/unit.h"

enum { GPUS = 4, READINGS = 1000, INTERVAL_S = 10 };

TEST(readings_of_a_step)
{
	struct lw_record_head head = { .job_id = 1,
				       .interval_s = INTERVAL_S,
				       .gpu_count = GPUS,
				       .node = "n1",
				       .step = "batch" };
	struct lw_gpu_sample samples[GPUS];
	char word[LW_SUMMARY_TEXT_MAX];
	struct lw_summary summary;
	struct lw_record *record;
	struct lw_error err;
	void *state;

	for (uint32_t i = 0; i < GPUS; i++)
		head.gpu[i].index = i;
	ck_assert_int_eq(lw_sampler_nvml.open(LW_FAKE_NVML, head.gpu, GPUS, 0, &state, &err), 0);
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	for (int64_t at_s = 0; at_s < READINGS * INTERVAL_S; at_s += INTERVAL_S) {
		lw_sampler_nvml.sample(state, at_s, samples);
		ck_assert_int_eq(lw_record_add(record, at_s, samples), 0);
	}
	lw_summary_make(&record, 1, &summary);
	ck_assert_uint_gt(lw_summary_encode(&summary, word, sizeof(word)), 0);
	lw_record_destroy(record);
	lw_sampler_nvml.close(state);
}
