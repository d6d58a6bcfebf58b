#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a replay tells sbatch what a workload of version 2 says, and refuses what it cannot.
. "$(dirname "$0")/lib.sh"

prepare="$root/contrib/minislurm/inside/replay/prepare.awk"

# prepare: of the workload that is planted; its events, or what it says against it
prepare()
{
	rm -rf "$planted/out"
	mkdir -p "$planted/out/jobs"
	awk -v dir="$planted/out" -v users=4 -f "$prepare" "$planted/w.lw" 2>&1 &&
		cat "$planted/out/events.unsorted"
}

# job SUBMIT_S RUN_S ARRAY [WORD...]: its line
job()
{
	printf '%s\t7\t1\t4\t16\t0\t600\t%s\t-\t%s\ttrain1\tlink' "$1" "$2" "$3"
	shift 3
	[ $# = 0 ] || printf '\t%s' "$@"
	echo
}

# refuses DESCRIPTION WORDS VERSION WORD...
refuses()
{
	{ echo "#lw-workload $3" && job 0 60 - id=1 && job 5 60 - "${@:4}"; } | plant w.lw
	like "refuses $1" "$(prepare)" "$2"
}

{ echo '#lw-workload 1' && job 0 60 -; } | plant w.lw
is "version 1 tells nothing" "$(prepare)" "$(printf '0\t1\tsubmit\tu3\t1\t-\t-\t60\t-\t-')"

{
	echo '#lw-workload 2'
	job 0 60 - id=10
	job 0 60 - id=25 after=afterok:10,singleton exit=3 recipe=x resumable=5,6
	job 9 5,7,9 3 after=afterany:10:25,afternotok:25 at_most=2 deadline_s=900 weight=4
} | plant w.lw
is "places stand for ids, and all is told" "$(prepare)" "$(printf '%s\n' \
	$'0\t1\tsubmit\tu3\t1\t-\t-\t60\t-\t-' \
	$'0\t2\tsubmit\tu3\t1\t-\t-\t60\tafterok:1,singleton\t-' \
	$'9\t3\tsubmit\tu3\t3\t900\t4\t5,7,9\tafterany:1:2,afternotok:2\t2')"
is "a program ends with its exit code" "$(tail -n 1 "$planted/out/jobs/2.sh")" "exit 3"
unlike "and another one with its own" "$(cat "$planted/out/jobs/1.sh")" "^exit"
like "so many tasks of an array run at a time" "$(cat "$planted/out/jobs/3.sh")" "--array=0-2%2$"

refuses "what cannot be replayed" 'think_s: nobody' 2 after=afterany:1 think_s=9
refuses "a job that is not above" 'no job above has id=3' 2 after=afterany:3
refuses "a kind that is none" 'after: afterwards' 2 after=afterwards:1
refuses "a word that is none" 'unknown word: colour=red' 2 colour=red
refuses "a number that is none" 'deadline_s is not a whole number' 2 deadline_s=soon
refuses "words in version 1" 'unknown word: id=1' 1
refuses "a version to come" "the first line must be" 3

finish
