/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of guessing which word was meant. */
#include "base/spell.h"

#include "unit/unit.h"

#include <limits.h>

static const struct {
	const char *a, *b;
	unsigned distance;
} pairs[] = {
	{ "", "", 0 },
	{ "", "abc", 3 },
	{ "abc", "", 3 },
	{ "policy", "policy", 0 },
	{ "polcy", "policy", 1 },
	{ "policcy", "policy", 1 },
	{ "pilicy", "policy", 1 },
	{ "tmie", "time", 2 },
	{ "kitten", "sitting", 3 },
	{ "a23456789b123456789c123456789d123456789e123456789f123456789g12345", "a", UINT_MAX },
};

TEST_EACH(distances, LW_COUNT_OF(pairs))
{
	ck_assert_uint_eq(lw_spell_distance(pairs[_i].a, pairs[_i].b), pairs[_i].distance);
}

static const struct {
	const char *word;
	const char *meant; /* NULL: none of them */
} words[] = {
	{ "simm", "sim" },     { "replya", "replay" },
	{ "reprt", "report" }, { "workloads", "workload" },
	{ "x", NULL },         { "nothing", NULL },
	{ "", NULL },
};

static const char *const names[] = { "sim", "replay", "report", "workload" };

TEST_EACH(guesses, LW_COUNT_OF(words))
{
	struct lw_guess guess;

	lw_guess_init(&guess, words[_i].word);
	for (size_t i = 0; i < LW_COUNT_OF(names); i++)
		(void)lw_guess_try(&guess, names[i]);
	if (words[_i].meant)
		ck_assert_pstr_eq(guess.name, words[_i].meant);
	else
		ck_assert_ptr_null(guess.name);
}

/* The first of two that are as near, and one that the caller knows to be nearer. */
TEST(ties_and_better_knowledge)
{
	struct lw_guess guess;

	lw_guess_init(&guess, "rat");
	ck_assert(lw_guess_try(&guess, "cat"));
	ck_assert(!lw_guess_try(&guess, "bat"));
	ck_assert_str_eq(guess.name, "cat");
	ck_assert(lw_guess_try_at(&guess, "elephant", 0));
	ck_assert_str_eq(guess.name, "elephant");
}
