/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: by when jobs that wait likely start. */
#include "cli/live/live.h"

#include "base/when.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cli/chart/chart.h"

struct likely_row {
	int64_t p50_s;
	uint32_t job;
};

static int by_half(const void *a, const void *b)
{
	const struct likely_row *x = a, *y = b;

	if (x->p50_s != y->p50_s)
		return x->p50_s < y->p50_s ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

/* The jobs with a likely start, the soonest first, for free(); NULL: no memory. */
static struct likely_row *find_likely(const struct live *live, uint32_t *ret_count)
{
	struct likely_row *rows = calloc((size_t)live->job_count + 1, sizeof(*rows));
	uint32_t count = 0;

	for (uint32_t j = 0; rows && j < live->job_count; j++)
		if (live->jobs[j].p50_s >= 0)
			rows[count++] = (struct likely_row){ live->jobs[j].p50_s, j };
	if (rows)
		qsort(rows, count, sizeof(*rows), by_half);
	*ret_count = count;
	return rows;
}

static void likely_clock(const struct live *live, int64_t at_s, struct lw_strbuf *sb)
{
	char clock[LW_WHEN_MAX];

	lw_live_cell(sb, "td", at_s < 0 ? "-" : lw_when_tell(at_s, live->now_s, clock));
}

static void likely_add_row(const struct live *live, const struct lw_live_job *job,
			   struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<tr>");
	lw_live_cell(sb, "td", job->id);
	if (live->users)
		lw_live_cell(sb, "td", job->user);
	likely_clock(live, job->start_s, sb);
	likely_clock(live, job->latest_s, sb);
	likely_clock(live, job->p50_s, sb);
	likely_clock(live, job->p90_s, sb);
	lw_strbuf_add(sb, "</tr>\n");
}

static void begin_likely(const struct live *live, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<p>By then jobs like it started as often as not, and nine times of "
			  "ten.</p>\n");
	lw_page_table(sb);
	lw_strbuf_add(sb,
		      "<thead><tr><th>job</th>%s<th>planned</th><th>at the latest</th>"
		      "<th>half by</th><th>9 of 10 by</th></tr></thead>\n",
		      live->users ? "<th>user</th>" : "");
}

static uint32_t count_waiting(const struct live *live)
{
	uint32_t count = 0;

	for (uint32_t j = 0; j < live->job_count; j++)
		count += !live->jobs[j].runs;
	return count;
}

void lw_live_show_likely(const struct live *live, struct lw_strbuf *sb)
{
	uint32_t count, waiting = count_waiting(live);
	struct likely_row *rows = find_likely(live, &count);

	if (!rows) {
		sb->error = -ENOMEM;
		return;
	}
	lw_live_heading(sb, "Likely starts");
	if (count)
		begin_likely(live, sb);
	for (uint32_t i = 0; i < count && i < LIVE_LIKELY_ROWS; i++)
		likely_add_row(live, &live->jobs[rows[i].job], sb);
	if (count)
		lw_page_table_end(sb);
	if (count > LIVE_LIKELY_ROWS)
		lw_strbuf_add(sb, "<p>%" PRIu32 " more are left out.</p>\n",
			      count - LIVE_LIKELY_ROWS);
	if (waiting > count)
		lw_strbuf_add(sb,
			      "<p>Of %" PRIu32 " that wait nothing is told: the range would be too "
			      "wide to help, too few jobs have started yet, or they do not wait "
			      "for room.</p>\n",
			      waiting - count);
	else if (!count)
		lw_strbuf_add(sb, "<p>No job waits.</p>\n");
	free(rows);
}
