#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nothing that is said of a job contradicts the rest, nor what Slurm says: more cases
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/truth-rows"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
Licenses=tool:1
PreemptType=preempt/qos
PreemptMode=REQUEUE
PartitionName=p1 Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=p2 Nodes=n2 MaxTime=INFINITE State=UP
PartitionName=p3 Nodes=n3 MaxTime=INFINITE State=UP
PartitionName=p4 Nodes=n4 MaxTime=INFINITE State=UP
PartitionName=short Nodes=n[1-4] MaxTime=60 State=UP
END
printf 'log:\n  level: debug\n' > "$out/leeway.yaml"
cluster --sched leeway --nodes 4 --gpus 4 --cpus 4 --clock 20 --debug debug --conf-extra "$extra" \
	--leeway-yaml "$out/leeway.yaml"
qos slow gracetime=900
qos exempt preemptexempttime=00:30:00
qos grp GrpTRES=cpu=2
qos one MaxJobsPU=1
qos wall MaxWall=30
qos many MinTRES=gres/gpu=3
qos pernode MaxTRESPerNode=cpu=2
qos high preempt=slow,exempt

# within JOB FROM_S TO_S: it is planned to start so long from now
within() {
	local now start
	start=$(as u1 "leeway why $1 --json" |
		sed -n 's/.*"planned_start_s": \([0-9]*\).*/\1/p')
	now=$(sh_on 'date +%s')
	[ -n "$start" ] && [ $((start - now)) -ge "$2" ] && [ $((start - now)) -le "$3" ]
}
# take OPTIONS: sets taken to a job that holds a node
take() {
	taken=$(submit u1 "--exclusive $1" 60000)
	starts "a node is taken" "$taken"
}
nothing='planned +[0-9]|promised at|likely +by|sooner'

# ---- jobs that wait for something other than room ----

held=$(submit u1 "--hold --time=10" 10)
row "it is held" "$held" 'it is held' "$nothing" '^JobHeldUser$'
later=$(submit u1 "--begin=now+5hours --time=10" 10)
row "its begin time has not come" "$later" 'begin time has not come' 'promised at|sooner' \
	'^BeginTime$'
fails=$(submit u1 "--time=10" 10)
row "what it waits for did not end as it was to" \
	"$(submit u1 "--time=10 --dependency=afterok:$held" 10)" 'waits for other jobs' \
	"$nothing" '^Dependency$'
starts "a job that will be waited for begins" "$fails"
broken=$(submit u1 "--time=10 --dependency=afternotok:$fails" 10)
row "a dependency that cannot be met" "$broken" 'never start: scancel it' "$nothing" \
	'^DependencyNeverSatisfied$'
holder=$(submit u2 "--time=60 --licenses=tool" 60000)
starts "a job has the licence" "$holder"
row "its licence is in use" "$(submit u1 "--time=10 --licenses=tool" 10)" \
	'licence' 'never|sooner' '^Licenses$'
sh_on 'scontrol create reservation reservationname=exam users=u1 nodes=n4 \
	starttime=now+5hours duration=60'
row "its reservation has not begun" "$(submit u1 "--reservation=exam --time=10" 10)" \
	'reservation.*until +.*exam begins' "$nothing" '^Reservation$'
row "a limit above that of its partition" "$(submit u1 "--partition=short --time=120" 10)" \
	'longer than its partition allows' "$nothing" '^PartitionTimeLimit$'
sh_on 'scontrol update partition=short state=down'
row "its partition is down" "$(submit u1 "--partition=short --time=10" 10)" \
	'partition is down' "$nothing" '^PartitionDown$'
sh_on 'scontrol update partition=short state=up'
tasks=$(submit u1 "--array=1-3%1 --time=120" 6000)
row "as many tasks run as may" "$tasks" 'as many tasks of its array run' 'promised at|sooner' \
	'^JobArrayTaskLimit$'

# ---- limits ----

both=$(submit u1 "--qos=grp --ntasks=2 --time=60" 60000)
starts "a job uses all of its QOS" "$both"
row "its QOS is in use" "$(submit u1 "--qos=grp --ntasks=2 --time=10" 10)" \
	'QOSGrpCpuLimit is reached.*may start when' "never allows|$nothing" '^QOSGrpCpuLimit$'
single=$(submit u1 "--qos=one --time=60" 60000)
starts "its user runs as many jobs as may" "$single"
row "one job at a time" "$(submit u1 "--qos=one --time=10" 10)" \
	'QOSMaxJobsPerUserLimit is reached' "never allows|$nothing" '^QOSMaxJobsPerUserLimit$'
row "a limit above that of its QOS" "$(submit u1 "--qos=wall --time=60" 10)" \
	'QOSMaxWallDurationPerJobLimit' "$nothing" '^QOSMaxWallDurationPerJobLimit$'
clear_all

# ---- preemption ----

take '--partition=p1 --time=600 --qos=slow'
slow=$taken
take '--partition=p2 --time=600 --qos=exempt'
take '--partition=p3 --time=600'
firm=$taken
now=$(submit u1 "--partition=p1 --exclusive --time=60 --qos=high" 6000)
await 90 "a job that preempts has a start: when the other has gone" within "$now" -60 1000
await 60 "Slurm's reason agrees" field_like "$now" Reason '^(Resources|planned_)'
like "the other goes" "$(job_field "$slow" EndTime)" '^20'
soon=$(submit u1 "--partition=p2 --exclusive --time=60 --qos=high" 6000)
await 90 "one that may preempt later is planned for then" within "$soon" 0 1860
row "and it is promised that" "$soon" 'promised at the latest' 'cannot be kept|not promised' \
	'^(Resources|planned_)'
