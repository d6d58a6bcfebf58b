# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: labelled job scripts; index.tsv says what each is, tests/golden/corpus.t runs them.
EXTRA_DIST += tests/corpus
