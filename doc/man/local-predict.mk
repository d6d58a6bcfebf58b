# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the predictor's man page.
dist_man_MANS += doc/man/leeway-history.1
