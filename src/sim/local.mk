# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libsim: traces, workloads and their models, the simulator, metrics.
noinst_LTLIBRARIES += libsim.la
libsim_la_SOURCES = \
	%D%/accuracy.c \
	%D%/accuracy.h \
	%D%/after.h \
	%D%/agenda.c \
	%D%/agenda.h \
	%D%/arrival.c \
	%D%/arrival.h \
	%D%/chain.c \
	%D%/chain.h \
	%D%/chains.c \
	%D%/chains.h \
	%D%/completing.c \
	%D%/completing.h \
	%D%/convert.c \
	%D%/convert.h \
	%D%/detmath.c \
	%D%/detmath.h \
	%D%/dlmix.c \
	%D%/dlmix.h \
	%D%/engine.c \
	%D%/engine.h \
	%D%/engine_chain.c \
	%D%/engine_preempt.c \
	%D%/engine_state.h \
	%D%/expect.c \
	%D%/expect.h \
	%D%/fairness.c \
	%D%/fairness.h \
	%D%/figures.c \
	%D%/figures.def \
	%D%/figures.h \
	%D%/generate.c \
	%D%/generate.h \
	%D%/gpumap.c \
	%D%/gpumap.h \
	%D%/guarantee.c \
	%D%/guarantee.h \
	%D%/job.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/lublin.c \
	%D%/lublin.h \
	%D%/locality.c \
	%D%/locality.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/metrics.c \
	%D%/metrics.h \
	%D%/model.h \
	%D%/nodes.h \
	%D%/place_stock.c \
	%D%/place_stock.h \
	%D%/procmap.c \
	%D%/procmap.h \
	%D%/published.c \
	%D%/published.h \
	%D%/rng.c \
	%D%/rng.h \
	%D%/shake.c \
	%D%/shake.h \
	%D%/swf.c \
	%D%/swf.h \
	%D%/swf_numbers.c \
	%D%/swf_numbers.h \
	%D%/tracejobs.c \
	%D%/tracejobs.h \
	%D%/tracejobs_after.c \
	%D%/tracejobs_after.h \
	%D%/trial.c \
	%D%/trial.h \
	%D%/userlimit.c \
	%D%/userlimit.h \
	%D%/workload.c \
	%D%/workload.h \
	%D%/workload_machine.c \
	%D%/workload_machine.h \
	%D%/workload_sum.c \
	%D%/workload_words.c \
	%D%/workload_words.h
# no fused multiply-add: a seed must name the same workload on every machine
libsim_la_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) -ffp-contract=off
libsim_la_LIBADD = libplanner.la $(ZLIB_LIBS) -lm
