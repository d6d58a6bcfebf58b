/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: durations as people write them, in seconds. */
#ifndef LW_BASE_DURATION_H
#define LW_BASE_DURATION_H

#include <stddef.h>
#include <stdint.h>

/*
 * Read "90" (seconds), "90s", "15m", "2h", "1d", "1w", "2h30m", "MM:SS", "HH:MM:SS" or
 * "D-HH:MM:SS" into *ret_s. -EINVAL for anything else, -ERANGE above 100 years (of 366
 * days).
 */
int lw_duration_parse(const char *text, int64_t *ret_s);

/* Write SECONDS as "45s", "12m05s", "2h30m" or "3d04h"; always ends the string. */
void lw_duration_print(int64_t seconds, char *buf, size_t size);

/*
 * Write SECONDS (at least 0) to the second, as "1d2h3m4s" without the units that are 0;
 * lw_duration_parse() reads the same number back.
 */
void lw_duration_print_exact(int64_t seconds, char *buf, size_t size);

#endif
