# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: pages of section 5, made from the texts that describe the formats.
LW_FORMAT_PAGES = \
	doc/man/leeway-fake-gpu.5 \
	doc/man/leeway-history.5 \
	doc/man/leeway-promises.5 \
	doc/man/leeway-record.5
man_MANS += $(LW_FORMAT_PAGES)
CLEANFILES += $(LW_FORMAT_PAGES)
EXTRA_DIST += doc/man/format.awk

doc/man/leeway-%.5: doc/dev/format-%.txt doc/man/format.awk
	$(AM_V_GEN)$(MKDIR_P) doc/man && $(AWK) -v name=leeway-$* \
		-f $(srcdir)/doc/man/format.awk $(srcdir)/doc/dev/format-$*.txt >$@.tmp && mv $@.tmp $@
