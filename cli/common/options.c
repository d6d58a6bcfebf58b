/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the options of a subcommand, as a table of where their values go. */
#include "cli/common/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/spell.h"
#include "base/strbuf.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"

/* What getopt_long() calls the first of a table by its long name: no letter is so large. */
#define FIRST 256

static bool takes_value(const struct lw_option *option)
{
	return option->text || option->count || option->real || option->duration_s ||
	       option->range || option->choice || option->set;
}

static int read_range(const char *name, const char *text, uint32_t *ret_range,
		      struct lw_error *err)
{
	const char *at = text;
	uint64_t first, last;

	if (!lw_number_take(&at, UINT32_MAX, &first) || *at++ != ':' ||
	    !lw_number_read(at, UINT32_MAX, &last) || !first || last < first)
		return lw_error_set(err, -EINVAL,
				    "--%s: \"%s\" is not A:B with 1 <= A <= B <= %" PRIu32, name,
				    text, UINT32_MAX);
	ret_range[0] = (uint32_t)first;
	ret_range[1] = (uint32_t)last;
	return 0;
}

static int read_choice(const struct lw_option *option, const char *text, struct lw_error *err)
{
	struct lw_strbuf names = LW_STRBUF_INIT;
	int rc;

	for (uint32_t i = 0; option->names[i]; i++) {
		if (strcmp(text, option->names[i]) == 0) {
			*option->choice = i;
			lw_strbuf_fini(&names);
			return 0;
		}
		lw_strbuf_add(&names, "%s%s",
			      !i                     ? ""
			      : option->names[i + 1] ? ", "
						     : " or ",
			      option->names[i]);
	}
	rc = lw_error_set(err, -EINVAL, "--%s: \"%s\" is not %s", option->name, text,
			  lw_strbuf_text(&names));
	lw_strbuf_fini(&names);
	return rc;
}

static int set(const struct lw_option *option, void *request, const char *value,
	       struct lw_error *err)
{
	const char *name = option->name;

	if ((option->text || option->set) && !*value && !option->may_be_empty)
		return lw_error_set(err, -EINVAL, "--%s: its value is empty", name);
	if (option->given)
		*option->given = true;
	if (option->text)
		*option->text = value;
	if (option->count)
		return lw_tools_read_count(name, value, (uint32_t)option->least,
					   (uint32_t)option->most, option->count, err);
	if (option->real)
		return lw_tools_read_real(name, value, option->least, option->most, option->real,
					  err);
	if (option->duration_s)
		return lw_tools_read_duration(name, value, option->duration_s, err);
	if (option->range)
		return read_range(name, value, option->range, err);
	if (option->choice)
		return read_choice(option, value, err);
	return option->set ? option->set(request, name, value, err) : 0;
}

/* The table as getopt_long() wants it, to be freed; its letters are added to LETTERS. */
static struct option *make_table(const struct lw_option *options, struct lw_strbuf *letters)
{
	size_t count = 0, n = 0;
	struct option *table;

	while (options[count].name)
		count++;
	table = calloc(count + 2, sizeof(*table));
	lw_strbuf_add(letters, ":h"); /* by the colon a value that is missing is told apart */
	for (size_t i = 0; table && i < count; i++) {
		bool value = takes_value(&options[i]);

		/* getopt_long() would take "--=x" for an option without a name */
		if (!*options[i].name)
			continue;
		table[n++] = (struct option){ .name = options[i].name,
					      .has_arg = options[i].bare ? optional_argument
							 : value         ? required_argument
									 : no_argument,
					      .val = FIRST + (int)i };
		if (options[i].letter)
			lw_strbuf_add(letters, "%c%s", options[i].letter,
				      value && !options[i].bare ? ":" : "");
	}
	if (table)
		table[n] = (struct option){ "help", no_argument, NULL, 'h' };
	return table;
}

static const struct lw_option *options_find(const struct lw_option *options, int c)
{
	if (c >= FIRST)
		return &options[c - FIRST];
	while (options->name && options->letter != c)
		options++;
	return options->name ? options : NULL;
}

/* "--json", "--json -" and "--json=FILE": the next word is what is worked on, not to be written */
static const char *value_of(const struct lw_option *option, int argc, char **argv)
{
	if (optarg || !option->bare)
		return optarg;
	if (optind < argc && strcmp(argv[optind], "-") == 0)
		return argv[optind++];
	return option->bare;
}

