/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a bar on the terminal for what takes long. */
#ifndef LW_TOOLS_PROGRESS_H
#define LW_TOOLS_PROGRESS_H

#include <stdbool.h>

/*
 * Draws on standard error if that is a terminal, not before half a second has passed, and
 * takes the line away at the end; otherwise silent.
 */
struct lw_progress {
	char label[64];
	bool on;
	bool drawn;
	double begun_s, last_s;
};

/* Seconds on a clock that only goes forward. */
double lw_progress_clock_s(void);

void lw_progress_begin(struct lw_progress *progress, const char *label);
/* SHARE 0 .. 1 is done; DETAIL in a few words, such as "12 of 40 jobs". */
void lw_progress_show(struct lw_progress *progress, double share, const char *detail);
void lw_progress_end(struct lw_progress *progress);

#endif
