# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: fuzz targets; tests/fuzz/run builds them with clang, in a folder of their own.
UNIT_TESTS += tests/fuzz/compiles.t
EXTRA_DIST += tests/fuzz
