/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: the jobs of a run as evalys reads them. */
#include "lab/cli_sim/sim.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/chart/jobscsv.h"

static void add_job(const struct lw_simrun *run, const struct lw_simtrace *trace, uint32_t i,
		    struct lw_strbuf *sb)
{
	const struct lw_sim_job *job = &run->jobs[i];
	struct lw_strbuf allocated = LW_STRBUF_INIT;
	struct lw_jobscsv_job row = {
		.workload = trace->name,
		.submit_s = job->submit_s,
		.start_s = job->start_s,
		.end_s = lw_sim_job_end_s(job),
		.limit_s = job->limit_s,
		.requested = lw_machine_width(&trace->machine, &job->request),
	};
	char id[24];

	snprintf(id, sizeof(id), "%" PRId64, lw_simtrace_number(trace, job));
	row.id = id;
	/* a job that shares a GPU takes longer, and has done its work if its limit lets it */
	row.success = row.end_s - row.start_s == job->run_s ||
		      (job->shared && row.end_s - row.start_s < job->limit_s);
	lw_procmap_print(&run->procs, i, &allocated);
	row.allocated = lw_strbuf_text(&allocated);
	lw_jobscsv_add(sb, &row);
	lw_strbuf_fini(&allocated);
}

void lw_simrun_jobs_csv(const struct lw_simrun *run, const struct lw_simtrace *trace,
			struct lw_strbuf *sb)
{
	lw_jobscsv_head(sb);
	for (uint32_t i = 0; i < trace->jobs.count; i++)
		if (run->jobs[i].start_s != LW_NO_TIME)
			add_job(run, trace, i, sb);
}
