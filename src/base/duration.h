/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: durations as people write them, in seconds. */
#ifndef LW_BASE_DURATION_H
#define LW_BASE_DURATION_H

#include <stddef.h>
#include <stdint.h>

/* Room for what lw_duration_refused() says. */
#define LW_DURATION_WHY 96

/*
 * Read "90s", "15m", "2h", "1d", "1w", "2h30m", "MM:SS", "HH:MM:SS" or
 * "D-HH:MM:SS" into *ret_s. A number alone is none, but for 0: who writes 45 may mean 45s, or
 * 45m, as it does behind sbatch --time. -EINVAL for anything else, -ERANGE above 100 years (of
 * 366 days).
 */
int lw_duration_parse(const char *text, int64_t *ret_s);

/*
 * What is wrong with TEXT, which lw_duration_parse() refused, for a message behind TEXT in quotes:
 * "has no unit: 45s or 45m?", or "is not a time such as ...".
 */
void lw_duration_refused(const char *text, char *buf, size_t size);

/* Write SECONDS as "45s", "12m05s", "2h30m" or "3d04h"; always ends the string. */
void lw_duration_print(int64_t seconds, char *buf, size_t size);

/*
 * Write SECONDS (at least 0) to the second, as "1d2h3m4s" without the units that are 0;
 * lw_duration_parse() reads the same number back.
 */
void lw_duration_print_exact(int64_t seconds, char *buf, size_t size);

#endif
