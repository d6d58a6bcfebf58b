/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why: a job that squeue no longer knows, as sacct remembers it. */
#include "cli/why/why.h"

#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/tools.h"

static void print_ended(const struct lw_why_job *job, int64_t now_s)
{
	char submit[TOOLS_WHY_WHEN_MAX], start[TOOLS_WHY_WHEN_MAX], end[TOOLS_WHY_WHEN_MAX];
	char waited[32];

	printf("job %s, submitted %s\n", lw_tools_plain(job->id),
	       lw_why_when(job->submit_s, now_s, submit));
	printf("%-10sit does not wait: %s\n", "why", lw_tools_plain(job->state));
	if (job->start_s != TOOLS_WHY_NONE && job->submit_s != TOOLS_WHY_NONE) {
		lw_duration_print(job->start_s - job->submit_s, waited, sizeof(waited));
		printf("%-10s%s, after %s\n", "started", lw_why_when(job->start_s, now_s, start),
		       waited);
	}
	printf("%-10s%s\n", "ended", lw_why_when(job->end_s, now_s, end));
	if (*job->reason)
		printf("%-10sfor %s\n", "waited", lw_tools_plain(job->reason));
}

void lw_why_print_ended(const struct lw_why_jobs *jobs, int64_t now_s)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (i)
			printf("\n");
		print_ended(&jobs->jobs[i], now_s);
	}
}
