# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of leeway check.
libtools_la_SOURCES += \
	%D%/check.c \
	%D%/check.h \
	%D%/check_access.c \
	%D%/check_cgroup.c \
	%D%/check_chains.c \
	%D%/check_devices.c \
	%D%/check_find.c \
	%D%/check_gres.c \
	%D%/check_keys.c \
	%D%/check_nodes.c \
	%D%/check_pairs.c \
	%D%/check_parts.c \
	%D%/check_plugins.c \
	%D%/check_print.c \
	%D%/check_scheduler.c \
	%D%/check_metrics.c \
	%D%/check_settings.c \
	%D%/check_energy.c \
	%D%/check_guests.c \
	%D%/check_share.c \
	%D%/check_share_nodes.c \
	%D%/check_share_words.c \
	%D%/check_spank.c \
	%D%/check_submit.c \
	%D%/check_topology.c \
	%D%/check_types.c \
	%D%/check_toporules.c \
	%D%/check_values.c \
	%D%/elf.c \
	%D%/elf.h \
	%D%/slurmconf.c \
	%D%/slurmconf.h \
	%D%/slurmkeys.c \
	%D%/slurmkeys.def \
	%D%/slurmkeys.h \
	%D%/slurmpairs.def \
	%D%/slurmvalues.c \
	%D%/slurmvalues.def \
	%D%/slurmvalues.h
