/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the subcommands that call Slurm's own commands share. */
#ifndef LW_CLI_COMMON_SLURMCALL_H
#define LW_CLI_COMMON_SLURMCALL_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Have squeue and sacct print times as seconds, lists of tasks whole, and all jobs, whatever the
 * user's own environment has them leave out.
 */
void lw_slurm_environment(void);

/* The latest start that COMMENT, a SystemComment, holds in a word of ours; -1: none. */
int64_t lw_slurm_latest_start(const char *comment);

/* StateSaveLocation, as scontrol prints it. -ENOENT with ERR. */
int lw_slurm_state_dir(char *dir, size_t size, struct lw_error *err);

#endif
