/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a run as CSV, by the columns that Batsim writes and evalys reads. */
#ifndef LW_CLI_CHART_JOBSCSV_H
#define LW_CLI_CHART_JOBSCSV_H

#include "base/error.h"
#include "base/strbuf.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* A job that has started and ended. */
struct lw_jobscsv_job {
	const char *id;
	const char *workload;
	int64_t submit_s, start_s, end_s;
	int64_t limit_s;       /* negative: it had none */
	uint32_t requested;    /* resources */
	bool success;          /* it ended by itself, and well */
	const char *allocated; /* as "0-3 8": which resources it had, from 0; "": not known */
};

void lw_jobscsv_head(struct lw_strbuf *sb);
void lw_jobscsv_add(struct lw_strbuf *sb, const struct lw_jobscsv_job *job);

/* Names of such files in one folder, each by a label: no two are the same. */
#define LW_JOBNAMES_MAX 8
struct lw_jobnames {
	const char *dir;
	char path[PATH_MAX]; /* the one found last */
	char names[LW_JOBNAMES_MAX][80];
	uint32_t count;
};

/* "DIR/jobs-LABEL.csv", of the letters, digits and dots of LABEL. -ENAMETOOLONG with ERR. */
int lw_jobnames_next(struct lw_jobnames *names, const char *label, struct lw_error *err);

#endif
