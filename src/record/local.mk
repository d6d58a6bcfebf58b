# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: librecord, GPU use of jobs. Link it with libbase (or libplanner) and zlib.
noinst_LTLIBRARIES += librecord.la
librecord_la_SOURCES = \
	%D%/access.c \
	%D%/access.h \
	%D%/account.c \
	%D%/account.h \
	%D%/comment.c \
	%D%/comment.h \
	%D%/file.c \
	%D%/file.h \
	%D%/files.c \
	%D%/files.h \
	%D%/jobend.c \
	%D%/jobend.h \
	%D%/list.c \
	%D%/list.h \
	%D%/metric.def \
	%D%/nvml_abi.h \
	%D%/nvml_read.c \
	%D%/nvml_read.h \
	%D%/record.c \
	%D%/record.h \
	%D%/record_text.c \
	%D%/sampler.c \
	%D%/sampler.h \
	%D%/sampler_amd.c \
	%D%/sampler_fake.c \
	%D%/sampler_nvml.c \
	%D%/savetime.c \
	%D%/savetime.h \
	%D%/sysfile.c \
	%D%/sysfile.h \
	%D%/watch.c \
	%D%/watch.h \
	%D%/watch_options.c
librecord_la_LIBADD = libsummary.la

# The summary's word alone, for who reads it and keeps no record. Needs libbase.
noinst_LTLIBRARIES += libsummary.la
libsummary_la_SOURCES = \
	%D%/summary.c \
	%D%/summary.h
