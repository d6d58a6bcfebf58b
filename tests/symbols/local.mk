# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of tests/symbols.
SYMBOLS_TESTS += %D%/agreement.t %D%/features.t %D%/symbols.t
EXTRA_DIST += \
	%D%/agreement.t \
	%D%/features \
	%D%/features.t \
	%D%/symbols.t
