# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the command leeway: libclicommon, what its parts and the laboratory's share, and libcli,
# its subcommands, for the tests.
noinst_LTLIBRARIES += libclicommon.la libcli.la
libclicommon_la_SOURCES = $(FILES_cli_chart) $(FILES_cli_common)
libclicommon_la_CPPFLAGS = $(AM_CPPFLAGS) -DLW_LAB_PROGRAM='"$(pkglibexecdir)/leeway-lab"'
libclicommon_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS)
libclicommon_la_LIBADD = libmeasure.la librecord.la $(JANSSON_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) \
	-lpthread -ldl -lm

libcli_la_SOURCES = $(FILES_cli_chain) $(FILES_cli_check) $(FILES_cli_cmd) $(FILES_cli_gpu) \
	$(FILES_cli_history) $(FILES_cli_live) $(FILES_cli_nodes) $(FILES_cli_report) \
	$(FILES_cli_size) $(FILES_cli_tag) $(FILES_cli_types) $(FILES_cli_why)
libcli_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS)
libcli_la_LIBADD = libclicommon.la

bin_PROGRAMS += leeway
leeway_SOURCES = %D%/main.c
leeway_LDADD = libcli.la
# which it looks for beside it, where it is not installed
EXTRA_leeway_DEPENDENCIES = leeway-lab$(EXEEXT)
