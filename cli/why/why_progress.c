/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why and leeway when: how far a running job says that it is. */
#include "cli/why/why.h"

#include <string.h>

void lw_why_progress(struct lw_why_job *job, int64_t now_s)
{
	if (strcmp(job->state, "RUNNING") != 0 || strpbrk(job->id, "[,"))
		return;
	lw_progress_ask(job->id, job->start_s == TOOLS_WHY_NONE ? -1 : job->start_s, now_s,
			&job->progress);
}
