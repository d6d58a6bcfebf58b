/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a history as text and back (doc/dev/format-history.txt). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "predictor/history_scan.h"

static const char *const level_names[LW_HISTORY_LEVELS] = {
	"limit", "partition", "user", "user+limit",
};

static void history_text_print_key(const struct lw_history_entry *entry, struct lw_strbuf *out)
{
	int64_t before_s = 0;

	lw_strbuf_add(out, "key %s %" PRIu32 " %" PRIu32 " %" PRIu64,
		      level_names[entry->tag.level], entry->tag.who, entry->tag.limit_s,
		      entry->stamp);
	for (uint32_t turn = 0; turn < entry->window.count; turn++) {
		const struct lw_window_sample *sample = lw_window_turn(&entry->window, turn);

		/* differences of ends, since they are short */
		lw_strbuf_add(out, " %" PRIu32 "%s", sample->run_s, sample->cut ? "x" : "");
		if (sample->width)
			lw_strbuf_add(out, "@%" PRIu32, (uint32_t)sample->width);
		lw_strbuf_add(out, " %" PRId64, sample->end_s - before_s);
		before_s = sample->end_s;
	}
	lw_strbuf_add(out, "\n");
}

/* A line goes on with what some job told of. */
static bool history_text_has_traffic(const struct lw_habit *habit)
{
	return habit->nvlink_jobs || habit->pcie_jobs;
}

static bool history_text_has_gpm(const struct lw_habit *habit)
{
	return habit->sm_jobs || habit->tensor_jobs || habit->membw_jobs;
}

static void history_text_print_habit(const struct lw_habit *habit, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "gpu %" PRIu32 " %s %" PRIu32 " %" PRIu64, habit->key.user,
		      tag_name(habit->key.tag), habit->key.limit_s, habit->stamp);
	lw_strbuf_add(out, " %" PRIu32 " %" PRIu32 " %" PRIu32, habit->jobs, habit->util_jobs,
		      habit->mem_jobs);
	lw_strbuf_add(out, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, habit->util,
		      habit->idle, habit->mem, habit->mem_max_mib);
	if (history_text_has_traffic(habit) || history_text_has_gpm(habit))
		lw_strbuf_add(out, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32,
			      habit->nvlink_jobs, habit->pcie_jobs, habit->nvlink, habit->pcie);
	if (history_text_has_gpm(habit))
		lw_strbuf_add(out,
			      " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
			      " %" PRIu32,
			      habit->sm_jobs, habit->tensor_jobs, habit->membw_jobs, habit->sm,
			      habit->tensor, habit->membw);
	lw_strbuf_add(out, "\n");
}

int lw_history_print(const struct lw_history *history, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "jobs %" PRIu64 " evicted %" PRIu64 "\ncalibration",
		      history->stats.jobs, history->stats.evicted);
	for (int i = 0; i < LW_CALIBRATION_BINS; i++)
		lw_strbuf_add(out, " %" PRId64, history->calibration.bins[i]);
	lw_strbuf_add(out, "\n");
	for (uint32_t at = history->all.oldest; at != LW_HISTORY_NONE;
	     at = history->entries[at].newer[LW_HISTORY_ALL])
		history_text_print_key(&history->entries[at], out);
	for (uint32_t i = 0; i < history->habits.count; i++)
		history_text_print_habit(&history->habits.entries[i], out);
	lw_speeds_print(&history->speeds, out);
	return out->error;
}

static int history_text_read_head(struct scan *scan, struct lw_history *history)
{
	if (!history_take(scan, "jobs ") || !take_number(scan, INT64_MAX, &history->stats.jobs) ||
	    !history_take(scan, " evicted ") ||
	    !take_number(scan, INT64_MAX, &history->stats.evicted) || !history_take(scan, "\n"))
		return history_bad(scan, "not \"jobs N evicted N\"");
	scan->line++;
	return 0;
}

static int history_text_read_calibration(struct scan *scan,
					 struct lw_calibration *ret_calibration)
{
	int64_t sum = 0;

	if (!history_take(scan, "calibration"))
		return history_bad(scan, "not \"calibration ...\"");
	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		uint64_t bin;

		if (!history_take(scan, " ") || !take_number(scan, LW_CALIBRATION_WHOLE, &bin) ||
		    !bin)
			return history_bad(scan, "a bin is missing or is no number above 0");
		ret_calibration->bins[i] = (int64_t)bin;
		sum += ret_calibration->bins[i];
	}
	if (sum != LW_CALIBRATION_WHOLE)
		return history_bad(scan, "the bins do not add up");
	if (!history_take(scan, "\n"))
		return history_bad(scan, "more bins than there should be");
	scan->line++;
	return 0;
}

