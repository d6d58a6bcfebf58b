/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a bar on the terminal for what takes long. */
#ifndef LW_LAB_CLI_SIM_PROGRESS_H
#define LW_LAB_CLI_SIM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Of several things that take long, such as policies: which one, and since when. */
struct lw_progress_step {
	const char *what; /* "policy" */
	uint32_t number;  /* from 1 */
	uint32_t count;   /* 0: it is the only one */
	double begun_s;   /* the first of them */
};

/*
 * Draws on standard error if that is a terminal, not before half a second has passed, and
 * takes the line away at the end; otherwise silent. A terminal that is dumb gets a line every
 * ten seconds.
 */
struct lw_progress {
	char label[64];
	struct lw_progress_step step;
	bool on;
	bool dumb; /* knows no escapes */
	bool drawn;
	double begun_s, last_s;
};

/* Seconds on a clock that only goes forward. */
double lw_progress_clock_s(void);

void lw_progress_begin(struct lw_progress *progress, const char *label);
/* It is STEP of several: the line then says so, and the time left is that of all of them. */
void lw_progress_set_step(struct lw_progress *progress, const struct lw_progress_step *step);
/*
 * SHARE 0 .. 1 is done, and the line says how long the rest will take at that pace; DETAIL in a few
 * words, such as "12 of 40 jobs".
 */
void lw_progress_show(struct lw_progress *progress, double share, const char *detail);
void lw_progress_end(struct lw_progress *progress);

#endif
