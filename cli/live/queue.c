/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: why jobs wait, and which starts were promised. */
#include "cli/live/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/when.h"
#include "cli/chart/chart.h"
#include "planner/model/statement.h"

/* ---- reasons ---- */

/* Our own words are one for each job; they are counted together. */
#define PLANNED "planned "

struct count {
	const char *reason;
	uint64_t jobs;
};

static const char *reason_of(const struct lw_live_job *job)
{
	return strncmp(job->reason, PLANNED, strlen(PLANNED)) == 0
		       ? "planned, with nodes and time"
		       : job->reason;
}

static int most_first(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	return strcmp(x->reason, y->reason);
}

static int count_job(struct lw_lookup *places, struct count *counts, uint32_t *count,
		     const struct lw_live_job *job)
{
	const char *reason = reason_of(job);
	uint64_t key = lw_hash_mix_bytes(LW_HASH_BEGIN, reason, strlen(reason));
	uint32_t at;

	if (!lw_lookup_get(places, key, &at) || strcmp(counts[at].reason, reason) != 0) {
		at = (*count)++;
		if (lw_lookup_put(places, key, at))
			return -ENOMEM;
		counts[at].reason = reason;
	}
	counts[at].jobs += job->tasks;
	return 0;
}

/* For free(), most first; NULL: out of memory. */
static struct count *count_reasons(const struct live *live, uint32_t *ret_count)
{
	struct count *counts = calloc((size_t)live->job_count + 1, sizeof(*counts));
	struct lw_lookup places = { 0 };
	int rc = counts ? 0 : -ENOMEM;

	*ret_count = 0;
	for (uint32_t j = 0; !rc && j < live->job_count; j++)
		if (!live->jobs[j].runs)
			rc = count_job(&places, counts, ret_count, &live->jobs[j]);
	lw_lookup_fini(&places);
	if (!rc) {
		qsort(counts, *ret_count, sizeof(*counts), most_first);
		return counts;
	}
	free(counts);
	return NULL;
}

void lw_live_show_reasons(const struct live *live, struct lw_strbuf *sb)
{
	uint32_t count;
	struct count *counts = count_reasons(live, &count);
	uint64_t others = 0;

	if (!counts) {
		sb->error = -ENOMEM;
		return;
	}
	lw_live_heading(sb, "Why jobs wait");
	if (!count)
		lw_strbuf_add(sb, "<p>No job waits.</p>\n");
	else
		lw_page_table(sb);
	for (uint32_t i = 0; i < count && i < LIVE_REASON_ROWS; i++) {
		lw_strbuf_add(sb, "<tr>");
		lw_live_cell(sb, "td", counts[i].reason);
		lw_strbuf_add(sb, "<td>%" PRIu64 "</td></tr>\n", counts[i].jobs);
	}
	for (uint32_t i = LIVE_REASON_ROWS; i < count; i++)
		others += counts[i].jobs;
	if (others)
		lw_strbuf_add(sb,
			      "<tr><td>%" PRIu32 " other reasons</td><td>%" PRIu64 "</td></tr>\n",
			      count - LIVE_REASON_ROWS, others);
	if (count)
		lw_page_table_end(sb);
	free(counts);
}

/* ---- promises ---- */

static void add_totals(const struct live *live, struct lw_strbuf *sb)
{
	const struct lw_promise_totals *totals = &live->totals;

	lw_strbuf_add(sb,
		      "<p>Made: %" PRIu64 ". Kept: %" PRIu64 ", of them later than first shown: "
		      "%" PRIu64 ". Broken: %" PRIu64 ". Withdrawn: %" PRIu64 ". Open: %" PRIu32
		      ".</p>\n",
		      totals->made, totals->kept, totals->later, totals->broken,
		      lw_promise_withdrawn(totals), live->promise_count);
}

struct open_promise {
	const char *job;
	int64_t shown_s, latest_s, planned_s;
	bool fails;
};

static void add_clock(const struct live *live, int64_t at_s, struct lw_strbuf *sb)
{
	char clock[LW_WHEN_MAX];

	lw_live_cell(sb, "td", at_s < 0 ? "-" : lw_when_tell(at_s, live->now_s, clock));
}