static bool history_text_take_level(struct scan *scan, enum lw_history_level *ret_level)
{
	/* from the end: "user" begins "user+limit" */
	for (int level = LW_HISTORY_LEVELS; level-- > 0;) {
		if (history_take(scan, level_names[level])) {
			*ret_level = (enum lw_history_level)level;
			return true;
		}
	}
	return false;
}

static int history_text_read_tag(struct scan *scan, const struct lw_history *history,
				 struct lw_history_tag *ret_tag, uint64_t *ret_stamp)
{
	uint64_t who, limit_s;
	bool limited;

	if (!history_take(scan, "key ") || !history_text_take_level(scan, &ret_tag->level) ||
	    !history_take(scan, " ") || !take_number(scan, LW_HISTORY_NOBODY - 1, &who) ||
	    !history_take(scan, " ") || !take_number(scan, LW_HISTORY_TIME_MAX_S, &limit_s) ||
	    !history_take(scan, " ") || !take_number(scan, history->stats.jobs, ret_stamp))
		return history_bad(scan, "not \"key LEVEL OWNER LIMIT STAMP\"");
	limited = ret_tag->level != LW_HISTORY_USER;
	if (limited != (limit_s > 0) || (ret_tag->level == LW_HISTORY_LIMIT && who))
		return history_bad(scan, "this level has no such owner or limit");
	ret_tag->who = (uint32_t)who;
	ret_tag->limit_s = (uint32_t)limit_s;
	return 0;
}

static int history_text_read_sample(struct scan *scan, enum lw_history_level level,
				    struct lw_window_sample *sample)
{
	uint64_t run_s, step, width = 0;
	bool back;

	if (!take_number(scan, LW_HISTORY_TIME_MAX_S, &run_s))
		return history_bad(scan, "a run time is no number of seconds");
	sample->cut = history_take(scan, "x");
	if (history_take(scan, "@") &&
	    (level != LW_HISTORY_USER_LIMIT || !take_number(scan, LW_WINDOW_WIDTH_MAX, &width) ||
	     !width))
		return history_bad(scan, "no width belongs here, or it is no number above 0");
	if (!history_take(scan, " "))
		return history_bad(scan, "a run time stands without its end");
	back = history_take(scan, "-");
	if (!take_number(scan, LW_HISTORY_CLOCK_MAX_S * 2, &step) || (back && !step))
		return history_bad(scan, "an end is no number of seconds");
	sample->run_s = (uint32_t)run_s;
	sample->width = width & LW_WINDOW_WIDTH_MAX;
	sample->end_s += back ? -(int64_t)step : (int64_t)step;
	if (sample->end_s > LW_HISTORY_CLOCK_MAX_S || sample->end_s < -LW_HISTORY_CLOCK_MAX_S)
		return history_bad(scan, "an end is out of range");
	return 0;
}

/* The file names no user for a key of a limit or partition: the key counts as of several. */
static uint32_t history_text_owner_of(const struct lw_history_tag *tag)
{
	bool by_user = tag->level == LW_HISTORY_USER || tag->level == LW_HISTORY_USER_LIMIT;

	return by_user ? tag->who : LW_HISTORY_NOBODY;
}

static int history_text_read_key(struct scan *scan, struct lw_history *history)
{
	struct lw_window_sample sample = { 0 };
	struct lw_history_entry *entry;
	struct lw_history_tag tag;
	uint64_t stamp = 0;
	int rc = history_text_read_tag(scan, history, &tag, &stamp);

	if (!rc)
		rc = lw_history_entry_add(history, &tag, history_text_owner_of(&tag), &entry);
	if (rc)
		return rc;
	if (entry->window.count)
		return history_bad(scan, "the key stands twice");
	entry->stamp = stamp;
	do {
		if (entry->window.count == LW_WINDOW_SAMPLES)
			return history_bad(scan, "more samples than a key holds");
		if (!history_take(scan, " "))
			return history_bad(scan, "a sample is missing or the line does not end");
		rc = history_text_read_sample(scan, tag.level, &sample);
		if (rc)
			return rc;
		lw_window_add(&entry->window, &sample);
	} while (!history_take(scan, "\n"));
	scan->line++;
	return 0;
}

