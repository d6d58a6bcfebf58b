# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of doc.
EXTRA_DIST += \
	%D%/admin/json.md \
	%D%/admin-guide.md \
	%D%/design.md \
	%D%/dev/testing.md \
	%D%/parity.md \
	%D%/format-promises.txt \
	%D%/placement.md \
	%D%/demo.svg \
	%D%/placement.svg \
	%D%/policy.md \
	%D%/shortfalls.md \
	%D%/releases.md \
	%D%/scale.md \
	%D%/tags.md

include doc/man/local-formats.mk
include doc/man/local-node.mk
include doc/man/local-predict.mk
include doc/man/local-sim.mk
include doc/man/local-text.mk
include doc/man/local-tools.mk
