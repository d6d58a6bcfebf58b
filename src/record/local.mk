# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: librecord, GPU use of jobs. Link it with libbase (or libplanner) and zlib.
noinst_LTLIBRARIES += librecord.la
librecord_la_SOURCES = \
	%D%/access.c \
	%D%/access.h \
	%D%/account.c \
	%D%/account.h \
	%D%/change.c \
	%D%/change.h \
	%D%/comment.c \
	%D%/comment.h \
	%D%/file.c \
	%D%/file.h \
	%D%/files.c \
	%D%/files.h \
	%D%/guard.c \
	%D%/guard.h \
	%D%/inherit.c \
	%D%/inherit.h \
	%D%/jobend.c \
	%D%/jobend.h \
	%D%/list.c \
	%D%/list.h \
	%D%/metric.def \
	%D%/neighbours.c \
	%D%/neighbours.h \
	%D%/nvml_abi.h \
	%D%/nvml_processes.c \
	%D%/nvml_read.c \
	%D%/nvml_read.h \
	%D%/owners.c \
	%D%/owners.h \
	%D%/quota.c \
	%D%/quota.h \
	%D%/record.c \
	%D%/record.h \
	%D%/record_company.c \
	%D%/record_text.c \
	%D%/sampler.c \
	%D%/sampler.h \
	%D%/sampler_amd.c \
	%D%/sampler_fake.c \
	%D%/sampler_nvml.c \
	%D%/savetime.c \
	%D%/savetime.h \
	%D%/settle.c \
	%D%/shared.c \
	%D%/shared.h \
	%D%/sysfile.c \
	%D%/sysfile.h \
	%D%/tenant.c \
	%D%/tenant.h \
	%D%/watch.c \
	%D%/watch.h \
	%D%/watch_options.c \
	%D%/write.c \
	%D%/write.h
librecord_la_LIBADD = libsummary.la

# The summary's word alone, for who reads it and keeps no record. Needs libbase.
noinst_LTLIBRARIES += libsummary.la
libsummary_la_SOURCES = \
	%D%/summary.c \
	%D%/summary.h
