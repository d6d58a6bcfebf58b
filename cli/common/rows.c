/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the rows of jobs that sacct and squeue print: columns, values, and the loop. */
#include "cli/common/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/number.h"
#include "record/account.h"

/* More than any job runs. */
#define SECONDS_MAX (INT64_C(1) << 40)
/* Of a command, with the options that are always there. */
#define ARGUMENTS_MAX 20
/* What squeue says of a job that slurmctld does not know, or does not show. */
#define UNKNOWN_JOB "Invalid job id"

static const struct {
	const char *sacct, *names, *squeue, *json;
	enum lw_column_form form;
} columns[LW_COLUMNS] = {
#define LW_COLUMN(column, member, sacct, others, squeue, form, json)                             \
	[LW_COL_##column] = { sacct, sacct others, squeue, json, LW_FORM_##form },
#include "cli/common/rows.def"
#undef LW_COLUMN
};

/* ---- values ---- */

const char *lw_row_name(const struct lw_row *row, enum lw_column column)
{
	const struct lw_rows *rows = row->rows;

	if (rows->of_squeue)
		return columns[column].squeue;
	return rows->jobs || rows->at[column] < 0 ? columns[column].sacct
						  : rows->table.names[rows->at[column]];
}

static int read_seconds(const char *text, const char *name, int64_t *ret_s, struct lw_error *err)
{
	uint64_t value;

	if (strchr(text, ':') && !lw_duration_parse(text, ret_s))
		return 0;
	if (!lw_number_read(text, SECONDS_MAX, &value))
		return lw_error_set(err, -EINVAL, "%s \"%s\" is no number of seconds", name,
				    text);
	*ret_s = (int64_t)value;
	return 0;
}

int lw_row_value(const struct lw_row *row, enum lw_column column, int64_t *ret_value,
		 struct lw_error *err)
{
	const char *text = row->text[column], *name = lw_row_name(row, column);

	switch (columns[column].form) {
	case LW_FORM_TIME:
		return lw_sacct_time(text, name, ret_value, err);
	case LW_FORM_COUNT:
		return lw_sacct_count(text, name, ret_value, err);
	case LW_FORM_SECONDS:
		return read_seconds(text, name, ret_value, err);
	case LW_FORM_LIMIT:
		return lw_sacct_limit(text, ret_value, err);
	case LW_FORM_TRES:
		*ret_value = lw_sacct_gpus(text);
		return lw_sacct_check_tres(text, name, err);
	default:
		return -EINVAL;
	}
}

/* ---- columns ---- */

bool lw_rows_has(const struct lw_rows *rows, enum lw_column column)
{
	return rows->at[column] >= 0;
}

/* The name of COLUMN, for a HEADER line or for the command. */
static void add_name(const struct lw_rows *rows, enum lw_column column, bool header,
		     struct lw_strbuf *list)
{
	const char *mark = *rows->mark ? rows->mark : "|";

	if (list->len && header)
		lw_strbuf_add(list, "%s", mark);
	else if (list->len)
		lw_strbuf_add(list, rows->of_squeue ? ":%s," : ",", mark);
	lw_strbuf_add(list, "%s",
		      rows->of_squeue && !header ? columns[column].squeue
						 : columns[column].sacct);
}

/* The name of a job last, which may hold bars and line breaks: squeue has no header line. */
static void add_names(const struct lw_rows *rows, bool header, struct lw_strbuf *list)
{
	bool named = false;

	for (int i = 0; rows->needs[i] != LW_COL_END_OF_LIST; i++)
		if (rows->needs[i] != LW_COL_NAME || rows->of_squeue)
			add_name(rows, rows->needs[i], header, list);
		else
			named = true;
	for (int i = 0; rows->uses && rows->uses[i] != LW_COL_END_OF_LIST; i++)
		if (rows->uses[i] != LW_COL_NAME || rows->of_squeue)
			add_name(rows, rows->uses[i], header, list);
		else
			named = true;
	if (named)
		add_name(rows, LW_COL_NAME, header, list);
}

void lw_rows_format(const struct lw_rows *rows, struct lw_strbuf *format)
{
	add_names(rows, false, format);
	if (rows->of_squeue)
		lw_strbuf_add(format, ":");
}

static void find_column(struct lw_rows *rows, enum lw_column column)
{
	if (rows->jobs)
		rows->at[column] = *columns[column].json ? 0 : -1;
	else
		rows->at[column] = lw_sacct_column(&rows->table, columns[column].names);
}

/* COLUMN is missing. A command was asked for it; a file can be made anew. */
static int lack(const struct lw_rows *rows, enum lw_column column, bool is_file,
		struct lw_error *err)
{
	const char *name = columns[column].sacct;

	if (!is_file)
		return lw_error_set(err, -EINVAL, "%s printed no column %s", rows->table.path,
				    name);
	return lw_error_set(err, -EINVAL,
			    "%s:1: no column %s: print it with sacct --allusers --allocations "
			    "--parsable2 --format=" LW_ROWS_FORMAT,
			    rows->table.path, name);
}

static int find_columns(struct lw_rows *rows, bool is_file, struct lw_error *err)
{
	for (int c = 0; c < LW_COLUMNS; c++)
		rows->at[c] = -1;
	for (int i = 0; rows->needs[i] != LW_COL_END_OF_LIST; i++) {
		find_column(rows, rows->needs[i]);
		if (rows->at[rows->needs[i]] < 0)
			return lack(rows, rows->needs[i], is_file, err);
	}
	for (int i = 0; rows->uses && rows->uses[i] != LW_COL_END_OF_LIST; i++)
		find_column(rows, rows->uses[i]);
	return 0;
}

/* ---- rows ---- */

/* The next row. 1; 0 at the end; -EINVAL, after which one may go on; -ENOMEM. */
static int next_row(struct lw_rows *rows, struct lw_row *row, struct lw_error *err)
{
	static char none[] = "";
	char **fields;
	int rc;

	row->rows = rows;
	if (rows->jobs)
		return lw_rows_json_next(rows, row, err);
	rc = rows->command ? lw_sacct_next_row(&rows->table, &fields, err)
			   : lw_sacct_next(&rows->table, &fields, err);
	for (int c = 0; rc > 0 && c < LW_COLUMNS; c++)
		row->text[c] = rows->at[c] < 0 ? none : fields[rows->at[c]];
	return rc;
}

/* 0, 1, -EINVAL, -ENOMEM as take() returns it. */
static int take_row(struct lw_rows *rows, struct lw_row *row, struct lw_error *err)
{
	/* "CANCELLED by 1000", "CANCELLED+" */
	row->state[strcspn(row->state, " +")] = '\0';
	if (!lw_sacct_is_step(row->job))
		return rows->take(rows->to, row, err);
	rows->steps++;
	return 0;
}

static int note_bad(struct lw_rows *rows, const struct lw_error *err)
{
	if (rows->command) {
		lw_sacct_pass_over(&rows->table);
		return 0;
	}
	if (!rows->lenient)
		return -EINVAL;
	if (!rows->bad++) {
		rows->first_bad = *err;
		rows->first_bad_line = rows->table.line;
	}
	return 0;
}

static int say_where(const struct lw_rows *rows, int rc, struct lw_error *err)
{
	if (rc == -ENOMEM)
		return lw_error_set(err, rc, "out of memory");
	if (rows->jobs)
		return lw_error_prefix(err, rc,
				       "%s: job %" PRIu32 " of the list: ", rows->table.path,
				       rows->table.line);
	return lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", rows->table.path, rows->table.line);
}

static int read_rows(struct lw_rows *rows, struct lw_error *err)
{
	struct lw_error why = { "" };
	struct lw_row row;
	int rc;

	while ((rc = next_row(rows, &row, &why))) {
		if (rc > 0)
			rc = take_row(rows, &row, &why);
		if (rc > 0)
			return 0;
		if (rc == -EINVAL)
			rc = note_bad(rows, &why);
		if (rc) {
			lw_error_set(err, rc, "%s", why.text);
			return say_where(rows, rc, err);
		}
	}
	return rows->command ? lw_sacct_passed(&rows->table, rows->command, err) : 0;
}

/* TABLE was opened with RC. */
static int read_table(struct lw_rows *rows, int rc, bool is_file, struct lw_error *err)
{
	rows->opened = !rc;
	if (rc)
		return rc;
	if (rows->table.is_json)
		rc = lw_rows_json_begin(rows, err);
	if (!rc)
		rc = find_columns(rows, is_file, err);
	if (!rc)
		rc = read_rows(rows, err);
	lw_strbuf_fini(&rows->texts);
	json_decref(rows->root);
	rows->root = NULL;
	lw_sacct_fini(&rows->table);
	return rc;
}

int lw_rows_of_file(struct lw_rows *rows, const char *path, struct lw_error *err)
{
	return read_table(rows, lw_sacct_open(&rows->table, path, err), true, err);
}

int lw_rows_of_fd(struct lw_rows *rows, int fd, const char *path, struct lw_error *err)
{
	return read_table(rows, lw_sacct_of_fd(&rows->table, fd, path, err), true, err);
}

int lw_rows_of_text(struct lw_rows *rows, const char *text, struct lw_error *err)
{
	const char *source = rows->of_squeue ? "squeue" : "sacct";
	struct lw_strbuf whole = LW_STRBUF_INIT;
	int rc;

	if (*rows->mark && !strstr(text, rows->mark)) /* no row, or not by Slurm's command */
		rows->mark[0] = '\0';

	if (rows->of_squeue && *text != '{') {
		add_names(rows, true, &whole);
		lw_strbuf_add(&whole, "\n");
	}
	lw_strbuf_add(&whole, "%s", text);
	if (whole.error)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	else if (*rows->mark)
		rc = lw_sacct_of_marked(&rows->table, lw_strbuf_text(&whole), rows->mark, source,
					err);
	else
		rc = lw_sacct_of_text(&rows->table, lw_strbuf_text(&whole), source, err);
	lw_strbuf_fini(&whole);
	return read_table(rows, rc, false, err);
}

/* ---- commands ---- */

/* DELIMITER is an option, or NULL: there is none. */
static void fill_arguments(const struct lw_rows *rows, const char *const *options,
			   const char *delimiter, const char *format, const char **argv)
{
	static const char *const squeue[] = { "squeue", "-h", "-a" };
	static const char *const sacct[] = { "sacct", "-X", "-P" };
	int count = 3;

	memcpy(argv, rows->of_squeue ? squeue : sacct, sizeof(sacct));
	while (*options && count < ARGUMENTS_MAX - 4)
		argv[count++] = *options++;
	argv[count++] = rows->of_squeue ? "-O" : "-o";
	argv[count++] = format;
	argv[count++] = delimiter;
	argv[count] = NULL;
}

int lw_rows_ask(struct lw_rows *rows, const char *bin, const char *const *options,
		struct lw_error *err)
{
	struct lw_strbuf format = LW_STRBUF_INIT, text = LW_STRBUF_INIT;
	const char *argv[ARGUMENTS_MAX];
	char delimiter[LW_SACCT_MARK + 16];
	struct lw_error why = { "" };
	int rc = lw_sacct_make_mark(rows->mark, err);

	if (rc)
		return rc;
	snprintf(delimiter, sizeof(delimiter), "--delimiter=%s", rows->mark);
	lw_rows_format(rows, &format);
	fill_arguments(rows, options, rows->of_squeue ? NULL : delimiter, lw_strbuf_text(&format),
		       argv);
	rc = format.error ? lw_error_set(&why, -ENOMEM, "out of memory")
			  : lw_account_run(bin, argv, &text, &why);
	if (rc)
		rc = lw_error_set(err, strstr(why.text, UNKNOWN_JOB) ? -ENOENT : rc, "%s",
				  why.text);
	else
		rc = lw_rows_of_text(rows, lw_strbuf_text(&text), err);
	lw_strbuf_fini(&format);
	lw_strbuf_fini(&text);
	return rc;
}
