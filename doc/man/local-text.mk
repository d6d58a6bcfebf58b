# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: manual pages of the texts and of leeway replay.
dist_man_MANS += \
	doc/man/leeway-place.1 \
	doc/man/leeway-replay.1 \
	doc/man/lw-plan.5 \
	doc/man/lw-snapshot.5
