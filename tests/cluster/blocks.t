#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs that keep others from the blocks they have nodes of, with Leeway alone starting jobs
# (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
[ "$(release)" != 22.05 ] || skip_all "Slurm 22.05 has no topology/block"

topology=$(mktemp)
trap 'rm -f "$topology"' EXIT
printf '%s\n' 'BlockName=b1 Nodes=n[1-2]' 'BlockName=b2 Nodes=n[3-4]' BlockSizes=2 > "$topology"
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --topology "$topology"
await 20 "the blocks are known" in_log 'topology:.*domains'

# all_run JOB N: N tasks of it run
all_run() { [ "$(sh_on "squeue -h -r -j $1 -t running -o %i | wc -l")" = "$2" ]; }
not_refused() { unlike "$1" "$(log_of_controller)" "job $2: Slurm would not start it"; }
no_promise_of() { ! has_promise "$1"; }
why_says() { sh_on "leeway why $1" | grep -F "$2" > /dev/null; }
# planned_at WHAT JOB OTHER NODES: JOB is planned there for when OTHER ends, and not refused
planned_at() {
	await 60 "$1 is planned" planned "$2"
	like "$1: there" "$(job_field "$2" SchedNodeList)" "^$4\$"
	ok "$1: for then" near "$(seconds_of "$2" StartTime)" "$(seconds_of "$3" EndTime)" 60
	not_refused "$1 is not refused" "$2"
}

keeper=$(job "--exclusive=topo --nodelist=n1 --time=300" 30000)
starts "a job keeps a block for itself" "$keeper"
full=$(job "--nodelist=n[3-4] --exclusive --time=600" 60000)
starts "another has the other" "$full"
beside=$(job "--time=10" 3000)
planned_at "a job for one node" "$beside" "$keeper" 'n[12]'
clear_all

long=$(job "--nodelist=n1 --time=600" 60000)
starts "a job in one block" "$long"
short=$(job "--nodelist=n3 --time=300" 30000)
starts "a shorter one in the other" "$short"
keeper=$(job "--exclusive=topo --nodes=1 --time=60" 3000)
planned_at "a job that keeps its block for itself" "$keeper" "$short" 'n\[3-4\]'
late=$(job "--nodelist=n4 --time=600" 60000)
early=$(job "--nodelist=n4 --time=20" 3000)
starts "a job that is gone by then starts on the rest of the block" "$early"
is "a longer one does not" "$(job_state "$late")" PENDING
free=$(job "--nodelist=n2 --time=600" 60000)
starts "it does in the other" "$free"
sh_on "scancel $short $early"
starts "when the block is empty the job starts" "$keeper"
like "on one node" "$(job_field "$keeper" NodeList)" '^n[34]$'
is "the longer one waits" "$(job_state "$late")" PENDING
clear_all

both=$(job "--exclusive=topo --nodes=1 --time=60 --array=1-2" 3000)
await 60 "of two idle blocks each task of an array has one" all_run "$both" 2
clear_all

# The planner knows no segments: Slurm gives the job two blocks, which are far from each other.
full=$(job "--nodelist=n1 --time=300" 30000)
starts "a job has a node of a block" "$full"
whole=$(job "--nodes=4 --segment=2 --exclusive --time=60" 3000)
await 60 "a job of segments is planned" planned "$whole"
await 60 "it is told that nothing is promised" why_says "$whole" 'no segments'
ok "it is promised nothing" no_promise_of "$whole"
not_refused "it is not refused" "$whole"
free=$(job "--nodelist=n2 --time=600" 60000)
late() { job_is "$free" PENDING && planned "$whole"; }
await 60 "a job that would delay it waits" late
sh_on "scancel $full"
starts "it starts when both blocks are empty" "$whole"
is "on segments of both" "$(job_field "$whole" NodeList)" 'n[1-4]'
clear_all

# A block that is idle because others have reserved it is none to wait for.
ok "a block is reserved" sh_on "scontrol create reservation reservationname=kept \
	starttime=now duration=600 nodes=n[1-2] users=root"
short=$(job "--nodelist=n3 --time=300" 30000)
starts "a job is in the other" "$short"
keeper=$(job "--exclusive=topo --nodes=1 --time=60" 3000)
planned_at "a job that keeps its block for itself, beside a reserved one" "$keeper" "$short" \
	'n\[3-4\]'
finish
