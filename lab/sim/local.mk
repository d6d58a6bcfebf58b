# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libsim: models of workloads, the simulator, training.
noinst_LTLIBRARIES += libsim.la
libsim_la_SOURCES = \
	%D%/agenda.c \
	%D%/agenda.h \
	%D%/arena.c \
	%D%/arena.h \
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
	%D%/dlmix.c \
	%D%/dlmix.h \
	%D%/dues.c \
	%D%/dues.h \
	%D%/engine.c \
	%D%/engine.h \
	%D%/engine_chain.c \
	%D%/engine_preempt.c \
	%D%/engine_gate.c \
	%D%/engine_release.c \
	%D%/engine_rule.c \
	%D%/engine_share.c \
	%D%/engine_share.h \
	%D%/engine_state.h \
	%D%/expect.c \
	%D%/expect.h \
	%D%/generate.c \
	%D%/generate.h \
	%D%/gpumap.c \
	%D%/gpumap.h \
	%D%/guarantee.c \
	%D%/guarantee.h \
	%D%/lublin.c \
	%D%/lublin.h \
	%D%/model.h \
	%D%/model_file.h \
	%D%/net.c \
	%D%/net.h \
	%D%/nets.c \
	%D%/nets.h \
	%D%/outlook.c \
	%D%/outlook.h \
	%D%/place_stock.c \
	%D%/place_stock.h \
	%D%/planners.c \
	%D%/planners.h \
	%D%/procmap.c \
	%D%/procmap.h \
	%D%/published.c \
	%D%/published.h \
	%D%/recipegive.c \
	%D%/recipegive.h \
	%D%/reciperun.c \
	%D%/reciperun.h \
	%D%/sample.c \
	%D%/sample.h \
	%D%/shake.c \
	%D%/shake.h \
	%D%/swf_numbers.c \
	%D%/swf_numbers.h \
	%D%/text_model.c \
	%D%/text_model.h \
	%D%/tracejobs.c \
	%D%/tracejobs.h \
	%D%/tracejobs_after.c \
	%D%/tracejobs_after.h \
	%D%/train.c \
	%D%/train.h \
	%D%/trial.c \
	%D%/trial.h \
	%D%/userlimit.c \
	%D%/userlimit.h \
	%D%/workload_sum.c \
	%D%/workload_sum.h
# no fused multiply-add: a seed must name the same workload on every machine
libsim_la_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) -ffp-contract=off
libsim_la_LIBADD = libmeasure.la
