/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: numbers out of texts of others, within bounds. */
#ifndef LW_BASE_NUMBER_H
#define LW_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What strtoul(), atoi() and sscanf() let pass, these do not: blanks and signs before a number, and
 * numbers that do not fit, which wrap round there to others that look right. Digits are decimal,
 * as many zeros before them as there may be. Where false is returned, nothing has changed.
 */

/* Take a number of 0 to MAX off the front of *at. */
bool lw_number_take(const char **at, uint64_t max, uint64_t *ret_value);
/* The same of MIN to MAX, with a minus before it if it is below 0. */
bool lw_number_take_signed(const char **at, int64_t min, int64_t max, int64_t *ret_value);

/* All of TEXT is a number of 0 to MAX. */
bool lw_number_read(const char *text, uint64_t max, uint64_t *ret_value);
/* The same of MIN to MAX. */
bool lw_number_read_signed(const char *text, int64_t min, int64_t max, int64_t *ret_value);

/* The number that TEXT, which may be NULL, begins with; MAX if it is above, OTHERWISE if none. */
uint64_t lw_number_begins(const char *text, uint64_t max, uint64_t otherwise);

#endif
