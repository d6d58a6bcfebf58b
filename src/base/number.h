/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read numbers from untrusted texts, within bounds. */
#ifndef LW_BASE_NUMBER_H
#define LW_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Unlike strtoul(), atoi() and sscanf(), these functions refuse blanks and signs before a
 * number, and numbers that do not fit, which wrap round there to numbers that look right. Digits
 * are decimal, with any number of zeros before them. If false is returned, nothing has changed.
 */

/* Take a number of 0 to MAX from the front of *at. */
bool lw_number_take(const char **at, uint64_t max, uint64_t *ret_value);
/* The same for MIN to MAX, with a minus if below 0. */
bool lw_number_take_signed(const char **at, int64_t min, int64_t max, int64_t *ret_value);

/* Take COUNT numbers of 0 to MOST[i], each behind a blank. */
bool lw_number_take_row(const char **at, const uint64_t *most, uint32_t count, uint64_t *values);

/* All of TEXT must be a number of 0 to MAX. */
bool lw_number_read(const char *text, uint64_t max, uint64_t *ret_value);
/* The same for MIN to MAX. */
bool lw_number_read_signed(const char *text, int64_t min, int64_t max, int64_t *ret_value);

/*
 * The number at the front of TEXT, which may be NULL; MAX if it is above, OTHERWISE if there is
 * none.
 */
uint64_t lw_number_begins(const char *text, uint64_t max, uint64_t otherwise);

#endif
