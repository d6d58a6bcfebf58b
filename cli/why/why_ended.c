/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why: a job that squeue no longer knows, as sacct remembers it. */
#include "cli/why/why.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/rows.h"
#include "cli/common/tools.h"

struct ended {
	int64_t now_s;
	uint32_t count;
};

static const enum lw_column needs[] = { LW_COL_JOB,        LW_COL_STATE, LW_COL_SUBMIT,
					LW_COL_START,      LW_COL_END,   LW_COL_REASON,
					LW_COL_END_OF_LIST };

static int64_t time_of(const struct lw_row *row, enum lw_column column)
{
	struct lw_error why;
	int64_t at_s;

	return lw_row_value(row, column, &at_s, &why) || at_s <= 0 ? TOOLS_WHY_NONE : at_s;
}

static int print_job(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct ended *ended = to;
	int64_t submit_s = time_of(row, LW_COL_SUBMIT), start_s = time_of(row, LW_COL_START);
	int64_t end_s = time_of(row, LW_COL_END);
	char submit[TOOLS_WHY_WHEN_MAX], start[TOOLS_WHY_WHEN_MAX], end[TOOLS_WHY_WHEN_MAX];
	char waited[32];

	(void)err;
	/* squeue hides a job that has not ended: so does this */
	if (end_s == TOOLS_WHY_NONE)
		return 0;
	printf("%sjob %s, submitted %s\n", ended->count++ ? "\n" : "", lw_tools_plain(row->job),
	       lw_why_when(submit_s, ended->now_s, submit));
	printf("%-10sit does not wait: %s\n", "why", lw_tools_plain(row->state));
	if (start_s != TOOLS_WHY_NONE && submit_s != TOOLS_WHY_NONE) {
		lw_duration_print(start_s - submit_s, waited, sizeof(waited));
		printf("%-10s%s, after %s\n", "started",
		       lw_why_when(start_s, ended->now_s, start), waited);
	}
	printf("%-10s%s\n", "ended", lw_why_when(end_s, ended->now_s, end));
	if (*row->reason && strcmp(row->reason, "None") != 0)
		printf("%-10sfor %s\n", "waited", lw_tools_plain(row->reason));
	return 0;
}

int lw_why_ended(const char *ids, int64_t now_s)
{
	const char *options[] = { "-j", ids, NULL };
	struct ended ended = { .now_s = now_s };
	struct lw_rows rows = {
		.needs = needs, .command = "why", .lenient = true, .take = print_job, .to = &ended
	};
	struct lw_error why;

	/* without accounting there is nothing to add */
	return !lw_rows_ask(&rows, "", options, &why) && ended.count ? 0 : -ENOENT;
}
