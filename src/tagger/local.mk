# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libtagger: deep learning recognised in job scripts; pure. libplanner holds it.
noinst_LTLIBRARIES += libtagger.la
libtagger_la_SOURCES = $(FILES_src_tagger)
