#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a replay slows its clock when submissions are late, and judges as the report does.
. "$(dirname "$0")/lib.sh"

late="$root/contrib/minislurm/inside/replay/late.awk"

# events COUNT EVERY_S: submissions at even distances, and a cancel, which is none
events()
{
	local i
	{
		for ((i = 0; i < $1; i++)); do
			printf '%s\t%s\tsubmit\tu1\t1\n' $((i * $2)) $((i + 1))
		done
		printf '%s\t1\tcancel\tu1\t0\n' $((i * $2))
	} | plant events.tsv
}

# handed COUNT COST_S: so many of them are made, one after the other, and each takes so long
handed()
{
	awk -F '\t' -v count="$1" -v cost="$2" '
		NR > count { exit }
		{ end = (end > $1 ? end : $1) + cost
		  print $2 "\t" 100 + $2 "\t" 5000 + end "\t" end - $1 "\t1" }' \
		"$planted/events.tsv" | plant submitted.tsv
}

# said DESCRIPTION NOW CLOCK TRIES WANTED
said()
{
	is "$1" "$(awk -v now="$2" -v clock="$3" -v tries="$4" -f "$late" \
		"$planted/events.tsv" "$planted/submitted.tsv" 2>&1)" "$5"
}

# 100 jobs, one in 20 s; the line is at 39.6 s
events 100 20
handed 50 5
said "in time" 1000 80 3 "5 5 1980 0.3 0 prompt"
said "what is due and not made is late, too" 1100 80 3 "10 100 1980 0.5 0 prompt"
handed 0 0
said "nothing yet" 0 80 3 "0 0 1980 0.0 0 prompt"

# 22 s each: 2 s more behind at each, on average 121 s in the end, but only 38.5 s are certain
handed 50 22
said "slowed when it is foretold" 1100 60 3 "70 120 1980 3.5 30 late"
said "but not in the first seconds" 1100 80 3 "70 120 1980 3.5 0 late"
said "nor when it may not" 1100 60 0 "70 120 1980 3.5 0 late"
handed 19 22
said "nor by a few" 418 20 3 "39 58 1980 2.0 0 prompt"
handed 50 20
said "as quick as they come" 1000 60 3 "20 20 1980 1.0 0 prompt"

# who stands still from 80 s on has 25 + 20 + 40 + ... s behind him, and the line is at 3960
handed 5 5
said "stands still, and may catch up" 480 80 3 "159 380 1980 8.0 0 late"
said "stands still, for too long to catch up" 500 80 3 "169 400 1980 8.5 40 late"

# five times too slow
handed 25 100
said "slowed to a quarter when half is not enough" 2500 80 3 "1210 2020 1980 61.1 20 late"
said "never to nothing" 2500 1 3 "1210 2020 1980 61.1 0 late"

# a queue that is carried over comes at once, which is no lack of speed: a day follows
{ for ((i = 1; i <= 200; i++)); do printf '0\t%s\tsubmit\tu1\t1\n' "$i"; done
	for ((i = 201; i <= 400; i++)); do
		printf '%s\t%s\tsubmit\tu1\t1\n' $((i * 400 - 73600)) "$i"
	done; } | plant events.tsv
handed 200 5
said "a queue at the start is made up for" 1600 100 3 "502 1000 86400 0.6 0 prompt"

events 20 0
handed 20 9
said "all at once: no span to judge by" 200 80 3 "94 180 0 0.0 0 prompt"

# judges LATE_S: what both say of two jobs of which one is so late
judges()
{
	local code=0
	events 2 1000
	plant submitted.tsv <<END
1	11	5000	0	1
2	12	$((6000 + $1))	$1	1
END
	plant sacct.psv <<'END'
JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES
11|5000|5000|5010|COMPLETED|1|1|cpu=1
END
	"$build/leeway" report -q "$planted" >"$scratch/said" 2>&1 </dev/null || code=$?
	awk -v now=9000 -v clock=80 -v tries=0 -f "$late" "$planted"/{events,submitted}.tsv |
		awk -v code="$code" '{ print $NF, code }'
}
is "at 2 % replay and report go on" "$(judges 40)" "prompt 0"
is "above, they do not" "$(judges 41)" "late 5"

finish
