#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what became of a job while it waited: leeway why --history, to the day after its end
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
PartitionName=p1 Nodes=n1 MaxTime=INFINITE State=UP
MinJobAge=60
END
# only Leeway starts jobs
cluster --sched leeway --nodes 2 --gpus 4 --cpus 4 --clock 20 --conf-extra "$extra" \
	--sched-params sched_interval=-1,defer

# tells JOB REGEX: leeway why --history says it of JOB
tells() {
	said=$(as u1 "leeway why $1 --history 2>&1")
	[[ $said =~ $2 ]]
}
# events JOB: their names, by JSON
events() {
	as u1 "leeway why $1 --json --history" | sed -n 's/.*"event": "\([a-z]*\)".*/\1/p' |
		paste -sd ' '
}

first=$(submit u2 "--partition=p1 --exclusive --time=60" 60000)
starts "a job has the node" "$first"
job=$(submit u1 "--partition=p1 --exclusive --time=30" 600)
await 60 "its first plan is told" tells "$job" 'first planned: to start'
await 60 "and its promise" tells "$job" 'promised a start by'

# The job that makes the room gets more time.
sh_on "scontrol update JobId=$first TimeLimit=120"
await 90 "a later start, and why" tells "$job" \
	'planned later, [^:]+:[0-9]+: the job that makes the room may run longer'
was=$(events "$job")

stop_controller
start_controller
await 90 "a restart forgets nothing" tells "$job" 'first planned.*promised.*may run longer'
like "none of its events" "$(events "$job")" "^$was"

sh_on "scancel $first"
starts "it starts" "$job"
await 60 "which is told" tells "$job" 'started, .* sooner than first planned; the promise was kept'
no_word() { ! field_like "$1" SystemComment 'leeway:'; }
await 60 "and nothing is said of it any more" no_word "$job"
as u1 "scancel $job"
gone() { [ -z "$(sh_on "squeue -h -a -t all -j $job 2> /dev/null")" ]; }
await 120 "squeue forgets the job" gone
await 90 "accounting does not" tells "$job" 'first planned.*may run longer.*started, '
comment <<< "$said"
like "nor does JSON" "$(events "$job")" "^$was.* started\$"

# Nothing is said of a job that is held, nor when it starts as soon as it is not.
first=$(submit u2 "--partition=p1 --exclusive --time=60" 60000)
starts "the node is taken again" "$first"
held=$(submit u1 "--partition=p1 --exclusive --time=30" 600)
await 60 "another job has its plan" tells "$held" 'first planned'
sh_on "scontrol hold $held"
await 60 "held, it is said nothing of" no_word "$held"
sh_on "scancel $first"
node_is_idle() { [ "$(sh_on 'sinfo -h -n n1 -p p1 -o %t')" = idle ]; }
await 60 "the node is free" node_is_idle
sh_on "scontrol release $held"
starts "it starts" "$held"
await 60 "which is told" tells "$held" 'first planned.*started'
as u1 "scancel $held"

# The node that the next one is planned on is drained, and it waits for another.
job=$(submit u2 "--nodelist=n1 --exclusive --time=60" 60000)
starts "a job has the first node" "$job"
job=$(submit u2 "--nodelist=n2 --exclusive --time=120" 60000)
starts "and one the second, for longer" "$job"
job=$(submit u1 "--exclusive --time=30" 60)
on_first() { field_like "$job" SchedNodeList '^n1$'; }
await 60 "a job is planned on the first" on_first
await 60 "which is noted" tells "$job" 'first planned: to start'
sh_on 'scontrol update nodename=n1 state=drain reason=test'
await 90 "it is planned later: the node is drained" tells "$job" \
	'planned later, [^:]+:[0-9]+: nodes that it needs are down or drained'
sh_on 'scontrol update nodename=n1 state=resume'
clear_all

# Nothing is told of a job that did not wait.
swift=$(submit u1 "--partition=main --time=1" 1)
await 60 "a job that started at once has none" tells "$swift" "no plan of Leeway's"
finish
