# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: man pages of the simulator and the benchmark.
dist_man_MANS += \
	doc/man/leeway-bench.1 \
	doc/man/leeway-sim.1 \
	doc/man/lw-tenants.5
