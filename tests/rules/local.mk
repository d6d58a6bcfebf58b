# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the layout, enforced: each script prints the lines that break its rule.
RULES_TESTS += \
	tests/rules/accounts.t \
	tests/rules/await.t \
	tests/rules/docs.t \
	tests/rules/door.t \
	tests/rules/environment.t \
	tests/rules/fatal.t \
	tests/rules/headers.t \
	tests/rules/lag.t \
	tests/rules/lanes.t \
	tests/rules/late.t \
	tests/rules/layers.t \
	tests/rules/length.t \
	tests/rules/machine.t \
	tests/rules/manual.t \
	tests/rules/names.t \
	tests/rules/packed.t \
	tests/rules/pronouns.t \
	tests/rules/prose.t \
	tests/rules/purity.t \
	tests/rules/scale.t \
	tests/rules/scripts.t \
	tests/rules/spawn.t \
	tests/rules/statics.t \
	tests/rules/suite.t \
	tests/rules/summary.t \
	tests/rules/tables.t \
	tests/rules/text.t \
	tests/rules/told.t \
	tests/rules/typed.t \
	tests/rules/version.t

EXTRA_DIST += \
	$(RULES_TESTS) \
	tests/rules/code.awk \
	tests/rules/lib.sh \
	tests/rules/pronouns.awk \
	tests/rules/prose.awk \
	tests/rules/typed.awk