comes=$(as u1 "leeway why $soon --json" | sed -n 's/.*"planned_start_s": \([0-9]*\).*/\1/p')
behind=$(submit u1 "--partition=p2 --exclusive --time=60 --qos=high" 600)
await 90 "the next one waits for its end" within "$behind" 1800 5500
within_firm() { within "$1" 20000 36060; }
none=$(submit u1 "--partition=p3 --exclusive --time=60 --qos=high" 6000)
await 90 "one that may preempt none waits for the end of the other" within_firm "$none"
await 200 "the exempt job is preempted" job_is "$soon" RUNNING
ok "within two minutes of the time shown" near "$(seconds_of "$soon" StartTime)" "$comes" 120
unlike "the next is not said to be late" "$(as u1 "leeway why $behind")" 'cannot be kept'

# ---- a start that comes sooner ----

first=$(submit u1 "--partition=p3 --exclusive --time=60" 600)
second=$(submit u1 "--partition=p3 --exclusive --time=60" 600)
await 90 "the last in the queue has a late start" within "$second" 40000 50000
sh_on "scancel $firm"
await 60 "there is room, and the first starts" job_is "$none" RUNNING
as u1 "scancel $none"
await 90 "the next is promised a start" has_promise "$second"
unlike "and not said to be too late for it" "$(as u1 "leeway why $second")" 'cannot be kept'
gone=$second
as u1 "scancel $first $gone"
await 30 "a job is cancelled" job_is "$gone" CANCELLED
no_more() { ! sh_on "scontrol show job $gone" | grep -E 'planned|leeway:(why|latest)'; }
await 60 "nothing is said of it any more" no_more

# ---- an array of many ----

clear_all
take '--partition=p4 --time=60'
array=$(submit u1 "--partition=p4 --array=1-1000 --ntasks=4 --time=10" 5)
row "an array waits" "$array" 'planned +[0-9]' 'likely +by|likely +half' \
	'^(Resources|planned_)'
await 60 "its first tasks are planned for the end of the other" within "$array" 3000 3660
sh_on "scancel $taken"
await 60 "that its first tasks run is told" says "$array" 'state +[0-9]+ tasks? RUNNING'
unlike "no likely start of all its tasks is told" "$said" 'likely +by|likely +half'

# ---- changes that are not offered ----

clear_all
take_gpus="--partition=p1 --mem=100 --time=600"
half=$(submit u2 "$take_gpus --gpus=2" 60000)
starts "half of a node's GPUs are taken" "$half"
fewer=$(submit u1 "$take_gpus --gpus-per-node=4" 10)
await 90 "fewer GPUs would start a job" says "$fewer" 'with 2 GPUs .*it would start now'
comment <<< "$said"
many=$(submit u1 "$take_gpus --gpus-per-node=4 --qos=many" 10)
await 120 "changes are looked for" says "$many" 'in partition .*it would start now'
comment <<< "$said"
unlike "but fewer GPUs than its QOS wants are not offered" "$said" 'GPUs .*it would start'
clear_all
for part in p1 p2 p3; do
	take "--partition=$part --time=600"
done
two=$(submit u1 "--partition=short --nodes=2 --ntasks=4 --time=60" 10)
await 120 "fewer nodes would start a job" says "$two" 'NumNodes=1'
comment <<< "$said"
narrow=$(submit u1 "--partition=short --nodes=2 --ntasks=4 --time=30 --qos=pernode" 10)
other=$(submit u1 "--partition=short --nodes=2 --ntasks=4 --time=30" 10)
await 120 "changes are looked for again" says "$other" 'NumNodes=1'
comment <<< "$(as u1 "leeway why $narrow")"
named=$(submit u1 "--partition=short --nodes=2 --ntasks=4 --time=30 --nodelist=n1" 10)
full=$(submit u1 "--partition=short --nodes=2 --ntasks=8 --time=30" 10)
await 120 "a change is found again" says "$other" 'NumNodes=1'
unlike "but none for one that needs a node which is taken" "$(as u1 "leeway why $named")" 'sooner'
await 60 "Slurm is asked of a change, and refuses one" \
	in_log "job $full: Slurm would not start it with a change"
unlike "fewer nodes than its tasks need are not offered" "$(as u1 "leeway why $full")" 'NumNodes'
unlike "but fewer nodes than its QOS wants for so many CPUs are not offered" \
	"$(as u1 "leeway why $narrow")" 'NumNodes'

# ---- a limit that leaves the deadline time ----

clear_all
take '--partition=p1 --time=240'
wide=$(submit u2 "--nodelist=n1,n2 --nodes=2 --exclusive --time=60" 10)
await 60 "a job is promised two nodes" has_promise "$wide"
# without a limit it may run until its deadline, which is too long for the room that there is
due=$(submit u1 "--partition=p2 --exclusive --deadline=now+10hours" 60000)
row "a shorter limit would start a job with a deadline" "$due" 'with --time=[1-3](:30)?:00' \
	'--time=([4-9]|[0-9][0-9]|[0-9]-)' '^(Resources|Priority|planned_|Nodes_required)'
sh_on "leeway why $due --json" > "$out/due"
change=$(sed -n 's/.*"command": "\(scontrol [^"]*\)".*/\1/p' "$out/due" | head -n 1)
as u1 "$change"
starts "and so it does" "$due"
finish
