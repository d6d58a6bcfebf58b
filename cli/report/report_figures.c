/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: the figures of report.def, and what they are of each run. */
#include "cli/report/report.h"

#include <math.h>

/* What report.def asks of a run, besides what it has. */

/* A negative share: nothing of that kind was there. */
static double share_of(double part, double whole)
{
	return whole > 0 ? part / whole : -1;
}

static double or_none(double value)
{
	return isnan(value) ? -1 : value;
}

static double promised(const struct lw_run *run, uint64_t count)
{
	return run->has_promises ? (double)count : -1;
}

const struct lw_report_figure lw_report_figures[LW_REPORT_FIGURES] = {
#define LW_PART(heading, shown, ratios)       { heading, "", LW_REPORT_PART, ratios },
#define LW_ROW(name, key, form, known, value) { name, key, LW_REPORT_##form, false },
#define LW_MORE(form)                         { "", "", LW_REPORT_##form, false },
#include "cli/report/report.def"
#undef LW_PART
#undef LW_ROW
#undef LW_MORE
};

void lw_report_values(const struct lw_run *run, const struct lw_runstat *stat,
		      double values[LW_REPORT_FIGURES])
{
	const struct lw_metrics *m = &stat->metrics;
	const struct lw_told *told = &stat->told;
	const struct lw_locality *places = &stat->places;
	const struct lw_fairness *fares = &stat->fairness;
	double *next = values;

#define LW_PART(heading, shown, ratios)       *next++ = (shown) ? 1 : -1;
#define LW_ROW(name, key, form, known, value) *next++ = (known) ? (double)(value) : NAN;
#define LW_MORE(form)                         *next++ = 1;
#include "cli/report/report.def"
#undef LW_PART
#undef LW_ROW
#undef LW_MORE
}
