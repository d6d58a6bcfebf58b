/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/mark: our word among what others write into a job's comment. */
#include "slurm/keep/mark.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdlib.h>

#define A LW_MARK_START "2026-11-26T14:47:00"
#define B LW_MARK_START "2026-11-27T01:00:00"
#define BB "2026-11-26T12:00:00 setup: Error: no space"

static const struct {
	const char *comment, *word;
	int rc;
	const char *then;
} vectors[] = {
	{ NULL, A, 0, A },
	{ "", A, 0, A },
	{ A, A, -EALREADY, NULL },
	{ A, B, 0, B },
	{ A, NULL, 0, NULL },
	{ NULL, NULL, -EALREADY, NULL },
	{ "", NULL, -EALREADY, NULL },
	{ "free text", NULL, -EALREADY, NULL },
	/* what others wrote stays, before and behind it */
	{ BB, A, 0, BB " " A },
	{ BB " " A, B, 0, BB " " B },
	{ BB " " A, NULL, 0, BB },
	{ A "\n" BB, B, 0, B "\n" BB },
	{ A "\n" BB, NULL, 0, BB },
	{ BB " " A "\n" BB, NULL, 0, BB "\n" BB },
	/* and what only looks like it */
	{ "not" A, NULL, -EALREADY, NULL },
	{ "not" A, B, 0, "not" A " " B },
	{ "not" A " " A, NULL, 0, "not" A },
	{ "leeway:dl=training", A, 0, "leeway:dl=training " A },
};

TEST_EACH(only_our_word_changes, LW_COUNT_OF(vectors))
{
	char *then = NULL;

	ck_assert_int_eq(lw_mark_put(vectors[_i].comment, vectors[_i].word, &then),
			 vectors[_i].rc);
	if (vectors[_i].then)
		ck_assert_str_eq(then, vectors[_i].then);
	else
		ck_assert_ptr_null(then);
	free(then);
}

/* Two words of ours know nothing of each other. */
TEST(another_word_of_ours_stays)
{
	char *both = NULL, *one = NULL, *none = NULL;

	ck_assert_int_eq(lw_mark_put_word(BB " " A, "leeway:why=", "leeway:why=v:1,at:7", &both),
			 0);
	ck_assert_str_eq(both, BB " " A " leeway:why=v:1,at:7");
	ck_assert_int_eq(lw_mark_put_word(both, "leeway:why=", "leeway:why=v:1,at:7", &one),
			 -EALREADY);
	ck_assert_int_eq(lw_mark_put(both, NULL, &one), 0);
	ck_assert_str_eq(one, BB " leeway:why=v:1,at:7");
	ck_assert_int_eq(lw_mark_put_word(one, "leeway:why=", NULL, &none), 0);
	ck_assert_str_eq(none, BB);
	free(both);
	free(one);
	free(none);
}

TEST(the_word_is_local_time)
{
	char word[LW_MARK_MAX];

	setenv("TZ", "UTC", 1);
	lw_mark_word(INT64_C(1795704420), word);
	ck_assert_str_eq(word, LW_MARK_START "2026-11-26T14:47:00");
	lw_mark_word(INT64_MAX, word);
	ck_assert_str_eq(word, LW_MARK_START "later");
}
