#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what leeway nodes says of a made-up cluster with a node of each fault (TAP).
set -euo pipefail
export LC_ALL=C TZ=UTC

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"

# log FAILS SLOW DOWN: 16 nodes with 60 jobs each, of four users, in one week. Jobs of three of the
# users fail on node FAILS; on SLOW they take a third longer; DOWN is lost three times.
log()
{
	awk -v fails="$1" -v slow="$2" -v down="$3" 'BEGIN {
		print "JobID|User|Partition|End|ElapsedRaw|State|NNodes|NCPUS|NodeList|AllocTRES|" \
			"FailedNode|AdminComment|JobName"
		for (i = 0; i < 960; i++) {
			node = i % 16 + 1
			user = int(i / 16) % 4
			# noise that each node has alike
			ran = 1000 + (i * 7919 + int(i / 16) * 104729) % 400
			state = "COMPLETED"
			if (node == slow)
				ran = int(ran * 1.35)
			if (node == fails && user && int(i / 64) % 2)
				state = "FAILED"
			# all nodes have a few of these
			if (i % 97 == 5)
				state = "FAILED"
			lost = ""
			if (node == down && i > 600 && lost_so_far++ < 3) {
				state = "NODE_FAIL"
				lost = "n" node
			}
			printf "%d|u%d|main|%d|%d|%s|1|4|n%d|cpu=4,node=1|%s||job%d\n", i + 1, user,
				1751500800 + 300 * i, ran, state, node, lost, user
		}
	}'
}
log 3 5 7 >"$work/sacct.psv"
log 99 99 99 >"$work/sound.psv"
cd "$work"

# says ARGUMENT...: what it prints, on either output, with the exit status behind
says() {
	local status=0
	"$leeway" nodes "$@" 2>&1 || status=$?
	echo "exit status $status"
}
page=$(says --sacct sacct.psv)
comment <<<"$page"
like "a node on which jobs fail alone is found" "$page" \
	'^n3 .* 3 kinds of jobs of 3 users fail more often here \(chance '
like "with the jobs" "$(grep -A1 '^n3 ' <<<"$page")" '^ +jobs 83 '
like "a slow one" "$page" '^n5 .* 1\.3[0-9] +-  slow \(chance below 0.01 %\)$'
like "and one that goes down" "$page" '^n7 +60 .* 3 .* goes down \(chance 0.37 %\)$'
like "nothing is found of the others" "$page" '^nothing found: [0-9]+ more nodes$'
like "it ends well" "$page" '^exit status 0$'
is "twice the same" "$(says --sacct sacct.psv)" "$page"
is "in whatever order sacct prints them" "$(says --sacct <(head -n 1 sacct.psv
	tail -n +2 sacct.psv | sort -t '|' -k9,9 -k1,1n))" "$page"
like "--suspect ends with 3" "$(says --sacct sacct.psv --suspect)" '^exit status 3$'
is "and has only these" "$(says --sacct sacct.psv --suspect | grep -c '^n[0-9]')" 3
is "--all has all" "$(says --sacct sacct.psv --all | grep -c '^n[0-9]')" 16
named=$(says --sacct sacct.psv n5 n9)
is "so have names" "$(grep -oE '^n[0-9]+' <<<"$named" | tr '\n' ' ')" 'n5 n9 '
like "one that no job had is told" "$(says --sacct sacct.psv nowhere)" 'had such a node'

sound=$(says --sacct sound.psv --suspect)
unlike "of sound nodes none is found" "$sound" '^n[0-9]'
like "which --suspect ends with 0 for" "$sound" '^exit status 0$'

# a log too short to tell
head -n 40 sacct.psv >short.psv
like "two runs a node tell nothing" "$(says --sacct short.psv)" \
	'^not known, too few runs: 16 nodes$'
unlike "and find nothing" "$(says --sacct short.psv --all)" 'chance'

# one mistake of a user, tried again and again on one node
{
	head -n 1 sacct.psv
	for ((i = 1; i <= 60; i++)); do
		state=COMPLETED node=$((i % 12 + 2))
		((i > 30)) || state=FAILED node=1
		echo "$i|u1|main|$((1751500800 + i))|100|$state|1|4|n$node|cpu=4,node=1|||debug"
	done
} >debug.psv
unlike "a mistake that is tried again is one" "$(says --sacct debug.psv --all)" 'fail more'

# again KINDS USERS DAYS: n3 fails nearly all its runs, in a row
again()
{
	head -n 1 sacct.psv
	awk -v kinds="$1" -v users="$2" -v days="$3" 'BEGIN {
		for (day = 0; day < days; day++)
			for (kind = 0; kind < kinds; kind++)
				for (node = 1; node <= 16; node++)
					for (i = 0; i < 20; i++)
						printf "%d|u%d|main|%d|600|%s|1|4|n%d|cpu=4|||k%d\n", ++id,
							kind % users, 1751504400 + 86400 * day + 700 * i,
							node == 3 && i != 10 ? "FAILED" : "COMPLETED",
							node, kind
	}'
}
again 3 3 1 >users.psv
again 3 1 1 >spell.psv
again 2 1 3 >days.psv
again 1 1 5 >kind.psv
like "a node that is nearly dead is found" "$(says --sacct users.psv)" '^n3 .* 57 of 60 .* of 3 users fail more'
like "and by one user on several days" "$(says --sacct days.psv)" '^n3 .* 2 kinds .* of 1 user fail more'
unlike "but not by what one user did on one day" "$(says --sacct spell.psv --all)" 'fail more'
unlike "nor by one kind of jobs" "$(says --sacct kind.psv --all)" 'fail more'

