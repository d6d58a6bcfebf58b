/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job that shares a GPU does after a reading: lend it, be warned, or leave. */
#ifndef LW_RECORD_TENANT_H
#define LW_RECORD_TENANT_H

#include "record/shared.h"

/* What the watch does for the tenant. */
struct lw_tenant_hands {
	/* True: it is time to stop. */
	bool (*wait)(void *arg, int ms);
	/* One more reading of all GPUs; returns its time. */
	int64_t (*read)(void *arg, struct lw_gpu_sample *samples);
	/* Save the record to its file. */
	void (*save)(void *arg, int64_t at_s);
	void *arg;
};

/*
 * Act on the reading OWN at NOW_S. A job that must leave is read once more a second later, and
 * leaves if the result is the same. A job that lends tells slurmctld when it has left its GPU
 * idle long enough, and when it works again. If Slurm does not answer, the next reading tries
 * again.
 */
void lw_tenant_act(struct lw_shared *shared, struct lw_record *record,
		   const struct lw_tenant_hands *hands, int64_t now_s,
		   const struct lw_gpu_sample *own);

#endif
