/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what every program of unit tests is made of. It has a main() that runs them. */
#ifndef LW_TESTS_UNIT_UNIT_H
#define LW_TESTS_UNIT_UNIT_H

#include <check.h>
#include <stdlib.h>

/*
 * Check keeps where a test was last by a write to a file for every assertion that holds, which in
 * loops takes ten times what they test. Who crashes is named without it.
 */
#define _mark_point(file, line) ((void)0)

#define LW_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A test, or, without one, what is called before and after each test below it. */
struct unit_part {
	const TTest *test;
	int first, behind; /* of _i */
	void (*setup)(void), (*teardown)(void);
	int line;
	struct unit_part *next;
};

static struct unit_part *unit_parts; /* by line */

static inline void unit_add(struct unit_part *part)
{
	struct unit_part **at = &unit_parts;

	while (*at && (*at)->line < part->line)
		at = &(*at)->next;
	part->next = *at;
	*at = part;
}

#define UNIT_PART(name, ...)                                                                     \
	__attribute__((constructor)) static void name(void)                                      \
	{                                                                                        \
		static struct unit_part self;                                                    \
		self = (struct unit_part){ .line = __LINE__, __VA_ARGS__ };                      \
		unit_add(&self);                                                                 \
	}

/* TEST(name) { ... } is all that a test needs: it adds itself. */
#define TEST(name) TEST_EACH(name, 1)

/* It runs COUNT times; _i has the number, from 0. */
#define TEST_EACH(name, count) TEST_RANGE(name, 0, count)

/* The number is from A to B - 1. */
#define TEST_RANGE(name, a, b)                                                                   \
	static const TTest *name;                                                                \
	UNIT_PART(name##_add, .test = name, .first = (int)(a), .behind = (int)(b))               \
	START_TEST(name)

/* BEFORE and AFTER, each of which may be NULL, are called around each test below. */
#define FIXTURE(before, after)         UNIT_FIXTURE(before, after, __LINE__)
#define UNIT_FIXTURE(before, after, n) UNIT_FIXTURE_AT(before, after, n)
#define UNIT_FIXTURE_AT(before, after, n)                                                        \
	UNIT_PART(unit_fixture_##n, .setup = (before), .teardown = (after))                      \
	struct unit_part

int main(void)
{
	Suite *suite = suite_create(__BASE_FILE__);
	TCase *tcase = NULL;
	SRunner *runner = srunner_create(suite);
	int failed;

	setenv("CK_DEFAULT_TIMEOUT", "240", 0);
	for (const struct unit_part *part = unit_parts; part; part = part->next) {
		if (!tcase || !part->test) {
			tcase = tcase_create("all");
			suite_add_tcase(suite, tcase);
			tcase_add_checked_fixture(tcase, part->setup, part->teardown);
		}
		if (part->test)
			tcase_add_loop_test(tcase, part->test, part->first, part->behind);
	}
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
