# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libconfig, leeway.yaml in and out. Link it with libbase (or libplanner) and $(YAML_LIBS).
noinst_LTLIBRARIES += libconfig.la
libconfig_la_SOURCES = $(FILES_src_config)
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
