/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: another of Leeway's plugins in the same process. */
#include "base/beside.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

static int beside_is_named(struct dl_phdr_info *info, size_t size, void *path)
{
	(void)size;
	return info->dlpi_name && !strcmp(info->dlpi_name, path);
}

void *lw_beside_open(const char *file)
{
	static const char ours = 0; /* an address inside this plugin */
	Dl_info info = { 0 };
	char path[PATH_MAX];
	const char *slash;
	int dir;

	if (!dladdr(&ours, &info) || !info.dli_fname)
		return NULL;
	slash = strrchr(info.dli_fname, '/');
	if (!slash)
		return NULL;
	dir = slash - info.dli_fname;
	if (snprintf(path, sizeof(path), "%.*s/%s", dir, info.dli_fname, file) >= PATH_MAX)
		return NULL;
	/* dlopen() looks into the file unless something of just that name is loaded */
	return dl_iterate_phdr(beside_is_named, path) ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD)
						      : NULL;
}
