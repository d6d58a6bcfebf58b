/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history show: what a history knows, user by user. */
#include "cli/history/history.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grow.h"
#include "base/savefile.h"
#include "cli/common/field.h"
#include "cli/common/json.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "predictor/predict.h"

/* One line of the table: a user, or a user with one of the user's limits. */
struct row {
	uint32_t user;
	int64_t limit_s; /* 0: all of the user's */
	uint32_t runs;
	uint32_t cut;
	int64_t last_end_s;
	int64_t median_s;
	int64_t mean_s;
	int64_t q90_s;
};

struct rows {
	struct row *rows;
	uint32_t count;
	uint32_t room;
};

int lw_history_read(const char *file, const struct lw_savefile *kind, char **ret_text,
		    size_t *ret_size, struct lw_error *err)
{
	const struct lw_savefile input = { "(standard input)", kind->kind, kind->version };
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (strcmp(file, "-") != 0) {
		lw_origin_add_file(file);
		return lw_savefile_read(file, kind->kind, kind->version, ret_text, ret_size, err);
	}
	rc = lw_tools_read_text(file, &text, err);
	if (!rc && !text.len)
		rc = lw_error_set(err, -EBADMSG, "(standard input): empty");
	if (!rc)
		return lw_savefile_take(&input, text.text, text.len, ret_text, ret_size, err);
	lw_strbuf_fini(&text);
	return rc;
}

static int history_load(const struct lw_history_request *request, struct lw_history **ret_history,
			struct lw_error *err)
{
	static const struct lw_savefile kind = { NULL, LW_HISTORY_FILE_KIND,
						 LW_HISTORY_FILE_VERSION };
	char *text;
	size_t size;
	int rc = lw_history_read(request->file, &kind, &text, &size, err);

	if (rc)
		return rc;
	rc = lw_history_parse(text, size,
			      request->keys_max ? request->keys_max : LW_HISTORY_KEYS_MAX,
			      ret_history, err);
	free(text);
	return rc ? lw_error_prefix(err, rc, "%s: ", request->file) : 0;
}

/* A user as a whole has no limit: the longest run stands in, so nothing is made up beyond it. */
static void fill_row(struct row *row, const struct lw_history *history,
		     const struct lw_history_view *view)
{
	const struct lw_history_key key = {
		.user = view->who,
		.partition = LW_HISTORY_NOBODY,
		.limit_s = view->limit_s ? view->limit_s : (int64_t)lw_window_last(view->window),
	};
	const struct lw_window *window = view->window;

	row->user = view->who;
	row->limit_s = view->limit_s;
	row->runs = window->count;
	row->last_end_s = lw_window_turn(window, window->count - 1)->end_s;
	for (uint32_t i = 0; i < window->count; i++)
		row->cut += window->samples[i].cut;
	row->median_s = lw_predict_quantile(history, &key, 0, 0.5);
	row->mean_s = lw_predict_mean(history, &key, 0);
	row->q90_s = lw_predict_quantile(history, &key, 0, 0.9);
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	return a->limit_s < b->limit_s ? -1 : a->limit_s > b->limit_s;
}

/* The rows of one user, or one for each user for UINT32_MAX. */
static int list_rows(const struct lw_history *history, uint32_t who, struct rows *rows)
{
	struct lw_history_view view;
	uint32_t cursor = 0;

	while (lw_history_next(history, &cursor, &view)) {
		bool whole = view.level == LW_HISTORY_USER;

		if (!whole && (view.level != LW_HISTORY_USER_LIMIT || view.who != who))
			continue;
		if (who != LW_HISTORY_NOBODY && view.who != who)
			continue;
		if (lw_grow((void **)&rows->rows, &rows->room, rows->count + 1,
			    sizeof(rows->rows[0])))
			return -ENOMEM;
		memset(&rows->rows[rows->count], 0, sizeof(rows->rows[0]));
		fill_row(&rows->rows[rows->count++], history, &view);
	}
	if (rows->count)
		qsort(rows->rows, rows->count, sizeof(rows->rows[0]), compare_rows);
	return 0;
}

const char *lw_history_user_name(uint32_t user)
{
	/* Debian, Fedora and their kin begin with people here; root may run jobs */
	return user && user < 1000 ? "-" : lw_tools_user_name(user);
}

