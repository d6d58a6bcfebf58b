/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: subcommands of the laboratory, which is a program and a package of its own. */
#ifndef LW_CLI_COMMON_LAB_H
#define LW_CLI_COMMON_LAB_H

/*
 * Run the program leeway-lab, in this process's place, on the subcommand ARGV[0] and its
 * arguments. Returns only an exit code, when there is no such program, which is told.
 */
int lw_lab_run(int argc, char **argv);

#endif
