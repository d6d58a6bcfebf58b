# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of the parts of src/slurm that need no Slurm.
if HAVE_CHECK
LW_SLURM_CHECKS = \
	tests/unit/check_worker \
	tests/unit/check_bfparams \
	tests/unit/check_budget \
	tests/unit/check_clock \
	tests/unit/check_dump \
	tests/unit/check_earlier \
	tests/unit/check_leasing \
	tests/unit/check_moving \
	tests/unit/check_learn \
	tests/unit/check_learn_file \
	tests/unit/check_learn_gpus \
	tests/unit/check_learn_types \
	tests/unit/check_link \
	tests/unit/check_mark \
	tests/unit/check_meter \
	tests/unit/check_meter_fill \
	tests/unit/check_trigger \
	tests/unit/check_watched \
	tests/unit/check_outlooks \
	tests/unit/check_outlook_crowd \
	tests/unit/check_failures \
	tests/unit/check_firsts \
	tests/unit/check_guarded \
	tests/unit/check_planned \
	tests/unit/check_scout \
	tests/unit/check_settings \
	tests/unit/check_since \
	tests/unit/check_suspects \
	tests/unit/check_slurm_promise \
	tests/unit/check_slurm_refusal \
	tests/unit/check_steady \
	tests/unit/check_stops \
	tests/unit/check_stops_fuzzed \
	tests/unit/check_stops_many \
	tests/unit/check_stretch \
	tests/unit/check_throttle \
	tests/unit/check_topotext \
	tests/unit/check_wishes
check_PROGRAMS += $(LW_SLURM_CHECKS)
UNIT_TESTS += $(LW_SLURM_CHECKS)

tests_unit_check_worker_SOURCES = tests/unit/check_worker.c src/slurm/agent/worker.c \
	src/slurm/clock.c
tests_unit_check_bfparams_SOURCES = tests/unit/check_bfparams.c src/slurm/bfparams.c
tests_unit_check_budget_SOURCES = tests/unit/check_budget.c src/slurm/lock/budget.c
tests_unit_check_clock_SOURCES = tests/unit/check_clock.c src/slurm/clock.c
tests_unit_check_dump_SOURCES = tests/unit/check_dump.c src/slurm/agent/dump.c
tests_unit_check_leasing_SOURCES = tests/unit/check_leasing.c src/slurm/keep/leasing.c \
	src/slurm/keep/lessons.c src/slurm/keep/moving.c src/slurm/keep/stops.c \
	src/slurm/keep/statefile.c
tests_unit_check_leasing_LDADD = libsim.la $(LW_TEST_LIBS)
tests_unit_check_moving_SOURCES = tests/unit/check_moving.c src/slurm/keep/moving.c
tests_unit_check_moving_LDADD = libsim.la $(LW_TEST_LIBS)
tests_unit_check_learn_SOURCES = tests/unit/check_learn.c src/slurm/read/learn.c \
	src/slurm/read/learn_types.c src/slurm/read/sharebook.c src/slurm/keep/statefile.c
tests_unit_check_learn_LDADD = libsummary.la $(LW_TEST_LIBS)
tests_unit_check_learn_gpus_SOURCES = tests/unit/check_learn_gpus.c src/slurm/read/learn.c \
	src/slurm/read/learn_types.c src/slurm/read/sharebook.c src/slurm/keep/statefile.c
tests_unit_check_learn_gpus_LDADD = libsummary.la $(LW_TEST_LIBS)
tests_unit_check_learn_file_SOURCES = tests/unit/check_learn_file.c src/slurm/read/learn.c \
	src/slurm/read/learn_types.c src/slurm/read/sharebook.c src/slurm/keep/statefile.c
tests_unit_check_learn_file_LDADD = libsummary.la $(LW_TEST_LIBS)
tests_unit_check_learn_types_SOURCES = tests/unit/check_learn_types.c src/slurm/read/learn.c \
	src/slurm/read/learn_types.c src/slurm/read/sharebook.c src/slurm/keep/statefile.c
