# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of src/policy.
if HAVE_CHECK
LW_POLICY_CHECKS = \
	tests/unit/check_domain \
	tests/unit/check_drain \
	tests/unit/check_fragment \
	tests/unit/check_order \
	tests/unit/check_outlook \
	tests/unit/check_place \
	tests/unit/check_plan \
	tests/unit/check_policy \
	tests/unit/check_profile \
	tests/unit/check_resource \
	tests/unit/check_snapshot \
	tests/unit/check_text \
	tests/unit/check_grade
check_PROGRAMS += $(LW_POLICY_CHECKS)
UNIT_TESTS += $(LW_POLICY_CHECKS)

tests_unit_check_domain_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_domain_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_drain_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_drain_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_fragment_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_fragment_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_order_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_order_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_outlook_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_outlook_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_profile_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_profile_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_place_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_place_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_plan_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_plan_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_policy_SOURCES = \
	tests/unit/check_policy.c \
	tests/unit/failing_alloc.c \
	tests/unit/failing_alloc.h
tests_unit_check_policy_CPPFLAGS = $(LW_TEST_CPPFLAGS)
# with these and failing_alloc.c any one allocation can be made to fail
tests_unit_check_policy_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=reallocarray -Wl,--wrap=strdup
tests_unit_check_policy_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_resource_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_resource_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_snapshot_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_snapshot_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_text_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_text_LDADD = libpolicy.la $(CHECK_LIBS) -lm
tests_unit_check_grade_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_grade_LDADD = libpolicy.la $(CHECK_LIBS) -lm
endif
