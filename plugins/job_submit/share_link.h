/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the way to Leeway's scheduler plugin in the same slurmctld. */
#ifndef LW_PLUGINS_SHARE_LINK_H
#define LW_PLUGINS_SHARE_LINK_H

#include "share/ask.h"

#include <stdbool.h>

/* While it is open, the plugin stays loaded. Zeroed: closed. */
struct lw_share_link {
	void *handle;
	lw_share_find_f find;
	lw_share_evades_f evades;
};

/*
 * Slurm loads the scheduler after this plugin, and may load another one. So it is searched among
 * the loaded plugins when a job wants to share. No file is touched. False: it is not loaded.
 */
bool lw_share_link_open(struct lw_share_link *ret_link);
void lw_share_link_close(struct lw_share_link *link);

#endif
