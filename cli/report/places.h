/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where the jobs of a replay were put, judged as the simulator judges it. */
#ifndef LW_CLI_REPORT_PLACES_H
#define LW_CLI_REPORT_PLACES_H

#include "cli/common/run.h"
#include "measure/locality.h"

/*
 * Go through what RUN tells of starts and ends, on nodes alike, and give each moment to
 * measure/locality.h. Accounting has what a job holds in all, so it is taken to hold as much on
 * each of its nodes; who waits is taken to be in order of submission; and a node is free in
 * the second in which a job there ends. Domains are the switches or blocks of
 * etc/topology.conf, that have nodes. *RET_KNOWN is false when the size of the machine is
 * not, or no job says where it ran. -ENOMEM, or -EINVAL with ERR of a file or a list of nodes.
 */
int lw_places_judge(const struct lw_run *run, struct lw_locality *ret_locality, bool *ret_known,
		    struct lw_error *err);

#endif
