/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: stock's backfill agent, which plans instead of Leeway for a while. */

/*
 * Stock's agent cannot be started twice in one loaded copy: the flag that stops it is
 * never reset. So the copy is unloaded after use, once nothing points into it.
 */

#include "slurm/agent/handover.h"

#include "slurm/compat/compat.h"
#include "slurm/stock.h"

#include <dlfcn.h>
#include <errno.h>

int lw_handover_start(struct lw_handover *handover, const char *path, struct lw_error *err)
{
	int (*start)(void);
	void *handle;
	int rc = lw_stock_open(path, &handle, err);

	if (rc)
		return rc;
	start = (int (*)(void))dlsym(handle, "init");
	handover->fini = (void (*)(void))dlsym(handle, "fini");
	if (!start || !handover->fini) {
		dlclose(handle);
		return lw_error_set(err, -ELIBBAD, "%s has no init or no fini", path);
	}
	if (start() != SLURM_SUCCESS) {
		dlclose(handle);
		return lw_error_set(err, -ENOEXEC, "%s would not start", path);
	}
	handover->handle = handle;
	return 0;
}

/* Per-partition counters of stock hold a pointer to one of its functions. */
static int handover_drop_counters(void *x, void *arg)
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

void lw_handover_stop(struct lw_handover *handover)
{
	slurmctld_lock_t locks = { .part = WRITE_LOCK };

	if (!handover->handle)
		return;
	handover->fini();
	lock_slurmctld(locks);
	if (part_list)
		list_for_each(part_list, handover_drop_counters, NULL);
	unlock_slurmctld(locks);
	dlclose(handover->handle);
	handover->handle = NULL;
}
