# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the predictor's man page and documents.
dist_man_MANS += doc/man/leeway-history.1
EXTRA_DIST += \
	doc/format-history.txt \
	doc/predictor.md
