# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: property tests: what holds for every snapshot, tried on thousands of random ones.
LW_PROPERTY_CHECKS = \
	tests/property/property_chain \
	tests/property/property_deadline \
	tests/property/property_fill \
	tests/property/property_gate \
	tests/property/property_job \
	tests/property/property_killed \
	tests/property/property_loop \
	tests/property/property_lease \
	tests/property/property_lost \
	tests/property/property_order \
	tests/property/property_outlook \
	tests/property/property_place \
	tests/property/property_plan \
	tests/property/property_statement \
	tests/property/property_stops \
	tests/property/property_tag \
	tests/property/property_tag_bytes \
	tests/property/property_terms \
	tests/property/property_text \
	tests/property/property_torn \
	tests/property/property_torn_record
check_PROGRAMS += $(LW_PROPERTY_CHECKS)
PROPERTY_TESTS += $(LW_PROPERTY_CHECKS)

check_LTLIBRARIES += libproperty.la
libproperty_la_SOURCES = \
	tests/property/loop.c \
	tests/property/loop.h \
	tests/property/oracle.c \
	tests/property/oracle.h \
	tests/property/oracle_terms.c \
	tests/property/oracle_terms.h \
	tests/property/oracle_times.c \
	tests/property/oracle_times.h \
	tests/property/plan_round.c \
	tests/property/plan_round.h \
	tests/property/prng.h \
	tests/property/random.c \
	tests/property/random.h \
	tests/property/random_odd.c \
	tests/property/tap.c \
	tests/property/tap.h
libproperty_la_LIBADD = libplanner.la

tests_property_property_chain_LDADD = libproperty.la -lm
tests_property_property_deadline_LDADD = libproperty.la -lm
tests_property_property_fill_LDADD = libproperty.la -lm
tests_property_property_gate_LDADD = libproperty.la -lm
tests_property_property_job_LDADD = libproperty.la -lm
tests_property_property_loop_LDADD = libproperty.la -lm
tests_property_property_lease_LDADD = libproperty.la -lm
tests_property_property_lost_LDADD = libproperty.la -lm
tests_property_property_order_LDADD = libproperty.la -lm
tests_property_property_outlook_LDADD = libproperty.la -lm
tests_property_property_place_LDADD = libproperty.la libsim.la -lm
tests_property_property_plan_LDADD = libproperty.la -lm
tests_property_property_statement_LDADD = libproperty.la libcli.la -lm
tests_property_property_tag_CPPFLAGS = $(AM_CPPFLAGS) \
	-DLW_CORPUS='"$(abs_top_srcdir)/tests/corpus"'
tests_property_property_tag_LDADD = libproperty.la libcli.la -lm
tests_property_property_tag_bytes_LDADD = libproperty.la
tests_property_property_stops_SOURCES = tests/property/property_stops.c \
	tests/property/stopbook.c tests/property/stopbook.h \
	tests/property/stopworld.c tests/property/stopworld.h \
	src/slurm/keep/leasing.c src/slurm/keep/moving.c src/slurm/keep/lessons.c \
	src/slurm/keep/statefile.c \
	src/slurm/keep/stops.c
tests_property_property_stops_LDADD = libproperty.la -lm
tests_property_property_stops_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=fsync
tests_property_property_terms_LDADD = libproperty.la -lm
tests_property_property_text_LDADD = libproperty.la -lm
LW_KEEPERS = tests/property/keepers.c tests/property/keepers.h \
	tests/property/keepers_planned.c tests/property/keepers_record.c \
	src/slurm/agent/settings.c src/slurm/keep/failures.c src/slurm/keep/guarded.c \
	src/slurm/keep/outlook.c src/slurm/keep/outlook_ask.c src/slurm/keep/outlook_room.c \
	src/slurm/keep/outlook_word.c src/slurm/keep/planned.c \
	src/slurm/keep/promise.c src/slurm/keep/since.c src/slurm/keep/statefile.c \
	src/slurm/keep/lessons.c src/slurm/keep/stops.c src/slurm/keep/suspects.c \
	src/slurm/read/learn.c src/slurm/read/learn_types.c src/slurm/read/sharebook.c
LW_KEEPER_LIBS = libproperty.la librecord.la libsummary.la libconfig.la libplanner.la \
	$(YAML_LIBS) $(ZLIB_LIBS) -lm
tests_property_property_killed_SOURCES = tests/property/property_killed.c $(LW_KEEPERS)
tests_property_property_killed_LDADD = $(LW_KEEPER_LIBS)
tests_property_property_killed_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=write,--wrap=fsync \
	-Wl,--wrap=fdatasync,--wrap=rename,--wrap=unlink
tests_property_property_torn_SOURCES = tests/property/property_torn.c $(LW_KEEPERS)
tests_property_property_torn_LDADD = $(LW_KEEPER_LIBS)
tests_property_property_torn_record_LDADD = libproperty.la librecord.la libsummary.la \
	libplanner.la -lm
