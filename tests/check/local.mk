# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: broken and good configurations, and what leeway check says of them.
GOLDEN_TESTS += tests/check/check.t tests/check/guards.t
EXTRA_DIST += tests/check
