/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin tells our select plugin, which reads no file. */
#include "slurm/select_link.h"

#include "slurm/stock.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define SELECT_FILE   "select_cons_tres.so"
#define SELECT_SWITCH "select_p_leeway_narrow"

void lw_select_link_narrow(const char *own_file, const void *own, bool on)
{
	char path[LW_STOCK_PATH_MAX];
	void (*narrow)(bool);
	Dl_info info = { 0 };
	void *handle;

	if (!dladdr(own, &info) || !info.dli_fname || strlen(info.dli_fname) < strlen(own_file))
		return;
	snprintf(path, sizeof(path), "%.*s" SELECT_FILE,
		 (int)(strlen(info.dli_fname) - strlen(own_file)), info.dli_fname);
	handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return;
	narrow = (void (*)(bool))dlsym(handle, SELECT_SWITCH);
	if (narrow)
		narrow(on);
	dlclose(handle);
}
