# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: leeway.so, the SPANK plugin, from the packaged public headers alone.
# Bound at load: a function that this Slurm lacks costs the record, not the step. Never
# unloaded: a thread that hangs in a driver must not lose its code. No libslurm: the
# stepd has its own copy.
EXTRA_DIST += %D%/spank.map
if HAVE_SLURM_PUBLIC
leewaylib_LTLIBRARIES += leeway.la
leeway_la_SOURCES = $(FILES_plugins_spank) src/slurm/compat/public.h
leeway_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins
leeway_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-Wl,--version-script=$(top_srcdir)/%D%/spank.map -Wl,-z,now -Wl,-z,nodelete
leeway_la_LIBADD = librecord.la libbase.la -lpthread -ldl $(ZLIB_LIBS)
endif
