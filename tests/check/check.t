#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: leeway check says of each tests/check/X what its part "expected" says, to the byte (TAP).
#
# X holds the files of /etc/slurm of one machine as its parts (see unpack); what it lacks is that of
# tests/check/base, which has no findings. Two parts are for this script: "plugins" is a shell
# script that changes the machine, in its root directory, by the words below; "options" goes to
# leeway check. Plugins are made here by the compiler and have no code: only what they say of
# themselves is looked at.
set -euo pipefail
export LC_ALL=C

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/check/machine.sh
. "$here/machine.sh"

# Its output, without what it was made with, and the exit status behind it.
said() {
	local options=() status=0
	[[ ! -e $work/case/options ]] || read -ra options < "$work/case/options"
	"$leeway" check --root "$work/root" "${options[@]}" 2>&1 |
		sed '/^  "made_with"/,/^  }/d' || status=$?
	echo "exit status $status"
}

cd "$here"
cases=([0-9]*)
[[ -e ${cases[0]} ]] || bail "no case in $here"
for name in "${cases[@]}"; do
	machine "$name"
	said > "$work/said"
	check "$name" diff -u "$work/case/expected" "$work/said"
done

# Of another machine's files, not below --root.
machine 119-include-absent
"$leeway" check --conf "$work/root/etc/slurm" > "$work/said" 2>&1 || true
check "an Include that is not here points to --root" \
	grep -q "use --root with a copy of its disk" "$work/said"
check "and the rest is checked" grep -q "bf_windw" "$work/said"

# On a terminal no line is longer than it is wide, but for a word that is, and nothing is lost.
# A pipe gets whole lines, as the cases above show.
terminal() { # COLUMNS
	script -qec "stty cols $1; '$leeway' check --root '$work/root'" /dev/null < /dev/null |
		tr -d '\r' > "$work/said" || true
}
if command -v script > /dev/null; then
	machine 216-yaml-many
	terminal 60
	check "a terminal gets lines that fit it" awk '
		length > 60 && / [^ ]/ && !/^ *[^ ]+$/ { bad = 1 } END { exit bad || NR < 14 }
	' "$work/said"
	tr -s ' \n' '  ' < "$work/said" > "$work/words"
	tr -s ' \n' '  ' < "$work/case/expected" | sed 's/exit status.*//' > "$work/wanted"
	check "with all words" cmp "$work/wanted" "$work/words"
	terminal 10
	check "and no line of one word each where it is narrow" \
		grep -qx "  known *unknown\|.\{30,40\}" "$work/said"
	terminal 0
	check "and 80 columns where it has none" awk 'length > 80 { exit 1 }' "$work/said"
else
	skip "a terminal gets lines that fit it" "no script(1)"
fi

# What it was made of.
machine 34-topology-yaml
"$leeway" check --root "$work/root" --json > "$work/said" || true
for file in leeway.yaml topology.yaml slurm.conf gres.conf; do
	check "$file is among the inputs" grep -q "\"file\": \"$work/root/etc/slurm/$file\"" \
		"$work/said"
done
finish
