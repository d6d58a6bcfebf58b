# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the laboratory: liblab, its subcommands, for the tests, and the program that has them.
include lab/questions/local.mk
include lab/sim/local.mk
noinst_LTLIBRARIES += liblab.la
liblab_la_SOURCES = $(FILES_lab_analyse) $(FILES_lab_cli_sim) $(FILES_lab_cmd) \
	$(FILES_lab_history) $(FILES_lab_tune) $(FILES_lab_watch) \
	$(FILES_lab_workload)
# as in lab/sim
liblab_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS) -ffp-contract=off
liblab_la_LIBADD = libquestions.la libsim.la libclicommon.la

pkglibexec_PROGRAMS = leeway-lab
leeway_lab_SOURCES = %D%/main.c
leeway_lab_LDADD = liblab.la
