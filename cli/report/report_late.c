/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: were jobs submitted so late that runs are not of one workload? */
#include "cli/report/report.h"

#include <inttypes.h>
#include <math.h>

#include "base/duration.h"
#include "cli/common/tools.h"

/* contrib/minislurm/inside/replay/late.awk goes by the same while a replay runs */
#define LATE_SHARE 0.02

double lw_report_late_share(const struct lw_run *run)
{
	return run->late_mean_s >= 0 && run->arrivals_s > 0
		       ? run->late_mean_s / (double)run->arrivals_s
		       : -1;
}

/* Of runs that are known; of two spans of arrivals the shorter one counts. */
static bool is_apart(const struct lw_run *a, const struct lw_run *b)
{
	int64_t span_s = a->arrivals_s < b->arrivals_s ? a->arrivals_s : b->arrivals_s;

	if (lw_report_late_share(a) < 0 || lw_report_late_share(b) < 0)
		return false;
	return fabs(a->late_mean_s - b->late_mean_s) > LATE_SHARE * (double)span_s;
}

bool lw_report_is_too_late(const struct lw_report *report)
{
	bool late = false;

	for (uint32_t i = 0; i < report->count; i++) {
		late = late || lw_report_late_share(&report->runs[i]) > LATE_SHARE;
		for (uint32_t k = 0; k < i; k++)
			late = late || is_apart(&report->runs[i], &report->runs[k]);
	}
	return late;
}

/* More than 1 %. */
bool lw_report_differ(const struct lw_report *report)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t i = 0; i < report->count; i++) {
		uint32_t started = report->stats[i].started;

		least = started < least ? started : least;
		most = started > most ? started : most;
	}
	return report->count > 1 && (uint64_t)most * 100 > (uint64_t)least * 101;
}

void lw_report_say_differ(const struct lw_report *report, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb,
		      "These means are of different jobs, by more than 1 %%, and have no ratio:");
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_runstat *stat = &report->stats[i];

		lw_strbuf_add(sb, "%s %" PRIu32 " jobs of %" PRIu32 " started under %s",
			      i ? "," : "", stat->started,
			      stat->started + stat->waiting + stat->never_ran,
			      report->runs[i].label);
	}
	lw_strbuf_add(sb, ".");
}

bool lw_report_has_ratios(const struct lw_report *report)
{
	return report->count == 2 && !report->too_late && !lw_report_differ(report);
}

void lw_report_say_late(const struct lw_report *report, struct lw_strbuf *sb)
{
	const char *before = " by ";
	char mean[32];

	lw_strbuf_add(sb, "Do not believe these figures: jobs were submitted late, on average");
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_run *run = &report->runs[i];

		if (lw_report_late_share(run) < 0)
			continue;
		lw_duration_print((int64_t)(run->late_mean_s + 0.5), mean, sizeof(mean));
		lw_strbuf_add(sb, "%s%s under %s (%.1f %%)", before, mean,
			      lw_tools_plain(run->label),
			      100 * lw_report_late_share(run));
		before = ", by ";
	}
	lw_strbuf_add(sb,
		      ", and where that is above %g %% of the time in which they arrive, or "
		      "two runs differ by more, it is not the same workload.",
		      100 * LATE_SHARE);
}
