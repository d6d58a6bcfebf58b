#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a random queue fares as under stock; and what would be otherwise is found
# shellcheck disable=SC2016 # awk has dollars of its own
. "$(dirname "$0")/lib.sh"

need_containers
[ "$(release)" = 24.11 ] || skip_all "one release tells"
mkdir -p "${out:?}"

# rivals OPTIONS...: round 1, of few jobs
rivals() {
	"${top:?}/contrib/minislurm/rivals" --out "$out" --seed 1 --horizon 90 "$@" \
		${LW_CLUSTER_PLUGINS:+--plugins "$LW_CLUSTER_PLUGINS"} \
		> "$out/said.txt" 2> "$out/rivals.err"
}

trap 'kill "$!"; wait; exit 130' INT TERM
rivals --jobs 30 --minutes 12 &
wait "$!"
is "stock and Leeway do the same to a random queue" "$?" 0
sed 's/^/# /' "$out/said.txt"
ok "most of it ran" grep -qE 'leeway.* [3-9][0-9] starts' "$out/said.txt"
is "it is judged the same again" "$(rivals --judge; echo $?)" 0

# spoil AWK: the round judged anew, with such records of Leeway's
leeway=$out/1/leeway
cp "$leeway/sacct.psv" "$out/kept.psv"
spoil() {
	awk -F '|' -v OFS='|' "$1" "$out/kept.psv" > "$leeway/sacct.psv"
	rivals --judge
	is "it is a difference" "$?" 3
}
spoil '$2 ~ /^[0-9]+$/ && $7 ~ /^[0-9]/ && !done { $6 = "None"; $16 = "None assigned"; done = 1 } 1'
like "if one never starts" "$(cat "$out/said.txt")" 'started by stock alone'
spoil 'NR > 1 && $10 == "COMPLETED" { $10 = "NODE_FAIL" } 1'
like "if they end otherwise" "$(cat "$out/said.txt")" 'ended otherwise'
spoil 'NR > 1 { $9 = 3 } 1'
like "if limits are others" "$(cat "$out/said.txt")" 'another limit'
spoil 'NR > 1 && $6 ~ /^[0-9]/ { $6 = '"$(cat "$leeway/start")"'; $16 = "n[1-8]" } 1'
like "if nodes are not one's own" "$(cat "$out/said.txt")" 'breaks own'
like "if tasks are too many at once" "$(cat "$out/said.txt")" 'breaks array'
like "if one does not wait" "$(cat "$out/said.txt")" 'breaks (begin|hold|dependency)'
cp "$out/kept.psv" "$leeway/sacct.psv"
finish
