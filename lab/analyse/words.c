/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: numbers as people read them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/duration.h"
#include "lab/analyse/analyse.h"

#define WORDS 16

static char *next_word(void)
{
	static _Thread_local char words[WORDS][ANA_WORD];
	static _Thread_local unsigned next;

	return words[next++ % WORDS];
}

const char *lw_ana_percent(double share)
{
	char *word = next_word();

	if (isnan(share))
		return "-";
	snprintf(word, ANA_WORD, "%.*f %%", share > 0 && share < 0.0995 ? 1 : 0, 100 * share);
	return word;
}

const char *lw_ana_of(double part, double whole)
{
	return lw_ana_percent(lw_share(part, whole));
}

const char *lw_ana_seconds(double seconds)
{
	char *word = next_word();

	if (isnan(seconds))
		return "-";
	lw_duration_print((int64_t)(seconds + 0.5), word, ANA_WORD);
	return word;
}

const char *lw_ana_count(double count, const char *what)
{
	char *word = next_word();

	snprintf(word, ANA_WORD, "%.0f %s%s", count, what, count == 1 ? "" : "s");
	return word;
}

const char *lw_ana_number(double value)
{
	char *word = next_word();

	if (isnan(value))
		return "-";
	if (fabs(value) >= 1e6)
		snprintf(word, ANA_WORD, "%.3gM", value / 1e6);
	else if (fabs(value) >= 1e4)
		snprintf(word, ANA_WORD, "%.0fk", value / 1e3);
	else
		snprintf(word, ANA_WORD, "%.*f", value < 10 && value > floor(value) ? 1 : 0,
			 value);
	return word;
}

const char *lw_ana_ratio(double value)
{
	char *word = next_word();

	if (isnan(value))
		return "-";
	snprintf(word, ANA_WORD, "%.2f", value);
	return word;
}

const char *lw_ana_steps_word(enum lw_steps_of kind)
{
	return kind == LW_STEPS_USER ? "of a user" : "of a user and name";
}

const char *lw_ana_hours(double area_s)
{
	return lw_ana_number(area_s / 3600);
}
