/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway limit: what time limit to ask for, by how long jobs of that name ran. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/number.h"
#include "record/account.h"
#include "tools/analyse/names.h"
#include "tools/json.h"
#include "tools/options.h"
#include "tools/output.h"
#include "tools/sacct.h"
#include "tools/slurmcall.h"
#include "tools/tools.h"

#define SINCE_S   (30 * 86400)
#define RUN_MAX_S (INT64_C(1) << 40)
/* Of fewer runs nothing is advised. */
#define RUNS_LEAST 3

static const char help[] =
	"usage: leeway limit [NAME] [--user U] [--since TIME] [--json[=FILE]]\n"
	"What time limit to ask for: by job name, how long your jobs ran, from\n"
	"accounting, what you asked for last, and a limit that all of them would have\n"
	"kept. With NAME, jobs of that name alone.\n\n"
	"  --user U              jobs of another user, as far as sacct shows them\n"
	"  --since TIME          of so long (30d)\n"
	"  --json[=FILE]         print JSON\n\n"
	"Exit code: 0, also when no job ended; 1 it failed, 2 wrong usage.\n";

struct request {
	const char *user, *json, *name;
	int64_t since_s;
};

/* Jobs of one name. */
struct runs {
	const char *name; /* of struct names */
	int64_t *ran_s;
	uint32_t count, room;
	uint32_t cut;    /* of them, ended by their limit */
	int64_t asked_s; /* by the last; LW_SACCT_NONE: no limit of its own */
};

/* The runs of a name stand at its number. */
struct names {
	struct ana_names texts;
	struct runs *runs;
	uint32_t count, room;
};

static void fini_names(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->runs[i].ran_s);
	free(names->runs);
	ana_names_fini(&names->texts);
}

/* The runs of NAME, which are made if there are none; NULL: no memory. */
static struct runs *limit_find(struct names *names, const char *name)
{
	struct runs *runs;
	uint32_t at;

	if (lw_grow((void **)&names->runs, &names->room, names->count + 1, sizeof(*runs)) ||
	    ana_names_number(&names->texts, name, &at))
		return NULL;
	runs = &names->runs[at];
	if (at < names->count)
		return runs;
	*runs = (struct runs){ .name = names->texts.texts[at] };
	names->count++;
	return runs;
}

#define SACCT_COLUMNS "JobID,State,ElapsedRaw,TimelimitRaw,JobName"
enum { COL_JOB, COL_STATE, COL_ELAPSED, COL_LIMIT, COL_NAME, COLUMNS };

static int find_columns(const struct lw_sacct *table, int *ret_at, struct lw_error *err)
{
	static const char *const names[COLUMNS] = { "JobID", "State", "ElapsedRaw",
						    "TimelimitRaw", "JobName" };

	for (int c = 0; c < COLUMNS; c++) {
		ret_at[c] = lw_sacct_column(table, names[c]);
		if (ret_at[c] < 0)
			return lw_error_set(err, -EINVAL, "sacct printed no column %s", names[c]);
	}
	return 0;
}

/*
 * What was cancelled or failed says nothing of how long a job needs. -EINVAL: how long it ran
 * cannot be read; -ENOMEM.
 */
static int limit_add(struct names *names, char *const *fields, const char *name)
{
	bool cut = strncmp(fields[COL_STATE], "TIMEOUT", 7) == 0;
	struct lw_error err;
	struct runs *runs;
	uint64_t ran_s;

	if ((!cut && strncmp(fields[COL_STATE], "COMPLETED", 9) != 0) ||
	    (name && strcmp(name, fields[COL_NAME]) != 0))
		return 0;
	if (!lw_number_read(fields[COL_ELAPSED], RUN_MAX_S, &ran_s))
		return -EINVAL;
	runs = limit_find(names, fields[COL_NAME]);
	if (!runs ||
	    lw_grow((void **)&runs->ran_s, &runs->room, runs->count + 1, sizeof(*runs->ran_s)))
		return -ENOMEM;
	runs->ran_s[runs->count++] = (int64_t)ran_s;
	runs->cut += cut;
	if (lw_sacct_limit(fields[COL_LIMIT], &runs->asked_s, &err))
		runs->asked_s = LW_SACCT_NONE;
	return 0;
}

static int read_rows(const struct request *request, const char *text, struct names *names,
		     struct lw_error *err)
{
	char **row, *fields[COLUMNS];
	struct lw_sacct table;
	int at[COLUMNS], rc = lw_sacct_of_text(&table, text, "sacct", err);

	if (rc)
		return rc;
	rc = find_columns(&table, at, err);
	while (!rc && (rc = lw_sacct_next_row(&table, &row, err)) > 0) {
		for (int c = 0; c < COLUMNS; c++)
			fields[c] = row[at[c]];
		rc = limit_add(names, fields, request->name);
		if (rc == -EINVAL)
			lw_sacct_pass_over(&table);
		rc = rc == -ENOMEM ? lw_error_set(err, rc, "out of memory") : 0;
	}
	if (!rc)
		rc = lw_sacct_passed(&table, "limit", err);
	lw_sacct_fini(&table);
	return rc;
}

static const char *user_of(const struct request *request)
{
	static char digits[16];
	const struct passwd *passwd = request->user ? NULL : getpwuid(geteuid());

	if (request->user)
		return request->user;
	if (passwd)
		return passwd->pw_name;
	snprintf(digits, sizeof(digits), "%u", (unsigned)geteuid());
	return digits;
}

