/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the words in AdminComment tell of a job that ended: its use of its GPUs. */
#ifndef LW_CLI_GPU_GPU_ENDED_H
#define LW_CLI_GPU_GPU_ENDED_H

#include "base/sharemark.h"
#include "cli/common/field.h"
#include "cli/gpu/gpu.h"
#include "record/summary.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define LW_GPU_ADVICE_TEXT 80

struct lw_gpu_ended {
	int64_t elapsed_s;
	bool has_word, has_mark;
	struct lw_summary_word word;
	struct lw_sharemark mark; /* which part of a GPU it was given */
};

/* A row of leeway gpu --user. */
struct lw_gpu_row {
	struct lw_fields fields;
	char util[32], mem[32], idle[16]; /* texts of theirs: it is not to be copied */
};

/* Read COMMENT: has it a word of ours? A later one of either kind takes an earlier one's place.
 */
bool lw_gpu_ended_read(const char *comment, struct lw_gpu_ended *ended);
/* What to tell its user, as lw_gpu_advise(). */
enum lw_gpu_advice lw_gpu_ended_advise(const struct lw_gpu_ended *ended,
				       char buf[LW_GPU_ADVICE_TEXT]);
/* Add the use of its GPUs to the fields of ROW; GPUS: how many it had. WIDE: with all columns. */
void lw_gpu_ended_use(const struct lw_gpu_ended *ended, uint32_t gpus, bool wide,
		      struct lw_gpu_row *row);
/* Its advice and how it shared GPUs, into O; without a word null with NULLS, as lw_fields_set().
 */
void lw_gpu_ended_set(json_t *o, const struct lw_gpu_ended *ended, bool nulls);
/* How it shared GPUs, in lines behind INDENT columns; in these, if LABELS, what each tells. */
void lw_gpu_ended_print_sharing(const struct lw_gpu_ended *ended, int indent, bool labels);

#endif
