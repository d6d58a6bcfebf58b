/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: which jobs belong to a chain. */
#ifndef LW_CLI_CHAIN_MEMBER_H
#define LW_CLI_CHAIN_MEMBER_H

#include "cli/chain/rows.h"

/* Where the rows of job BASE begin; behind all rows if there is none. */
uint32_t lw_chain_group(const struct lw_chain_rows *rows, uint32_t base);

/*
 * The chain of the job with rows from TARGET on: all that it waited for, what these waited for,
 * and so on; and all that wait for it, and so on. If jobs of its name run one by one
 * (singleton), these too. Returns a flag for each row, to be freed, which counts where the rows
 * of a job begin; *RET_COUNT is the number of jobs. NULL: out of memory.
 */
bool *lw_chain_members(const struct lw_chain_rows *rows, uint32_t target, uint32_t *ret_count);

#endif
