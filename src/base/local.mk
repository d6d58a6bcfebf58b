# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libbase, the words every other folder uses; libc only.
noinst_LTLIBRARIES += libbase.la
libbase_la_SOURCES = $(FILES_src_base)
