/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the stock plugin whose file name we bear. */
#ifndef LW_SLURM_STOCK_H
#define LW_SLURM_STOCK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define LW_STOCK_PATH_MAX 4096

/*
 * The first readable file FILE in the colon list DIRS that is not the object OURS
 * (any address inside it) came from. 0; -ENOENT or -ENAMETOOLONG with ERR.
 */
int lw_stock_find(const char *file, const char *dirs, const void *ours, char *ret_path,
		  size_t size, struct lw_error *err);

/* Stock's backfill agent, in our place for a while. */
struct lw_stock_agent {
	void *handle; /* NULL: not running */
	void (*fini)(void);
};

/* Open the plugin at PATH and start its agent. 0; -ELIBBAD or -ENOEXEC with ERR. */
int lw_stock_start(struct lw_stock_agent *agent, const char *path, struct lw_error *err);

/*
 * Stop the agent and unload it; does nothing when none runs. Waits for its cycle to
 * end: call it without locks.
 */
void lw_stock_stop(struct lw_stock_agent *agent);

#endif
