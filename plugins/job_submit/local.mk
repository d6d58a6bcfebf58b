# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: job_submit_leeway.so, from the packaged public headers alone.
if HAVE_SLURM_PUBLIC
leewaylib_LTLIBRARIES += job_submit_leeway.la
job_submit_leeway_la_SOURCES = $(FILES_plugins_job_submit) src/slurm/compat/public.h
job_submit_leeway_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins
job_submit_leeway_la_LDFLAGS = $(LW_PLUGIN_LDFLAGS) -Wl,-z,lazy
job_submit_leeway_la_LIBADD = libconfig.la libtagger.la libshare.la libbase.la $(YAML_LIBS) -lm
endif
