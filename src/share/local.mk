# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libshare: which jobs may have a GPU together; pure. libplanner holds it.
noinst_LTLIBRARIES += libshare.la
libshare_la_SOURCES = \
	%D%/ask.h \
	%D%/known.c \
	%D%/known.h \
	%D%/known_text.c \
	%D%/pairs.c \
	%D%/pairs.h \
	%D%/request.c \
	%D%/request.h \
	%D%/rule.c \
	%D%/rule.h \
	%D%/tenants.c \
	%D%/tenants.h
