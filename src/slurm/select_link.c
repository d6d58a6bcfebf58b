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
#define SELECT_ISLANDS "select_p_leeway_islands"
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

/* What our select plugin has by NAME; then HANDLE is to be closed. NULL: it is not loaded. */
static void *find(const void *own, const char *name, void **ret_handle)
{
	void *handle = open_select(own);
	void *found = handle ? dlsym(handle, name) : NULL;

	if (handle && !found)
		dlclose(handle);
	*ret_handle = handle;
	return found;
}

void lw_select_link_narrow(const void *own, bool on)
{
	void *handle;
	void (*narrow)(bool) = (void (*)(bool))find(own, SELECT_SWITCH, &handle);

	if (!narrow)
		return;
	narrow(on);
	dlclose(handle);
}

void lw_select_link_domains(const void *own, const struct lw_domains *domains)
{
	void *handle;
	void (*tell)(const struct lw_domains *) =
		(void (*)(const struct lw_domains *))find(own, SELECT_DOMAINS, &handle);

	if (!tell)
		return;
	tell(domains);
	dlclose(handle);
}

void lw_select_link_islands(const void *own, const struct lw_islands *islands)
{
	void *handle;
	void (*tell)(const struct lw_islands *) =
		(void (*)(const struct lw_islands *))find(own, SELECT_ISLANDS, &handle);

	if (!tell)
		return;
	tell(islands);
	dlclose(handle);
}

void lw_select_link_mix(const void *own, const struct lw_snapshot *snap)
{
	void *handle;
	void (*tell)(const struct lw_snapshot *) =
		(void (*)(const struct lw_snapshot *))find(own, SELECT_MIX, &handle);

	if (!tell)
		return;
	tell(snap);
	dlclose(handle);
}
