# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: man pages of the program leeway and of its workload files.
dist_man_MANS += \
	doc/man/leeway.1 \
	doc/man/leeway-generate.1 \
	doc/man/leeway-report.1 \
	doc/man/leeway-tag.1 \
	doc/man/leeway-workload.1 \
	doc/man/lw-workload.5
dist_man_MANS += doc/man/leeway-check.1
