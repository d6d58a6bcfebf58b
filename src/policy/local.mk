# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libpolicy, the product: pure, libc and libm only.
noinst_LTLIBRARIES += libpolicy.la
libpolicy_la_SOURCES = \
	%D%/backfill.c \
	%D%/backfill.h \
	%D%/index.c \
	%D%/index.h \
	%D%/memo.c \
	%D%/memo.h \
	%D%/place.c \
	%D%/place.h \
	%D%/plan.c \
	%D%/plan.h \
	%D%/policy.c \
	%D%/policy.h \
	%D%/reason.def \
	%D%/relax.c \
	%D%/relax.h \
	%D%/resource.c \
	%D%/resource.h \
	%D%/shadow.c \
	%D%/shadow.h \
	%D%/snapshot.c \
	%D%/snapshot.h \
	%D%/text.h
libpolicy_la_LIBADD = libbase.la
