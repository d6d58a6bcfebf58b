# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libpredictor: how long jobs run, learned from those that ended; pure. libplanner
# holds it.
noinst_LTLIBRARIES += libpredictor.la
libpredictor_la_SOURCES = $(FILES_src_predictor)