tests_unit_check_learn_types_LDADD = libsummary.la $(LW_TEST_LIBS)
tests_unit_check_link_SOURCES = tests/unit/check_link.c src/slurm/read/link.c
tests_unit_check_mark_SOURCES = tests/unit/check_mark.c src/slurm/keep/mark.c
tests_unit_check_meter_SOURCES = tests/unit/check_meter.c src/slurm/keep/meter.c
tests_unit_check_meter_fill_SOURCES = tests/unit/check_meter_fill.c src/slurm/keep/meter.c \
	src/slurm/keep/meter_fill.c
tests_unit_check_meter_fill_LDADD = libsim.la $(LW_TEST_LIBS)
tests_unit_check_trigger_SOURCES = tests/unit/check_trigger.c src/slurm/lock/trigger.c
tests_unit_check_outlooks_SOURCES = tests/unit/check_outlooks.c src/slurm/keep/outlook.c \
	src/slurm/keep/outlook_ask.c src/slurm/keep/outlook_room.c \
	src/slurm/keep/outlook_word.c src/slurm/keep/statefile.c
tests_unit_check_outlook_crowd_SOURCES = tests/unit/check_outlook_crowd.c \
	src/slurm/keep/outlook.c src/slurm/keep/outlook_ask.c src/slurm/keep/outlook_room.c \
	src/slurm/keep/outlook_word.c src/slurm/keep/statefile.c
tests_unit_check_earlier_SOURCES = tests/unit/check_earlier.c $(LW_KEEPERS)
tests_unit_check_earlier_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) \
	-DLW_STATE='"$(abs_top_srcdir)/tests/state"'
tests_unit_check_earlier_LDADD = $(LW_KEEPER_LIBS) $(CHECK_LIBS)
tests_unit_check_failures_SOURCES = tests/unit/check_failures.c src/slurm/keep/failures.c \
	src/slurm/keep/statefile.c
tests_unit_check_suspects_SOURCES = tests/unit/check_suspects.c src/slurm/keep/suspects.c \
	src/slurm/keep/statefile.c
tests_unit_check_firsts_SOURCES = tests/unit/check_firsts.c src/slurm/keep/firsts.c
tests_unit_check_watched_SOURCES = tests/unit/check_watched.c src/slurm/keep/watched.c
tests_unit_check_guarded_SOURCES = tests/unit/check_guarded.c src/slurm/keep/guarded.c \
	src/slurm/keep/planned.c src/slurm/keep/statefile.c
tests_unit_check_planned_SOURCES = tests/unit/check_planned.c src/slurm/keep/planned.c
tests_unit_check_scout_SOURCES = tests/unit/check_scout.c src/slurm/read/learn.c \
	src/slurm/read/learn_types.c src/slurm/read/sharebook.c src/slurm/keep/statefile.c
tests_unit_check_scout_LDADD = libsummary.la $(LW_TEST_LIBS)
tests_unit_check_settings_SOURCES = tests/unit/check_settings.c src/slurm/agent/settings.c
tests_unit_check_since_SOURCES = tests/unit/check_since.c src/slurm/keep/since.c \
	src/slurm/keep/statefile.c
tests_unit_check_slurm_promise_SOURCES = tests/unit/check_slurm_promise.c \
	src/slurm/keep/promise.c src/slurm/keep/statefile.c
tests_unit_check_slurm_refusal_SOURCES = tests/unit/check_slurm_refusal.c src/slurm/keep/refusal.c
tests_unit_check_steady_SOURCES = tests/unit/check_steady.c src/slurm/keep/steady.c
tests_unit_check_stops_SOURCES = tests/unit/check_stops.c src/slurm/keep/lessons.c \
	src/slurm/keep/stops.c src/slurm/keep/statefile.c
tests_unit_check_stops_fuzzed_SOURCES = tests/unit/check_stops_fuzzed.c src/slurm/keep/lessons.c \
	src/slurm/keep/stops.c src/slurm/keep/statefile.c
tests_unit_check_stops_many_SOURCES = tests/unit/check_stops_many.c src/slurm/keep/lessons.c \
	src/slurm/keep/stops.c src/slurm/keep/statefile.c
