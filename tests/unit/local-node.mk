# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of src/policy/tag and src/record.
if HAVE_CHECK
LW_NODE_CHECKS = \
	tests/unit/check_record \
	tests/unit/check_sampler \
	tests/unit/check_tag
check_PROGRAMS += $(LW_NODE_CHECKS)
UNIT_TESTS += $(LW_NODE_CHECKS)

tests_unit_check_record_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_record_LDADD = librecord.la libbase.la $(CHECK_LIBS)
tests_unit_check_sampler_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_sampler_LDADD = librecord.la libbase.la $(CHECK_LIBS) -lpthread -ldl
tests_unit_check_tag_CPPFLAGS = $(LW_TEST_CPPFLAGS)
tests_unit_check_tag_LDADD = libpolicy.la $(CHECK_LIBS) -lm
endif
