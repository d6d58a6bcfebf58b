# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libshare: which jobs may have a GPU together; pure. libplanner holds it.
noinst_LTLIBRARIES += libshare.la
libshare_la_SOURCES = $(FILES_src_share)
