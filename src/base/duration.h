/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: durations in the forms that users write, in seconds. */
#ifndef LW_BASE_DURATION_H
#define LW_BASE_DURATION_H

#include <stddef.h>
#include <stdint.h>

/* Room for the text of lw_duration_refused(). */
#define LW_DURATION_WHY 96

/*
 * Read "90s", "15m", "2h", "1d", "1w", "2h30m", "MM:SS", "HH:MM:SS" or "D-HH:MM:SS" into *ret_s.
 * A number without a unit is refused, except 0: 45 may mean 45s, or 45m, as it does for sbatch
 * --time. -EINVAL for anything else, -ERANGE above 100 years (of 366 days).
 */
int lw_duration_parse(const char *text, int64_t *ret_s);

/*
 * What is wrong with TEXT, which lw_duration_parse() refused, for a message after TEXT in
 * quotes: "has no unit: 45s or 45m?", or "is not a time such as ...".
 */
void lw_duration_refused(const char *text, char *buf, size_t size);

/* Write SECONDS as "45s", "12m05s", "2h30m" or "3d04h"; always ends the string. */
void lw_duration_print(int64_t seconds, char *buf, size_t size);

/*
 * Write SECONDS (at least 0) exactly, as "1d2h3m4s" without units that are 0;
 * lw_duration_parse() reads the same number back.
 */
void lw_duration_print_exact(int64_t seconds, char *buf, size_t size);

#endif
