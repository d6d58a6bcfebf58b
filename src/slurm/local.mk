# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of src/slurm: the only code that sees Slurm's internal headers.
# Linked with libpolicy (which holds libbase) and libconfig.
if HAVE_SLURM_SRC
noinst_LTLIBRARIES += libslurmport.la libslurmselect.la
# Slurm's releases; whoever drops one deletes its lines.
LW_SLURM_COMPAT = \
	%D%/compat/compat.h \
	%D%/compat/select_2205.def \
	%D%/compat/select_2411.def \
	%D%/compat/select_2511.def \
	%D%/compat/select_2605.def \
	%D%/compat/select_ops.def \
	%D%/compat/slurm_2205.h \
	%D%/compat/slurm_2411.h \
	%D%/compat/slurm_2505.h \
	%D%/compat/slurm_2511.h \
	%D%/compat/topology.h
libslurmport_la_SOURCES = \
	%D%/agent.h \
	$(LW_SLURM_COMPAT) \
	%D%/apply.c \
	%D%/apply.h \
	%D%/aside.c \
	%D%/aside.h \
	%D%/ask.c \
	%D%/ask.h \
	%D%/bfparams.c \
	%D%/blocks.c \
	%D%/blocks.h \
	%D%/bfparams.h \
	%D%/budget.c \
	%D%/budget.h \
	%D%/caps.c \
	%D%/caps.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/closures.c \
	%D%/closures.h \
	%D%/cores.c \
	%D%/cores.h \
	%D%/cycle.c \
	%D%/cycle.h \
	%D%/dump.c \
	%D%/dump.h \
	%D%/forecast.c \
	%D%/forecast.h \
	%D%/handover.c \
	%D%/handover.h \
	%D%/heed.c \
	%D%/heed.h \
	%D%/het.c \
	%D%/het.h \
	%D%/islands.c \
	%D%/islands.h \
	%D%/kinds.c \
	%D%/kinds.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/hold.c \
	%D%/hold.h \
	%D%/learn.c \
	%D%/learn.h \
	%D%/licences.c \
	%D%/licences.h \
	%D%/limits.c \
	%D%/limits.h \
	%D%/log.c \
	%D%/log.h \
	%D%/nodeset.c \
	%D%/nodeset.h \
	%D%/owners.c \
	%D%/owners.h \
	%D%/pace.c \
	%D%/pace.h \
	%D%/parts.c \
	%D%/parts.h \
	%D%/planned.c \
	%D%/planned.h \
	%D%/promise.c \
	%D%/promise.h \
	%D%/read.c \
	%D%/read.h \
	%D%/ready.c \
	%D%/ready.h \
	%D%/refusal.c \
	%D%/refusal.h \
	%D%/report.c \
	%D%/report.h \
	%D%/request.c \
	%D%/request.h \
	%D%/select_link.c \
	%D%/select_link.h \
	%D%/selfcheck.c \
	%D%/selfcheck.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/setup.c \
	%D%/show.c \
	%D%/show.h \
	%D%/sizes.c \
	%D%/sizes.h \
	%D%/start.c \
	%D%/start.h \
	%D%/start_het.c \
	%D%/statefile.c \
	%D%/statefile.h \
	%D%/stock.c \
	%D%/stock.h \
	%D%/throttle.c \
	%D%/throttle.h \
	%D%/topology.c \
	%D%/topology.h \
	%D%/topotext.c \
	%D%/topotext.h \
	%D%/waiting.c \
	%D%/waiting.h
libslurmport_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

# What the select plugin needs: nothing that only slurmctld has.
libslurmselect_la_SOURCES = \
	$(LW_SLURM_COMPAT) \
	%D%/compat/select.c \
	%D%/cores.c \
	%D%/cores.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/fleet.c \
	%D%/fleet.h \
	%D%/islands.c \
	%D%/islands.h \
	%D%/narrow.c \
	%D%/narrow.h \
	%D%/overlap.c \
	%D%/overlap.h \
	%D%/request.c \
	%D%/request.h \
	%D%/select.h \
	%D%/stock.c \
	%D%/stock.h
libslurmselect_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
endif
