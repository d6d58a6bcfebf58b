# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of the simulator.
if HAVE_CHECK
LW_SIM_CHECKS = \
	tests/unit/check_accuracy \
	tests/unit/check_agenda \
	tests/unit/check_agreement \
	tests/unit/check_chain \
	tests/unit/check_deadlines \
	tests/unit/check_engine \
	tests/unit/check_engine_loop \
	tests/unit/check_fairness \
	tests/unit/check_fresh \
	tests/unit/check_gpumap \
	tests/unit/check_locality \
	tests/unit/check_procmap \
	tests/unit/check_promises \
	tests/unit/check_published \
	tests/unit/check_reciperun \
	tests/unit/check_sample \
	tests/unit/check_shake \
	tests/unit/check_sharing \
	tests/unit/check_sharing_table \
	tests/unit/check_sim \
	tests/unit/check_sim_compare \
	tests/unit/check_sim_needs \
	tests/unit/check_simcall \
	tests/unit/check_systems \
	tests/unit/check_tracejobs \
	tests/unit/check_train
check_PROGRAMS += $(LW_SIM_CHECKS)
UNIT_TESTS += $(LW_SIM_CHECKS)

tests_unit_check_accuracy_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_agenda_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_agreement_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_chain_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_deadlines_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_engine_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_engine_loop_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_fairness_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_fresh_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_gpumap_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_locality_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_procmap_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_promises_SOURCES = tests/unit/check_promises.c \
	src/slurm/keep/promise.c src/slurm/keep/statefile.c
tests_unit_check_promises_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_published_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_reciperun_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_reciperun_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_sample_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_shake_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_sharing_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sharing_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_sharing_table_LDADD = libmeasure.la $(CHECK_LIBS) -lm
tests_unit_check_sim_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sim_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_sim_compare_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sim_compare_LDADD = libcli.la liblab.la $(CHECK_LIBS) -lm
tests_unit_check_sim_needs_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_sim_needs_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_simcall_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_simcall_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_systems_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_check_systems_LDADD = liblab.la $(CHECK_LIBS) -lm
tests_unit_check_train_LDADD = libsim.la $(CHECK_LIBS) -lm
tests_unit_check_tracejobs_LDADD = libsim.la $(CHECK_LIBS) -lm
endif
