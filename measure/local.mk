# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libmeasure: what the command and the laboratory share: jobs of a log, their machine, and
# what is measured of them.
noinst_LTLIBRARIES += libmeasure.la
libmeasure_la_SOURCES = \
	%D%/after.h \
	%D%/detmath.c \
	%D%/detmath.h \
	%D%/energy.c \
	%D%/doubles.h \
	%D%/energy.h \
	%D%/energy_factors.c \
	%D%/fairness.c \
	%D%/fairness.h \
	%D%/figures.c \
	%D%/figures.def \
	%D%/figures.h \
	%D%/figures_share.c \
	%D%/job.c \
	%D%/job.h \
	%D%/learnable.c \
	%D%/learnable.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/locality.c \
	%D%/locality.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/metrics.c \
	%D%/metrics.h \
	%D%/nodes.h \
	%D%/rng.c \
	%D%/rng.h \
	%D%/sha256.c \
	%D%/sha256.h \
	%D%/sharing.c \
	%D%/sharing.h \
	%D%/sharing_table.c \
	%D%/swf.c \
	%D%/swf.h \
	%D%/workload.c \
	%D%/workload.h \
	%D%/workload_machine.c \
	%D%/workload_machine.h \
	%D%/workload_words.c \
	%D%/workload_words.h
# no fused multiply-add: a seed must name the same workload on every machine
libmeasure_la_CFLAGS = $(AM_CFLAGS) $(NETTLE_CFLAGS) $(ZLIB_CFLAGS) -ffp-contract=off
libmeasure_la_LIBADD = libconfig.la libplanner.la $(YAML_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) -lm
