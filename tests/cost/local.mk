# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what fixed works cost, in instructions.
COST_TESTS += tests/cost/cost.t
EXTRA_DIST += tests/cost

# Works of what Slurm loads, each a program. They are named as the command is, for what is not in
# a file of such a name counts as a library's (count.awk).
LW_COST_WORKS =
if HAVE_CHECK
LW_COST_WORKS += tests/cost/leeway_sample
tests_cost_leeway_sample_CPPFLAGS = $(AM_CPPFLAGS) \
	-DLW_FAKE_NVML='"$(abs_top_builddir)/.libs/libfake_nvml.so"'
tests_cost_leeway_sample_LDADD = $(LW_RECORD_TEST_LIBS)
EXTRA_tests_cost_leeway_sample_DEPENDENCIES = libfake_nvml.la
if HAVE_SLURM_SRC
LW_COST_WORKS += tests/cost/leeway_agent tests/cost/leeway_select
tests_cost_leeway_agent_SOURCES = tests/cost/leeway_agent.c $(LW_STUB_FILES)
tests_cost_leeway_agent_LDFLAGS = $(AM_LDFLAGS) $(LW_STUB_WRAPS) -Wl,--wrap=pthread_create \
	-Wl,--wrap=time
tests_cost_leeway_agent_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_cost_leeway_agent_LDADD = $(LW_STUB_LIBS)
tests_cost_leeway_select_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_cost_leeway_select_LDFLAGS = $(AM_LDFLAGS) -L$(slurmlibdir) -Wl,-rpath,$(slurmlibdir)
tests_cost_leeway_select_LDADD = libslurmselect.la libplanner.la $(CHECK_LIBS) -lslurmfull -lm
endif
if HAVE_SLURM_PUBLIC
LW_COST_WORKS += tests/cost/leeway_submit
tests_cost_leeway_submit_SOURCES = tests/cost/leeway_submit.c $(LW_SUBMIT_FILES)
tests_cost_leeway_submit_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins
tests_cost_leeway_submit_LDADD = $(LW_SUBMIT_LIBS)
endif
endif
EXTRA_PROGRAMS += $(LW_COST_WORKS)
tests/cost/cost.log: $(LW_COST_WORKS)
