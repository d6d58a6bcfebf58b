# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libconfig, leeway.yaml in and out. Link it with libbase (or libpolicy) and $(YAML_LIBS).
noinst_LTLIBRARIES += libconfig.la
libconfig_la_SOURCES = \
	%D%/config.c \
	%D%/config.h \
	%D%/keys.c \
	%D%/keys.def \
	%D%/keys.h \
	%D%/read.c
libconfig_la_CFLAGS = $(AM_CFLAGS) $(YAML_CFLAGS)
