/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the options of a subcommand, as a table of where their values go. */
#ifndef LW_CLI_COMMON_OPTIONS_H
#define LW_CLI_COMMON_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One option. It takes a value if one of the pointers after MOST is there, and is a flag
 * otherwise. Every command has --help and -h: no table names them.
 */
struct lw_option {
	const char *name; /* without its dashes; "": the row is only a text; NULL ends a table */
	char letter;      /* of its short form; 0: it has none */
	const char *arg;  /* what its value is called; "[=ARG]": it is optional; NULL: a flag */
	const char *help; /* what it does; NULL: --help leaves it out */
	bool *given;      /* becomes true; NULL: it is not asked */
	const char *bare; /* the value when there is none, else it stands behind a "=" */
	double least;     /* of a real or a count */
	double most;      /* of the same */

	const char **text;
	uint32_t *count;
	double *real;
	int64_t *duration_s;
	uint32_t *range; /* A:B, of which 1 <= A <= B: the two of them */
	uint32_t *choice;
	const char *const *names; /* what is chosen from by place; NULL ends it */
	const char *values;       /* words that it may be, separated by blanks; NULL: not known */
	bool may_be_empty;        /* a text of no letter says something */
	/* anything else; what it returns is what reading the options returns */
	int (*set)(void *request, const char *name, const char *value, struct lw_error *err);
};

/*
 * The rows of a table NAME_options.def, in the order of --help, which prints all of them. The
 * section OPTIONS of the man page is made from them, too (doc/man/options.awk): each option with
 * its sentence, and behind that what the page adds. A text is printed as it stands. In a page are
 * only texts between options; one that ends with a colon is a heading there.
 *
 * LW_OPTION(name, letter, arg, help, where the value goes ...)
 * LW_TEXT(text)
 * LW_OPTIONS_END(text): --help itself stands before it, and the table ends
 */
#define LW_OPTION(name_, letter_, arg_, help_, ...)                                          \
	{ .name = name_, .letter = letter_, .arg = arg_, .help = help_, __VA_ARGS__ },
#define LW_TEXT(text_)        { .name = "", .help = text_ },
#define LW_OPTIONS_HELP       "  -h, --help            print this\n"
#define LW_OPTIONS_END(text_) LW_TEXT(LW_OPTIONS_HELP text_){ NULL },

/* The word that makes a command print its table, for completion, and do nothing else. */
#define LW_OPTIONS_LIST "--list-options"

/*
 * Read the options of ARGV; REQUEST is for set(). What is left begins at argv[optind].
 * -EINVAL with ERR, also for a text or a word of no letter, as a shell makes of a variable that
 * is not set; -ECANCELED: help is asked for, or the table, and has been printed. Options behind
 * that are not read.
 */
int lw_options_read(const struct lw_option *options, void *request, int argc, char **argv,
		    struct lw_error *err);

/* The one word that is left, WHAT in messages. -EINVAL with ERR when there is none, or more. */
int lw_options_word(const char *what, int argc, char **argv, const char **ret_word,
		    struct lw_error *err);

/* Print the table as --help does. */
void lw_options_help(const struct lw_option *options);

/*
 * The exit code for RC, not 0, of reading the options of COMMAND; ERR is printed unless help was.
 * It is that of wrong use for -EINVAL alone: -EIO is of a file that an option names.
 */
int lw_options_refused(const char *command, int rc, const struct lw_error *err);

#endif
