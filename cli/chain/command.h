/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a command of Slurm's that is run once, while its user watches. */
#ifndef LW_CLI_CHAIN_COMMAND_H
#define LW_CLI_CHAIN_COMMAND_H

#include "base/error.h"
#include "base/strbuf.h"

/*
 * What a command said: on standard output at most LW_COMMAND_OUTPUT_MAX bytes and one more where
 * there was more, on standard error as much. Finish it with lw_command_fini(), whatever came of
 * it.
 */
#define LW_COMMAND_OUTPUT_MAX (64 << 10)
struct lw_command_said {
	struct lw_strbuf out, complaint;
	int status; /* of waitpid(); -1 if other code reaped it */
};

/*
 * Run ARGV (NULL-terminated), looked for in PATH, without standard input. Its standard error goes
 * on to ours line by line, as lw_plain_lines() has it. It is run once and for as long as it
 * takes: what changes something must not be run twice, nor be ended half-way. A signal that comes
 * meanwhile and is handled does not end the waiting. -errno with ERR when it cannot be started;
 * else 0, whatever it ended with.
 */
int lw_command_run(const char *const *argv, struct lw_command_said *said, struct lw_error *err);
void lw_command_fini(struct lw_command_said *said);

/* The last line of its complaint, or what it ended with: "exit status 1". To be freed, or NULL.
 */
char *lw_command_reason(const struct lw_command_said *said);

#endif
