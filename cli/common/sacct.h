/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what sacct printed: rows under a header line, and the values in them. */
#ifndef LW_CLI_COMMON_SACCT_H
#define LW_CLI_COMMON_SACCT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "measure/lines.h"

#include <stdbool.h>
#include <stdint.h>

/* Slurm's largest MaxArraySize */
#define LW_SACCT_TASKS_MAX 4000001
/* far beyond the time_t of any job, and still safe to add to */
#define LW_SACCT_CLOCK_MAX_S (INT64_C(1) << 40)
/* what sacct prints where there is no time, or no limit */
#define LW_SACCT_NONE INT64_C(-1)

/* "|", 16 random digits, "|" */
#define LW_SACCT_MARK 20

/* However many columns there are, in whatever order: they are found by name. */
struct lw_sacct {
	const char *path;
	struct lw_lines lines;
	bool is_json; /* of --json: it has no header line, and only rows.h reads on */
	char **names; /* of the columns */
	uint32_t count;
	char *pending; /* a line that was looked at and begins the next row */
	uint32_t pending_line;
	uint32_t line; /* where the row given out last begins, from 1 */
	struct lw_strbuf text; /* that row */
	char **fields;
	uint32_t room;
	uint32_t taken, passed; /* rows of lw_sacct_next_row(): given out, passed over */
	uint32_t passed_line;   /* of the first that was passed over */
	bool is_file;           /* so that lines can be looked at */
	char mark[LW_SACCT_MARK]; /* what parts the fields; "": a bar */
};

/*
 * Read PATH, of sacct --parsable2 or --parsable, and its header line. -EINVAL with ERR when
 * there is none; -ENOMEM, -errno of the file. On failure there is nothing to finish.
 */
int lw_sacct_open(struct lw_sacct *sacct, const char *path, struct lw_error *err);
/* The same of the open file FD, which PATH is in messages; it stays open. */
int lw_sacct_of_fd(struct lw_sacct *sacct, int fd, const char *path, struct lw_error *err);
/* The same of TEXT, which is copied; SOURCE is what messages call it. */
int lw_sacct_of_text(struct lw_sacct *sacct, const char *text, const char *source,
		     struct lw_error *err);
/*
 * The same where MARK parts the fields, which no user could know that named a job: so no name and
 * no comment forges a field or a row. Within a field a line end is read as a blank.
 */
int lw_sacct_of_marked(struct lw_sacct *sacct, const char *text, const char *mark,
		       const char *source, struct lw_error *err);
/* A new mark, to ask a command for. 0, or -errno with ERR. */
int lw_sacct_make_mark(char mark[LW_SACCT_MARK], struct lw_error *err);
void lw_sacct_fini(struct lw_sacct *sacct);

/* Where the first of NAMES, "NNodes|AllocNodes", that is a column stands, or -1. */
int lw_sacct_column(const struct lw_sacct *sacct, const char *names);

/*
 * The next row: a field for each column, in *RET_FIELDS until the next call. A name or a comment
 * may hold bars and many lines: what other columns hold tells where it ends. 1; 0 at the end;
 * -EINVAL for a row with other columns than the header line, ERR without file and line, after
 * which one may go on; -ENOMEM.
 */
int lw_sacct_next(struct lw_sacct *sacct, char ***ret_fields, struct lw_error *err);

/* The same of lw_sacct_of_marked(), for lw_sacct_next(). */
int lw_sacct_next_marked(struct lw_sacct *sacct, char ***ret_fields, struct lw_error *err);

/*
 * The same, but a row that is none, or has no job's id in a first column of ids, is passed over.
 * 1, 0, -ENOMEM.
 */
int lw_sacct_next_row(struct lw_sacct *sacct, char ***ret_fields, struct lw_error *err);
/* The row given out last is none either: a value in it cannot be read. */
void lw_sacct_pass_over(struct lw_sacct *sacct);
/*
 * When all rows have been asked for: one line on standard error, as of COMMAND, says how many
 * were passed over. -EIO with ERR if these were all that there are: it is not what was asked
 * for.
 */
int lw_sacct_passed(const struct lw_sacct *sacct, const char *command, struct lw_error *err);

/* ---- values ---- */

/* Is ID, of JobID, that of a step, such as 12.batch? */
bool lw_sacct_is_step(const char *id);

/*
 * A count as sacct prints it: 12, or 1.5K for 1500. 0 for what is none; at most UINT32_MAX.
 * lw_sacct_is_amount() tells whether TEXT is one.
 */
int64_t lw_sacct_amount(const char *text);
bool lw_sacct_is_amount(const char *text);

/*
 * A count of COLUMN, in the same form; 0 of an empty text. -EINVAL with ERR for what is none, or
 * more than anything can have.
 */
int lw_sacct_count(const char *text, const char *column, int64_t *ret_count, struct lw_error *err);
/* Are those of CPUs, nodes and GPUs in the list of TRES of COLUMN such? */
int lw_sacct_check_tres(const char *tres, const char *column, struct lw_error *err);

/* "billing=4,cpu=4,gres/gpu=2,node=1": the value of KEY, else 0. */
int64_t lw_sacct_tres(const char *tres, const char *key);
/* The GPUs in it; where accounting keeps types alone, gres/gpu:a100=2, their sum. */
int64_t lw_sacct_gpus(const char *tres);
/* The GPUs that the job held: one, too, if TRES or its AdminComment has parts of a GPU. */
int64_t lw_sacct_gpus_held(const char *tres, const char *admin_comment);
/* The type of its GPUs into BUF; false when there are none, several types, or it is not told. */
bool lw_sacct_gpu_type(const char *tres, char *buf, size_t size);
/* Its memory in MiB, at most UINT32_MAX. */
int64_t lw_sacct_mem_mib(const char *tres);

/*
 * How many tasks ID stands for: 4 for 12_[3-5,9%2], 6 for 12_[0-10:2], 1 for a job. *RET_CUT:
 * sacct printed no more of them, 12_[1,3,...]. More than LW_SACCT_TASKS_MAX are no array.
 */
uint32_t lw_sacct_tasks(const char *id, bool *ret_cut);

/*
 * A time of COLUMN: seconds since 1970, or local time as 2026-01-31T12:00:00; LW_SACCT_NONE for
 * "", Unknown, None and N/A. -EINVAL with ERR.
 */
int lw_sacct_time(const char *text, const char *column, int64_t *ret_s, struct lw_error *err);

/*
 * A limit of TimelimitRaw, minutes, or of Timelimit, [D-]HH:MM:SS; LW_SACCT_NONE for a job that
 * has none of its own. -EINVAL with ERR.
 */
int lw_sacct_limit(const char *text, int64_t *ret_s, struct lw_error *err);

#endif
