/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/steady: a shown start does not waver with the plans. */
#include "slurm/keep/steady.h"

#include "unit/unit.h"

#define W LW_STEADY_S

/* Plans one after the other, and what is on show after each. */
struct step {
	int64_t now_s, start_s, shown_s;
};

static const struct step alternating[] = {
	/* as leeway sim had them for a job of a demo: 09:24, 09:33, 09:24 and so on */
	{ 1, 2885, 2885 },   { 3, 2812, 2885 },	  { 10, 2885, 2885 },  { 13, 2812, 2885 },
	{ 37, 3315, 3315 },  { 127, 2812, 3315 }, { 128, 3282, 3315 }, { 133, 3460, 3460 },
	{ 173, 2885, 3460 }, { 186, 3282, 3460 }, { 222, 3460, 3460 }, { 261, 2812, 3460 },
};

static const struct step unchanged[] = {
	{ 1, 5000, 5000 }, { 31, 5000, 5000 }, { 61, 5000, 5000 }, { 4000, 5000, 5000 },
};

/* A job ended early: one change, when it is sure. */
static const struct step earlier[] = {
	{ 1, 9000, 9000 },     { 31, 5000, 9000 },     { 31 + W - 1, 5000, 9000 },
	{ 31 + W, 5000, 5000 }, { 61 + W, 5000, 5000 },
};

/* Not to one that was had only by chance just then. */
static const struct step settling[] = {
	{ 1, 9000, 9000 },	{ 31, 5000, 9000 },	{ 61, 6000, 9000 },
	{ 31 + W, 5000, 9000 }, { 61 + W, 6000, 6000 }, { 91 + W, 5000, 6000 },
};

/* In vain: the next time it takes twice as long. */
static const struct step in_vain[] = {
	{ 1, 9000, 9000 },	       { 31, 5000, 9000 },  { 31 + W, 5000, 5000 },
	{ 61 + W, 9000, 9000 },	       { 91 + W, 5000, 9000 }, { 91 + 2 * W, 5000, 9000 },
	{ 91 + 3 * W, 5000, 5000 },
};

/* It has room and lets others pass: until the start on show has passed, that is no news. */
static const struct step held[] = {
	{ 1, 2000, 2000 },	{ 31, 31, 2000 },     { 1999, 1999, 2000 },
	{ 2001, 2001, 2001 }, { 2031, 2031, 2031 },
};

/* Later for good, once. */
static const struct step later[] = {
	{ 1, 2000, 2000 }, { 31, 3000, 3000 }, { 61, 3000, 3000 }, { 91, 3000, 3000 },
};

static const struct {
	const char *name;
	const struct step *steps;
	size_t count;
} courses[] = {
	{ "alternating", alternating, LW_COUNT_OF(alternating) },
	{ "unchanged", unchanged, LW_COUNT_OF(unchanged) },
	{ "earlier", earlier, LW_COUNT_OF(earlier) },
	{ "settling", settling, LW_COUNT_OF(settling) },
	{ "in vain", in_vain, LW_COUNT_OF(in_vain) },
	{ "held", held, LW_COUNT_OF(held) },
	{ "later", later, LW_COUNT_OF(later) },
};

TEST_EACH(what_is_shown_is_steady, LW_COUNT_OF(courses))
{
	struct lw_steady steady = { 0 };
	int64_t shown_s = 0;

	for (size_t i = 0; i < courses[_i].count; i++) {
		const struct step *step = &courses[_i].steps[i];

		if (lw_steady_takes(&steady, shown_s, step->start_s, step->now_s))
			shown_s = step->start_s;
		ck_assert_msg(shown_s == step->shown_s, "%s: step %zu shows %ld", courses[_i].name,
			      i, (long)shown_s);
	}
}

/* However plans alternate for a day, twice a minute: a job sees a handful of turns. */
TEST_EACH(a_day_of_alternating_has_few_turns, 20)
{
	struct lw_steady steady = { 0 };
	int64_t shown_s = 0, was_s = 0;
	uint32_t turns = 0;
	uint64_t random = (uint64_t)_i + 1;

	for (int64_t now_s = 30; now_s < 86400; now_s += 30) {
		int64_t start_s;

		random = random * 6364136223846793005u + 1442695040888963407u;
		/* for some time early, for some time late */
		start_s = 200000 + (((now_s / 900) ^ (random >> 62)) & 1 ? 600 : 0);
		if (lw_steady_takes(&steady, shown_s, start_s, now_s))
			shown_s = start_s;
		turns += was_s && shown_s != was_s;
		was_s = shown_s;
	}
	ck_assert_uint_le(turns, 16);
}
