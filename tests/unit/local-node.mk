# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of src/tagger and src/record.
if HAVE_CHECK
LW_NODE_CHECKS = \
	tests/unit/check_access \
	tests/unit/check_account \
	tests/unit/check_account_js1 \
	tests/unit/check_change \
	tests/unit/check_guard \
	tests/unit/check_handler \
	tests/unit/check_inherit \
	tests/unit/check_lend \
	tests/unit/check_list \
	tests/unit/check_nvml \
	tests/unit/check_record \
	tests/unit/check_record_folders \
	tests/unit/check_record_merge \
	tests/unit/check_record_spool \
	tests/unit/check_savetime \
	tests/unit/check_sampler \
	tests/unit/check_shared \
	tests/unit/check_shell \
	tests/unit/check_summary \
	tests/unit/check_tag \
	tests/unit/check_tag_held \
	tests/unit/check_tag_rules \
	tests/unit/check_tag_text \
	tests/unit/check_watch \
	tests/unit/check_watch_options
check_PROGRAMS += $(LW_NODE_CHECKS)
UNIT_TESTS += $(LW_NODE_CHECKS)

# a library that answers as NVIDIA's would, and one of an old release
check_LTLIBRARIES += libfake_nvml.la libfake_nvml_old.la
libfake_nvml_la_SOURCES = tests/unit/fake_nvml.c
libfake_nvml_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
libfake_nvml_old_la_SOURCES = tests/unit/fake_nvml.c
libfake_nvml_old_la_CPPFLAGS = $(AM_CPPFLAGS) -DLW_FAKE_OLD
libfake_nvml_old_la_LDFLAGS = $(libfake_nvml_la_LDFLAGS)

tests_unit_check_access_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_account_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_account_js1_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_change_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_guard_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_inherit_CPPFLAGS = $(AM_CPPFLAGS) \
	-DLW_FAKE_NVML='"$(abs_top_builddir)/.libs/libfake_nvml.so"'
tests_unit_check_handler_LDADD = libtagger.la libbase.la $(CHECK_LIBS)
tests_unit_check_inherit_LDADD = $(LW_RECORD_TEST_LIBS)
EXTRA_tests_unit_check_inherit_DEPENDENCIES = libfake_nvml.la
tests_unit_check_lend_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_list_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_nvml_CPPFLAGS = $(AM_CPPFLAGS) \
	-DLW_FAKE_NVML='"$(abs_top_builddir)/.libs/libfake_nvml.so"' \
	-DLW_FAKE_NVML_OLD='"$(abs_top_builddir)/.libs/libfake_nvml_old.so"'
tests_unit_check_nvml_LDADD = $(LW_RECORD_TEST_LIBS)
EXTRA_tests_unit_check_nvml_DEPENDENCIES = libfake_nvml.la libfake_nvml_old.la
tests_unit_check_savetime_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_record_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_record_folders_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_record_spool_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_record_merge_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_sampler_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_shared_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_watch_options_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_summary_LDADD = $(LW_RECORD_TEST_LIBS)
tests_unit_check_watch_LDADD = $(LW_RECORD_TEST_LIBS)
endif
