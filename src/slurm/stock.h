/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: find and open the stock plugin with the same file name as ours. */
#ifndef LW_SLURM_STOCK_H
#define LW_SLURM_STOCK_H

#include "base/error.h"

#include <stddef.h>

/* Nothing here refers to slurmctld, so that commands can load it too. */

#define LW_STOCK_PATH_MAX 4096

/*
 * The first readable file FILE in the colon list DIRS that is not the file of the object OURS
 * (any address inside it). 0; -ENOENT or -ENAMETOOLONG with ERR.
 */
int lw_stock_find(const char *file, const char *dirs, const void *ours, char *ret_path,
		  size_t size, struct lw_error *err);

/* Open the plugin at PATH for dlsym(); close it with dlclose(). 0 or -ELIBBAD with ERR. */
int lw_stock_open(const char *path, void **ret_handle, struct lw_error *err);

#endif
