/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the way to Leeway's scheduler plugin in the same slurmctld. */
#include "job_submit/share_link.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#define SCHED_FILE "sched_backfill.so"

/* The path of the scheduler plugin that lies beside us. False: it is too long. */
static bool find_beside(char path[PATH_MAX])
{
	static const char ours = 0; /* an address inside this library */
	Dl_info info = { 0 };
	const char *slash;

	if (!dladdr(&ours, &info) || !info.dli_fname)
		return false;
	slash = strrchr(info.dli_fname, '/');
	return slash && snprintf(path, PATH_MAX, "%.*s/" SCHED_FILE,
				 (int)(slash - info.dli_fname), info.dli_fname) < PATH_MAX;
}

static int is_named(struct dl_phdr_info *info, size_t size, void *path)
{
	(void)size;
	return info->dlpi_name && !strcmp(info->dlpi_name, path);
}

bool lw_share_link_open(struct lw_share_link *ret_link)
{
	struct lw_share_link link;
	char path[PATH_MAX];

	/* dlopen() looks into the file unless something of just that name is loaded */
	if (!find_beside(path) || !dl_iterate_phdr(is_named, path))
		return false;
	link.handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
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
