#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: every fuzz target compiles against the tree, and the files that run links are there (TAP).
#
# tests/fuzz/run is no lane: without this a target that is left behind would be found by nobody.
set -euo pipefail
export LC_ALL=C

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
built=${top_builddir:-$root}
cc=${CC:-cc}
[[ -e $built/config.h ]] || bail "no $built/config.h: configure first"

compiles() {
	# shellcheck disable=SC2086 # CC may have options
	$cc -std=gnu11 -fsyntax-only -Wall -Wextra -Werror -D_GNU_SOURCE -I"$root/src" \
		-I"$root/tests" -include "$built/config.h" "$1"
}

for file in "$here"/fuzz*.c; do
	check "${file##*/}" compiles "$file"
done
for word in $("$here/run" --files); do
	check "$word is there" test -e "$word"
done
finish
