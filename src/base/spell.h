/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far apart two words are, to guess the one that was meant. */
#ifndef LW_BASE_SPELL_H
#define LW_BASE_SPELL_H

#include <stdbool.h>

/* The longest word that is compared. */
#define LW_SPELL_MAX 64

/*
 * How many letters must be inserted, deleted or replaced to change A to B (Levenshtein 1966);
 * UINT_MAX if one is longer than LW_SPELL_MAX.
 */
unsigned lw_spell_distance(const char *a, const char *b);

/* The name that WORD was meant to be: the nearest, unless a third of WORD would be wrong. */
struct lw_guess {
	const char *word;
	unsigned distance; /* a name must be nearer than this */
	const char *name;  /* the nearest so far, or NULL */
};

/* WORD is borrowed. */
void lw_guess_init(struct lw_guess *guess, const char *word);
/* Try NAME, which is borrowed: true if it is the nearest so far. */
bool lw_guess_try(struct lw_guess *guess, const char *name);
/* The same if the caller knows the distance of NAME from the word better. */
bool lw_guess_try_at(struct lw_guess *guess, const char *name, unsigned distance);

#endif