static int ask_sacct(const struct request *request, struct names *names, struct lw_error *err)
{
	char since[48];
	const char *argv[] = { "sacct",          "-X", "-P",          "-S", since, "-u",
			       user_of(request), "-o", SACCT_COLUMNS, NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	snprintf(since, sizeof(since), "now-%" PRId64 "seconds", request->since_s);
	lw_slurm_environment();
	rc = lw_account_run("", argv, &text, err);
	if (!rc)
		rc = read_rows(request, lw_strbuf_text(&text), names, err);
	lw_strbuf_fini(&text);
	return rc;
}

static int by_time(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

static int by_runs(const void *x, const void *y)
{
	const struct runs *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Of sorted runs: so many of a hundred ended by then. */
static int64_t ended_by(const struct runs *runs, uint32_t percent)
{
	uint64_t place = ((uint64_t)runs->count * percent + 99) / 100;

	return runs->ran_s[place ? place - 1 : 0];
}

/* A limit that all runs would have kept, and a tenth more; 0: not known. */
static int64_t advised_s(const struct runs *runs)
{
	int64_t most_s = ended_by(runs, 100), step_s;

	/* how long those need that were ended nobody knows */
	if (runs->count < RUNS_LEAST || runs->cut)
		return 0;
	most_s += most_s / 10 + 60;
	step_s = most_s < 3600    ? 300
		 : most_s < 21600 ? 900
		 : most_s < 86400 ? 1800
				  : 3600;
	return (most_s + step_s - 1) / step_s * step_s;
}

/* As --time takes it. */
static const char *as_limit(int64_t limit_s, char buf[32])
{
	int hours = (int)(limit_s / 3600 % 24), minutes = (int)(limit_s / 60 % 60);

	if (limit_s < 0)
		snprintf(buf, 32, "-");
	else if (limit_s < 86400)
		snprintf(buf, 32, "%d:%02d:%02d", hours, minutes, (int)(limit_s % 60));
	else
		snprintf(buf, 32, "%" PRId64 "-%02d:%02d:%02d", limit_s / 86400, hours, minutes,
			 (int)(limit_s % 60));
	return buf;
}

static void print_runs(const struct runs *runs)
{
	int64_t advised = advised_s(runs);
	char half[32], most[32], longest[32], asked[32], limit[32];

	printf("%-18.18s %5" PRIu32 " %11s %11s %11s %11s  ", lw_tools_plain(runs->name),
	       runs->count, as_limit(ended_by(runs, 50), half),
	       as_limit(ended_by(runs, 90), most), as_limit(ended_by(runs, 100), longest),
	       as_limit(runs->asked_s, asked));
	if (advised)
		printf("--time=%s\n", as_limit(advised, limit));
	else if (runs->cut)
		printf("more: %" PRIu32 " ran into it\n", runs->cut);
	else
		printf("too few runs\n");
}

static void print_names(const struct names *names)
{
	if (!names->count) {
		printf("no job of yours ended by itself or by its limit in that time\n");
		return;
	}
	printf("%-18s %5s %11s %11s %11s %11s  %s\n", "job name", "runs", "half by",
	       "9 of 10 by", "longest", "asked", "ask for");
	for (uint32_t i = 0; i < names->count; i++)
		print_runs(&names->runs[i]);
}

static json_t *make_runs(const struct runs *runs)
{
	int64_t advised = advised_s(runs);

	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "name",
			 lw_output_string(runs->name), "runs", (json_int_t)runs->count,
			 "ended_by_limit", (json_int_t)runs->cut, "p50_s",
			 (json_int_t)ended_by(runs, 50), "p90_s", (json_int_t)ended_by(runs, 90),
			 "longest_s", (json_int_t)ended_by(runs, 100), "asked_s",
			 runs->asked_s < 0 ? json_null() : json_integer((json_int_t)runs->asked_s),
			 "advised_s", advised ? json_integer((json_int_t)advised) : json_null());
}

static int print_json(const struct request *request, const struct names *names,
		      struct lw_error *err)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < names->count; i++)
		json_array_append_new(list, make_runs(&names->runs[i]));
	return lw_output_json(request->json,
			      lw_json_named("leeway.limit", json_pack("{s:o}", "names", list)),
			      err);
}

static int limit_run(const struct request *request, struct lw_error *err)
{
	struct names names = { 0 };
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = ask_sacct(request, &names, err);
	for (uint32_t i = 0; i < names.count; i++)
		qsort(names.runs[i].ran_s, names.runs[i].count, sizeof(int64_t), by_time);
	if (names.count)
		qsort(names.runs, names.count, sizeof(*names.runs), by_runs);
	if (!rc && request->json)
		rc = print_json(request, &names, err);
	else if (!rc)
		print_names(&names);
	fini_names(&names);
	return rc;
}

static int read_request(struct request *request, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
		{ "user", .text = &request->user },
		{ "since", .duration_s = &request->since_s },
		{ "json", .text = &request->json, .bare = "-" },
		{ NULL },
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (rc)
		return rc;
	if (request->since_s < 1)
		return lw_error_set(err, -EINVAL, "--since: at least a second");
	return argc == optind ? 0
			      : lw_options_word("job name", argc, argv, &request->name, err);
}

int lw_tools_limit(int argc, char **argv)
{
	struct request request = { .since_s = SINCE_S };
	struct lw_error err = { "" };
	int rc = read_request(&request, argc, argv, &err);

	if (rc)
		return lw_options_refused("limit", help, rc, &err);
	rc = limit_run(&request, &err);
	/* what sacct refuses is no wrong usage of ours */
	return lw_tools_ended("limit", rc == -EINVAL ? -EIO : rc, &err);
}