const char *lw_history_clock(int64_t at_s, char buf[LW_HISTORY_CLOCK_MAX])
{
	time_t at = (time_t)at_s;
	struct tm tm;

	if (!localtime_r(&at, &tm) || !strftime(buf, LW_HISTORY_CLOCK_MAX, "%Y-%m-%d %H:%M", &tm))
		snprintf(buf, LW_HISTORY_CLOCK_MAX, "-");
	return buf;
}

/* Its texts may be in CLOCK. */
static struct lw_fields history_fields(const struct row *row, char clock[LW_HISTORY_CLOCK_MAX])
{
	const char *all = row->limit_s ? NULL : "all";

	return (struct lw_fields){ {
		{ "user", "user", 10, .value = row->user },
		{ NULL, "name", -16, LW_FIELD_TEXT, .text = lw_history_user_name(row->user) },
		{ "limit_s", "limit_s", 10, .value = row->limit_s ? row->limit_s : -1,
		  .text = all },
		{ "runs", "runs", 5, .value = row->runs },
		{ "cut", "cut", 4, .value = row->cut },
		{ "median_s", "median_s", 10, .value = row->median_s },
		{ "mean_s", "mean_s", 10, .value = row->mean_s },
		{ "q90_s", "q90_s", 10, .value = row->q90_s },
		{ "last_end_s", "last_end", 16, .value = row->last_end_s,
		  .text = lw_history_clock(row->last_end_s, clock) },
	} };
}

static void print_table(const struct lw_history *history, const struct rows *rows)
{
	const struct row none = { 0 };
	struct lw_history_stats stats;
	char clock[LW_HISTORY_CLOCK_MAX];

	lw_history_stats(history, &stats);
	printf("%" PRIu64 " jobs learned, %" PRIu32 " keys, %" PRIu64 " given up\n", stats.jobs,
	       stats.keys, stats.evicted);
	printf("To cover 90 %% of runs, the %.1f %% quantile is used (corrected by past "
	       "misses).\n\n",
	       100 * lw_calibration_level(lw_history_calibration(history), 0.9));
	lw_fields_print_titles(history_fields(&none, clock), "");
	for (uint32_t i = 0; i < rows->count; i++)
		lw_fields_print(history_fields(&rows->rows[i], clock), "");
	lw_history_print_types(history);
}

static int print_json(const char *path, const struct lw_history *history, const struct rows *rows,
		      struct lw_error *err)
{
	struct lw_history_stats stats;
	json_t *o = json_object(), *list = json_array();
	char clock[LW_HISTORY_CLOCK_MAX];

	lw_history_stats(history, &stats);
	json_object_set_new(o, "jobs", json_integer((json_int_t)stats.jobs));
	json_object_set_new(o, "keys", json_integer(stats.keys));
	json_object_set_new(o, "evicted", json_integer((json_int_t)stats.evicted));
	json_object_set_new(
		o, "level_for_q90",
		json_real(lw_calibration_level(lw_history_calibration(history), 0.9)));
	for (uint32_t i = 0; i < rows->count; i++)
		json_array_append_new(
			list, lw_fields_json(history_fields(&rows->rows[i], clock), true));
	json_object_set_new(o, "users", list);
	return lw_output_json(path, lw_json_named("leeway.history", o), err);
}

static int show_all(const struct lw_history_request *request, const struct lw_history *history,
		    struct rows *rows, struct lw_error *err)
{
	uint32_t who = LW_HISTORY_NOBODY;
	int rc = request->user ? lw_tools_find_user(request->user, &who, err) : 0;

	if (rc)
		return rc;
	if (request->gpus)
		return lw_history_show_gpus(history, who, request->json, err);
	if (request->types)
		return lw_history_show_types(history, who, request->json, err);
	if (list_rows(history, who, rows))
		return lw_error_set(err, -ENOMEM, "out of memory");
	if (request->user && !rows->count)
		return lw_error_set(err, -ENODATA, "%s: nothing known of user %s", request->file,
				    request->user);
	if (request->json)
		return print_json(request->json, history, rows, err);
	print_table(history, rows);
	return 0;
}

int lw_history_show(const struct lw_history_request *request, struct lw_error *err)
{
	struct lw_history *history;
	struct rows rows = { 0 };
	int rc;

	if (request->share)
		return lw_history_show_share(request, err);
	rc = history_load(request, &history, err);
	if (rc)
		return rc;
	rc = show_all(request, history, &rows, err);
	free(rows.rows);
	lw_history_destroy(history);
	return rc;
}
