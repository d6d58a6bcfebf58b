/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu --user: the runs of each job, the earlier ones of requeued jobs among them.
 */
#ifndef LW_CLI_GPU_GPU_ATTEMPTS_H
#define LW_CLI_GPU_GPU_ATTEMPTS_H

#include "base/error.h"
#include "cli/common/rows.h"
#include "measure/ettr.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One row of sacct. */
struct lw_gpu_attempt {
	char *job; /* its raw id */
	int64_t submit_s;
	struct lw_ettr_attempt run;
	bool ended;
	bool has_left; /* and may have gone on in another row */
	bool earlier;  /* and it has: the job has a later run */
	uint32_t row;  /* its place among all */
};

/* Zeroed there is none. */
struct lw_gpu_attempts {
	struct lw_gpu_attempt *items; /* in the order of rows */
	uint32_t count, room;
};

/*
 * Add ROW of a job with so many GPUS of its own, which ran ELAPSED_S; what its row does not tell
 * of times is taken from that. -EINVAL with ERR; -ENOMEM.
 */
int lw_gpu_attempts_add(struct lw_gpu_attempts *attempts, const struct lw_row *row, int64_t gpus,
			int64_t elapsed_s, struct lw_error *err);
/* Say which of them are earlier runs, and sum up all. -ENOMEM. */
int lw_gpu_attempts_sum(struct lw_gpu_attempts *attempts, struct lw_ettr *ret_ettr);
void lw_gpu_attempts_fini(struct lw_gpu_attempts *attempts);

/* A line on standard output; nothing without GPU time. */
void lw_gpu_attempts_print(const struct lw_ettr *ettr);
/* A new object, or null. */
json_t *lw_gpu_attempts_json(const struct lw_ettr *ettr);

#endif
