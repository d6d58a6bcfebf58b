/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the rows of jobs that sacct and squeue print, as text or as JSON. */
#ifndef LW_CLI_COMMON_ROWS_H
#define LW_CLI_COMMON_ROWS_H

#include <jansson.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/common/sacct.h"

#include <stdbool.h>
#include <stdint.h>

/* The columns of rows.def. */
enum lw_column {
#define LW_COLUMN(column, member, sacct, others, squeue, form, json) LW_COL_##column,
#include "cli/common/rows.def"
#undef LW_COLUMN
	LW_COLUMNS,
	LW_COL_END_OF_LIST = LW_COLUMNS,
};

/* For --format of sacct: one file of it does for all commands that read one. */
#define LW_ROWS_FORMAT                                                                           \
	"JobIDRaw,JobID,UID,User,Account,Partition,Submit,Start,End,TimelimitRaw,ElapsedRaw,"    \
	"State,NNodes,NCPUS,ReqCPUS,AllocTRES,ReqTRES,AdminComment,JobName"

/* What lw_row_value() makes of a text. */
enum lw_column_form {
	LW_FORM_TEXT,    /* nothing */
	LW_FORM_TIME,    /* lw_sacct_time() */
	LW_FORM_COUNT,   /* lw_sacct_count() */
	LW_FORM_SECONDS, /* seconds, or [D-]HH:MM:SS */
	LW_FORM_LIMIT,   /* lw_sacct_limit() */
	LW_FORM_TRES,    /* the number of GPUs; lw_sacct_check_tres() */
};

/* A job's row. A text is "" if the row has no such column; of State only the first word is left.
 */
struct lw_row {
	union {
		struct {
#define LW_COLUMN(column, member, sacct, others, squeue, form, json) char *member;
#include "cli/common/rows.def"
#undef LW_COLUMN
		};
		char *text[LW_COLUMNS];
	};
	const struct lw_rows *rows;
};

/*
 * What to read, and what is done with it. A caller fills in the first part.
 *
 * A row that cannot be read: a row with too many or too few columns, or of which take() returns
 * -EINVAL. If COMMAND is set, such rows are left out, and one line on standard error says how
 * many, as of this subcommand; if there are no others, reading fails with -EIO. Else if LENIENT
 * is set, they are left out and counted. Otherwise reading ends with the first, and ERR has file
 * and line.
 */
struct lw_rows {
	const enum lw_column *needs; /* without one of these columns reading fails */
	const enum lw_column *uses;  /* these may be missing; NULL: there are none */
	bool of_squeue;              /* else of sacct */
	bool lenient;
	const char *command;
	/*
	 * Take ROW, which is there until take() returns. Steps are left out. 0; 1: that is
	 * enough; -EINVAL with ERR; -ENOMEM.
	 */
	int (*take)(void *to, const struct lw_row *row, struct lw_error *err);
	void *to;

	bool opened;               /* it could be read, and is rows or JSON */
	uint32_t steps;            /* left out */
	uint32_t bad;              /* left out since LENIENT is set */
	uint32_t first_bad_line;   /* of JSON, which job of its list, from 1 */
	struct lw_error first_bad; /* why */
	/* for rows.c and rows_json.c */
	int at[LW_COLUMNS];
	struct lw_sacct table;
	json_t *root;
	const json_t *jobs; /* of root; NULL: it is no JSON */
	size_t next;        /* of jobs */
	struct lw_strbuf texts;
	char mark[LW_SACCT_MARK]; /* that the command was asked to part fields by; "": none */
};

/* Read the file PATH, which sacct printed. -EINVAL with ERR; -ENOMEM, -errno of the file. */
int lw_rows_of_file(struct lw_rows *rows, const char *path, struct lw_error *err);
/* The same of the open file FD, which PATH is in messages; it stays open. */
int lw_rows_of_fd(struct lw_rows *rows, int fd, const char *path, struct lw_error *err);
/* The same of TEXT: rows of sacct with a header line, rows of squeue without one, or JSON. */
int lw_rows_of_text(struct lw_rows *rows, const char *text, struct lw_error *err);
/*
 * Run the command in BIN ("": of PATH) with OPTIONS, which NULL ends, and read what it prints.
 * -ENOENT: squeue knows no such job; -EIO: it failed. Both with ERR.
 */
int lw_rows_ask(struct lw_rows *rows, const char *bin, const char *const *options,
		struct lw_error *err);

/* Did the rows that were read have COLUMN? */
bool lw_rows_has(const struct lw_rows *rows, enum lw_column column);
/* The columns as --format of sacct or --Format of squeue takes them. */
void lw_rows_format(const struct lw_rows *rows, struct lw_strbuf *format);

/* The name of COLUMN in the output from which ROW was read. */
const char *lw_row_name(const struct lw_row *row, enum lw_column column);
/* The value of COLUMN, by its form. -EINVAL with ERR, which names the column. */
int lw_row_value(const struct lw_row *row, enum lw_column column, int64_t *ret_value,
		 struct lw_error *err);

/* ---- rowtimes.c ---- */

/* A time that the row does not say is LW_SACCT_NONE. */
struct lw_row_times {
	int64_t submit_s;
	int64_t start_s; /* LW_SACCT_NONE, too: it never had nodes */
	int64_t end_s;
	int64_t elapsed_s; /* ElapsedRaw: without the time in which it was suspended */
	bool shifted;      /* END_S is not what the row says: an hour of local time came twice */
};

/*
 * The times of ROW, by Submit, Start, End, State, AllocTRES and ElapsedRaw, as far as they are
 * there. -EINVAL with ERR.
 */
int lw_row_times(const struct lw_row *row, struct lw_row_times *ret_times, struct lw_error *err);

/* ---- rows_json.c ---- */

/* Parse the JSON in TABLE's text. -EINVAL with ERR. */
int lw_rows_json_begin(struct lw_rows *rows, struct lw_error *err);
/* The next job into ROW. 1; 0 at the end; -EINVAL, after which one may go on; -ENOMEM. */
int lw_rows_json_next(struct lw_rows *rows, struct lw_row *row, struct lw_error *err);

#endif
