# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libquestions: what is to be found in a log of jobs, one file a subject; pure.
noinst_LTLIBRARIES += libquestions.la
libquestions_la_SOURCES = $(FILES_lab_questions)
libquestions_la_LIBADD = -lm