/* "--polcy=easy": was another one meant? */
static int no_such_option(const struct lw_option *options, const char *word, struct lw_error *err)
{
	char name[LW_SPELL_MAX + 2];
	struct lw_guess guess;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	lw_guess_init(&guess, name);
	for (; options->name; options++)
		if (*options->name)
			(void)lw_guess_try(&guess, options->name);
	if (!guess.name)
		return lw_error_set(err, -EINVAL, "%s: no such option", word);
	return lw_error_set(err, -EINVAL, "%s: no such option; did you mean --%s?", word,
			    guess.name);
}

/* What getopt_long() stopped at, C: a letter, or the word it has just gone past. */
static int options_complain(const struct lw_option *options, int c, char **argv,
			    struct lw_error *err)
{
	const char *what = c == ':'          ? "its value is missing"
			   : optopt >= FIRST ? "it takes no value"
					     : "no such option";

	if (optopt && optopt < FIRST)
		return lw_error_set(err, -EINVAL, "-%c: %s", optopt, what);
	if (!optopt)
		return no_such_option(options, argv[optind - 1], err);
	return lw_error_set(err, -EINVAL, "%s: %s", argv[optind - 1], what);
}

/* A line an option: its name, whether it takes a value, and which, with tabs between. */
static void list(const struct lw_option *options)
{
	for (const struct lw_option *o = options; o->name; o++) {
		const char *kind = o->bare ? "optional" : takes_value(o) ? "value" : "flag";

		if (!*o->name)
			continue;
		printf("--%s\t%s\t%s", o->name, kind, o->values ? o->values : "");
		for (uint32_t i = 0; o->choice && o->names[i]; i++)
			printf("%s%s", i ? " " : "", o->names[i]);
		putchar('\n');
	}
	puts("--help\tflag\t");
}

/* "" is no file, no folder and no job. */
static int refuse_empty(int argc, char **argv, struct lw_error *err)
{
	for (int i = optind; i < argc; i++)
		if (!*argv[i])
			return lw_error_set(err, -EINVAL, "a name is empty");
	return 0;
}

int lw_options_read(const struct lw_option *options, void *request, int argc, char **argv,
		    struct lw_error *err)
{
	struct lw_strbuf letters = LW_STRBUF_INIT;
	struct option *table = make_table(options, &letters);
	int rc = table && !letters.error ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
	int c;

	if (!rc && argc > 1 && strcmp(argv[1], LW_OPTIONS_LIST) == 0) {
		list(options);
		rc = -ECANCELED;
	}
	/* before getopt puts the words in another order */
	lw_origin_begin(argc, argv);
	opterr = 0; /* we say it ourselves, and once */
	/* options behind an operand are options, whatever the shell has exported */
	unsetenv("POSIXLY_CORRECT");
	while (!rc &&
	       (c = getopt_long(argc, argv, lw_strbuf_text(&letters), table, NULL)) != -1) {
		const struct lw_option *option = options_find(options, c);

		if (c == 'h') {
			lw_options_help(options);
			rc = -ECANCELED;
		} else if (!option)
			rc = options_complain(options, c, argv, err);
		else
			rc = set(option, request, value_of(option, argc, argv), err);
	}
	if (!rc)
		rc = refuse_empty(argc, argv, err);
	lw_strbuf_fini(&letters);
	free(table);
	return rc;
}

int lw_options_word(const char *what, int argc, char **argv, const char **ret_word,
		    struct lw_error *err)
{
	if (optind == argc)
		return lw_error_set(err, -EINVAL, "which %s?", what);
	if (optind + 1 < argc)
		return lw_error_set(err, -EINVAL,
				    "more than one %s: \"%s\" and \"%s\" (the file of --json is "
				    "written --json=FILE)",
				    what, argv[optind], argv[optind + 1]);
	*ret_word = argv[optind];
	return 0;
}

int lw_options_refused(const char *command, int rc, const struct lw_error *err)
{
	if (rc == -ECANCELED)
		return LW_TOOLS_OK;
	/* a file that an option names, as any other */
	return rc == -EINVAL ? lw_tools_usage(command, "%s", err->text)
			     : lw_tools_failed(command, err);
}
