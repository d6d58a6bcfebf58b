/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: decimal numbers, in any locale. */
#ifndef LW_CONFIG_DECIMAL_H
#define LW_CONFIG_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_DECIMALS 6

/*
 * All of TEXT must be a decimal such as 12.5, with a whole part of at most MOST. Digits after
 * LW_DECIMALS are cut off; if nothing but zeros is left of a number, it is refused.
 */
bool lw_decimal_read(const char *text, uint64_t most, double *ret_value);
#define LW_DECIMAL_WANTED 160
/* Say what was expected instead of TEXT: "wants a number from 0.000001 to 1, as in 0.5". */
void lw_decimal_wanted(const char *text, double least, double most, char *buf, size_t size);

#endif
