# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the command leeway: libclicommon, what its parts and the laboratory's share, and libcli,
# its subcommands, for the tests.
noinst_LTLIBRARIES += libclicommon.la libcli.la
libclicommon_la_SOURCES = \
	%D%/chart/chart.c \
	%D%/chart/chart.h \
	%D%/chart/draw.h \
	%D%/chart/fairness.h \
	%D%/chart/frame.c \
	%D%/chart/jobscsv.c \
	%D%/chart/jobscsv.h \
	%D%/chart/label.c \
	%D%/chart/letters.c \
	%D%/chart/letters.h \
	%D%/chart/look.c \
	%D%/chart/look.h \
	%D%/chart/page.c \
	%D%/chart/spans.c \
	%D%/chart/svg.c \
	%D%/chart/unit.c \
	%D%/chart/unit.h \
	%D%/common/commands.def \
	%D%/common/energy.c \
	%D%/common/energy.h \
	%D%/common/gres.c \
	%D%/common/gres.h \
	%D%/common/json.c \
	%D%/common/json.h \
	%D%/common/lab.c \
	%D%/common/lab.h \
	%D%/common/leftover.c \
	%D%/common/leftover.h \
	%D%/common/names.c \
	%D%/common/names.h \
	%D%/common/options.c \
	%D%/common/options.h \
	%D%/common/origin.c \
	%D%/common/origin.h \
	%D%/common/output.c \
	%D%/common/output.h \
	%D%/common/rows.c \
	%D%/common/rows.def \
	%D%/common/rows.h \
	%D%/common/rows_json.c \
	%D%/common/run.c \
	%D%/common/run.h \
	%D%/common/run_sacct.c \
	%D%/common/run_squeue.c \
	%D%/common/run_submitted.c \
	%D%/common/run_told.c \
	%D%/common/runs.c \
	%D%/common/runs.h \
	%D%/common/sacct.c \
	%D%/common/sacct.h \
	%D%/common/sacct_value.c \
	%D%/common/setting.c \
	%D%/common/setting.h \
	%D%/common/slurmcall.c \
	%D%/common/slurmcall.h \
	%D%/common/slurmconf.c \
	%D%/common/slurmconf.h \
	%D%/common/tools.c \
	%D%/common/tools.h
libclicommon_la_CPPFLAGS = $(AM_CPPFLAGS) -DLW_LAB_PROGRAM='"$(pkglibexecdir)/leeway-lab"'
libclicommon_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS)
libclicommon_la_LIBADD = libmeasure.la librecord.la $(JANSSON_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) \
	-lpthread -ldl -lm

