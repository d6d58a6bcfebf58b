/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the subcommands that call Slurm's own commands share. */
#ifndef LW_CLI_COMMON_SLURMCALL_H
#define LW_CLI_COMMON_SLURMCALL_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Have squeue and sacct print times as seconds, lists of tasks whole, and all jobs, whatever the
 * user's own environment has them leave out.
 */
void lw_slurm_environment(void);

/* The latest start that COMMENT, a SystemComment, holds in a word of ours; -1: none. */
int64_t lw_slurm_latest_start(const char *comment);

/*
 * Add to COMMENT the Comment of JOB, "12" or "12_3", which its user writes. *ret_end_s, unless it
 * is NULL: when its time limit ends it, or 0. -ENOENT with ERR: squeue knows no such job; -EIO
 * with ERR.
 */
int lw_slurm_comment(const char *job, struct lw_strbuf *comment, int64_t *ret_end_s,
		     struct lw_error *err);

/* StateSaveLocation, as scontrol prints it. -ENOENT with ERR. */
int lw_slurm_state_dir(char *dir, size_t size, struct lw_error *err);

#endif
