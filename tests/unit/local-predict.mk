# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of the run-time predictor.
if HAVE_CHECK
LW_PREDICT_CHECKS = \
	tests/unit/check_crowd \
	tests/unit/check_habit \
	tests/unit/check_history \
	tests/unit/check_predict \
	tests/unit/check_predict_laws \
	tests/unit/check_scaling \
	tests/unit/check_share \
	tests/unit/check_share_request \
	tests/unit/check_share_tenants \
	tests/unit/check_speed \
	tests/unit/check_window
check_PROGRAMS += $(LW_PREDICT_CHECKS)
UNIT_TESTS += $(LW_PREDICT_CHECKS)

tests_unit_check_speed_LDADD = liblab.la $(CHECK_LIBS) -lm
endif
