# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of plugins.

# What all plugins share: only the entry points are visible. Functions of slurmctld are
# bound when first called, as Slurm's own plugins do it.
EXTRA_DIST += %D%/plugin.map
LW_PLUGIN_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-Wl,--version-script=$(top_srcdir)/%D%/plugin.map

if HAVE_SLURM_SRC
leewaylib_LTLIBRARIES += sched_backfill.la select_cons_tres.la

sched_backfill_la_SOURCES = %D%/sched/sched_backfill.c
sched_backfill_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
sched_backfill_la_LDFLAGS = $(LW_PLUGIN_LDFLAGS) -Wl,-z,lazy
sched_backfill_la_LIBADD = libslurmport.la libsummary.la libconfig.la libplanner.la $(YAML_LIBS) -lm

select_cons_tres_la_SOURCES = %D%/select/select_cons_tres.c
select_cons_tres_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
select_cons_tres_la_LDFLAGS = $(LW_PLUGIN_LDFLAGS) -Wl,-z,lazy
select_cons_tres_la_LIBADD = libslurmselect.la libplanner.la -lm
endif

include plugins/job_submit/local.mk
include plugins/spank/local.mk
