# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libmeasure: what the command and the laboratory share: jobs of a log, their machine, and
# what is measured of them.
noinst_LTLIBRARIES += libmeasure.la
libmeasure_la_SOURCES = $(FILES_measure)
# no fused multiply-add: a seed must name the same workload on every machine
libmeasure_la_CFLAGS = $(AM_CFLAGS) $(NETTLE_CFLAGS) $(ZLIB_CFLAGS) -ffp-contract=off
libmeasure_la_LIBADD = libconfig.la libplanner.la $(YAML_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) -lm
