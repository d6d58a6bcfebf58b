/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the program leeway: finds the subcommand, here or in the laboratory, and hands over. */
#include "cli/common/tools.h"

#include "base/spell.h"
#include "cli/common/lab.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
#define LW_COMMAND(name, what)     { #name, lw_tools_##name, what },
#define LW_LAB_COMMAND(name, what) { #name, lw_lab_run, what },
#include "cli/common/commands.def"
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void print_usage(FILE *out)
{
	fprintf(out, "usage: leeway COMMAND [OPTION...]\n\n");
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
	fprintf(out, "\nAbout your own jobs: why, when, promises, limit, types, size, gpu and "
		     "chain.\n"
		     "\"leeway COMMAND --help\" lists a command's options; \"leeway --version\"\n"
		     "says which leeway this is.\n"
		     "Exit code: 0; 1 it failed, 2 wrong usage; a command may have others.\n");
}

/* Which are there, or the one that was meant. */
static int no_command(const char *name)
{
	struct lw_guess guess;

	lw_guess_init(&guess, name);
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		(void)lw_guess_try(&guess, commands[i].name);
	if (*name)
		fprintf(stderr, "leeway: there is no command \"%s\"\n", lw_tools_plain(name));
	if (*name && guess.name)
		fprintf(stderr, "Did you mean \"leeway %s\"?\n", guess.name);
	else
		print_usage(stderr);
	return LW_TOOLS_USAGE;
}

/* Where the command of that name is; behind them all if there is none. */
static size_t find_command(const char *name)
{
	size_t i = 0;

	while (i < COUNT_OF(commands) && strcmp(name, commands[i].name) != 0)
		i++;
	return i;
}

/* "leeway help sim" is "leeway sim --help". */
static int help(char **argv)
{
	char asked[] = "--help", *command[] = { argv[2], asked, NULL };
	size_t i = find_command(argv[2]);

	return i < COUNT_OF(commands) ? commands[i].run(2, command) : no_command(argv[2]);
}

static int main_run(const char *name, int argc, char **argv)
{
	size_t i = find_command(name);

	if (i < COUNT_OF(commands))
		return commands[i].run(argc - 1, argv + 1);
	if (strcmp(name, "help") == 0 && argc > 2)
		return help(argv);
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		print_usage(stdout);
		return LW_TOOLS_OK;
	}
	if (strcmp(name, "--version") == 0) {
		printf("leeway %s\n", PACKAGE_VERSION);
		return LW_TOOLS_OK;
	}
	return no_command(name);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	/* above the shell's ulimit -f a write fails then, and that is told */
	signal(SIGXFSZ, SIG_IGN);
	return lw_tools_flush(name, main_run(name, argc, argv));
}
