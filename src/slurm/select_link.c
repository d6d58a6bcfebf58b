/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin tells our select plugin, which reads no file. */
#include "slurm/select_link.h"

#include "slurm/stock.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define SELECT_FILE    "select_cons_tres.so"
#define SELECT_SWITCH  "select_p_leeway_narrow"
#define SELECT_DOMAINS "select_p_leeway_domains"
#define SELECT_MIX     "select_p_leeway_mix"

/* To be closed again. */
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

void lw_select_link_narrow(const void *own, bool on)
{
	void *handle = open_select(own);
	void (*narrow)(bool);

	if (!handle)
		return;
	narrow = (void (*)(bool))dlsym(handle, SELECT_SWITCH);
	if (narrow)
		narrow(on);
	dlclose(handle);
}

void lw_select_link_domains(const void *own, const struct lw_domains *domains)
{
	void *handle = open_select(own);
	void (*tell)(const struct lw_domains *);

	if (!handle)
		return;
	tell = (void (*)(const struct lw_domains *))dlsym(handle, SELECT_DOMAINS);
	if (tell)
		tell(domains);
	dlclose(handle);
}

void lw_select_link_mix(const void *own, const struct lw_snapshot *snap)
{
	void *handle = open_select(own);
	void (*tell)(const struct lw_snapshot *);

	if (!handle)
		return;
	tell = (void (*)(const struct lw_snapshot *))dlsym(handle, SELECT_MIX);
	if (tell)
		tell(snap);
	dlclose(handle);
}
