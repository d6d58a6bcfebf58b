# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of src/slurm: the only code that sees Slurm's internal headers.
# Linked with libpolicy (which holds libbase) and libconfig.
if HAVE_SLURM_SRC
noinst_LTLIBRARIES += libslurmport.la libslurmselect.la
libslurmport_la_SOURCES = \
	%D%/agent.h \
	%D%/apply.c \
	%D%/apply.h \
	%D%/compat/compat.h \
	%D%/cycle.c \
	%D%/cycle.h \
	%D%/dump.c \
	%D%/dump.h \
	%D%/forecast.c \
	%D%/forecast.h \
	%D%/handover.c \
	%D%/handover.h \
	%D%/learn.c \
	%D%/learn.h \
	%D%/log.c \
	%D%/log.h \
	%D%/nodeset.c \
	%D%/nodeset.h \
	%D%/pace.c \
	%D%/pace.h \
	%D%/promise.c \
	%D%/promise.h \
	%D%/read.c \
	%D%/read.h \
	%D%/refusal.c \
	%D%/refusal.h \
	%D%/request.c \
	%D%/request.h \
	%D%/select_link.c \
	%D%/select_link.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/setup.c \
	%D%/show.c \
	%D%/show.h \
	%D%/stock.c \
	%D%/stock.h
libslurmport_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

# What the select plugin needs: nothing that only slurmctld has.
libslurmselect_la_SOURCES = \
	%D%/compat/compat.h \
	%D%/compat/select_2411.c \
	%D%/compat/select_2411.def \
	%D%/narrow.c \
	%D%/narrow.h \
	%D%/request.c \
	%D%/request.h \
	%D%/select.h \
	%D%/stock.c \
	%D%/stock.h
libslurmselect_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
endif
