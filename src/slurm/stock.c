/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: find and open the stock plugin with the same file name as ours. */
#include "slurm/stock.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool stock_same_file(const char *path, const char *ours)
{
	char *a = realpath(path, NULL), *b = realpath(ours, NULL);
	bool same = a && b && !strcmp(a, b);

	free(a);
	free(b);
	return same;
}

int lw_stock_find(const char *file, const char *dirs, const void *ours, char *ret_path,
		  size_t size, struct lw_error *err)
{
	Dl_info info = { 0 };
	const char *dir = dirs;

	dladdr(ours, &info);
	while (dir && *dir) {
		size_t length = strcspn(dir, ":");
		char path[LW_STOCK_PATH_MAX];

		if (length + strlen(file) + 2 > sizeof(path))
			return lw_error_set(err, -ENAMETOOLONG, "PluginDir has too long a path");
		snprintf(path, sizeof(path), "%.*s/%s", (int)length, dir, file);
		if (!access(path, R_OK) &&
		    !(info.dli_fname && stock_same_file(path, info.dli_fname)))
			return snprintf(ret_path, size, "%s", path) < (int)size
				       ? 0
				       : lw_error_set(err, -ENAMETOOLONG, "%s: too long", path);
		dir += length + (dir[length] == ':');
	}
	return lw_error_set(err, -ENOENT, "no stock %s in PluginDir=%s", file, dirs ? dirs : "");
}

int lw_stock_open(const char *path, void **ret_handle, struct lw_error *err)
{
	void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return lw_error_set(err, -ELIBBAD, "cannot open it: %s", dlerror());
	*ret_handle = handle;
	return 0;
}
