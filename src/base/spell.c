/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far apart two words are, to guess the one that was meant. */
#include "base/spell.h"

#include <limits.h>
#include <string.h>

/* Row by row of the table of distances between the beginnings of A and B. */
unsigned lw_spell_distance(const char *a, const char *b)
{
	unsigned row[LW_SPELL_MAX + 1];
	size_t b_len = strlen(b);

	if (strlen(a) > LW_SPELL_MAX || b_len > LW_SPELL_MAX)
		return UINT_MAX;
	for (size_t j = 0; j <= b_len; j++)
		row[j] = (unsigned)j;
	for (size_t i = 0; a[i]; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i + 1;
		for (size_t j = 0; j < b_len; j++) {
			unsigned replaced = diagonal + (a[i] != b[j]);

			diagonal = row[j + 1];
			if (row[j] + 1 < replaced)
				replaced = row[j] + 1;
			if (diagonal + 1 < replaced)
				replaced = diagonal + 1;
			row[j + 1] = replaced;
		}
	}
	return row[b_len];
}

void lw_guess_init(struct lw_guess *guess, const char *word)
{
	guess->word = word;
	guess->distance = (unsigned)(strlen(word) + 1) / 3 + 1;
	guess->name = NULL;
}

bool lw_guess_try(struct lw_guess *guess, const char *name)
{
	return lw_guess_try_at(guess, name, lw_spell_distance(guess->word, name));
}

bool lw_guess_try_at(struct lw_guess *guess, const char *name, unsigned distance)
{
	if (distance >= guess->distance)
		return false;
	guess->distance = distance;
	guess->name = name;
	return true;
}
