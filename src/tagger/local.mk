# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libtagger: deep learning recognised in job scripts; pure. libplanner holds it.
noinst_LTLIBRARIES += libtagger.la
libtagger_la_SOURCES = \
	%D%/shell.c \
	%D%/shell.h \
	%D%/shell_heredoc.c \
	%D%/shell_scan.h \
	%D%/shell_word.c \
	%D%/tag.c \
	%D%/tag.h \
	%D%/tag_code.c \
	%D%/tag_judge.c \
	%D%/tag_judge.h \
	%D%/tag_names.c \
	%D%/tag_rules.c \
	%D%/tag_rules.def \
	%D%/tag_rules_read.c \
	%D%/tag_text.c \
	%D%/tag_variables.c \
	%D%/tag_verbs.c \
	%D%/tag_verbs.def \
	%D%/tag_scan.c
