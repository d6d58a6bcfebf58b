#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: every fuzz target compiles and links against the tree, as tests/fuzz/run has it (TAP).
#
# tests/fuzz/run is in no run of all lanes: without this a target that is left behind would be found
# by nobody. Linked with what this tree was built with, and a main() in libFuzzer's place.
set -euo pipefail
export LC_ALL=C

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
built=${top_builddir:-$root}
cc=${CC:-cc}
[[ -e $built/config.h ]] || bail "no $built/config.h: configure first"
dir=$(mktemp -d "${TMPDIR:-/tmp}/leeway-fuzz-compiles.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# compile FILE OBJECT
compile() {
	# shellcheck disable=SC2086 # CC may have options
	$cc -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$root/src" -I"$root" \
		-I"$root/tests" -include "$built/config.h" ${flags[@]+"${flags[@]}"} -c "$1" -o "$2"
}

links() { # OBJECT
	# shellcheck disable=SC2086 # CC may have options
	$cc ${flags[@]+"${flags[@]}"} "$1" "$dir"/part-*.o "${libraries[@]}" -o "$dir/linked"
}

# A tree that is built with sanitizers is linked with them.
flags=(-O0)
[[ ! -e $built/Makefile ]] ||
	read -ra flags <<< "-O0 $(sed -n 's/^LW_LDFLAGS = \(-fsanitize.*\)/\1/p' "$built/Makefile")"
mapfile -t libraries < <("$here/run" --libraries "$built")
printf '%s\n' 'int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size);' \
	'int main(void) { return LLVMFuzzerTestOneInput(0, 0); }' > "$dir/main.c"
compile "$dir/main.c" "$dir/part-main.o"
compile "$here/fuzz.c" "$dir/part-fuzz.o"
for word in $("$here/run" --files); do
	check "$word is there" compile "$word" "$dir/part-$(basename "$word" .c).o"
done
for file in "$here"/fuzz_*.c; do
	check "${file##*/} compiles" compile "$file" "$dir/target.o"
	check "${file##*/} links" links "$dir/target.o"
done
finish
