#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the program leeway: which help is printed when (TAP).
set -euo pipefail

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"

# says ARGUMENT...: what it prints, on either output, with the exit status behind
says() {
	local status=0
	"$leeway" "$@" 2>&1 || status=$?
	echo "exit status $status"
}

usage=$(says --help)
like "there is a usage" "$usage" '^usage: leeway COMMAND'
is "help prints it" "$(says help)" "$usage"
while read -r command _; do
	is "help $command is $command --help" "$(says help "$command")" "$(says "$command" --help)"
done < <("$leeway" --help | grep '^  ')
for command in why when limit types gpu chain promises; do
	like "$command is among what tells of one's own jobs" \
		"$(grep -A1 'Of your own jobs' <<<"$usage" | tr '\n' ' ')" " ${command}[,. ]"
done
like "who asks how the cluster does is led to report" "$usage" '^  report .*how the cluster does'
like "energy is named by its column" "$(says gpu --help)" '--wide .*energy'
like "and who shares by its form" "$(says gpu --help)" '\(JOBID\) .*shares'
like "there is help of sim" "$(says help sim)" '^usage: leeway sim TRACE'
like "a slip is told" "$(says help smi)" 'no command "smi"'
like "with an exit status" "$(says help smi)" '^exit status 2$'

finish
