# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of the parts of src/slurm that need no Slurm.
LW_SLURM_UNIT_TESTS = check_bfparams check_budget check_learn check_pace check_planned \
	check_scout check_slurm_promise check_slurm_refusal check_topotext
check_PROGRAMS += $(LW_SLURM_UNIT_TESTS)
UNIT_TESTS += $(LW_SLURM_UNIT_TESTS)

check_bfparams_SOURCES = %D%/check_bfparams.c src/slurm/bfparams.c
check_bfparams_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_bfparams_LDADD = $(LW_TEST_LIBS)

check_budget_SOURCES = %D%/check_budget.c src/slurm/budget.c
check_budget_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_budget_LDADD = $(LW_TEST_LIBS)

check_learn_SOURCES = %D%/check_learn.c src/slurm/learn.c
check_learn_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_learn_LDADD = libsummary.la $(LW_TEST_LIBS)

check_pace_SOURCES = %D%/check_pace.c src/slurm/pace.c
check_pace_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_pace_LDADD = $(LW_TEST_LIBS)

check_planned_SOURCES = %D%/check_planned.c src/slurm/planned.c
check_planned_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_planned_LDADD = $(LW_TEST_LIBS)

check_slurm_promise_SOURCES = %D%/check_slurm_promise.c src/slurm/promise.c
check_slurm_promise_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_slurm_promise_LDADD = $(LW_TEST_LIBS)

check_slurm_refusal_SOURCES = %D%/check_slurm_refusal.c src/slurm/refusal.c
check_slurm_refusal_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_slurm_refusal_LDADD = $(LW_TEST_LIBS)

check_scout_SOURCES = %D%/check_scout.c src/slurm/learn.c
check_scout_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_scout_LDADD = libsummary.la $(LW_TEST_LIBS)

check_topotext_SOURCES = %D%/check_topotext.c src/slurm/topotext.c
check_topotext_CPPFLAGS = $(LW_TEST_CPPFLAGS)
check_topotext_LDADD = $(LW_TEST_LIBS)
