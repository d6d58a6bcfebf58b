/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the machine that a workload is for, in its header lines (lw-workload(5)). */
#ifndef LW_MEASURE_WORKLOAD_MACHINE_H
#define LW_MEASURE_WORKLOAD_MACHINE_H

#include "measure/workload.h"

#include <stdbool.h>
#include <stdio.h>

/* Does LINE say something of the machine? */
bool lw_workload_is_machine(const char *line);
/* Add the nodes that LINE, which does, tells of. -EINVAL with ERR, without file and line. */
int lw_workload_read_machine(struct lw_workload *workload, const char *line,
			     struct lw_error *err);
/* A line for each type of nodes. */
void lw_workload_write_machine(const struct lw_workload *workload, FILE *out);

#endif
