/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a line, a bar or a dot of a chart looks like: one colour a policy, everywhere. */
#ifndef LW_CLI_CHART_LOOK_H
#define LW_CLI_CHART_LOOK_H

#include "base/strbuf.h"

#include <stdint.h>

/* Of the policies, and of what is none: GPUs, replays of another name. */
#define LW_LOOK_POLICIES 10
#define LW_LOOK_OTHERS   6
#define LW_LOOK_COLOURS  (LW_LOOK_POLICIES + LW_LOOK_OTHERS)
#define LW_LOOK_DASHES   7

struct lw_look {
	uint8_t colour; /* of the policy */
	uint8_t dash;   /* no two in a chart have the same: they tell lines apart in print */
	uint8_t shade;  /* of several that have one colour, which; they are paler and paler */
};

/* "leeway", or NULL for a colour of no policy. */
const char *lw_look_policy(uint32_t colour);
/* "#D55E00", on white, or on the dark ground of LW_LOOK_DARK. */
const char *lw_look_colour(uint32_t colour, int dark);
#define LW_LOOK_LIGHT_GROUND "#ffffff"
#define LW_LOOK_DARK_GROUND  "#16191d"
/* As SVG has it: "7 3", or "none". */
const char *lw_look_dash(const struct lw_look *look);
/* How much of its colour a bar or a dot has: 1, or less. */
double lw_look_opacity(const struct lw_look *look);

/* Those of one chart, or of all on a page. Zeroed there is none yet. */
struct lw_looks {
	uint32_t count, others;
	uint8_t used[LW_LOOK_COLOURS];
};

/*
 * The look of the next one, which NAME tells the policy of: it, its settings, as
 * "relaxed:relax=0.1", or a label that holds its name as a word, as "stock 2".
 */
struct lw_look lw_looks_next(struct lw_looks *looks, const char *name);

#endif
