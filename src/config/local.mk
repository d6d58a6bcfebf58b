# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libconfig, leeway.yaml in and out. Link it with libbase (or libplanner) and $(YAML_LIBS).
noinst_LTLIBRARIES += libconfig.la
libconfig_la_SOURCES = \
	%D%/config.c \
	%D%/config.h \
	%D%/decimal.c \
	%D%/decimal.h \
	%D%/gpumemory.c \
	%D%/gpumemory.h \
	%D%/keys.c \
	%D%/keys.def \
	%D%/keys.h \
	%D%/keys_print.c \
	%D%/keys_print.h \
	%D%/mistakes.c \
	%D%/mistakes.h \
	%D%/read.c \
	%D%/read_domains.c \
	%D%/read_rows.c \
	%D%/read_rules.c \
	%D%/reader.h \
	%D%/recipes.c \
	%D%/recipes.h \
	%D%/recipes_read.c \
	%D%/starters.c \
	%D%/starters.h \
	%D%/typeword.c \
	%D%/typeword.h \
	%D%/watts.c \
	%D%/watts.h \
	%D%/yamlline.c \
	%D%/yamlline.h
libconfig_la_CFLAGS = $(AM_CFLAGS) $(YAML_CFLAGS)

# The man page is made from the table and not committed; conf/leeway.yaml is both
# (tests/rules/docs.t).
noinst_PROGRAMS += src/config/gen-docs
src_config_gen_docs_SOURCES = %D%/gen-docs.c
src_config_gen_docs_LDADD = libconfig.la libbase.la $(YAML_LIBS) -lm

examplesdir = $(docdir)/examples
dist_examples_DATA = \
	conf/gres.conf \
	conf/leeway.yaml \
	conf/recipes/gavel.yaml \
	conf/plugstack.conf \
	conf/slurm.conf \
	conf/topology.conf
man_MANS += doc/man/leeway.yaml.5
EXTRA_DIST += doc/man/leeway.yaml.5.in
CLEANFILES += doc/man/leeway.yaml.5

# After a change of keys.def; the example is checked in, for who has not built anything.
conf: src/config/gen-docs$(EXEEXT)
	$(AM_V_GEN)src/config/gen-docs$(EXEEXT) yaml >$(srcdir)/conf/leeway.yaml
.PHONY: conf

doc/man/leeway.yaml.5: src/config/gen-docs$(EXEEXT) $(srcdir)/doc/man/leeway.yaml.5.in
	$(AM_V_GEN)$(MKDIR_P) doc/man && in='$(srcdir)/doc/man/leeway.yaml.5.in' && { \
	  sed -e 's/@[V]ERSION@/$(PACKAGE_VERSION)/' -e '/^@KEYS@$$/,$$d' "$$in" && \
	  src/config/gen-docs$(EXEEXT) man && \
	  sed '1,/^@KEYS@$$/d' "$$in"; } >$@.tmp && mv $@.tmp $@
