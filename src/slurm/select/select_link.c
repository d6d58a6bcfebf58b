/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin tells our select plugin, which reads no file. */
#include "slurm/select/select_link.h"

#include "slurm/stock.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define SELECT_FILE "select_cons_tres.so"
#define SELECT_TELL "select_p_leeway_tell"

/* Of the agent's thread, and of the thread that starts and ends it while there is none. */
static void *handle;
static void (*tell)(const struct lw_select_news *news);

/* The dynamic linker opens the file unless the plugin is loaded: so it is looked for once. */
static void *open_select(const void *own)
{
	char path[LW_STOCK_PATH_MAX];
	Dl_info info = { 0 };
	const char *slash;

	if (!dladdr(own, &info) || !info.dli_fname)
		return NULL;
	slash = strrchr(info.dli_fname, '/');
	if (!slash)
		return NULL;
	snprintf(path, sizeof(path), "%.*s/" SELECT_FILE, (int)(slash - info.dli_fname),
		 info.dli_fname);
	return dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
}

void lw_select_link_begin(const void *own)
{
	handle = open_select(own);
	if (handle)
		tell = (void (*)(const struct lw_select_news *))dlsym(handle, SELECT_TELL);
}

void lw_select_link_tell(const struct lw_select_news *news)
{
	if (tell)
		tell(news);
}

void lw_select_link_end(void)
{
	tell = NULL;
	if (handle)
		dlclose(handle);
	handle = NULL;
}
