# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of doc.
EXTRA_DIST += \
	%D%/admin \
	%D%/demo.svg \
	%D%/dev \
	%D%/lab \
	%D%/user

include doc/man/local-formats.mk
include doc/man/local-node.mk
include doc/man/local-tools.mk
