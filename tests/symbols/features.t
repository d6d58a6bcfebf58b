#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: did configure find in Slurm's source what its release is known to have?
#
# A compile probe can lie, for want of a header say; the code would then be built for a
# Slurm that does not exist.
set -euo pipefail

release=${SLURM_RELEASE:-}
if [[ -z $release ]]; then
	echo "1..0 # SKIP configured without --with-slurm-src"
	exit 0
fi
list=$(dirname "$0")/features/${release%.*}
found=$(echo "${SLURM_FEATURES:-}" | xargs)
expected=$(xargs 2>/dev/null < "$list" || echo "no $list yet: look what is new, and write it")
echo "1..1"
if [[ $found == "$expected" ]]; then
	echo "ok 1 - Slurm $release has what it is known to have"
else
	echo "not ok 1 - Slurm $release has what it is known to have"
	echo "# found: $found"
	echo "# expected: $expected"
	exit 1
fi
