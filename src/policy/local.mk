# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libpolicy, the product: pure, libc and libm only.
noinst_LTLIBRARIES += libpolicy.la
libpolicy_la_SOURCES = \
	%D%/backfill.c \
	%D%/backfill.h \
	%D%/conserve.c \
	%D%/conserve.h \
	%D%/deadline.c \
	%D%/deadline.h \
	%D%/index.c \
	%D%/index.h \
	%D%/queue.c \
	%D%/queue.h \
	%D%/order.c \
	%D%/order.h \
	%D%/place.c \
	%D%/place.h \
	%D%/plan.c \
	%D%/plan.h \
	%D%/policy.c \
	%D%/policy.h \
	%D%/reason.def \
	%D%/relax.c \
	%D%/relax.h \
	%D%/profile.c \
	%D%/profile.h \
	%D%/reserve.c \
	%D%/reserve.h \
	%D%/resource.c \
	%D%/resource.h \
	%D%/risk.c \
	%D%/risk.h \
	%D%/shadow.c \
	%D%/shadow.h \
	%D%/snapshot.c \
	%D%/snapshot.h \
	%D%/text.h \
	%D%/text_amounts.c \
	%D%/text_amounts.h \
	%D%/text_fields.c \
	%D%/text_fields.h \
	%D%/text_names.c \
	%D%/text_names.h \
	%D%/text_parse.c \
	%D%/text_plan.c \
	%D%/text_policy.c \
	%D%/text_policy.h \
	%D%/text_print.c \
	%D%/text_scan.c \
	%D%/text_scan.h \
	%D%/turns.c \
	%D%/turns.h \
	%D%/walk.c \
	%D%/walk.h
libpolicy_la_LIBADD = libbase.la -lm
libpolicy_la_SOURCES += \
	%D%/shell.c \
	%D%/shell.h \
	%D%/tag.c \
	%D%/tag.h \
	%D%/tag_judge.c \
	%D%/tag_judge.h \
	%D%/tag_rules.c \
	%D%/tag_rules.def \
	%D%/tag_rules.h \
	%D%/tag_verbs.c \
	%D%/tag_walk.h
libpolicy_la_SOURCES += \
	%D%/calibration.c \
	%D%/calibration.h \
	%D%/history.c \
	%D%/history.h \
	%D%/history_table.h \
	%D%/history_text.c \
	%D%/law.c \
	%D%/law.h \
	%D%/predict.c \
	%D%/predict.h \
	%D%/window.c \
	%D%/window.h
