/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order of numbers, for qsort(). */
#ifndef LW_MEASURE_DOUBLES_H
#define LW_MEASURE_DOUBLES_H

static inline int lw_doubles_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

#endif