/* The line ends, or tells of what GPM alone knows, where some job had that. */
static bool history_text_take_gpm(struct scan *scan, struct lw_habit *habit)
{
	if (history_take(scan, "\n"))
		return history_text_has_traffic(habit);
	return take_field(scan, habit->jobs, &habit->sm_jobs) &&
	       take_field(scan, habit->jobs, &habit->tensor_jobs) &&
	       take_field(scan, habit->jobs, &habit->membw_jobs) && history_text_has_gpm(habit) &&
	       take_field(scan, 100 * LW_HABIT_ONE, &habit->sm) &&
	       take_field(scan, 100 * LW_HABIT_ONE, &habit->tensor) &&
	       take_field(scan, 100 * LW_HABIT_ONE, &habit->membw) && history_take(scan, "\n");
}

/* The line ends, or tells of traffic, and perhaps more. */
static bool history_text_take_traffic(struct scan *scan, struct lw_habit *habit)
{
	if (history_take(scan, "\n"))
		return true;
	return take_field(scan, habit->jobs, &habit->nvlink_jobs) &&
	       take_field(scan, habit->jobs, &habit->pcie_jobs) &&
	       take_field(scan, UINT32_MAX, &habit->nvlink) &&
	       take_field(scan, UINT32_MAX, &habit->pcie) && history_text_take_gpm(scan, habit);
}

static bool history_text_take_habit(struct scan *scan, const struct lw_history *history,
				    struct lw_habit *habit)
{
	struct lw_habit_key *key = &habit->key;
	uint64_t user;

	if (!take_number(scan, LW_HISTORY_NOBODY - 1, &user) || !history_take(scan, " ") ||
	    !take_tag(scan, &key->tag) ||
	    !take_field(scan, LW_HISTORY_TIME_MAX_S, &key->limit_s) || !key->limit_s ||
	    !history_take(scan, " ") || !take_number(scan, history->stats.jobs, &habit->stamp))
		return false;
	key->user = (uint32_t)user;
	return take_field(scan, UINT32_MAX, &habit->jobs) &&
	       take_field(scan, habit->jobs, &habit->util_jobs) &&
	       take_field(scan, habit->jobs, &habit->mem_jobs) &&
	       take_field(scan, 100 * LW_HABIT_ONE, &habit->util) &&
	       take_field(scan, 1000 * LW_HABIT_ONE, &habit->idle) &&
	       take_field(scan, UINT32_MAX, &habit->mem) &&
	       take_field(scan, UINT32_MAX, &habit->mem_max_mib) &&
	       history_text_take_traffic(scan, habit);
}

static int history_text_read_habit(struct scan *scan, struct lw_history *history)
{
	struct lw_habit habit = { 0 };
	int rc;

	if (!history_text_take_habit(scan, history, &habit))
		return history_bad(scan,
				   "not \"gpu USER TAG LIMIT STAMP\" and 7, 11 or 17 numbers");
	rc = lw_habits_append(&history->habits, &habit);
	if (rc == -EINVAL || rc == -ENOSPC)
		return history_bad(scan, rc == -EINVAL
						 ? "GPU jobs that stand twice or out of order"
						 : "more lines on GPUs than a history has");
	scan->line++;
	return rc;
}

static bool history_text_is_next(const struct scan *scan, const char *word)
{
	struct scan ahead = *scan;

	return history_take(&ahead, word);
}

int lw_history_parse(const char *text, size_t size, uint32_t keys_max,
		     struct lw_history **ret_history, struct lw_error *err)
{
	struct scan scan = { text, text + size, 1, err };
	struct lw_history *history;
	int rc = lw_history_create(keys_max, &history);

	if (rc)
		return lw_error_set(err, rc, "%s", rc == -ENOMEM ? "out of memory"
								 : "too many keys asked for");
	rc = history_text_read_head(&scan, history);
	if (!rc)
		rc = history_text_read_calibration(&scan, &history->calibration);
	while (!rc && history_text_is_next(&scan, "key "))
		rc = history_text_read_key(&scan, history);
	while (!rc && history_take(&scan, "gpu "))
		rc = history_text_read_habit(&scan, history);
	if (!rc)
		rc = lw_speeds_parse(&scan, history->stats.jobs, &history->speeds);
	if (rc == -ENOMEM)
		lw_error_set(err, rc, "out of memory");
	if (rc) {
		lw_history_destroy(history);
		return rc;
	}
	*ret_history = history;
	return 0;
}
