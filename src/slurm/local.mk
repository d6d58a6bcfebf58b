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
	%D%/agent/agent.h \
	$(LW_SLURM_COMPAT) \
	%D%/agent/aside.c \
	%D%/agent/aside.h \
	%D%/agent/cycle.c \
	%D%/agent/cycle.h \
	%D%/agent/dump.c \
	%D%/agent/dump.h \
	%D%/agent/forecast.c \
	%D%/agent/forecast.h \
	%D%/agent/handover.c \
	%D%/agent/handover.h \
	%D%/agent/report.c \
	%D%/agent/report.h \
	%D%/agent/selfcheck.c \
	%D%/agent/selfcheck.h \
	%D%/agent/setup.c \
	%D%/apply/apply.c \
	%D%/apply/apply.h \
	%D%/apply/show.c \
	%D%/apply/show.h \
	%D%/apply/start.c \
	%D%/apply/start.h \
	%D%/apply/start_het.c \
	%D%/apply/start_soon.c \
	%D%/bfparams.c \
	%D%/bfparams.h \
	%D%/budget.c \
	%D%/budget.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/hold.c \
	%D%/hold.h \
	%D%/keep/planned.c \
	%D%/keep/planned.h \
	%D%/keep/promise.c \
	%D%/keep/promise.h \
	%D%/keep/refusal.c \
	%D%/keep/refusal.h \
	%D%/keep/statefile.c \
	%D%/keep/statefile.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/log.c \
	%D%/log.h \
	%D%/pace.c \
	%D%/pace.h \
	%D%/read/amounts.c \
	%D%/read/amounts.h \
	%D%/read/ask.c \
	%D%/read/ask.h \
	%D%/read/blocks.c \
	%D%/read/blocks.h \
	%D%/read/caps.c \
	%D%/read/caps.h \
	%D%/read/closures.c \
	%D%/read/closures.h \
	%D%/read/cores.c \
	%D%/read/cores.h \
	%D%/read/defaults.c \
	%D%/read/defaults.h \
	%D%/read/heed.c \
	%D%/read/heed.h \
	%D%/read/het.c \
	%D%/read/het.h \
	%D%/read/islands.c \
	%D%/read/islands.h \
	%D%/read/kinds.c \
	%D%/read/kinds.h \
	%D%/read/learn.c \
	%D%/read/learn.h \
	%D%/read/licences.c \
	%D%/read/licences.h \
	%D%/read/limits.c \
	%D%/read/limits.h \
	%D%/read/nodeset.c \
	%D%/read/nodeset.h \
	%D%/read/owners.c \
	%D%/read/owners.h \
	%D%/read/parts.c \
	%D%/read/parts.h \
	%D%/read/read.c \
	%D%/read/read.h \
	%D%/read/ready.c \
	%D%/read/ready.h \
	%D%/read/request.c \
	%D%/read/request.h \
	%D%/read/sizes.c \
	%D%/read/sizes.h \
	%D%/read/topology.c \
	%D%/read/topology.h \
	%D%/read/topotext.c \
	%D%/read/topotext.h \
	%D%/read/waiting.c \
	%D%/read/waiting.h \
	%D%/select/select_link.c \
	%D%/select/select_link.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/stock.c \
	%D%/stock.h \
	%D%/throttle.c \
	%D%/throttle.h
libslurmport_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

# What the select plugin needs: nothing that only slurmctld has.
libslurmselect_la_SOURCES = \
	$(LW_SLURM_COMPAT) \
	%D%/clock.c \
	%D%/clock.h \
	%D%/compat/select.c \
	%D%/layout.c \
	%D%/layout.h \
	%D%/read/amounts.c \
	%D%/read/amounts.h \
	%D%/read/cores.c \
	%D%/read/cores.h \
	%D%/read/islands.c \
	%D%/read/islands.h \
	%D%/read/request.c \
	%D%/read/request.h \
	%D%/select/fleet.c \
	%D%/select/fleet.h \
	%D%/select/narrow.c \
	%D%/select/narrow.h \
	%D%/select/overlap.c \
	%D%/select/overlap.h \
	%D%/select/select.h \
	%D%/stock.c \
	%D%/stock.h
libslurmselect_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
endif
