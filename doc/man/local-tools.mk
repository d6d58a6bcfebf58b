# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: man pages of the program leeway and of its workload files.
dist_man_MANS += \
	doc/man/leeway-analyse.1 \
	doc/man/leeway-chain.1 \
	doc/man/leeway-generate.1 \
	doc/man/leeway-limit.1 \
	doc/man/leeway-live.1 \
	doc/man/leeway-model.1 \
	doc/man/leeway-promises.1 \
	doc/man/leeway-report.1 \
	doc/man/leeway-tag.1 \
	doc/man/leeway-train.1 \
	doc/man/leeway-types.1 \
	doc/man/leeway-when.1 \
	doc/man/leeway-why.1 \
	doc/man/leeway-workload.1 \
	doc/man/lw-model.5 \
	doc/man/lw-recipes.5 \
	doc/man/lw-workload.5
dist_man_MANS += doc/man/leeway-check.1

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
