/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the program leeway-lab: the subcommands of the laboratory, run by the program leeway.
 */
#include "cli/common/tools.h"
#include "lab/history/evaluate.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
#define LW_COMMAND(name, what)
#define LW_LAB_COMMAND(name, what) { #name, lw_tools_##name },
#include "cli/common/commands.def"
	{ "history", lw_lab_history }, /* evaluate: its other verbs are in cli/history */
};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	/* as in the program leeway */
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(name, commands[i].name) == 0)
			return lw_tools_flush(name, commands[i].run(argc - 1, argv + 1));
	fputs("leeway-lab: a part of the program leeway: \"leeway --help\" has its commands\n",
	      stderr);
	return LW_TOOLS_USAGE;
}
