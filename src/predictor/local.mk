# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libpredictor: how long jobs run, learned from those that ended; pure. libplanner
# holds it.
noinst_LTLIBRARIES += libpredictor.la
libpredictor_la_SOURCES = \
	%D%/calibration.c \
	%D%/calibration.h \
	%D%/habit.c \
	%D%/habit.h \
	%D%/history.c \
	%D%/history.h \
	%D%/history_table.h \
	%D%/history_text.c \
	%D%/law.c \
	%D%/law.h \
	%D%/predict.c \
	%D%/predict.h \
	%D%/stay.c \
	%D%/stay.h \
	%D%/window.c \
	%D%/window.h
