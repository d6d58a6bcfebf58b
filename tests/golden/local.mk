# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: golden tests: every X.snap must give X.plan; issues/ has one pair a closed bug.
GOLDEN_TESTS += tests/golden/golden.t tests/golden/analyse.t tests/golden/corpus.t \
	tests/golden/gpu-idle.t tests/golden/help.t tests/golden/inputs.t tests/golden/nodes.t \
	tests/golden/outlook.t tests/golden/parallel.t tests/golden/size.t \
	tests/golden/tune.t tests/golden/watch.t
EXTRA_DIST += tests/golden
