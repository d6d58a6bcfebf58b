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
for command in why when limit types size gpu chain promises; do
	like "$command is among what tells of one's own jobs" \
		"$(grep -A1 'About your own jobs' <<<"$usage" | tr '\n' ' ')" " ${command}[,. ]"
done
like "how the cluster does is what live shows" "$usage" '^  live .*how the cluster does'
like "energy is named by its column" "$(says gpu --help)" '--wide .*energy'
like "and sharing by its form" "$(says gpu --help)" '\(JOBID\) .*shares'
like "there is help of sim" "$(says help sim)" '^usage: leeway sim TRACE'
like "a slip is told" "$(says help smi)" 'no command "smi"'
like "with an exit status" "$(says help smi)" '^exit status 2$'

# A leeway that is alone, as where only leeway-tools is installed.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/usr/bin" "$work/usr/libexec/leeway"
cp "$leeway" "$work/usr/bin/leeway"
leeway=$work/usr/bin/leeway
if [[ $(says sim) = *'is not installed'* ]]; then
	is "it lists the laboratory's commands as well" "$(says --help)" "$usage"
	is "and says which package has them" "$(says sim --help)" "leeway sim: it is in the \
package leeway-lab, which is not installed
exit status 1"
	is "in their help, too" "$(says help train)" "leeway train: it is in the package \
leeway-lab, which is not installed
exit status 1"
else
	skip "which package has the laboratory's commands" "one is installed on this machine"
fi
printf '#!/bin/sh\necho "$#: $*"; exit 3\n' > "$work/usr/libexec/leeway/leeway-lab"
chmod +x "$work/usr/libexec/leeway/leeway-lab"
is "the laboratory gets the words as they are" "$(says sim 'a  b' '' -q)" \
	"4: sim a  b  -q
exit status 3"
is "so it does for the verb of history that it has" "$(says history evaluate --json x)" \
	"4: history evaluate --json x
exit status 3"
like "and no other" "$(says history show "$work/none")" '^leeway history: .*/none: cannot open: No such file'
chmod -x "$work/usr/libexec/leeway/leeway-lab"
[[ -x $work/usr/libexec/leeway/leeway-lab ]] ||
	like "one that cannot be run is told" "$(says sim)" '^leeway sim: .*Permission denied$'

finish
