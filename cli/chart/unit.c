/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the one unit that a page tells times of a kind in. */
#include "cli/chart/unit.h"

#include <math.h>
#include <stdio.h>

struct lw_unit lw_unit_for(double largest_s)
{
	if (largest_s < 300)
		return (struct lw_unit){ 1, "seconds" };
	if (largest_s < 2 * 3600)
		return (struct lw_unit){ 60, "minutes" };
	if (largest_s < 4 * 86400)
		return (struct lw_unit){ 3600, "hours" };
	return (struct lw_unit){ 86400, "days" };
}

void lw_unit_print(double value, char buf[LW_UNIT_TEXT])
{
	double size = fabs(value);
	int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;

	if (isnan(value))
		snprintf(buf, LW_UNIT_TEXT, "-");
	else if (value == 0)
		snprintf(buf, LW_UNIT_TEXT, "0");
	else if (size < 0.001)
		snprintf(buf, LW_UNIT_TEXT, "< 0.001");
	else
		snprintf(buf, LW_UNIT_TEXT, "%.*f", digits, value);
}
