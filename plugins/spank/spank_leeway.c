/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: entry points of leeway.so: record what a job makes of its GPUs. */
/*
 * Does nothing in slurmd, and nothing for jobs without GPUs; in the commands it takes back one
 * variable that is not the job's. Every callback returns 0: no trouble of ours may end, delay
 * or change a job.
 */
#pragma GCC visibility push(default)
#include <slurm/slurm_version.h>
#include <slurm/spank.h>

extern const char plugin_name[];
extern const char plugin_type[];
extern const unsigned int plugin_version;
extern const unsigned int spank_plugin_version;

SPANK_PLUGIN(leeway, 1)
#pragma GCC visibility pop

#include "spank/epilog.h"
#include "spank/step.h"

int slurm_spank_init(spank_t spank, int argc, char **argv)
{
	spank_context_t context = spank_context();

	if (context == S_CTX_REMOTE)
		lw_step_begin(spank, argc, argv);
	else if (context == S_CTX_ALLOCATOR || context == S_CTX_LOCAL)
		lw_step_disinherit();
	return 0;
}

int slurm_spank_exit(spank_t spank, int argc, char **argv)
{
	(void)spank;
	(void)argc;
	(void)argv;
	if (spank_context() == S_CTX_REMOTE)
		lw_step_end();
	return 0;
}

int slurm_spank_job_epilog(spank_t spank, int argc, char **argv)
{
	lw_job_end(spank, argc, argv);
	return 0;
}
