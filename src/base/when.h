/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a moment in words for users, the same wherever one is told. */
#ifndef LW_BASE_WHEN_H
#define LW_BASE_WHEN_H

#include <stdint.h>

#define LW_WHEN_MAX 32

/*
 * AT_S, seconds since the epoch, in local time, for a reader at NOW_S: "14:02" today; with the
 * date, "11-23T14:02", if not today; with the year, "2027-11-23T14:02", if not within six months;
 * "later" if beyond the calendar. Returns TEXT.
 */
const char *lw_when_tell(int64_t at_s, int64_t now_s, char text[LW_WHEN_MAX]);

#endif
