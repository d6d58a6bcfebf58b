# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libsim: models of workloads, the simulator, training.
noinst_LTLIBRARIES += libsim.la
libsim_la_SOURCES = $(FILES_lab_sim) $(FILES_lab_sim_stock)
# no fused multiply-add: a seed must name the same workload on every machine
libsim_la_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) -ffp-contract=off
libsim_la_LIBADD = libmeasure.la