libcli_la_SOURCES = \
	%D%/chain/chain.c \
	%D%/chain/chain.h \
	%D%/chain/command.c \
	%D%/chain/command.h \
	%D%/chain/line.c \
	%D%/chain/links.c \
	%D%/chain/links.h \
	%D%/chain/list.c \
	%D%/chain/member.c \
	%D%/chain/member.h \
	%D%/chain/merge.c \
	%D%/chain/parse.c \
	%D%/chain/read.c \
	%D%/chain/rows.h \
	%D%/chain/show.c \
	%D%/chain/submit.c \
	%D%/check/check.c \
	%D%/check/check.h \
	%D%/check/check_access.c \
	%D%/check/check_cgroup.c \
	%D%/check/check_chains.c \
	%D%/check/check_devices.c \
	%D%/check/check_energy.c \
	%D%/check/check_find.c \
	%D%/check/check_gres.c \
	%D%/check/check_guests.c \
	%D%/check/check_keys.c \
	%D%/check/check_metrics.c \
	%D%/check/check_nodes.c \
	%D%/check/check_pairs.c \
	%D%/check/check_parts.c \
	%D%/check/check_plugins.c \
	%D%/check/check_print.c \
	%D%/check/check_scheduler.c \
	%D%/check/check_settings.c \
	%D%/check/check_share.c \
	%D%/check/check_share_nodes.c \
	%D%/check/check_share_words.c \
	%D%/check/check_spank.c \
	%D%/check/check_submit.c \
	%D%/check/check_topology.c \
	%D%/check/check_toporules.c \
	%D%/check/check_types.c \
	%D%/check/check_values.c \
	%D%/check/elf.c \
	%D%/check/elf.h \
	%D%/check/slurmkeys.c \
	%D%/check/slurmkeys.def \
	%D%/check/slurmkeys.h \
	%D%/check/slurmpairs.def \
	%D%/check/slurmvalues.c \
	%D%/check/slurmvalues.def \
	%D%/check/slurmvalues.h \
	%D%/cmd/limit.c \
	%D%/cmd/place.c \
	%D%/cmd/place_types.c \
	%D%/cmd/place_types.h \
	%D%/cmd/promises.c \
	%D%/gpu/gpu.c \
	%D%/gpu/gpu.h \
	%D%/gpu/gpu_advice.c \
	%D%/gpu/gpu_chart.c \
	%D%/gpu/gpu_idle.c \
	%D%/gpu/gpu_job.c \
	%D%/gpu/gpu_json.c \
	%D%/gpu/gpu_judge.c \
	%D%/gpu/gpu_parts.c \
	%D%/gpu/gpu_prometheus.c \
	%D%/gpu/gpu_prometheus.def \
	%D%/gpu/gpu_publish.c \
	%D%/gpu/gpu_shared.c \
	%D%/gpu/gpu_shared.h \
	%D%/gpu/gpu_told.c \
	%D%/gpu/gpu_user.c \
	%D%/history/history.c \
	%D%/history/history.h \
	%D%/history/history_gpus.c \
	%D%/history/history_sacct.c \
	%D%/history/history_share.c \
	%D%/history/history_share.h \
	%D%/history/history_show.c \
	%D%/history/history_types.c \
	%D%/live/ask.c \
	%D%/live/gantt.c \
	%D%/live/idle.c \
	%D%/live/jobs.c \
	%D%/live/likely.c \
	%D%/live/live.c \
	%D%/live/live.h \
	%D%/live/machine.c \
	%D%/live/metrics.c \
	%D%/live/nodes.c \
	%D%/live/page.c \
	%D%/live/queue.c \
	%D%/report/places.c \
	%D%/report/places.h \
	%D%/report/report.c \
	%D%/report/report.def \
	%D%/report/report.h \
	%D%/report/report_chains.c \
	%D%/report/report_chart.c \
	%D%/report/report_energy.c \
	%D%/report/report_figures.c \
	%D%/report/report_energy.h \
	%D%/report/report_html.c \
	%D%/report/report_jobs.c \
	%D%/report/report_json.c \
	%D%/report/report_late.c \
	%D%/report/report_shared.c \
	%D%/report/report_shared.h \
	%D%/report/report_table.c \
	%D%/report/runfair.c \
	%D%/report/runstat.c \
	%D%/report/runstat.h \
	%D%/report/told.c \
	%D%/report/told.h \
	%D%/report/told_figures.c \
	%D%/tag/corpus.c \
	%D%/tag/corpus.h \
	%D%/tag/corpus_print.c \
	%D%/tag/submit.c \
	%D%/tag/submit.h \
	%D%/tag/tag.c \
	%D%/types/types.c \
	%D%/types/types.h \
	%D%/types/types_advice.c \
	%D%/types/types_here.c \
	%D%/types/types_json.c \
	%D%/types/types_print.c \
	%D%/types/types_runs.c \
	%D%/why/why.c \
	%D%/why/why.h \
	%D%/why/why_ask.c \
	%D%/why/why_print.c \
	%D%/why/why_until.c \
	%D%/why/why_words.c
libcli_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS)
libcli_la_LIBADD = libclicommon.la

bin_PROGRAMS += leeway
leeway_SOURCES = %D%/main.c
leeway_LDADD = libcli.la
# which it looks for beside it, where it is not installed
EXTRA_leeway_DEPENDENCIES = leeway-lab$(EXEEXT)
