/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: which jobs shared a GPU, and what it cost. */
#ifndef LW_CLI_REPORT_REPORT_SHARED_H
#define LW_CLI_REPORT_REPORT_SHARED_H

#include "cli/report/report.h"

/* The rows of shared GPUs; none where no job of any run shared one. */
void lw_report_shared_rows(struct lw_report_rows *rows);
/* A list, an object for each job that shared; a new reference. */
json_t *lw_report_shared_json(const struct lw_run *run);

#endif
