/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: entry points of select_cons_tres.so, which shadows Slurm's own. */
#include "slurm/compat/compat.h"
#include "slurm/select/select.h"

/* The ops themselves are made in src/slurm/select/select.c, from the list of this release. */

#pragma GCC visibility push(default)
extern const char plugin_name[];
extern const char plugin_type[];
extern const uint32_t plugin_id;
extern const uint32_t plugin_version;
extern int init(void);
extern int fini(void);
#pragma GCC visibility pop

const char plugin_name[] = "Leeway consumable TRES selection";
const char plugin_type[] = "select/cons_tres";
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void)
{
	return lw_select_start() ? SLURM_ERROR : SLURM_SUCCESS;
}

int fini(void)
{
	lw_select_stop();
	return SLURM_SUCCESS;
}
