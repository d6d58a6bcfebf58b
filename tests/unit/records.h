/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: records of GPU use that are filled by hand. */
#ifndef LW_TESTS_RECORDS_H
#define LW_TESTS_RECORDS_H

#include "record/summary.h"
#include "unit/unit.h"

#include <stdio.h>

#define START 1700000000

static inline struct lw_record *make_record(const char *step, uint32_t gpus, uint32_t interval_s)
{
	struct lw_record_head head = { .job_id = 77, .interval_s = interval_s, .start_s = START,
				       .node = "n1", .gpu_count = gpus };
	struct lw_record *record = NULL;

	snprintf(head.step, sizeof(head.step), "%s", step);
	for (uint32_t g = 0; g < gpus; g++) {
		head.gpu[g].index = g;
		snprintf(head.gpu[g].id, sizeof(head.gpu[g].id), "GPU-%u", g);
	}
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	return record;
}

static inline void add(struct lw_record *record, int64_t t_s, uint32_t util, uint32_t mem)
{
	struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };

	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		samples[g].has = 1u << LW_METRIC_UTIL | 1u << LW_METRIC_MEM;
		samples[g].value[LW_METRIC_UTIL] = util;
		samples[g].value[LW_METRIC_MEM] = mem;
	}
	ck_assert_int_eq(lw_record_add(record, START + t_s, samples), 0);
}

static inline struct lw_gpu_summary gpu_of(const struct lw_record *record, uint32_t gpu)
{
	struct lw_gpu_summary sum;

	lw_summary_gpu(record, gpu, &sum);
	return sum;
}

#endif
