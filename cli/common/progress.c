/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far a job says that it is, and what that tells. */
#include "cli/common/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/grow.h"
#include "base/when.h"
#include "cli/common/rows.h"
#include "cli/common/slurmcall.h"

void lw_progress_read(const char *comment, int64_t start_s, int64_t now_s,
		      struct lw_progress *ret_progress)
{
	struct lw_progress progress = { .limit_s = 0 };

	progress.reports = lw_pace_read(comment, &progress.pace);
	if (!progress.reports || start_s < 0 ||
	    !lw_pace_end(&progress.pace, start_s, now_s, &progress.done_s))
		progress.done_s = 0;
	*ret_progress = progress;
}

void lw_progress_ask(const char *job, int64_t start_s, int64_t now_s,
		     struct lw_progress *ret_progress)
{
	struct lw_strbuf comment = LW_STRBUF_INIT;
	struct lw_error why;
	int64_t limit_s = 0;

	*ret_progress = (struct lw_progress){ .reports = false };
	if (!lw_slurm_comment(job, &comment, &limit_s, &why)) {
		lw_progress_read(lw_strbuf_text(&comment), start_s, now_s, ret_progress);
		ret_progress->limit_s = limit_s;
	}
	lw_strbuf_fini(&comment);
}

/* ---- as text and as JSON ---- */

static void progress_add_steps(const struct lw_progress *progress, struct lw_strbuf *line)
{
	lw_strbuf_add(line, "%" PRIu64, progress->pace.step);
	if (progress->pace.of)
		lw_strbuf_add(line, " of %" PRIu64, progress->pace.of);
}

void lw_progress_tell(const struct lw_progress *progress, int64_t now_s, struct lw_strbuf *line)
{
	char when[LW_WHEN_MAX];

	if (!progress->reports)
		return;
	progress_add_steps(progress, line);
	if (progress->pace.at_s)
		lw_strbuf_add(line, ", %s", lw_when_tell(progress->pace.at_s, now_s, when));
	if (progress->done_s)
		lw_strbuf_add(line, "; at that rate done %s",
			      lw_when_tell(progress->done_s, now_s, when));
	if (progress->done_s && progress->limit_s && progress->done_s > progress->limit_s)
		lw_strbuf_add(line, ", but its time limit ends it %s",
			      lw_when_tell(progress->limit_s, now_s, when));
}

/* In a unit in which it is at least one, if any does. */
static void progress_add_rate(double per_s, struct lw_strbuf *line)
{
	if (per_s >= 1)
		lw_strbuf_add(line, ", %.1f a second", per_s);
	else if (per_s * 60 >= 1)
		lw_strbuf_add(line, ", %.1f a minute", per_s * 60);
	else
		lw_strbuf_add(line, ", %.1f an hour", per_s * 3600);
}

void lw_progress_tell_rate(const struct lw_progress *progress, int64_t now_s,
			   struct lw_strbuf *line)
{
	double per_s = lw_pace_rate(&progress->pace);
	char left[32];

	if (!progress->reports)
		return;
	progress_add_steps(progress, line);
	if (per_s > 0)
		progress_add_rate(per_s, line);
	if (!now_s || progress->done_s <= now_s)
		return;
	lw_duration_print(progress->done_s - now_s, left, sizeof(left));
	lw_strbuf_add(line, ", %s left", left);
	if (progress->limit_s && progress->done_s > progress->limit_s)
		lw_strbuf_add(line, ", more than its time limit has");
}

static json_t *progress_number(uint64_t number)
{
	return number ? json_integer((json_int_t)number) : json_null();
}

void lw_progress_set(json_t *o, const struct lw_progress *progress)
{
	double per_s = lw_pace_rate(&progress->pace);

	if (!progress->reports)
		return;
	json_object_set_new(o, "progress_step", json_integer((json_int_t)progress->pace.step));
	json_object_set_new(o, "progress_of", progress_number(progress->pace.of));
	json_object_set_new(o, "progress_s", progress_number((uint64_t)progress->pace.at_s));
	json_object_set_new(o, "progress_per_s", per_s > 0 ? json_real(per_s) : json_null());
	json_object_set_new(o, "progress_done_s", progress_number((uint64_t)progress->done_s));
}

/* ---- all of a user ---- */

struct lw_progress_of {
	char *job;
	struct lw_progress progress;
};

/* Its Comment, which its user writes, stands last. */
static const enum lw_column progress_needs[] = { LW_COL_JOB, LW_COL_START, LW_COL_END,
						 LW_COL_USER_COMMENT, LW_COL_END_OF_LIST };

static int64_t progress_time(const struct lw_row *row, enum lw_column column, int64_t otherwise)
{
	int64_t at_s;

	return lw_row_value(row, column, &at_s, NULL) || at_s < 0 ? otherwise : at_s;
}

static int progress_take(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_progresses *all = to;
	struct lw_progress_of item = { .job = NULL };

	(void)err;
	lw_progress_read(row->user_comment, progress_time(row, LW_COL_START, -1), all->now_s,
			 &item.progress);
	if (!item.progress.reports)
		return 0;
	item.progress.limit_s = progress_time(row, LW_COL_END, 0);
	if (lw_grow((void **)&all->items, &all->room, all->count + 1, sizeof(item)))
		return -ENOMEM;
	item.job = strdup(row->job);
	all->items[all->count++] = item;
	return item.job ? 0 : -ENOMEM;
}

int lw_progresses_ask(const char *bin, const char *which, const char *value, int64_t now_s,
		      struct lw_progresses *ret_all)
{
	const char *options[] = { which, value, "-t", "RUNNING", NULL };
	struct lw_progresses all = { .now_s = now_s };
	struct lw_rows rows = {
		.needs = progress_needs, .of_squeue = true, .lenient = true, .take = progress_take
	};
	struct lw_error why;
	int rc;

	rows.to = &all;
	lw_slurm_environment();
	rc = lw_rows_ask(&rows, bin, options, &why);
	if (rc) {
		lw_progresses_fini(&all);
		return rc == -ENOMEM ? rc : 0;
	}
	*ret_all = all;
	return 0;
}

const struct lw_progress *lw_progresses_find(const struct lw_progresses *all, const char *job)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (!job || strcmp(all->items[i].job, job) == 0)
			return &all->items[i].progress;
	return NULL;
}

void lw_progresses_fini(struct lw_progresses *all)
{
	for (uint32_t i = 0; i < all->count; i++)
		free(all->items[i].job);
	free(all->items);
	*all = (struct lw_progresses){ .count = 0 };
}
