# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the tests: programs in tests/unit and tests/property, scripts in the other lanes.

# Every test program links what is pure or self-contained, nothing of Slurm: LW_TEST_LIBS,
# where it does not say otherwise. libplanner holds libbase, so only one of the two may be named.
# That what is built beside finds the tests' headers, too, spares a line a program; the rule of
# the layers sees to it that nothing includes them.
AM_CPPFLAGS += $(CHECK_CFLAGS) -I$(top_srcdir)/tests
LW_TEST_LIBS = libconfig.la libplanner.la $(YAML_LIBS) $(CHECK_LIBS) -lm
LW_RECORD_TEST_LIBS = librecord.la libbase.la $(CHECK_LIBS) $(ZLIB_LIBS) -lpthread -ldl
LDADD = $(LW_TEST_LIBS)

EXTRA_DIST += \
	tests/state \
	tests/summary \
	tests/tap.sh \
	tests/unit/draw.h \
	tests/unit/drawing.h \
	tests/unit/fake_slurm.h \
	tests/unit/gpu_play.h \
	tests/unit/gpu_records.h \
	tests/unit/heard.h \
	tests/unit/last_error.h \
	tests/unit/learning.h \
	tests/unit/live_cluster.h \
	tests/unit/manual.h \
	tests/unit/meter_lines.h \
	tests/unit/reading.h \
	tests/unit/records.h \
	tests/unit/res.h \
	tests/unit/run_files.h \
	tests/unit/scratch.h \
	tests/unit/simspec.h \
	tests/unit/sim_traces.h \
	tests/unit/sim_vectors.h \
	tests/unit/tool_files.h \
	tests/unit/unit.h \
	tests/unit/why_rows.h

# Each part of the tree lists its own unit tests.
include tests/unit/local-config.mk
include tests/unit/local-node.mk
include tests/unit/local-planner.mk
include tests/unit/local-slurm.mk
include tests/unit/local-predict.mk
include tests/unit/local-measure.mk
include tests/unit/local-cli.mk
include tests/unit/local-lab.mk
include tests/property/local.mk
include tests/corpus/local.mk
include tests/check/local.mk
include tests/fuzz/local.mk
include tests/cost/local.mk
include tests/golden/local.mk
include tests/cluster/local.mk
include tests/rules/local.mk
include tests/symbols/local.mk
