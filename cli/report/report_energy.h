/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: energy of the jobs, by account and by user. */
#ifndef LW_CLI_REPORT_REPORT_ENERGY_H
#define LW_CLI_REPORT_REPORT_ENERGY_H

#include "cli/report/report.h"

/* The rows of it; none where no job's record tells. */
void lw_report_energy_rows(struct lw_report_rows *rows);
/* A new reference; null where no job's record tells. */
json_t *lw_report_energy_json(const struct lw_run *run, double cpu_w);

#endif
