/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: records of GPUs in steady use. */
#ifndef LW_TESTS_GPU_RECORDS_H
#define LW_TESTS_GPU_RECORDS_H

#include "record/account.h"
#include "unit/scratch.h"

#include <stdio.h>

#define START 1700000000

static inline struct lw_record *make_record(const char *node, const char *step, uint32_t gpus)
{
	struct lw_record_head head = { .job_id = 77,
				       .interval_s = 10,
				       .start_s = START,
				       .user_id = 1001,
				       .gpu_count = gpus };
	struct lw_record *record = NULL;

	snprintf(head.node, sizeof(head.node), "%s", node);
	snprintf(head.step, sizeof(head.step), "%s", step);
	for (uint32_t g = 0; g < gpus; g++) {
		head.gpu[g] = (struct lw_gpu){ .index = g, .mem_total_mib = 81920 };
		snprintf(head.gpu[g].id, sizeof(head.gpu[g].id), "GPU-%s-%u", node, g);
	}
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	return record;
}

static inline void fill(struct lw_record *record, uint32_t util, uint32_t procs)
{
	struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };

	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		samples[g].has =
			1u << LW_METRIC_UTIL | 1u << LW_METRIC_MEM | 1u << LW_METRIC_PROC;
		samples[g].value[LW_METRIC_UTIL] = util + g;
		samples[g].value[LW_METRIC_MEM] = 1024;
		samples[g].value[LW_METRIC_PROC] = procs;
	}
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(lw_record_add(record, START + i * 10, samples), 0);
	record->head.end_s = START + 60;
}

#endif
