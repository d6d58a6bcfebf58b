# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of measure.
if HAVE_CHECK
LW_MEASURE_CHECKS = \
	tests/unit/check_ettr \
	tests/unit/check_exact \
	tests/unit/check_fairness \
	tests/unit/check_locality \
	tests/unit/check_harm \
	tests/unit/check_metrics \
	tests/unit/check_promises \
	tests/unit/check_sharing_table \
	tests/unit/check_swf
check_PROGRAMS += $(LW_MEASURE_CHECKS)
UNIT_TESTS += $(LW_MEASURE_CHECKS)

tests_unit_check_ettr_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_exact_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_fairness_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_locality_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_harm_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_metrics_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_promises_SOURCES = tests/unit/check_promises.c \
	src/slurm/keep/promise.c src/slurm/keep/statefile.c
tests_unit_check_promises_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_sharing_table_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_swf_LDADD = libmeasure.la $(CHECK_LIBS) -lm
endif
