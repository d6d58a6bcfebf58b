# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of src/slurm: the only code that sees Slurm's internal headers.
# Linked with libplanner (which holds libbase) and libconfig.
if HAVE_SLURM_SRC
noinst_LTLIBRARIES += libslurmport.la libslurmselect.la
libslurmport_la_SOURCES = $(FILES_src_slurm) $(FILES_src_slurm_agent) $(FILES_src_slurm_apply) \
	$(FILES_src_slurm_compat) $(FILES_src_slurm_keep) $(FILES_src_slurm_lock) \
	$(FILES_src_slurm_query) $(FILES_src_slurm_read) \
	%D%/select/select_link.c \
	%D%/select/select_link.h \
	%D%/select/wishes.c \
	%D%/select/wishes.h
libslurmport_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

# What the select plugin needs: nothing that only slurmctld has.
libslurmselect_la_SOURCES = $(FILES_src_slurm_compat) \
	%D%/bits.c \
	%D%/bits.h \
	%D%/canary.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/query/amounts.c \
	%D%/query/amounts.h \
	%D%/query/canary.c \
	%D%/query/canary.h \
	%D%/query/cores.c \
	%D%/query/cores.h \
	%D%/query/islands.c \
	%D%/query/islands.h \
	%D%/query/request.c \
	%D%/query/request.h \
	%D%/query/tenancy.c \
	%D%/query/tenancy.h \
	%D%/select/admit.c \
	%D%/select/admit.h \
	%D%/select/failed.c \
	%D%/select/failed.h \
	%D%/select/fleet.c \
	%D%/select/fleet.h \
	%D%/select/narrow.c \
	%D%/select/narrow.h \
	%D%/select/others.c \
	%D%/select/others.h \
	%D%/select/overlap.c \
	%D%/select/overlap.h \
	%D%/select/select.c \
	%D%/select/select.h \
	%D%/select/tenants.c \
	%D%/select/tenants.h \
	%D%/select/wishes.c \
	%D%/select/wishes.h \
	%D%/stock.c \
	%D%/stock.h
libslurmselect_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
endif
