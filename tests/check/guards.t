#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what Slurm's readers complain of, leeway check finds, row by row of guards.tsv (TAP).
#
# It needs no source of Slurm: contrib/slurm-guards compares the table with that.
set -euo pipefail
export LC_ALL=C

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/check/machine.sh
. "$here/machine.sh"

etc=$work/root/etc/slurm

# change LINES: add them to the files of the machine
change() {
	local rest=$1 line file
	while [[ $rest ]]; do
		line=${rest%% ;; *}
		[[ $rest == "$line" ]] && rest='' || rest=${rest#* ;; }
		file=${line%%:*}
		case $line in
		*.sed:*) sed -i "${line#*.sed:}" "$etc/${line%%.sed:*}" ;;
		topology.conf:* | gres.conf:* | cgroup.conf:*) echo "${line#*:}" >> "$etc/$file" ;;
		*) echo "$line" >> "$etc/slurm.conf" ;;
		esac
	done
}

# findings RELEASES: their words, one a line, each severity kept out
findings() {
	local release=()
	[[ $1 != 22.05 ]] || release=(--release 22.05.8)
	{ "$leeway" check --root "$work/root" "${release[@]}" 2>&1 || true; } |
		sed -n 's/^.*\(error\|warning\|note\): .*\[\([a-z-]*\)\]$/\2/p'
}

# found RELEASES FINDING LINES: does leeway check find it, and not without the lines?
found() {
	if [[ $3 == @* ]]; then
		machine "${3#@}"
	else
		machine base
		! findings "$1" | grep -x -- "$2" > /dev/null || return 1
		change "$3"
	fi
	findings "$1" | grep -x -- "$2" > /dev/null
}

covered=0 open=0
while IFS=$'\t' read -r file releases message finding lines; do
	case $finding in
	-) continue ;;
	open) open=$((open + 1)); continue ;;
	esac
	covered=$((covered + 1))
	check "$file: $message: $finding" found "$releases" "$finding" "$lines"
done < <(grep -v '^#' "$here/guards.tsv")

of=$((covered + open))
check "95 % of the $of that a file alone can cause are found" \
	test $((100 * covered)) -ge $((95 * of))
check "doc/dev/check.md says how many" \
	grep -q "finds $covered of the $of" "$here/../../doc/dev/check.md"
finish
