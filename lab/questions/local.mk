# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libquestions: what is to be found in a log of jobs, one file a subject; pure.
noinst_LTLIBRARIES += libquestions.la
libquestions_la_SOURCES = \
	%D%/analysis.c \
	%D%/analysis.h \
	%D%/arrivals.c \
	%D%/arrivals.h \
	%D%/behaviour.c \
	%D%/behaviour.h \
	%D%/dist.c \
	%D%/dist.h \
	%D%/elapsed.c \
	%D%/elapsed.h \
	%D%/gpuuse.c \
	%D%/gpuuse.h \
	%D%/joblog.c \
	%D%/joblog.h \
	%D%/limits.c \
	%D%/limits.h \
	%D%/load.c \
	%D%/load.h \
	%D%/people.c \
	%D%/people.h \
	%D%/questions.c \
	%D%/questions.h \
	%D%/repeat.c \
	%D%/repeat.h \
	%D%/slice.c \
	%D%/slice.h
libquestions_la_LIBADD = -lm
