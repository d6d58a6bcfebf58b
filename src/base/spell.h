/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far two words are apart, to find the one that was meant. */
#ifndef LW_BASE_SPELL_H
#define LW_BASE_SPELL_H

/* The longest word that is compared. */
#define LW_SPELL_MAX 64

/*
 * How many letters must be inserted, deleted or replaced to make B of A (Levenshtein 1966);
 * UINT_MAX when one is longer than LW_SPELL_MAX.
 */
unsigned lw_spell_distance(const char *a, const char *b);

/* The smallest distance at which another word is meant than WORD: a third of it is wrong. */
unsigned lw_spell_limit(const char *word);

#endif
