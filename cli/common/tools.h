/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the subcommands share. */
#ifndef LW_CLI_COMMON_TOOLS_H
#define LW_CLI_COMMON_TOOLS_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes of every subcommand. */
enum lw_tools_exit {
	LW_TOOLS_OK = 0,
	LW_TOOLS_FAILED = 1,
	LW_TOOLS_USAGE = 2,
	LW_TOOLS_FOUND = 3, /* what was looked for is there: leeway gpu --idle */
	/* 4 is contrib/minislurm/replay's, which also ends with: */
	LW_TOOLS_LATE = 5, /* jobs were submitted too late to compare the runs: leeway report */
};

/* Subcommands: argv[0] is the subcommand's name. Each returns an exit code. */
#define LW_COMMAND(name, what) int lw_tools_##name(int argc, char **argv);
#include "cli/common/commands.def"

/*
 * A text of others as it may go to a terminal (base/plain.h), cut where it is far too long. Valid
 * until the next call but seven.
 */
const char *lw_tools_plain(const char *text);

/*
 * How many columns the terminal has that standard output is, at least 40, and 80 where it does not
 * say; 0: it is none, and lines stay whole.
 */
size_t lw_tools_width(void);

/* Print "leeway COMMAND: TEXT" to stderr; returns FAILED or USAGE. */
int lw_tools_failed(const char *command, const struct lw_error *err);
int lw_tools_usage(const char *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The exit code of a COMMAND that came to RC; -EINVAL: its options ask for what cannot be. */
int lw_tools_ended(const char *command, int rc, const struct lw_error *err);

/*
 * How a program ends that has run COMMAND, which came to the exit code CODE: with that, or with
 * FAILED, and a message, when what it printed could not all be written.
 */
int lw_tools_flush(const char *command, int code);

/*
 * Option values. On error ERR says which option and what it takes; -EINVAL.
 */
int lw_tools_read_count(const char *option, const char *text, uint32_t min, uint32_t max,
			uint32_t *ret_value, struct lw_error *err);
int lw_tools_read_duration(const char *option, const char *text, int64_t *ret_s,
			   struct lw_error *err);
int lw_tools_read_real(const char *option, const char *text, double min, double max,
		       double *ret_value, struct lw_error *err);

/*
 * Open the file PATH for reading, without waiting, and nothing that may have no end: a FIFO, say,
 * is -EINVAL, what is too large for settings -EFBIG; /dev/null stands for an empty file. 0, or
 * -errno.
 */
int lw_tools_open_plain(const char *path, FILE **ret_stream);

/*
 * Append the file NAME, "-" for standard input, to TEXT. -errno with ERR; -EINVAL when it
 * holds a NUL byte, -EFBIG when it does not end within a GiB.
 */
int lw_tools_read_text(const char *name, struct lw_strbuf *text, struct lw_error *err);

/*
 * Is LINE, of sacct --parsable2 with a column of ids first, a row: an id, such as 12 or 12_[3-5],
 * and more columns? What is not is the rest of a name or a comment of many lines.
 */
bool lw_tools_is_row(const char *line);

/* Room for a list of names in a message. */
#define LW_TOOLS_LIST 400
/* WORDS, parted by blanks, as "a, b CONJUNCTION c" in BUF, which is returned. */
const char *lw_tools_list(const char *words, const char *conjunction, char buf[LW_TOOLS_LIST]);

/* Is TEXT what sacct prints as TimelimitRaw of a job that asked for no time? */
bool lw_tools_is_no_limit(const char *text);

/* Cut LINE before its end, LF or CR LF. What follows, or NULL when no LF was there. */
char *lw_tools_cut_line(char *line);

/* "2026-01-31T12:00:00" in local time, a day that there is. -EINVAL. */
int lw_tools_read_clock(const char *text, int64_t *ret_s);

/* The name of a user's number, its digits when there is none. Valid until the next call. */
const char *lw_tools_user_name(uint32_t user);
/* A user by name or number. -EINVAL with ERR. */
int lw_tools_find_user(const char *text, uint32_t *ret_user, struct lw_error *err);

#endif
