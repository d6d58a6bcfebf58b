# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libbase, the words every other folder uses; libc only.
noinst_LTLIBRARIES += libbase.la
libbase_la_SOURCES = \
	%D%/beside.c \
	%D%/beside.h \
	%D%/bitset.c \
	%D%/bitset.h \
	%D%/crc32.c \
	%D%/crc32.h \
	%D%/duedate.c \
	%D%/duedate.h \
	%D%/duration.c \
	%D%/duration.h \
	%D%/error.c \
	%D%/error.h \
	%D%/fold.c \
	%D%/fold.h \
	%D%/gpuuse.h \
	%D%/grow.h \
	%D%/heap.h \
	%D%/hosts.c \
	%D%/hosts.h \
	%D%/io.c \
	%D%/io.h \
	%D%/log.c \
	%D%/log.h \
	%D%/lookup.c \
	%D%/lookup.h \
	%D%/nodelist.c \
	%D%/nodelist.h \
	%D%/savefile.c \
	%D%/savefile.h \
	%D%/search.h \
	%D%/spell.c \
	%D%/spell.h \
	%D%/strbuf.c \
	%D%/strbuf.h
libbase_la_SOURCES += \
	%D%/number.c \
	%D%/number.h \
	%D%/plain.c \
	%D%/plain.h \
	%D%/prom.c \
	%D%/prom.h \
	%D%/promise.c \
	%D%/promise.h \
	%D%/promise_ended.c \
	%D%/promise_ended.h \
	%D%/quota.c \
	%D%/quota.h \
	%D%/rule.c \
	%D%/rule.h \
	%D%/sharemark.c \
	%D%/sharemark.h \
	%D%/tally.c \
	%D%/tally.h \
	%D%/why.c \
	%D%/why.h \
	%D%/words.c \
	%D%/words.h
