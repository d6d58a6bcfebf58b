# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: man pages of the job tag and of GPU records.
dist_man_MANS += \
	doc/man/leeway-spank.8 \
	doc/man/leeway-tag.7
EXTRA_DIST += \
	contrib/gpu-idle/epilog \
	contrib/gpu-idle/gpu-idle
