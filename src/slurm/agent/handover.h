/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: stock's backfill agent, which plans instead of Leeway for a while. */
#ifndef LW_SLURM_HANDOVER_H
#define LW_SLURM_HANDOVER_H

#include "base/error.h"

struct lw_handover {
	void *handle; /* NULL: stock does not run */
	void (*fini)(void);
};

/* Open the plugin at PATH and start its agent. 0; -ELIBBAD or -ENOEXEC with ERR. */
int lw_handover_start(struct lw_handover *handover, const char *path, struct lw_error *err);

/*
 * Stop the agent and unload it; does nothing if none runs. It waits for the end of the agent's
 * cycle, so call it without locks.
 */
void lw_handover_stop(struct lw_handover *handover);

#endif
