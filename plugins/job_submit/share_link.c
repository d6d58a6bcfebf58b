/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the way to Leeway's scheduler plugin in the same slurmctld. */
#include "job_submit/share_link.h"

#include "base/beside.h"

#include <dlfcn.h>

#define SCHED_FILE "sched_backfill.so"

bool lw_share_link_open(struct lw_share_link *ret_link)
{
	struct lw_share_link link = { .handle = lw_beside_open(SCHED_FILE) };

	if (!link.handle)
		return false;
	link.find = (lw_share_find_f)dlsym(link.handle, LW_SHARE_FIND_NAME);
	link.evades = (lw_share_evades_f)dlsym(link.handle, LW_SHARE_EVADES_NAME);
	if (!link.find || !link.evades) {
		dlclose(link.handle);
		return false;
	}
	*ret_link = link;
	return true;
}

void lw_share_link_close(struct lw_share_link *link)
{
	if (link->handle)
		dlclose(link->handle);
	link->handle = NULL;
}
