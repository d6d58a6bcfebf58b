/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which settings Slurm's files know, by release. */
#include "cli/check/slurmkeys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/spell.h"

/* a beginning of this length says which word is meant */
#define PREFIX_MIN 5
/* the newest release that was read: what it has may be there in later ones */
#define NEWEST 2605

static const uint16_t releases[] = { 2205, 2302, 2311, 2405, 2411, 2505, 2511, NEWEST };

#define RELEASE_COUNT (sizeof(releases) / sizeof(releases[0]))
/* a word's last release may be NEWEST, too: that is compared as it is */
#define UNTIL(last) ((last) == NEWEST ? 0 : (last))

static const struct lw_slurmkey keys[] = {
#define TOOLS_SLURM_KEY(where, name, first, last, type)                                          \
	{ LW_SLURMKEY_##where, name, LW_SLURMTYPE_##type, true, first, UNTIL(last) },
#define TOOLS_SLURM_PARAM(name, has_value, first, last)                                          \
	{ LW_SLURMKEY_PARAM, name, LW_SLURMTYPE_TEXT, has_value, first, UNTIL(last) },
#include "cli/check/slurmkeys.def"
};

static const struct lw_slurmkey_elsewhere elsewhere[] = {
#define TOOLS_SLURM_ELSEWHERE(word, key, how) { word, key, how },
#include "cli/check/slurmkeys.def"
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

/* 24.11.5 as 2411 */
static unsigned release_of(uint32_t release)
{
	return (release >> 16) * 100 + (release >> 8 & 0xff);
}

static void keys_lower(const char *text, char *buf, size_t size)
{
	size_t len = 0;

	for (; text[len] && len + 1 < size; len++)
		buf[len] = (char)tolower((unsigned char)text[len]);
	buf[len] = '\0';
}

bool lw_slurmkey_known(const struct lw_slurmkey *key, uint32_t release)
{
	unsigned number = release_of(release);

	if (!release || number < releases[0])
		return true;
	return number >= key->first && (!key->last || key->last == NEWEST || number <= key->last);
}

const struct lw_slurmkey *lw_slurmkey_find(enum lw_slurmkey_where where, const char *name,
					   uint32_t release)
{
	const struct lw_slurmkey *found = NULL;

	/* of two lines for one name the later is the newer */
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (keys[i].where != where || strcasecmp(keys[i].name, name))
			continue;
		if (!found || lw_slurmkey_known(&keys[i], release))
			found = &keys[i];
	}
	return found;
}

const struct lw_slurmkey_elsewhere *lw_slurmkey_elsewhere(const char *word)
{
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
		if (!strcasecmp(elsewhere[i].word, word))
			return &elsewhere[i];
	}
	return NULL;
}

bool lw_slurmkey_supports(uint32_t release)
{
	for (size_t i = 0; i < RELEASE_COUNT; i++) {
		if (releases[i] == release_of(release))
			return true;
	}
	return false;
}

const char *lw_slurmkey_releases(char *buf, size_t size)
{
	size_t len = 0;

	*buf = '\0';
	for (size_t i = 0; i < RELEASE_COUNT && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%02u.%02u",
					!i                      ? ""
					: i + 1 < RELEASE_COUNT ? ", "
								: " and ",
					releases[i] / 100U, releases[i] % 100U);
	return buf;
}

const struct lw_slurmkey *lw_slurmkey_nearest(enum lw_slurmkey_where where, const char *name,
					      uint32_t release)
{
	char wrote[LW_SPELL_MAX + 2], other[LW_SPELL_MAX + 2];
	const struct lw_slurmkey *nearest = NULL;
	struct lw_guess guess;

	keys_lower(name, wrote, sizeof(wrote));
	lw_guess_init(&guess, wrote);
	for (size_t i = 0; i < KEY_COUNT; i++) {
		unsigned d;

		if (keys[i].where != where || !lw_slurmkey_known(&keys[i], release))
			continue;
		keys_lower(keys[i].name, other, sizeof(other));
		d = lw_spell_distance(wrote, other);
		/* "RealMem" */
		if (strlen(wrote) >= PREFIX_MIN && !strncmp(wrote, other, strlen(wrote)) && d > 1)
			d = 1;
		if (lw_guess_try_at(&guess, keys[i].name, d))
			nearest = &keys[i];
	}
	return nearest;
}
