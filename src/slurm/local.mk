# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of src/slurm: the only code that sees Slurm's internal headers.
if HAVE_SLURM_SRC
noinst_LTLIBRARIES += libslurmport.la
libslurmport_la_SOURCES = \
	%D%/apply.c \
	%D%/apply.h \
	%D%/compat/compat.h \
	%D%/cycle.c \
	%D%/cycle.h \
	%D%/log.c \
	%D%/log.h \
	%D%/nodeset.c \
	%D%/nodeset.h \
	%D%/promise.c \
	%D%/promise.h \
	%D%/read.c \
	%D%/read.h \
	%D%/refusal.c \
	%D%/refusal.h \
	%D%/request.c \
	%D%/request.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/show.c \
	%D%/show.h \
	%D%/stock.c \
	%D%/stock.h
libslurmport_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
endif
