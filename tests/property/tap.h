/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: runs a property over many seeds and says in TAP which seed broke it. */
#ifndef LW_TESTS_TAP_H
#define LW_TESTS_TAP_H

#include "base/strbuf.h"

#include <stdint.h>

/*
 * One round with SEED. Returns 0 when the property holds; otherwise WHY says how it
 * was broken, with whatever helps to understand it (a snapshot, say).
 */
typedef int (*property_f)(uint64_t seed, struct lw_strbuf *why);

struct property {
	const char *name; /* the sentence that holds */
	property_f round_f;
	unsigned rounds; /* in a quick run */
};

/*
 * Run COUNT properties and print TAP. LW_ROUNDS in the environment is the number of
 * rounds of each, LW_SEED the first seed; LW_QUICK divides the rounds by ten. Returns
 * what main() should.
 */
int run_properties(const struct property *properties, unsigned count);

/* Append to WHY, printf-like, and be -1. */
#define BROKEN(why, ...) (lw_strbuf_add(why, __VA_ARGS__), -1)

#endif
