# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of src/planner.
if HAVE_CHECK
LW_POLICY_CHECKS = \
	tests/unit/check_ahead \
	tests/unit/check_cost \
	tests/unit/check_domain \
	tests/unit/check_release_dist \
	tests/unit/check_fragment \
	tests/unit/check_gate \
	tests/unit/check_grow \
	tests/unit/check_job \
	tests/unit/check_move \
	tests/unit/check_order \
	tests/unit/check_outside \
	tests/unit/check_estimate \
	tests/unit/check_kinds \
	tests/unit/check_outlook \
	tests/unit/check_whatif \
	tests/unit/check_past \
	tests/unit/check_why \
	tests/unit/check_place \
	tests/unit/check_plan \
	tests/unit/check_policy \
	tests/unit/check_profile \
	tests/unit/check_releases \
	tests/unit/check_size \
	tests/unit/check_resource \
	tests/unit/check_snapshot \
	tests/unit/check_soonest \
	tests/unit/check_text \
	tests/unit/check_grade \
	tests/unit/check_frugal \
	tests/unit/check_types
check_PROGRAMS += $(LW_POLICY_CHECKS)
UNIT_TESTS += $(LW_POLICY_CHECKS)

tests_unit_check_policy_SOURCES = \
	tests/unit/check_policy.c \
	tests/unit/failing_alloc.c \
	tests/unit/failing_alloc.h
# with these and failing_alloc.c any one allocation can be made to fail
tests_unit_check_policy_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=reallocarray -Wl,--wrap=strdup
endif
