# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of lab.
if HAVE_CHECK
LW_LAB_CHECKS = \
	tests/unit/check_accuracy \
	tests/unit/check_agenda \
	tests/unit/check_agreement \
	tests/unit/check_analyse \
	tests/unit/check_analyse_input \
	tests/unit/check_chain \
	tests/unit/check_deadlines \
	tests/unit/check_dues \
	tests/unit/check_engine \
	tests/unit/check_engine_lease \
	tests/unit/check_engine_loop \
	tests/unit/check_engine_size \
	tests/unit/check_explain \
	tests/unit/check_fresh \
	tests/unit/check_generate \
	tests/unit/check_gpumap \
	tests/unit/check_machine \
	tests/unit/check_net \
	tests/unit/check_noise \
	tests/unit/check_output \
	tests/unit/check_pool \
	tests/unit/check_procmap \
	tests/unit/check_published \
	tests/unit/check_reciperun \
	tests/unit/check_sample \
	tests/unit/check_shake \
	tests/unit/check_sharing \
	tests/unit/check_sim \
	tests/unit/check_sim_needs \
	tests/unit/check_simcall \
	tests/unit/check_simenergy \
	tests/unit/check_simsettings \
	tests/unit/check_steps \
	tests/unit/check_stock \
	tests/unit/check_systems \
	tests/unit/check_tracejobs \
	tests/unit/check_train \
	tests/unit/check_workload \
	tests/unit/check_workload_sacct \
	tests/unit/check_workload_words
check_PROGRAMS += $(LW_LAB_CHECKS)
UNIT_TESTS += $(LW_LAB_CHECKS)

tests_unit_check_accuracy_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_agenda_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_agreement_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_analyse_SOURCES = tests/unit/check_analyse.c tests/unit/failing_alloc.c
tests_unit_check_analyse_LDADD = libquestions.la libbase.la $(CHECK_LIBS) -lm
tests_unit_check_analyse_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=reallocarray -Wl,--wrap=strdup
tests_unit_check_analyse_input_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_analyse_input_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_chain_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_deadlines_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_dues_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_engine_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_engine_lease_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_engine_loop_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_engine_size_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_explain_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_fresh_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_generate_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_gpumap_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_machine_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_machine_LDADD = liblab.la $(CHECK_LIBS)
tests_unit_check_net_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_noise_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_output_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_output_LDADD = liblab.la $(CHECK_LIBS)
tests_unit_check_pool_LDADD = libsim.la $(CHECK_LIBS)
tests_unit_check_procmap_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_published_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_reciperun_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_reciperun_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_sample_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_shake_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_sharing_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sharing_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_sim_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sim_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_sim_needs_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sim_needs_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_simcall_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_simcall_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_simenergy_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_simenergy_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_simsettings_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_simsettings_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_steps_LDADD = libquestions.la libbase.la $(CHECK_LIBS) -lm
tests_unit_check_stock_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_systems_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_systems_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_tracejobs_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_train_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_workload_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_workload_sacct_LDADD = liblab.la $(CHECK_LIBS)
tests_unit_check_workload_words_LDADD = libsim.la $(CHECK_LIBS) -lm
endif

# The lane of this house, for a change of nothing else.
LAB_TESTS = $(LW_MEASURE_CHECKS) $(LW_LAB_CHECKS) $(LW_COMMAND_CHECKS) tests/golden/analyse.t \
	tests/golden/golden.t tests/golden/help.t tests/golden/outlook.t
