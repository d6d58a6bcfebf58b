# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libpolicy, the product: pure, libc and libm only.
noinst_LTLIBRARIES += libpolicy.la
libpolicy_la_SOURCES = \
	%D%/place.h \
	%D%/plan.c \
	%D%/plan.h \
	%D%/policy.h \
	%D%/reason.def \
	%D%/resource.c \
	%D%/resource.h \
	%D%/snapshot.c \
	%D%/snapshot.h \
	%D%/text.h
libpolicy_la_LIBADD = libbase.la
