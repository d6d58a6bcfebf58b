# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of tests/symbols.
SYMBOLS_TESTS += %D%/symbols.t
EXTRA_DIST += %D%/symbols.t