static void add_open(const struct live *live, const struct open_promise *open,
		     struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<tr><td>");
	lw_chart_add_text(sb, open->job);
	lw_strbuf_add(sb, "</td>");
	add_clock(live, open->shown_s, sb);
	add_clock(live, open->planned_s, sb);
	add_clock(live, open->latest_s, sb);
	lw_strbuf_add(sb, "<td>%s</td></tr>\n", open->fails ? "will be late" : "");
}

static void begin_open(struct lw_strbuf *sb)
{
	lw_page_table(sb);
	lw_strbuf_add(sb, "<thead><tr><th>promised to job</th><th>first shown</th>"
			  "<th>planned now</th><th>at the latest</th><th></th></tr></thead>\n");
}

/* The waiting job, or array, ID; NULL: there is none. */
static const struct lw_live_job *waiting_of(const struct live *live, const char *id)
{
	size_t len = strlen(id);

	for (uint32_t j = 0; j < live->job_count; j++)
		if (!live->jobs[j].runs && strncmp(live->jobs[j].id, id, len) == 0 &&
		    (!live->jobs[j].id[len] || live->jobs[j].id[len] == '_'))
			return &live->jobs[j];
	return NULL;
}

/* What is said of JOB tells whether it is late; the file may know a promise that it has not. */
static bool is_late(const struct live *live, const struct lw_live_job *job, int64_t latest_s)
{
	struct lw_statement said = { .at_s = live->now_s, .latest_s = latest_s };

	if (job->latest_s == latest_s || job->start_s < 0)
		return job->fails;
	said.planned_s = job->start_s;
	lw_statement_settle(NULL, &said);
	return said.unkept != 0;
}

static void add_of_file(const struct live *live, const struct lw_promise *promise,
			struct lw_strbuf *sb)
{
	const struct lw_live_job *job;
	char id[16];
	struct open_promise open = { id, promise->start_s, promise->latest_s, LIVE_NONE, false };

	snprintf(id, sizeof(id), "%" PRIu32, promise->job_id);
	job = waiting_of(live, id);
	if (job) {
		open.planned_s = job->start_s;
		open.fails = is_late(live, job, promise->latest_s);
	}
	add_open(live, &open, sb);
}

static void add_by_file(const struct live *live, struct lw_strbuf *sb)
{
	add_totals(live, sb);
	if (live->promise_count)
		begin_open(sb);
	for (uint32_t i = 0; i < live->promise_count && i < LIVE_PROMISE_ROWS; i++)
		add_of_file(live, &live->promises[i], sb);
	if (live->promise_count)
		lw_page_table_end(sb);
	if (live->promise_count > LIVE_PROMISE_ROWS)
		lw_strbuf_add(sb,
			      "<p>%" PRIu32 " more are left out, whose time comes later.</p>\n",
			      live->promise_count - LIVE_PROMISE_ROWS);
}

/* Where the file may not be read, jobs carry the latest start that they were promised. */
static void add_by_jobs(const struct live *live, struct lw_strbuf *sb)
{
	uint32_t shown = 0;

	for (uint32_t j = 0; j < live->job_count; j++) {
		const struct lw_live_job *job = &live->jobs[j];
		struct open_promise open = { job->id, LIVE_NONE, job->latest_s, job->start_s,
					     job->fails };

		if (job->latest_s < 0 || ++shown > LIVE_PROMISE_ROWS)
			continue;
		if (shown == 1)
			begin_open(sb);
		add_open(live, &open, sb);
	}
	if (shown)
		lw_page_table_end(sb);
	lw_strbuf_add(sb, "<p>%" PRIu32 " jobs carry a promised start", shown);
	if (shown > LIVE_PROMISE_ROWS)
		lw_strbuf_add(sb, ", of which %" PRIu32 " are left out",
			      shown - LIVE_PROMISE_ROWS);
	lw_strbuf_add(sb, ". How promises were kept is not known here: ");
	lw_chart_add_text(sb, live->no_promises);
	lw_strbuf_add(sb, "</p>\n");
}

void lw_live_show_promises(const struct live *live, struct lw_strbuf *sb)
{
	lw_live_heading(sb, "Promises");
	if (live->no_promises)
		add_by_jobs(live, sb);
	else
		add_by_file(live, sb);
}
