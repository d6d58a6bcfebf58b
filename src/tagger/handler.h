/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a job script handle a signal, and requeue its own job? */
#ifndef LW_TAGGER_HANDLER_H
#define LW_TAGGER_HANDLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a script only so much is looked at. */
#define LW_HANDLER_SCRIPT_MAX 65536

/* What a script says by lines of its own; a comment says nothing. */
struct lw_handler {
	bool traps;    /* a line begins with "trap" and names the signal */
	bool requeues; /* "scontrol requeue" */
};

/* Look for a handler of SIGNAL in the LEN bytes of SCRIPT, which need not end in NUL. */
void lw_handler_find(const char *script, size_t len, uint16_t signal,
		     struct lw_handler *ret_handler);

/* What Slurm's --signal calls SIGNAL: "USR1", or its digits. Valid until the next call. */
#define LW_HANDLER_NAME_MAX 8
const char *lw_handler_name(uint16_t signal, char name[LW_HANDLER_NAME_MAX]);

#endif
