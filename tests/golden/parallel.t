#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what is run in several processes is what one process would have printed, to the byte (TAP).
set -euo pipefail
export LC_ALL=C TZ=UTC

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=$(realpath "${LEEWAY:-${top_builddir:-$here/../..}/leeway}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"

# jobs of all lengths and widths, on one pool
awk 'BEGIN {
	state = 12345
	print "; MaxProcs: 16"
	for (i = 1; i <= 600; i++) {
		state = (state * 69069 + 1) % 4294967296
		limit = 600 * (1 + int(state / 268435456))
		print i, i * 1100, -1, 1 + int(state / 256) % limit, 2 ^ (int(state / 4096) % 5), \
			-1, -1, 2 ^ (int(state / 4096) % 5), limit, -1, 1, int(state / 65536) % 7, 1, \
			-1, -1, -1, -1, -1
	}
}' >pool.swf

# kept FILE: without the time that it took, and the command itself
kept() {
	sed -E '/"(wall_s|jobs_per_s|command)":/d
		/<td>(seconds to simulate|jobs simulated a second)</d
		s/ --parallel [0-9]+| --set runs.parallel=[0-9]+//
		# the last column of the table of policies
		s/ +[0-9]+\.[0-9]{2}$//' "$1"
}

# run_with N ARGUMENT...: all that it writes, in folder N
run_with() {
	local at_once=$1
	shift
	rm -rf "$at_once"
	mkdir "$at_once"
	case $1 in
	sim) set -- "$@" --set runs.parallel="$at_once" ;;
	*) set -- "$@" --parallel "$at_once" ;;
	esac
	(cd "$at_once" && "$leeway" "$@" >out 2>&1) || echo "failed: $?"
	find "$at_once" -type f | while read -r file; do
		kept "$file" >"$file.kept"
		mv "$file.kept" "$file"
	done
}

# same DESCRIPTION ARGUMENT...: with 1, 2 and 4 at once
same() {
	local what=$1
	shift
	run_with 1 "$@"
	run_with 2 "$@"
	run_with 4 "$@"
	check "$what: it wrote something" test -s 1/out -o -s 1/made
	check "$what: 2 at once" diff -r 1 2
	check "$what: 4 at once" diff -r 1 4
}

same "a comparison" sim --compare ../pool.swf --json=made --html page --charts charts
same "with shakes, as JSON" sim --compare ../pool.swf --run easy --run leeway \
	--set shake.runs=3 --json
same "figures alone" sim ../pool.swf --run easy --run leeway --run conservative \
	--print wait_mean_s,wait_mean_s:sd,longer_share
same "one policy, shaken" sim ../pool.swf --set shake.runs=5 --jobs-csv made -q
same "on nodes with GPUs" sim ../pool.swf --nodes 4 --gpus-per-node 4 --compare \
	--charts charts --set shake.runs=2 --json
same "what would help" analyse ../pool.swf --what-if --json=made --html page
same "a net" train inspector ../pool.swf --rounds 3 --pairs 3 --sequences 2 --checks 2 \
	--length 40 -o made

is "the order of runs is that of the options" \
	"$("$leeway" sim pool.swf --run leeway --run easy --run fcfs --set runs.parallel=3 \
		--print wait_mean_s | cut -f 1 | paste -sd' ')" "leeway easy fcfs"
like "none is wrong usage" "$("$leeway" train order pool.swf -o net --parallel 0 2>&1 || true)" 'parallel'
like "of analyse it is of --what-if" \
	"$("$leeway" analyse pool.swf --parallel 2 2>&1 || true)" 'is of --what-if'
finish
