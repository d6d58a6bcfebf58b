/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the one unit that a page tells times of a kind in. */
#ifndef LW_CLI_CHART_UNIT_H
#define LW_CLI_CHART_UNIT_H

#include <stddef.h>

struct lw_unit {
	double seconds;
	const char *name; /* "minutes" */
};

/* What suits times up to LARGEST_S. */
struct lw_unit lw_unit_for(double largest_s);

/* VALUE, in any unit, with three digits and no exponent; "-" for NAN. */
#define LW_UNIT_TEXT 32
void lw_unit_print(double value, char buf[LW_UNIT_TEXT]);

#endif
