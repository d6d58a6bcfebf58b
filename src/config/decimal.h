/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: decimals as people write them, in any locale. */
#ifndef LW_CONFIG_DECIMAL_H
#define LW_CONFIG_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_DECIMALS 6

/*
 * All of TEXT is a decimal such as 12.5, whose whole part is at most MOST. What is behind
 * LW_DECIMALS is cut off, but a number of which nothing would be left is none.
 */
bool lw_decimal_read(const char *text, uint64_t most, double *ret_value);
#define LW_DECIMAL_WANTED 160
/* Into BUF what was wanted where TEXT stands: "wants a number from 0.000001 to 1, as in 0.5". */
void lw_decimal_wanted(const char *text, double least, double most, char *buf, size_t size);

#endif
