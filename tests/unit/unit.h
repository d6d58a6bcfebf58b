/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the main() that every program of unit tests ends in. */
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

/* Run SUITE and free it. The value for main() to return: 0 when all passed. */
static inline int unit_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
