/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: all mistakes of a leeway.yaml, one by one. */
#ifndef LW_CONFIG_MISTAKES_H
#define LW_CONFIG_MISTAKES_H

#include "base/error.h"
#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

/* At most this many are logged; for the others, their number. */
#define LW_MISTAKES_LOGGED 20

struct lw_mistake {
	unsigned line; /* of the file */
	bool rule;     /* a rule of tag.rules is left out; else the whole file is refused */
	char *what;    /* "sched.relax: 3.0 is above 2.0"; of a rule without "tag.rules: " */
};

/* In the order of the file. */
struct lw_mistakes {
	struct lw_mistake *mistake;
	uint32_t count, room;
	int error; /* 0, or -ENOMEM: some are missing */
};

/* Free all they hold; safe on zeroed or already finished ones. */
void lw_mistakes_fini(struct lw_mistakes *mistakes);

/* Add one. Failure is in mistakes->error. */
void lw_mistakes_add(struct lw_mistakes *mistakes, unsigned line, bool rule, const char *what);

/*
 * Log that FILE was refused: FIRST, the error of its reading, with the OUTCOME ("the settings
 * stay as they were"), and one line for each other mistake that made it refused, at most
 * LW_MISTAKES_LOGGED in all and one with the number of the rest.
 */
void lw_mistakes_log(const struct lw_mistakes *mistakes, const char *file,
		     const struct lw_error *first, const char *outcome,
		     const struct lw_log *log);

#endif
