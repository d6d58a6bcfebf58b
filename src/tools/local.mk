# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the program leeway, one file a subcommand; libtools, its parts, for the tests.
noinst_LTLIBRARIES += libtools.la
libtools_la_SOURCES = \
	%D%/bench.c \
	%D%/chain/chain.c \
	%D%/chain/chain.h \
	%D%/chain/line.c \
	%D%/chain/links.c \
	%D%/chain/links.h \
	%D%/chain/member.c \
	%D%/chain/member.h \
	%D%/chain/merge.c \
	%D%/chain/parse.c \
	%D%/chain/read.c \
	%D%/chain/rows.h \
	%D%/chain/show.c \
	%D%/chain/submit.c \
	%D%/chart/chart.c \
	%D%/chart/chart.h \
	%D%/chart/draw.h \
	%D%/chart/frame.c \
	%D%/chart/label.c \
	%D%/chart/letters.c \
	%D%/chart/letters.h \
	%D%/chart/look.c \
	%D%/chart/look.h \
	%D%/chart/origin.c \
	%D%/chart/origin.h \
	%D%/chart/page.c \
	%D%/chart/svg.c \
	%D%/chart/unit.c \
	%D%/chart/unit.h \
	%D%/command.c \
	%D%/command.h \
	%D%/commands.def \
	%D%/generate.c \
	%D%/gpu/gpu.c \
	%D%/gpu/gpu.h \
	%D%/gpu/gpu_chart.c \
	%D%/gpu/gpu_idle.c \
	%D%/gpu/gpu_job.c \
	%D%/gpu/gpu_json.c \
	%D%/gpu/gpu_judge.c \
	%D%/gpu/gpu_prometheus.c \
	%D%/gpu/gpu_publish.c \
	%D%/gpu/gpu_user.c \
	%D%/history/history.c \
	%D%/history/history.h \
	%D%/history/history_evaluate.c \
	%D%/history/history_gpus.c \
	%D%/history/history_sacct.c \
	%D%/history/history_show.c \
	%D%/jobscsv.c \
	%D%/jobscsv.h \
	%D%/json.c \
	%D%/json.h \
	%D%/leftover.c \
	%D%/leftover.h \
	%D%/options.c \
	%D%/options.h \
	%D%/output.c \
	%D%/output.h \
	%D%/place.c \
	%D%/progress.c \
	%D%/progress.h \
	%D%/replay.c \
	%D%/report/places.c \
	%D%/report/places.h \
	%D%/report/report.c \
	%D%/report/report.h \
	%D%/report/report_chart.c \
	%D%/report/report_html.c \
	%D%/report/report_jobs.c \
	%D%/report/report_json.c \
	%D%/report/report_late.c \
	%D%/report/report_table.c \
	%D%/report/run.c \
	%D%/report/run.h \
	%D%/report/run_sacct.c \
	%D%/report/run_squeue.c \
	%D%/report/run_submitted.c \
	%D%/report/runstat.c \
	%D%/report/runstat.h \
	%D%/sacct.c \
	%D%/sacct.h \
	%D%/sacct_value.c \
	%D%/sim/sim.c \
	%D%/sim/sim.h \
	%D%/sim/sim_chart.c \
	%D%/sim/sim_compare.c \
	%D%/sim/sim_curves.c \
	%D%/sim/sim_curves.h \
	%D%/sim/sim_html.c \
	%D%/sim/sim_jobs.c \
	%D%/sim/sim_json.h \
	%D%/sim/sim_machine.c \
	%D%/sim/sim_print.c \
	%D%/sim/sim_run.c \
	%D%/sim/sim_spec.c \
	%D%/sim/sim_systems.c \
	%D%/sim/systems.def \
	%D%/submit.c \
	%D%/submit.h \
	%D%/tag/corpus.c \
	%D%/tag/corpus.h \
	%D%/tag/corpus_print.c \
	%D%/tag/tag.c \
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

include src/tools/check/local.mk
