# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what fixed works cost, in instructions.
COST_TESTS += tests/cost/cost.t
EXTRA_DIST += tests/cost
