/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the select plugin does not do for stock's jobs, and what it keeps stock from. */

/* Loaded by commands too: refers to nothing that only slurmctld has. */

#include "slurm/select/others.h"

#include "slurm/select/select_link.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* Kept between calls; Slurm's job lock makes them one at a time. */
static struct {
	char *partitions, *qos;
	struct lw_canary canary; /* of these texts */
} others;

void lw_others_fini(void)
{
	free(others.partitions);
	free(others.qos);
	memset(&others, 0, sizeof(others));
}

void lw_others_take(const struct lw_canary *canary)
{
	lw_others_fini();
	others.partitions = canary->partitions ? strdup(canary->partitions) : NULL;
	others.qos = canary->qos ? strdup(canary->qos) : NULL;
	if (!others.partitions != !canary->partitions || !others.qos != !canary->qos)
		lw_others_fini();
	others.canary = (struct lw_canary){ others.partitions, others.qos };
}

bool lw_others_has(const job_record_t *job)
{
	return !lw_canary_has(&others.canary, job);
}

/* Leeway asks as backfill, too, from the thread of its agent. */
static bool others_are_we(void)
{
	char name[16] = "";

	return !prctl(PR_GET_NAME, name, NULL, NULL, NULL) && !strcmp(name, LW_AGENT_THREAD);
}

bool lw_others_ask_in_vain(const job_record_t *job)
{
	return lw_canary_is_set(&others.canary) && (job->bit_flags & BACKFILL_TEST) &&
	       !others_are_we() && lw_canary_has(&others.canary, job);
}
