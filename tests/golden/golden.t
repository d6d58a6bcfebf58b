#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: every tests/golden/X.snap must give X.plan, byte for byte (TAP); and for a file
# X.place, leeway place with the options of its first line the rest of it.
set -euo pipefail

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ ! -x $leeway ]]; then
	bail "no program $leeway: run make first, or name it in LEEWAY"
fi

gives_its_plan() {
	"$leeway" replay "$1" >"$work/plan" && diff -u "${1%.snap}.plan" "$work/plan"
}

# Printed and read again, the text is the same and so is the plan.
survives_printing() {
	"$leeway" replay --snapshot "$1" >"$work/once.snap" &&
		"$leeway" replay --snapshot "$work/once.snap" >"$work/twice.snap" &&
		diff -u "$work/once.snap" "$work/twice.snap" &&
		"$leeway" replay "$work/once.snap" >"$work/plan" &&
		diff -u "${1%.snap}.plan" "$work/plan"
}

ranks_its_places() {
	local arguments
	read -ra arguments < <(sed -n '1s/^# //p' "$1")
	"$leeway" place "${1%.place}.snap" "${arguments[@]}" >"$work/places" &&
		diff -u <(tail -n +2 "$1") <(sed '/^  "made_with"/,/^  }/d' "$work/places")
}

shopt -s nullglob
snaps=("$here"/*.snap)
if [[ ${#snaps[@]} -eq 0 ]]; then
	bail "no *.snap in $here"
fi
places=("$here"/*.place)
for snap in "${snaps[@]}"; do
	name=${snap#"$here"/}
	check "${name%.snap} gives its plan" gives_its_plan "$snap"
	check "${name%.snap} survives printing" survives_printing "$snap"
done
for place in "${places[@]}"; do
	name=${place#"$here"/}
	check "${name%.place} ranks its places" ranks_its_places "$place"
done
finish
