/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin tells our select plugin, which reads no file. */
#include "slurm/select/select_link.h"

#include "base/beside.h"

#include <dlfcn.h>

#define SELECT_FILE "select_cons_tres.so"
#define SELECT_TELL "select_p_leeway_tell"

/* Of the agent's thread, and of the thread that starts and ends it while there is none. */
static void *handle;
static void (*tell)(const struct lw_select_news *news);

void lw_select_link_begin(void)
{
	handle = lw_beside_open(SELECT_FILE);
	if (handle)
		tell = (void (*)(const struct lw_select_news *))dlsym(handle, SELECT_TELL);
}

void lw_select_link_tell(const struct lw_select_news *news)
{
	if (tell)
		tell(news);
}

bool lw_select_link_is_there(void)
{
	return tell != NULL;
}

void lw_select_link_end(void)
{
	tell = NULL;
	if (handle)
		dlclose(handle);
	handle = NULL;
}
