/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the stock plugin whose file name we bear. */

/*
 * Stock's agent cannot be started twice in one loaded copy: the flag that stops it is
 * never reset. So the copy is unloaded after use, once nothing points into it.
 */

#include "slurm/stock.h"

#include "slurm/compat/compat.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool same_file(const char *path, const char *ours)
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
		if (!access(path, R_OK) && !(info.dli_fname && same_file(path, info.dli_fname)))
			return snprintf(ret_path, size, "%s", path) < (int)size ?
				       0 :
				       lw_error_set(err, -ENAMETOOLONG, "%s: too long", path);
		dir += length + (dir[length] == ':');
	}
	return lw_error_set(err, -ENOENT, "no stock %s in PluginDir=%s", file, dirs ? dirs : "");
}

int lw_stock_start(struct lw_stock_agent *agent, const char *path, struct lw_error *err)
{
	int (*start)(void);
	void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return lw_error_set(err, -ELIBBAD, "cannot open stock backfill: %s", dlerror());
	start = (int (*)(void))dlsym(handle, "init");
	agent->fini = (void (*)(void))dlsym(handle, "fini");
	if (!start || !agent->fini) {
		dlclose(handle);
		return lw_error_set(err, -ELIBBAD, "%s has no init or no fini", path);
	}
	if (start() != SLURM_SUCCESS) {
		dlclose(handle);
		return lw_error_set(err, -ENOEXEC, "%s would not start", path);
	}
	agent->handle = handle;
	return 0;
}

/* Per-partition counters of stock hold a pointer to one of its functions. */
static int drop_counters(void *x, void *arg)
{
	part_record_t *part = x;
	bf_part_data_t *data = part->bf_data;

	(void)arg;
	if (!data)
		return 0;
	slurmdb_destroy_bf_usage(data->job_usage);
	slurmdb_destroy_bf_usage(data->resv_usage);
	xhash_free(data->user_usage);
	xfree(part->bf_data);
	return 0;
}

void lw_stock_stop(struct lw_stock_agent *agent)
{
	slurmctld_lock_t locks = { .part = WRITE_LOCK };

	if (!agent->handle)
		return;
	agent->fini();
	lock_slurmctld(locks);
	if (part_list)
		list_for_each(part_list, drop_counters, NULL);
	unlock_slurmctld(locks);
	dlclose(agent->handle);
	agent->handle = NULL;
}
