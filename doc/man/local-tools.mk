# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: man pages of the program leeway, and of the texts that it reads and writes.
dist_man_MANS += \
	doc/man/lw-model.5 \
	doc/man/lw-plan.5 \
	doc/man/lw-recipes.5 \
	doc/man/lw-snapshot.5 \
	doc/man/lw-tenants.5 \
	doc/man/lw-workload.5

# The section OPTIONS of a command comes from the table of its options.
man_MANS += $(LW_COMMAND_PAGES)
CLEANFILES += $(LW_COMMAND_PAGES)
EXTRA_DIST += $(LW_COMMAND_PAGES:=.in) doc/man/options.awk

doc/man/leeway-%.1: doc/man/leeway-%.1.in doc/man/options.awk \
		$(wildcard $(srcdir)/cli/*/*_options.def $(srcdir)/lab/*/*_options.def)
	$(AM_V_GEN)$(MKDIR_P) doc/man && LC_ALL=C $(AWK) -v top=$(srcdir) \
		-f $(srcdir)/doc/man/options.awk $(srcdir)/$@.in >$@.tmp && mv $@.tmp $@

# the list of commands comes from their table
man_MANS += doc/man/leeway.1
EXTRA_DIST += doc/man/leeway.1.in doc/man/commands.awk
CLEANFILES += doc/man/leeway.1
doc/man/leeway.1: $(srcdir)/doc/man/leeway.1.in $(srcdir)/doc/man/commands.awk \
		$(srcdir)/cli/common/commands.def
	$(AM_V_GEN)$(MKDIR_P) doc/man && in='$(srcdir)/doc/man/leeway.1.in' && { \
	  sed '/^@COMMANDS@$$/,$$d' "$$in" && \
	  LC_ALL=C $(AWK) -f $(srcdir)/doc/man/commands.awk $(srcdir)/cli/common/commands.def && \
	  sed '1,/^@COMMANDS@$$/d' "$$in"; } >$@.tmp && mv $@.tmp $@
