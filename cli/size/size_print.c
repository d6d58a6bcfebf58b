/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway size: as a table for each kind of jobs. */
#include "cli/size/size.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fold.h"
#include "cli/common/tools.h"

/* More kinds of jobs than a person reads; JSON has all. */
#define PRINT_KINDS_MOST 20
#define PRINT_CELL       32

/* A step takes less than a second, a run days. */
static void print_seconds(double seconds, char cell[PRINT_CELL])
{
	char limit[LW_RUNS_LIMIT_TEXT];

	if (seconds < 60)
		snprintf(cell, PRINT_CELL, "%.3g s", seconds);
	else
		snprintf(cell, PRINT_CELL, "%s", lw_runs_limit((int64_t)(seconds + 0.5), limit));
}

static void print_wait(const struct lw_size_values *waits, char cell[PRINT_CELL])
{
	if (waits->count)
		print_seconds(lw_size_quantile(waits, 50), cell);
	else
		snprintf(cell, PRINT_CELL, "-");
}

static void print_rate(const struct lw_size_told *told, uint32_t i)
{
	const struct lw_size_rate *rate = &told->rates[i];
	char took[PRINT_CELL], wait[PRINT_CELL], range[PRINT_CELL] = "";

	print_seconds(rate->unit_s, took);
	print_wait(&rate->point->wait_s, wait);
	if (i)
		snprintf(range, sizeof(range), " (%.0f-%.0f)", 100 * rate->efficiency_low,
			 100 * rate->efficiency_high);
	printf("  %5" PRIu32 " %5" PRIu32 " %12s %8.2f %4.0f %%%-10s %10.3g %12s%s\n",
	       rate->point->size, rate->point->unit_s[told->work].count, took, rate->speedup,
	       100 * rate->efficiency, range, rate->gpu_s / 3600, wait,
	       i == told->good && told->count > 1 ? "  <" : "");
}

static void print_head(const struct lw_size_kind *kind, const struct lw_size_told *told)
{
	static const char *const works[] = { "all steps of a job, by its progress",
					     "one step, by the jobs' progress",
					     "a run that ended well" };

	printf("%s", *kind->name ? lw_tools_plain(kind->name) : "(no name)");
	if (*kind->type)
		printf(" on %s", lw_tools_plain(kind->type));
	printf(", the time of %s\n", works[told->work]);
	printf("  %5s %5s %12s %8s %6s%-10s %10s %12s\n", kind->of_nodes ? "nodes" : "GPUs",
	       "runs", "half by", "speed-up", "effic.", "", kind->of_nodes ? "node-h" : "GPU-h",
	       "wait half");
}

static void print_line(const char *head, const struct lw_strbuf *words)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	if (!words->len)
		return;
	lw_strbuf_add(&text, "  %-7s", head);
	lw_fold(lw_strbuf_text(words), "          ", lw_tools_width(), &text);
	puts(lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

static int print_kind(const struct lw_size_kind *kind)
{
	struct lw_strbuf advice = LW_STRBUF_INIT, sure = LW_STRBUF_INIT;
	struct lw_size_told told;

	if (lw_size_judge(kind, &told))
		return -ENOMEM;
	print_head(kind, &told);
	for (uint32_t i = 0; i < told.count; i++)
		print_rate(&told, i);
	lw_size_words(kind, &told, &advice, &sure);
	print_line("advice", &advice);
	print_line("how", &sure);
	lw_strbuf_fini(&advice);
	lw_strbuf_fini(&sure);
	free(told.rates);
	return 0;
}

static void print_no_jobs(const struct lw_size_kinds *kinds)
{
	printf("no job");
	if (kinds->wanted)
		printf(" %s", lw_tools_plain(kinds->wanted));
	printf(" of %s%s started in that time\n", kinds->user ? "user " : "yours",
	       kinds->user ? lw_tools_plain(kinds->user) : "");
}

int lw_size_print(const struct lw_size_kinds *kinds)
{
	int rc = 0;

	if (!kinds->count)
		print_no_jobs(kinds);
	for (uint32_t i = 0; !rc && i < kinds->count && i < PRINT_KINDS_MOST; i++) {
		printf("%s", i ? "\n" : "");
		rc = print_kind(&kinds->kinds[i]);
	}
	if (!rc && kinds->count > PRINT_KINDS_MOST)
		printf("\nand %" PRIu32 " more with fewer jobs: leeway size NAME, or --json\n",
		       kinds->count - PRINT_KINDS_MOST);
	return rc;
}
