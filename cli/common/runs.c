/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a user's own jobs by accounting, and how long they ran. */
#include "cli/common/runs.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/number.h"
#include "cli/common/options.h"
#include "cli/common/sacct.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"
#include "record/account.h"

#define SINCE_S   (30 * 86400)
#define RUN_MAX_S (INT64_C(1) << 40)

int lw_runs_read(const char *elapsed, int64_t *ret_ran_s)
{
	uint64_t ran_s;

	if (!lw_number_read(elapsed, RUN_MAX_S, &ran_s))
		return -EINVAL;
	*ret_ran_s = (int64_t)ran_s;
	return 0;
}

int lw_runs_add(struct lw_runs *runs, int64_t ran_s)
{
	if (lw_grow((void **)&runs->ran_s, &runs->room, runs->count + 1, sizeof(*runs->ran_s)))
		return -ENOMEM;
	runs->ran_s[runs->count++] = ran_s;
	return 0;
}

static int by_time(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

void lw_runs_sort(struct lw_runs *runs)
{
	if (runs->count)
		qsort(runs->ran_s, runs->count, sizeof(*runs->ran_s), by_time);
}

int64_t lw_runs_ended_by(const struct lw_runs *runs, uint32_t percent)
{
	uint64_t place = ((uint64_t)runs->count * percent + 99) / 100;

	return runs->ran_s[place ? place - 1 : 0];
}

void lw_runs_fini(struct lw_runs *runs)
{
	free(runs->ran_s);
	*runs = (struct lw_runs){ .count = 0 };
}

const char *lw_runs_limit(int64_t limit_s, char buf[LW_RUNS_LIMIT_TEXT])
{
	int hours = (int)(limit_s / 3600 % 24), minutes = (int)(limit_s / 60 % 60);
	int seconds = (int)(limit_s % 60);

	if (limit_s < 0)
		snprintf(buf, LW_RUNS_LIMIT_TEXT, "-");
	else if (limit_s < 86400)
		snprintf(buf, LW_RUNS_LIMIT_TEXT, "%d:%02d:%02d", hours, minutes, seconds);
	else
		snprintf(buf, LW_RUNS_LIMIT_TEXT, "%" PRId64 "-%02d:%02d:%02d", limit_s / 86400,
			 hours, minutes, seconds);
	return buf;
}

int lw_runs_options(const char *usage, struct lw_runs_request *ret_request, int argc, char **argv,
		    struct lw_error *err)
{
	struct lw_runs_request request = { .since_s = SINCE_S };
	const struct lw_option options[] = {
#include "cli/common/runs_options.def"
	};
	int rc = lw_options_read(options, &request, argc, argv, err);

	if (!rc && request.since_s < 1)
		rc = lw_error_set(err, -EINVAL, "--since: at least a second");
	if (!rc && argc != optind)
		rc = lw_options_word("job name", argc, argv, &request.name, err);
	*ret_request = request;
	return rc;
}

static int find_columns(const struct lw_sacct *table, const char *const *columns, int *ret_at,
			struct lw_error *err)
{
	for (int c = 0; columns[c]; c++) {
		ret_at[c] = lw_sacct_column(table, columns[c]);
		if (ret_at[c] < 0)
			return lw_error_set(err, -EINVAL, "sacct printed no column %s",
					    columns[c]);
	}
	return 0;
}

static int add_rows(const struct lw_runs_asked *asked, struct lw_sacct *table,
		    struct lw_error *err)
{
	char **row, *fields[LW_RUNS_COLUMNS_MAX];
	int at[LW_RUNS_COLUMNS_MAX], rc = find_columns(table, asked->columns, at, err);

	while (!rc && (rc = lw_sacct_next_row(table, &row, err)) > 0) {
		for (int c = 0; asked->columns[c]; c++)
			fields[c] = row[at[c]];
		rc = asked->add(asked->to, fields);
		if (rc == -EINVAL)
			lw_sacct_pass_over(table);
		rc = rc == -ENOMEM ? lw_error_set(err, rc, "out of memory") : 0;
	}
	return rc ? rc : lw_sacct_passed(table, asked->command, err);
}

static int read_answer(const struct lw_runs_asked *asked, const char *text, struct lw_error *err)
{
	struct lw_sacct table;
	int rc = lw_sacct_of_text(&table, text, "sacct", err);

	if (rc)
		return rc;
	rc = add_rows(asked, &table, err);
	lw_sacct_fini(&table);
	return rc;
}

int lw_runs_ask(const struct lw_runs_asked *asked, struct lw_error *err)
{
	struct lw_strbuf columns = LW_STRBUF_INIT, text = LW_STRBUF_INIT;
	const char *user =
		asked->request->user ? asked->request->user : lw_tools_user_name(geteuid());
	char since[48];
	int rc = 0;

	snprintf(since, sizeof(since), "now-%" PRId64 "seconds", asked->request->since_s);
	for (int c = 0; asked->columns[c]; c++)
		lw_strbuf_add(&columns, "%s%s", c ? "," : "", asked->columns[c]);
	if (columns.error)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	lw_slurm_environment();
	if (!rc) {
		const char *argv[] = { "sacct", "-X",  "-P",
				       "-S",    since, "-u",
				       user,    "-o",  lw_strbuf_text(&columns),
				       NULL };

		rc = lw_account_run("", argv, &text, err);
	}
	if (!rc)
		rc = read_answer(asked, lw_strbuf_text(&text), err);
	lw_strbuf_fini(&columns);
	lw_strbuf_fini(&text);
	return rc;
}
