/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a line, a bar or a dot of a chart looks like: one colour a policy, everywhere. */
#include "cli/chart/look.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/*
 * After the colours of Okabe and Ito, Color universal design, 2008, made darker or brighter until
 * each has a contrast of 3 to its ground.
 */
static const struct {
	const char *policy, *light, *dark;
} colours[LW_LOOK_COLOURS] = {
	{ "leeway", "#D55E00", "#FF8A3D" },       { "easy", "#0072B2", "#5AB0E8" },
	{ "conservative", "#007A5A", "#2FC79A" }, { "relaxed", "#C0529E", "#EE9AD2" },
	{ "adaptive", "#6A4FC3", "#AE9BFF" },     { "clairvoyant", "#9A7400", "#E2B93B" },
	{ "fcfs", "#6E6E6E", "#9AA0A6" },         { "stock", "#101010", "#F5F5F5" },
	{ "published", "#2E94CF", "#2C8FD0" },    { "published-adaptive", "#8A1C5A", "#D4508F" },
	{ NULL, "#00868F", "#35C9D1" },           { NULL, "#B3332B", "#FF7A70" },
	{ NULL, "#5C7F00", "#A9CF4B" },           { NULL, "#3F51B5", "#8FA0FF" },
	{ NULL, "#A0522D", "#D0905F" },           { NULL, "#B8527A", "#F28AA8" },
};

static const char *const dashes[LW_LOOK_DASHES] = { "none", "7 3", "2 2",    "9 3 2 3",
						    "12 4", "1 3", "4 2 1 2" };

const char *lw_look_policy(uint32_t colour)
{
	return colours[colour].policy;
}

const char *lw_look_colour(uint32_t colour, int dark)
{
	return dark ? colours[colour].dark : colours[colour].light;
}

const char *lw_look_dash(const struct lw_look *look)
{
	return dashes[look->dash];
}

double lw_look_opacity(const struct lw_look *look)
{
	static const double opacities[] = { 1, 0.55, 0.3, 0.75, 0.42, 0.15, 0.9 };

	return opacities[look->shade % (sizeof(opacities) / sizeof(opacities[0]))];
}

/* Does NAME hold WORD, with no letter or digit beside it? */
static int holds(const char *name, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = name; (p = strstr(p, word)); p++)
		if ((p == name || !isalnum((unsigned char)p[-1])) &&
		    !isalnum((unsigned char)p[len]))
			return 1;
	return 0;
}

/* The one with the longest name: "published-adaptive" is not "adaptive". */
static uint32_t find_policy(const char *name)
{
	uint32_t best = LW_LOOK_COLOURS;

	for (uint32_t c = 0; c < LW_LOOK_POLICIES; c++)
		if (holds(name, colours[c].policy) &&
		    (best == LW_LOOK_COLOURS ||
		     strlen(colours[c].policy) > strlen(colours[best].policy)))
			best = c;
	return best;
}

struct lw_look lw_looks_next(struct lw_looks *looks, const char *name)
{
	char word[256];
	uint32_t colour;

	/* of settings the first word: what follows may name anything */
	for (size_t i = 0;; i++) {
		word[i] = name[i];
		if (i == sizeof(word) - 1 || name[i] == ':')
			word[i] = '\0';
		if (!word[i])
			break;
	}
	colour = find_policy(word);
	if (colour == LW_LOOK_COLOURS)
		colour = LW_LOOK_POLICIES + looks->others++ % LW_LOOK_OTHERS;
	return (struct lw_look){ .colour = (uint8_t)colour,
				 .dash = (uint8_t)(looks->count++ % LW_LOOK_DASHES),
				 .shade = looks->used[colour]++ };
}
