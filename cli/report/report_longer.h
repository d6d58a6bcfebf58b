/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: which jobs waited longer than in the first run, job by job. */
#ifndef LW_CLI_REPORT_REPORT_LONGER_H
#define LW_CLI_REPORT_REPORT_LONGER_H

#include "cli/report/report.h"

/* The rows of it; none unless the runs are of one workload and a job has started in both. */
void lw_report_longer_rows(struct lw_report_rows *rows);

#endif
