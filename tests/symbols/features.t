#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: did configure find in Slurm's source what its release is known to have?
#
# A compile probe can lie, for want of a header say; the code would then be built for a
# Slurm that does not exist.
set -euo pipefail

. "$(dirname "$0")/../tap.sh"
release=${SLURM_RELEASE:-}
[[ -n $release ]] || skip_all "configured without --with-slurm-src"
list=$(dirname "$0")/features/${release%.*}
found=$(echo "${SLURM_FEATURES:-}" | xargs)
expected=$(xargs 2>/dev/null < "$list" || echo "no $list yet: look what is new, and write it")
is "Slurm $release has what it is known to have" "$found" "$expected"
finish
