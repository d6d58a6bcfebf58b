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
	%D%/history_scan.h \
	%D%/history_table.h \
	%D%/history_text.c \
	%D%/distribution.c \
	%D%/distribution.h \
	%D%/outlook.c \
	%D%/outlook.h \
	%D%/outlook_text.c \
	%D%/predict.c \
	%D%/predict.h \
	%D%/speed.c \
	%D%/speed.h \
	%D%/speed_ask.c \
	%D%/speed_text.c \
	%D%/survival.c \
	%D%/survival.h \
	%D%/window.c \
	%D%/window.h
