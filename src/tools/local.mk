# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the program leeway, one file a subcommand; libtools, its parts, for the tests.
noinst_LTLIBRARIES += libtools.la
libtools_la_SOURCES = \
	%D%/bench.c \
	%D%/corpus.c \
	%D%/corpus.h \
	%D%/corpus_print.c \
	%D%/generate.c \
	%D%/gpu.c \
	%D%/gpu.h \
	%D%/gpu_idle.c \
	%D%/gpu_job.c \
	%D%/gpu_json.c \
	%D%/gpu_judge.c \
	%D%/gpu_prometheus.c \
	%D%/gpu_publish.c \
	%D%/gpu_svg.c \
	%D%/gpu_user.c \
	%D%/history.c \
	%D%/history.h \
	%D%/history_evaluate.c \
	%D%/history_gpus.c \
	%D%/history_sacct.c \
	%D%/history_show.c \
	%D%/place.c \
	%D%/progress.c \
	%D%/progress.h \
	%D%/replay.c \
	%D%/report.c \
	%D%/report.h \
	%D%/report_chart.c \
	%D%/report_html.c \
	%D%/report_json.c \
	%D%/report_table.c \
	%D%/run.c \
	%D%/run.h \
	%D%/run_sacct.c \
	%D%/run_squeue.c \
	%D%/runstat.c \
	%D%/runstat.h \
	%D%/sim.c \
	%D%/sim.h \
	%D%/sim_chart.c \
	%D%/sim_compare.c \
	%D%/sim_html.c \
	%D%/sim_json.h \
	%D%/sim_print.c \
	%D%/sim_run.c \
	%D%/sim_spec.c \
	%D%/submit.c \
	%D%/submit.h \
	%D%/svg.c \
	%D%/svg.h \
	%D%/tag.c \
	%D%/tools.c \
	%D%/tools.h \
	%D%/workload.c \
	%D%/workload_sacct.c \
	%D%/workload_sacct.h
libtools_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS)
libtools_la_LIBADD = libsim.la libconfig.la librecord.la $(JANSSON_LIBS) $(YAML_LIBS) \
	$(ZLIB_LIBS) -lpthread -ldl -lm

bin_PROGRAMS += leeway
leeway_SOURCES = %D%/main.c
leeway_LDADD = libtools.la

include src/tools/local-check.mk
