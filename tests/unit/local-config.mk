# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of src/base and src/config.
if HAVE_CHECK
LW_CONFIG_CHECKS = \
	tests/unit/check_base_bitset \
	tests/unit/check_base_duration \
	tests/unit/check_base_lookup \
	tests/unit/check_base_savefile \
	tests/unit/check_base_text \
	tests/unit/check_config \
	tests/unit/check_config_bytes \
	tests/unit/check_starters
check_PROGRAMS += $(LW_CONFIG_CHECKS)
UNIT_TESTS += $(LW_CONFIG_CHECKS)

tests_unit_check_base_bitset_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_base_bitset_LDADD = libbase.la $(CHECK_LIBS)
tests_unit_check_base_duration_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_base_duration_LDADD = libbase.la $(CHECK_LIBS)
tests_unit_check_base_lookup_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_base_lookup_LDADD = libbase.la $(CHECK_LIBS)
tests_unit_check_base_savefile_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_base_savefile_LDADD = libbase.la $(CHECK_LIBS)
tests_unit_check_base_text_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_base_text_LDADD = libbase.la $(CHECK_LIBS)
tests_unit_check_config_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_config_LDADD = $(LW_TEST_LIBS)
tests_unit_check_config_bytes_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_config_bytes_LDADD = $(LW_TEST_LIBS)
tests_unit_check_starters_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_starters_LDADD = $(LW_TEST_LIBS)
endif
