/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: put a job's GPU summary into its admin_comment while it still runs. */
#ifndef LW_PLUGINS_SPANK_PUBLISH_H
#define LW_PLUGINS_SPANK_PUBLISH_H

#include "record/record.h"

#include <stdbool.h>

/*
 * Ask slurmctld for the admin_comment of the job of RECORDS, and send it back with their summary
 * until it stays (record/change.h). True if it was accepted; else the log has the reason. Only
 * from slurm_spank_exit or while that waits: in other callbacks slurmstepd holds a lock that an
 * RPC needs.
 */
bool lw_publish(struct lw_record *const *records, uint32_t count, bool js1);

#endif