# most runs are on n1, which is as sound as the rest: it has both ends more often
{
	head -n 1 sacct.psv
	awk 'BEGIN {
		for (x = 1; i++ < 520; ) {
			x = x * 16807 % 2147483647
			node = x % 13 < 10 ? 1 : x % 15 + 2
			x = x * 16807 % 2147483647
			printf "%d|u%d|main|%d|600|%s|1|4|n%d|cpu=4|||k%d\n", i, i % 4,
				1751504400 + 700 * i, x % 100 < 6 ? "FAILED" : "COMPLETED", node, i % 4
		}
	}'
} >busy.psv
unlike "a busy node is not to blame" "$(says --sacct busy.psv --all)" 'fail more'

# jobs of several nodes
word=leeway:lost-node=at:1751500901,try:1,node:n2
{
	head -n 1 sacct.psv
	echo '1|u1|main|1751500800|900|NODE_FAIL|2|8|n[1-2]|node=2|||gang'
	echo '2|u1|main|1751500900|900|NODE_FAIL|2|8|n[1-2]|node=2|||gang'
	echo '2|u1|main|1751501400|300|CANCELLED|2|8|n[1-2]|node=2||'"$word|gang"
	echo '3|u1|main|1751501900|900|NODE_FAIL|2|8|n[1-2]|node=2|n1||gang'
	echo '4|u1|main|1751501950|900|NODE_FAIL|1|8|n1|node=1|||other'
	echo '5|u1|main|1751501950|900|COMPLETED|2|8|n[1-|node=1|||other'
} >gang.psv
gang=$(says --sacct gang.psv --all)
like "which node was lost is told by accounting" "$gang" '^n1 +5 .* +1 +0 '
like "or by a word of Leeway" "$gang" '^n2 +4 .* +1 +0 '
like "or is not known" "$gang" '^2 nodes had jobs on several nodes that lost one of them'
like "a list that is none is told" "$gang" 'left out jobs with no list of nodes: 1$'

json=$(says --sacct sacct.psv --suspect --json)
like "JSON says what it is" "$json" '"schema": "leeway.nodes"'
like "and how many are found" "$json" '"found": 3'

like "--suspect with a node looks at it alone" "$(says --sacct sacct.psv --suspect n9)" '^exit status 0$'
like "and says so" "$(says --sacct sacct.psv --suspect n9)" '^nothing found: 1 node$'
like "in JSON, too" "$(says --sacct sacct.psv --suspect --json n9 n5)" '"found": 1'
is "names may be a list" "$(says --sacct sacct.psv 'n[5,9-10]' | grep -oE '^n[0-9]+' | tr '\n' ' ')" \
	'n5 n9 n10 '
like "one that is none is refused" "$(says --sacct sacct.psv 'n[1-')" 'no list of nodes'
like "--since does not go with a file" "$(says --sacct sacct.psv --since 7d)" 'exit status 2'
{
	head -n 1 sacct.psv
	echo '1|u|main|1751500800|600|COMPLETED|1|4|n1|cpu=4|||k'
	echo '2|u|main|1751500800|0|COMPLETED|1|4|n2|cpu=4|||k'
} >zero.psv
zero=$(says --sacct zero.psv --json --all)
like "nothing is lost where others took no time" "$zero" '"time_ratio": null'
like "of either node" "$zero" '"node": "n1"'
{
	head -n 1 sacct.psv
	echo '9|u|main'
	tail -n +2 sacct.psv
} >cut.psv
like "a row that is none is named" "$(says --sacct cut.psv)" '1 of 961 rows of cut.psv cannot be read'
like "with its line" "$(says --sacct cut.psv)" 'cut.psv:2 is the first: .*print it with sacct'

mkdir bin
cat >bin/sacct <<'END'
#!/bin/sh
case "$*" in
*FailedNode*) echo 'sacct: error: Invalid field requested: "FailedNode"' >&2; exit 1 ;;
esac
echo "$*" >asked
cut -d'|' -f1-10,12- sacct.psv
END
chmod +x bin/sacct
is "the command is asked for the same, without what an older one lacks" \
	"$(PATH=$work/bin:$PATH says)" "$page"
like "for all runs of all users" "$(cat asked)" '^-X -P -a -D -S now-2592000seconds -E now -o JobID,.*,JobName --delimiter=.|[0-9a-f]{16}.|$'
like "an operand is no option" "$(says --since)" 'exit status 2'
like "all and only some are no choice" "$(says --all --suspect)" 'give one of --all and --suspect'
finish
