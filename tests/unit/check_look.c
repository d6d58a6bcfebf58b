/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of cli/chart/look.h: a colour a policy, that can be seen and told apart. */
#include "cli/chart/look.h"

#include "unit/unit.h"

#include <math.h>
#include <stdio.h>

static double linear(unsigned byte)
{
	double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double brightness(const char *colour)
{
	unsigned r, g, b;

	ck_assert_int_eq(sscanf(colour, "#%02x%02x%02x", &r, &g, &b), 3);
	return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/* As the guidelines for accessibility have it: 1 to 21. */
static double contrast(const char *a, const char *b)
{
	double x = brightness(a), y = brightness(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

TEST(each_policy_has_a_colour_of_its_own)
{
	for (uint32_t a = 0; a < LW_LOOK_COLOURS; a++) {
		ck_assert_int_eq(lw_look_policy(a) != NULL, a < LW_LOOK_POLICIES);
		for (uint32_t b = 0; b < a; b++) {
			ck_assert_str_ne(lw_look_colour(a, 0), lw_look_colour(b, 0));
			ck_assert_str_ne(lw_look_colour(a, 1), lw_look_colour(b, 1));
		}
		ck_assert_double_ge(contrast(lw_look_colour(a, 0), LW_LOOK_LIGHT_GROUND), 3);
		ck_assert_double_ge(contrast(lw_look_colour(a, 1), LW_LOOK_DARK_GROUND), 3);
	}
}

/* Names, settings and labels, and whose colour they have; NULL: of no policy. */
static const struct {
	const char *name, *policy;
} named[] = {
	{ "leeway", "leeway" },
	{ "fcfs", "fcfs" },
	{ "easy", "easy" },
	{ "conservative", "conservative" },
	{ "relaxed", "relaxed" },
	{ "adaptive", "adaptive" },
	{ "clairvoyant", "clairvoyant" },
	{ "published", "published" },
	{ "published-adaptive", "published-adaptive" },
	{ "stock", "stock" },
	{ "relaxed:relax=0.02:order=fcfs", "relaxed" },
	{ "stock 2", "stock" },
	{ "KTH, leeway", "leeway" },
	{ "easygoing", NULL },
	{ "gpu-a01 GPU 0", NULL },
	{ "", NULL },
};

TEST_EACH(names_have_the_colour_of_their_policy, LW_COUNT_OF(named))
{
	struct lw_looks looks = { 0 };
	struct lw_look look = lw_looks_next(&looks, named[_i].name);
	const char *policy = lw_look_policy(look.colour);

	ck_assert_str_eq(policy ? policy : "", named[_i].policy ? named[_i].policy : "");
}

TEST(variants_differ_by_dash_and_shade)
{
	struct lw_looks looks = { 0 };
	struct lw_look easy = lw_looks_next(&looks, "easy");
	struct lw_look one = lw_looks_next(&looks, "relaxed:relax=0.1");
	struct lw_look two = lw_looks_next(&looks, "relaxed:relax=0.2");
	struct lw_look gpu = lw_looks_next(&looks, ""), other = lw_looks_next(&looks, "");

	ck_assert_uint_eq(one.colour, two.colour);
	ck_assert_uint_ne(one.colour, easy.colour);
	ck_assert_uint_ne(gpu.colour, other.colour);
	ck_assert_str_ne(lw_look_dash(&one), lw_look_dash(&two));
	ck_assert_str_ne(lw_look_dash(&one), lw_look_dash(&easy));
	ck_assert_double_ne(lw_look_opacity(&one), lw_look_opacity(&two));
	ck_assert_double_eq(lw_look_opacity(&one), lw_look_opacity(&easy));
}
