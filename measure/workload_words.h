/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what version 2 of a workload says of a job behind the columns (lw-workload(5)). */
#ifndef LW_MEASURE_WORKLOAD_WORDS_H
#define LW_MEASURE_WORKLOAD_WORDS_H

#include "measure/workload.h"

/* Each word once. */
#define LW_WORKLOAD_WORDS_MAX 10

/* Does JOB say anything that version 1 has no place for? */
bool lw_workload_has_words(const struct lw_workload_job *job);

/*
 * Read WORDS[COUNT], each KEY=VALUE, into JOB, which will be the next one of WORKLOAD, with so
 * many TASKS. What it waits for is added to the workload. -EINVAL with ERR; -ENOMEM.
 */
int lw_workload_read_words(struct lw_workload *workload, struct lw_workload_job *job,
			   uint32_t tasks, char **words, uint32_t count, struct lw_error *err);

/* Write them, each behind a tab. */
void lw_workload_write_words(const struct lw_workload *workload,
			     const struct lw_workload_job *job, FILE *out);

/*
 * Names end up in job names: letters, digits and "._-" only. NULL, or what TEXT is not; then
 * nothing is taken.
 */
const char *lw_workload_take_name(const char *text, char ret_name[LW_WORKLOAD_NAME_MAX]);

#endif