tests_unit_check_throttle_SOURCES = tests/unit/check_throttle.c src/slurm/throttle.c
tests_unit_check_stretch_SOURCES = tests/unit/check_stretch.c src/slurm/read/stretch.c
tests_unit_check_wishes_SOURCES = tests/unit/check_wishes.c src/slurm/apply/wish.c \
	src/slurm/select/wishes.c
tests_unit_check_topotext_SOURCES = tests/unit/check_topotext.c src/slurm/read/topotext.c
if HAVE_SLURM_SRC
LW_SLURM_RECORD_CHECKS = \
	tests/unit/check_agent \
	tests/unit/check_canary \
	tests/unit/check_gpulimit \
	tests/unit/check_stockplans
check_PROGRAMS += $(LW_SLURM_RECORD_CHECKS)
UNIT_TESTS += $(LW_SLURM_RECORD_CHECKS)
LW_STUB_SETS = tests/unit/slurm_stub_first.c tests/unit/slurm_stub_sets.c \
	tests/unit/slurm_stub_sets.h
tests_unit_check_canary_SOURCES = tests/unit/check_canary.c src/slurm/query/canary.c \
	$(LW_STUB_SETS)
tests_unit_check_canary_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_unit_check_stockplans_SOURCES = tests/unit/check_stockplans.c src/slurm/bits.c \
	src/slurm/query/canary.c src/slurm/read/stockplans.c $(LW_STUB_SETS)
tests_unit_check_stockplans_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_unit_check_gpulimit_SOURCES = tests/unit/check_gpulimit.c src/slurm/query/gpulimit.c
tests_unit_check_gpulimit_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
# a slurmctld for the agent to run in
LW_STUB_FILES = tests/unit/slurm_stub.c tests/unit/slurm_stub.h tests/unit/slurm_stub_files.c \
	tests/unit/slurm_stub_records.c
LW_STUB_WRAPS = -Wl,--wrap=access,--wrap=stat,--wrap=lstat \
	-Wl,--wrap=open,--wrap=fsync,--wrap=rename,--wrap=unlink,--wrap=opendir,--wrap=fopen \
	-Wl,--wrap=dlopen,--wrap=realpath
LW_STUB_LIBS = libslurmport.la libsummary.la $(LW_TEST_LIBS) -lpthread -ldl
tests_unit_check_agent_SOURCES = tests/unit/check_agent.c $(LW_STUB_FILES)
tests_unit_check_agent_LDFLAGS = $(AM_LDFLAGS) $(LW_STUB_WRAPS)
tests_unit_check_agent_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_unit_check_agent_LDADD = $(LW_STUB_LIBS)
endif
if HAVE_SLURM_PUBLIC
check_PROGRAMS += tests/unit/check_job_submit tests/unit/check_share_job
UNIT_TESTS += tests/unit/check_job_submit tests/unit/check_share_job
# the plugin as it is, but for its way to the scheduler
LW_SUBMIT_FILES = plugins/job_submit/due_job.c plugins/job_submit/job_submit_leeway.c \
	plugins/job_submit/lengths.c plugins/job_submit/rules.c plugins/job_submit/share_job.c \
	plugins/job_submit/stop_job.c plugins/job_submit/tag_job.c \
	src/slurm/read/sharebook.c src/slurm/keep/statefile.c \
	tests/unit/submit_stub.c tests/unit/submit_stub.h
LW_SUBMIT_LIBS = libsummary.la $(LW_TEST_LIBS) -lpthread
tests_unit_check_job_submit_SOURCES = tests/unit/check_job_submit.c $(LW_SUBMIT_FILES)
tests_unit_check_job_submit_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins
tests_unit_check_job_submit_LDADD = $(LW_SUBMIT_LIBS)
tests_unit_check_share_job_SOURCES = tests/unit/check_share_job.c \
	plugins/job_submit/share_job.c
tests_unit_check_share_job_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins
tests_unit_check_share_job_LDADD = libconfig.la libtagger.la libshare.la $(LW_TEST_LIBS) \
	$(YAML_LIBS)
endif
endif
