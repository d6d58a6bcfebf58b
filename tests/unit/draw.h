/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: numbers that are drawn alike in every run of a test. */
#ifndef LW_TESTS_DRAW_H
#define LW_TESTS_DRAW_H

#include <stdint.h>

/* The next one, below 2^24. */
static inline uint32_t draw(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

#endif
