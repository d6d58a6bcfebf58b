# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the lane fuzz: every target of tests/fuzz for a while, on this machine itself
#
# What the targets learn stays in the cache, so that the next run goes on from there.

fuzz_dir() {
	printf '%s/fuzz-%s\n' "$(host_cache_dir)" "$(sha256sum <<< "$MS_CHECKOUT" | head -c 12)"
}

# fuzz_run [MINUTES]: all targets in so many minutes, or 20 seconds each; adds to results
fuzz_run() {
	local dir how=(--seconds 20)
	[ -z "${1:-}" ] || how=(--minutes "$1")
	dir=$(fuzz_dir)
	mkdir -p "$dir/results"
	exec {build_lock}> "$dir.lock"
	take_lock "$build_lock" "fuzzing this checkout"
	say "fuzzing: ${how[*]} (after $SECONDS s)"
	"$MS_CHECKOUT/tests/fuzz/run" --build "$dir/build" "${how[@]}" \
		> "$dir/results/fuzz.tap" || say "what was found is in $dir/build/findings"
	results+=("$dir/results")
}
