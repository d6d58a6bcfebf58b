/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the end of a job on a node, called by slurmd. */
/*
 * slurmd runs this in a process of its own, when no step of the job is left on the node,
 * whatever ended the job. For slurmctld it is over by then. Slurm's library is not set up
 * in such a process, so the environment has to do.
 */
#include "spank/epilog.h"

#include "record/jobend.h"
#include "spank/step.h"

#include <stdlib.h>

void lw_job_end(spank_t spank, int count, char **words)
{
	const char *gpus = getenv("SLURM_JOB_GPUS");
	struct lw_watch_options options;
	char node[LW_NODE_NAME_MAX];
	uint32_t job_id = 0;

	if (!gpus || !*gpus || spank_get_item(spank, S_JOB_ID, &job_id) != ESPANK_SUCCESS)
		return;
	/* what is wrong with them was told when the job's steps began */
	lw_watch_options_read(&options, count, words, NULL);
	lw_step_name_node(node, sizeof(node));
	lw_jobend_run(&options, job_id, node, getenv("SLURM_JOB_NODELIST"), lw_step_log());
}
