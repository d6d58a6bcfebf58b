/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: --help of a subcommand, from the table of its options. */
#include "cli/common/options.h"

#include <stdio.h>
#include <string.h>

/* Where the sentences stand; an option that is longer has a line of its own. */
#define COLUMN 24
#define WIDTH  80

/* "  -o, --output FILE"; how long it is */
static size_t print_names(const struct lw_option *o)
{
	const char *arg = o->arg ? o->arg : "";
	char letter[] = "-?, ";

	letter[1] = o->letter;
	return (size_t)printf("  %s--%s%s%s", o->letter ? letter : "", o->name,
			      *arg && *arg != '[' ? " " : "", arg);
}

/* How much of TEXT is in its first line: it ends at a blank, or behind a comma. */
static size_t first_line(const char *text)
{
	size_t len = strlen(text);

	if (len <= WIDTH - COLUMN)
		return len;
	for (len = WIDTH - COLUMN; len; len--)
		if (text[len] == ' ' || text[len - 1] == ',')
			return len;
	return strcspn(text, " ");
}

/* TEXT behind COLUMN, in as many lines as it takes; the first has USED columns so far. */
static void print_folded(const char *text, size_t used)
{
	while (*text) {
		size_t len = first_line(text);

		printf("%*s%.*s\n", used < COLUMN ? (int)(COLUMN - used) : 0, "", (int)len, text);
		text += len + strspn(text + len, " ");
		used = 0;
	}
}

static void print_option(const struct lw_option *o)
{
	size_t used = print_names(o);

	if (used >= COLUMN) {
		putchar('\n');
		used = 0;
	}
	print_folded(o->help, used);
}

void lw_options_help(const struct lw_option *options)
{
	for (; options->name; options++) {
		if (options->help && *options->name)
			print_option(options);
		else if (options->help)
			fputs(options->help, stdout);
	}
}
