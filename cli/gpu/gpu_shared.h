/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs shared a GPU, and what it cost, in tables and JSON. */
#ifndef LW_CLI_GPU_GPU_SHARED_H
#define LW_CLI_GPU_GPU_SHARED_H

#include <jansson.h>
#include <stddef.h>

#include "base/error.h"
#include "base/sharemark.h"
#include "record/list.h"
#include "record/summary.h"

/* Each of two lines, and what follows at most; empty of a job that shared nothing. */
#define TOOLS_GPU_SHARED_TEXT 66
/* "shared with 12, 14" */
void lw_gpu_shared_who(const struct lw_summary_word *word, char *buf, size_t size);
/* "SM 31 % alone, 55 % together; all tenants 80 % of the time" */
void lw_gpu_shared_cost(const struct lw_summary_word *word, char *buf, size_t size);
/* The same as an object; null of such a job. */
json_t *lw_gpu_shared_json(const struct lw_summary_word *word);

/* What its word in AdminComment says of its part of a GPU: "is a guest on a GPU ..." */
void lw_gpu_parts_line(const struct lw_sharemark *mark, char *buf, size_t size);
/* The same as an object; null for NULL. */
json_t *lw_gpu_parts_json(const struct lw_sharemark *mark);

/* What a job's records tell of neighbours, alone against together, and events; or nothing. */
void lw_gpu_print_company(const struct lw_record_list *list);
/* Of one node, into O: shared, neighbours, events. */
void lw_gpu_set_company(json_t *o, const struct lw_record *record);

#endif
