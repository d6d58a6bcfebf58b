#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nothing that is said of a job contradicts the rest, nor what Slurm says: a table of cases
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/truth-rows"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PartitionName=p1 Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=p2 Nodes=n2 MaxTime=INFINITE State=UP
PartitionName=p3 Nodes=n3 MaxTime=INFINITE State=UP
PartitionName=p4 Nodes=n4 MaxTime=INFINITE State=UP
END
cluster --sched leeway --nodes 4 --gpus 4 --cpus 4 --clock 20 --conf-extra "$extra"

qos twogpus MaxTRESPU=gres/gpu=2
qos onecpu MaxTRES=cpu=1

for part in p1 p2 p3 p4; do
	eval "on_$part=$(fill "$part" 60)"
done
# shellcheck disable=SC2154 # on_p1 is set by eval
for filler in "$on_p1" "$on_p2" "$on_p3" "$on_p4"; do
	starts "a node is taken" "$filler"
done
may='may start when|likely +by|sooner|promised at'

# limits that no empty cluster meets, while all nodes are taken
gpus=$(submit u1 "--qos=twogpus --gpus-per-node=3 --time=10" 10)
row "three GPUs of two" "$gpus" 'QOSMaxGRESPerUser never allows it.*planned +never' "$may" \
	'^QOSMaxGRESPerUser$'
cpus=$(submit u1 "--qos=onecpu --ntasks=4 --time=10" 10)
row "four CPUs of one" "$cpus" 'never allows it.*it will not start as it is.*planned +never' \
	"$may" '^QOSMaxCpuPerJobLimit$'
sh_on "sacctmgr -i modify qos twogpus set MaxTRESPU=gres/gpu=4" > /dev/null
await 90 "once its limit is raised, it waits for room" says "$gpus" 'planned +[0-9]'
sh_on "scancel $gpus $cpus"

# a promise, and then the running job gets more time
late=$(submit u1 "--partition=p1 --exclusive --time=30" 10)
await 60 "a job is promised a start" has_promise "$late"
sh_on "scontrol update JobId=$on_p1 TimeLimit=600"
row "a running job gets more time" "$late" \
	'promise +cannot be kept: the job that makes the room' 'nine times|no longer kept' \
	'planned_.*too_late_for_the_promised'

# a promise, and then its nodes are drained
drained=$(submit u1 "--partition=p2 --exclusive --time=30" 10)
await 60 "another is promised a start" has_promise "$drained"
sh_on "scontrol update NodeName=n2 State=DRAIN Reason=test; scancel $on_p2"
row "its only node is drained" "$drained" 'down or drained|are reserved or down' \
	'ask for less|even if they were empty|leave out|nine times' \
	'Resources|ReqNodeNotAvail|Nodes_required_for_job_are_DOWN'

# a deadline that is not guarded
misses=$(submit u1 "--partition=p3 --exclusive --time=10 --deadline=now+40minutes" 10)
row "a deadline before there is room" "$misses" 'deadline +[^ ]+ at risk: it will miss it' \
	'met by' 'at_risk:_will_miss_it'
sh_on "scancel $misses"
meets=$(submit u1 "--partition=p3 --exclusive --time=10 --deadline=now+400minutes" 10)
await 90 "one that it meets" says "$meets" 'deadline +[^ ]+, met by the planned start'
sh_on "scancel $meets"

# no limit, and a deadline today: its limit is what the deadline leaves
free=$(submit u1 "--partition=p4 --exclusive --deadline=now+3hours" 10)
await 60 "one without a limit has a start" in_hours "$free" 2
behind=$(submit u1 "--partition=p4 --exclusive --time=10" 10)
await 60 "the job behind it does not wait for a year" in_hours "$behind" 6

# it depends on another: nothing is promised to it, and nothing of a promise is said
follower=$(submit u1 "--partition=p4 --exclusive --time=10 --dependency=afterany:$on_p4" 10)
row "it depends on another" "$follower" 'waits for other jobs' 'promised job|promised at' \
	'Dependency|planned_'

# the plan and the table say the same
for job in "$late" "$free" "$behind"; do
	planned=$(as u1 "leeway why $job --json" |
		sed -n 's/.*"planned_start_s": \([0-9]*\).*/\1/p')
	is "squeue shows the start of job $job" "$(seconds_of "$job" StartTime)" "$planned"
done

# Stock plans from now on, and nothing of Leeway's stays.
stop_controller
stock=/usr/lib/$HOSTTYPE-linux-gnu/slurm-wlm
sh_on "sed -i 's|^PluginDir=.*|PluginDir=$stock|; /^JobSubmitPlugins=/d' /etc/slurm/slurm.conf"
start_controller
await 60 "stock plans" sh_on 'scontrol ping | grep -q UP'
left() { sh_on 'squeue -h -t PD -O reason:60,system_comment:200' | grep -E 'leeway:|planned'; }
is "jobs wait" "$(sh_on 'squeue -h -t PD | grep -c .')" 5
is "what Leeway wrote is gone with it" "$(left | head -n 3)" ''
unlike "and no promise is told of" "$(as u1 "leeway why $late")" 'promised at|cannot be kept'
finish
