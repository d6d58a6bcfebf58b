/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: put a job's GPU summary into its admin_comment. */
#ifndef LW_PLUGINS_SPANK_PUBLISH_H
#define LW_PLUGINS_SPANK_PUBLISH_H

#include "record/summary.h"

#include <stdbool.h>

/*
 * Ask slurmctld for JOB_ID's admin_comment and send it back with SUMMARY's word in it:
 * one question and one update. FROM_BATCH: the caller is the job's batch step; for
 * another step of a batch job nothing is sent. Only from slurm_spank_exit or while it
 * waits: in other callbacks slurmstepd holds a lock that an RPC needs.
 */
void lw_publish(uint32_t job_id, bool from_batch, const struct lw_summary *summary);

#endif
