# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the program leeway, one file a subcommand.
bin_PROGRAMS += leeway
leeway_SOURCES = \
	%D%/generate.c \
	%D%/main.c \
	%D%/tools.c \
	%D%/tools.h \
	%D%/workload.c
leeway_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
leeway_LDADD = libsim.la libbase.la $(JANSSON_LIBS) -lm
