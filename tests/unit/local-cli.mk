# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of cli, and of commands of both houses.
if HAVE_CHECK
LW_CLI_CHECKS = \
	tests/unit/check_chain_rubbish \
	tests/unit/check_chain_show \
	tests/unit/check_chain_submit \
	tests/unit/check_chart \
	tests/unit/check_energy \
	tests/unit/check_gpu \
	tests/unit/check_gpu_attempts \
	tests/unit/check_gpu_seldom \
	tests/unit/check_gpu_shared \
	tests/unit/check_gpu_progress \
	tests/unit/check_gpu_told \
	tests/unit/check_gpu_user \
	tests/unit/check_gpu_verdict \
	tests/unit/check_limit_tool \
	tests/unit/check_live \
	tests/unit/check_live_run \
	tests/unit/check_look \
	tests/unit/check_nodes \
	tests/unit/check_monitoring \
	tests/unit/check_options \
	tests/unit/check_places \
	tests/unit/check_progress \
	tests/unit/check_report \
	tests/unit/check_report_ettr \
	tests/unit/check_report_late \
	tests/unit/check_report_promises \
	tests/unit/check_report_told \
	tests/unit/check_rows \
	tests/unit/check_sacct \
	tests/unit/check_size_tool \
	tests/unit/check_slurmconf \
	tests/unit/check_slurmvalues \
	tests/unit/check_submit \
	tests/unit/check_stops_tool \
	tests/unit/check_types_tool \
	tests/unit/check_why_agrees \
	tests/unit/check_why_canary \
	tests/unit/check_why_past \
	tests/unit/check_why_tool
# of commands of both houses
LW_COMMAND_CHECKS = \
	tests/unit/check_pages \
	tests/unit/check_sim_compare \
	tests/unit/check_toolcalls \
	tests/unit/check_tooljson \
	tests/unit/check_toolprint
check_PROGRAMS += $(LW_CLI_CHECKS) $(LW_COMMAND_CHECKS)
UNIT_TESTS += $(LW_CLI_CHECKS) $(LW_COMMAND_CHECKS)

tests_unit_check_chain_rubbish_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_chain_rubbish_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_chain_show_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_chain_show_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_chain_submit_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_chain_submit_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_chart_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_chart_LDADD = libclicommon.la $(CHECK_LIBS) -lm
tests_unit_check_energy_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_energy_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_gpu_attempts_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_attempts_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_gpu_seldom_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_seldom_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_gpu_shared_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_shared_LDADD = libcli.la $(CHECK_LIBS) -lm
tests_unit_check_gpu_progress_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_progress_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_gpu_told_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_told_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_gpu_user_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_user_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_gpu_verdict_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_gpu_verdict_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_limit_tool_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_limit_tool_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_live_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_live_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_live_run_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_live_run_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_look_LDADD = libclicommon.la $(CHECK_LIBS) -lm
tests_unit_check_monitoring_SOURCES = tests/unit/check_monitoring.c tests/unit/monitoring.c \
	tests/unit/monitoring.h
tests_unit_check_monitoring_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS)
tests_unit_check_monitoring_LDADD = $(JANSSON_LIBS) $(YAML_LIBS) $(CHECK_LIBS)
tests_unit_check_nodes_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_nodes_LDADD = libcli.la $(CHECK_LIBS) -lm
tests_unit_check_options_LDADD = libclicommon.la $(CHECK_LIBS)
tests_unit_check_pages_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_pages_LDADD = libcli.la liblab.la $(CHECK_LIBS)
tests_unit_check_places_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_progress_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_progress_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_report_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_report_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_report_ettr_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_report_ettr_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_report_late_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_report_late_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_report_promises_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_report_promises_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_report_told_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_report_told_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_rows_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_rows_LDADD = libclicommon.la $(CHECK_LIBS)
tests_unit_check_sacct_LDADD = libclicommon.la $(CHECK_LIBS)
tests_unit_check_sim_compare_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sim_compare_LDADD = libcli.la liblab.la $(CHECK_LIBS) -lm
tests_unit_check_size_tool_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_size_tool_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_slurmconf_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_slurmvalues_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_submit_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_toolcalls_LDADD = libcli.la liblab.la $(CHECK_LIBS)
tests_unit_check_tooljson_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_tooljson_LDADD = libcli.la liblab.la $(CHECK_LIBS)
tests_unit_check_toolprint_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_toolprint_LDADD = libcli.la liblab.la $(CHECK_LIBS)
tests_unit_check_stops_tool_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_stops_tool_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_types_tool_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_types_tool_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_why_agrees_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_why_agrees_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_why_canary_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_why_canary_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_why_past_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_why_past_LDADD = libcli.la $(CHECK_LIBS)
tests_unit_check_why_tool_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_why_tool_LDADD = libcli.la $(CHECK_LIBS)
endif

# The lane of this house, for a change of nothing else.
CLI_TESTS = $(LW_MEASURE_CHECKS) $(LW_CLI_CHECKS) $(LW_COMMAND_CHECKS) tests/check/check.t \
	tests/golden/corpus.t tests/golden/gpu-idle.t tests/golden/help.t tests/golden/nodes.t \
	tests/golden/size.t
