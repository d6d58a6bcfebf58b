/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: records in which GPUs play phases of use. */
#ifndef LW_TESTS_GPU_PLAY_H
#define LW_TESTS_GPU_PLAY_H

#include "record/file.h"
#include "unit/scratch.h"

#include <stdio.h>

#define START 1700000000
#define STEP  10

/* A phase of a GPU: so many readings of these values; -1: not counted. */
struct phase {
	int readings, util, mem, procs;
};

static inline struct lw_record *make_record(uint32_t job_id, const char *node, uint32_t gpus)
{
	struct lw_record_head head = { .job_id = job_id,
				       .interval_s = STEP,
				       .start_s = START,
				       .user_id = 0,
				       .step = "batch",
				       .gpu_count = gpus };
	struct lw_record *record = NULL;

	snprintf(head.node, sizeof(head.node), "%s", node);
	for (uint32_t g = 0; g < gpus; g++) {
		head.gpu[g] = (struct lw_gpu){ .index = g, .mem_total_mib = 40960 };
		snprintf(head.gpu[g].id, sizeof(head.gpu[g].id), "GPU-%s-%u", node, g);
	}
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	return record;
}

static inline void put(struct lw_gpu_sample *sample, enum lw_metric metric, int value)
{
	if (value < 0)
		return;
	sample->has |= 1u << metric;
	sample->value[metric] = (uint32_t)value;
}

static inline void play(struct lw_record *record, const struct phase *phases)
{
	int64_t now_s = START;

	for (; phases->readings; phases++)
		for (int i = 0; i < phases->readings; i++, now_s += STEP) {
			struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };

			for (uint32_t g = 0; g < record->head.gpu_count; g++) {
				put(&samples[g], LW_METRIC_UTIL, phases->util);
				put(&samples[g], LW_METRIC_MEM, phases->mem);
				put(&samples[g], LW_METRIC_PROC, phases->procs);
			}
			ck_assert_int_eq(lw_record_add(record, now_s, samples), 0);
		}
}

#endif
