/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job that shares a GPU does after a reading: it lends it, is warned, or goes. */
#ifndef LW_RECORD_TENANT_H
#define LW_RECORD_TENANT_H

#include "record/shared.h"

/* What the watch does for it. */
struct lw_tenant_hands {
	/* True: it is time to stop. */
	bool (*wait)(void *arg, int ms);
	/* One more reading of all GPUs; when it was. */
	int64_t (*read)(void *arg, struct lw_gpu_sample *samples);
	/* Have the record in its file. */
	void (*save)(void *arg, int64_t at_s);
	void *arg;
};

/*
 * After the reading OWN at NOW_S. Whoever is to go is read once more a second later, and goes if
 * that says the same. Who lends tells slurmctld when it has left its GPU idle for long enough, and
 * when it works again. Where Slurm does not answer, the next reading tries again.
 */
void lw_tenant_act(struct lw_shared *shared, struct lw_record *record,
		   const struct lw_tenant_hands *hands, int64_t now_s,
		   const struct lw_gpu_sample *own);

#endif
