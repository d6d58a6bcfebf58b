/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: find a place in a sorted sequence. */
#ifndef LW_BASE_SEARCH_H
#define LW_BASE_SEARCH_H

#include <stdint.h>

/*
 * AT, a uint32_t variable, becomes the first place below COUNT for which IS_BEFORE, an
 * expression of AT, is false, or COUNT. IS_BEFORE must stay false after that place. O(log
 * COUNT).
 *
 * A macro, because some searches are in the innermost loops of a plan.
 */
#define LW_SEARCH(at, count, is_before)                                                        \
	do {                                                                                   \
		uint32_t low_ = 0, high_ = (count);                                            \
		while (low_ < high_) {                                                         \
			(at) = low_ + (high_ - low_) / 2;                                      \
			if (is_before)                                                         \
				low_ = (at) + 1;                                               \
			else                                                                   \
				high_ = (at);                                                  \
		}                                                                              \
		(at) = low_;                                                                   \
	} while (0)

#endif
