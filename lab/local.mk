# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the laboratory: liblab, its subcommands, for the tests, and the program that has them.
include lab/questions/local.mk
include lab/sim/local.mk
noinst_LTLIBRARIES += liblab.la
liblab_la_SOURCES = \
	%D%/analyse/analyse.c \
	%D%/analyse/analyse.h \
	%D%/analyse/analyse_options.def \
	%D%/analyse/chart_jobs.c \
	%D%/analyse/chart_parts.c \
	%D%/analyse/chart_users.c \
	%D%/analyse/cluster.c \
	%D%/analyse/cluster.h \
	%D%/analyse/compare.c \
	%D%/analyse/compare.def \
	%D%/analyse/header.c \
	%D%/analyse/input.c \
	%D%/analyse/input.h \
	%D%/analyse/json.c \
	%D%/analyse/log_sacct.c \
	%D%/analyse/log_swf.c \
	%D%/analyse/log_workload.c \
	%D%/analyse/page.c \
	%D%/analyse/print.c \
	%D%/analyse/side.c \
	%D%/analyse/whatif.c \
	%D%/analyse/words.c \
	%D%/cli_sim/gone.def \
	%D%/cli_sim/progress.c \
	%D%/cli_sim/progress.h \
	%D%/cli_sim/sim.c \
	%D%/cli_sim/sim.h \
	%D%/cli_sim/sim_accounts.c \
	%D%/cli_sim/sim_chart.c \
	%D%/cli_sim/sim_compare.c \
	%D%/cli_sim/sim_curves.c \
	%D%/cli_sim/sim_curves.h \
	%D%/cli_sim/sim_energy.c \
	%D%/cli_sim/sim_gone.c \
	%D%/cli_sim/sim_html.c \
	%D%/cli_sim/sim_jobs.c \
	%D%/cli_sim/sim_json.h \
	%D%/cli_sim/sim_machine.c \
	%D%/cli_sim/sim_model.c \
	%D%/cli_sim/sim_options.def \
	%D%/cli_sim/sim_outlook.c \
	%D%/cli_sim/sim_print.c \
	%D%/cli_sim/sim_request.c \
	%D%/cli_sim/sim_request.h \
	%D%/cli_sim/sim_run.c \
	%D%/cli_sim/sim_settings.c \
	%D%/cli_sim/sim_settings.h \
	%D%/cli_sim/sim_share.c \
	%D%/cli_sim/sim_spec.c \
	%D%/cli_sim/sim_specs.c \
	%D%/cli_sim/sim_systems.c \
	%D%/cli_sim/sim_table.c \
	%D%/cli_sim/settings.def \
	%D%/cli_sim/systems.def \
	%D%/cmd/bench.c \
	%D%/cmd/bench_gate.c \
	%D%/cmd/bench_gate.h \
	%D%/cmd/bench_options.def \
	%D%/cmd/generate.c \
	%D%/cmd/generate_options.def \
	%D%/cmd/model.c \
	%D%/cmd/model_options.def \
	%D%/cmd/replay.c \
	%D%/cmd/replay_options.def \
	%D%/cmd/train.c \
	%D%/cmd/train_options.def \
	%D%/history/accuracy.c \
	%D%/history/accuracy.h \
	%D%/history/evaluate.c \
	%D%/history/evaluate.h \
	%D%/history/speedtrial.c \
	%D%/history/speedtrial.h \
	%D%/workload/workload.c \
	%D%/workload/workload_options.def \
	%D%/workload/workload_sacct.c \
	%D%/workload/workload_sacct.h
# as in lab/sim
liblab_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS) -ffp-contract=off
liblab_la_LIBADD = libquestions.la libsim.la libclicommon.la

pkglibexec_PROGRAMS = leeway-lab
leeway_lab_SOURCES = %D%/main.c
leeway_lab_LDADD = liblab.la
