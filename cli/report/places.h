/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where the jobs of a replay were put, judged as the simulator judges it. */
#ifndef LW_CLI_REPORT_PLACES_H
#define LW_CLI_REPORT_PLACES_H

#include "cli/common/run.h"
#include "measure/locality.h"

/*
 * Replay the starts and ends of RUN on a machine with equal nodes, and pass each of these times
 * to measure/locality.h. Three simplifications:
 *
 * - Accounting has only the total that a job holds, so the job holds an equal part of it on each
 *   of its nodes.
 * - Waiting jobs are in order of submission.
 * - The nodes of a job are free in the second in which it ends.
 *
 * The domains are the switches or blocks with nodes in etc/topology.conf. *RET_KNOWN is false if
 * the size of the machine is not known, or no job says where it ran. -ENOMEM, or -EINVAL with
 * ERR for a file or a list of nodes.
 */
int lw_places_judge(const struct lw_run *run, struct lw_locality *ret_locality, bool *ret_known,
		    struct lw_error *err);

#endif
