#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs between two states, with Leeway alone starting jobs (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
cat > "$extra" <<'END'
Licenses=lic:1
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PartitionName=low Nodes=n[1-4] PriorityTier=1 PreemptMode=CANCEL GraceTime=300 DefMemPerCPU=100
PartitionName=high Nodes=n[1-4] PriorityTier=9 PreemptMode=OFF DefMemPerCPU=100
END
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 1 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

# run_of ARRAY COUNT: so many of its tasks run
run_of() { [ "$(sh_on "squeue -h -r -t R -o %i -j $1" | wc -l)" -eq "$2" ]; }

# What is left of an array whose task started in a magnetic reservation is not bound to it.
sh_on 'scontrol create reservation=pull nodes=n3 users=u2 start=now duration=600 flags=MAGNETIC' \
	> /dev/null
taken=$(job "--nodes=3 --exclusive --time=600" 60000)
starts "the nodes outside a magnetic reservation are taken" "$taken"
array=$(submit u2 "--mem=100 --time=60 --array=1-3" 3000)
await 60 "all three tasks of an array start in it" run_of "$array" 3
unlike "and nothing is refused" "$(log_of_controller)" "job $array: Slurm would not start it"
clear_all
ok "the reservation is deleted" sh_on 'scontrol delete reservation=pull'

# Who is suspended by an administrator gives up its CPUs, and keeps its memory.
idle=$(job "--nodes=4 --ntasks-per-node=4 --time=600" 60000)
starts "a job on all CPUs" "$idle"
ok "it is suspended" sh_on "scontrol suspend $idle"
next=$(job "--nodes=4 --ntasks-per-node=4 --time=10" 100)
starts "another takes its CPUs" "$next"
await 60 "it ends" job_is "$next" COMPLETED
large=$(job "--nodes=1 --mem=7950 --time=10" 100)
await 30 "who wants its memory is planned" planned "$large"
sh_on "scontrol resume $idle"
clear_all

# Who preempts others keeps their room while these may still run for a while.
low=$(as u1 "sbatch --parsable --output=/dev/null --partition=low --nodes=4 --ntasks-per-node=4 \
	--time=60 --wrap='trap \"\" TERM; sleep 3000'")
starts "a job that may be preempted" "$low"
next=$(job "--partition=low --nodes=4 --ntasks-per-node=4 --time=60" 3000)
high=$(job "--partition=high --nodes=4 --ntasks-per-node=4 --time=60" 3000)
await 120 "who preempts it starts" job_is "$high" RUNNING
is "not the next one of its kind" "$(job_state "$next")" PENDING
unlike "it was not refused" "$(log_of_controller)" "job $high: Slurm would not start it"
clear_all

# Slurm preempts nobody for a licence; who waits for one is next nevertheless.
low=$(job "--partition=low --licenses=lic:1 --time=600" 60000)
starts "a job that may be preempted takes a licence" "$low"
next=$(job "--partition=low --licenses=lic:1 --time=10" 3000)
high=$(job "--partition=high --licenses=lic:1 --time=60" 3000)
await 60 "one that may preempt it is planned" planned "$high"
ok "for its end" near "$(seconds_of "$high" StartTime)" "$(seconds_of "$low" EndTime)" 60
sh_on "scancel $low"
starts "it is the next" "$high"
is "not one of less standing" "$(job_state "$next")" PENDING
clear_all

# A licence is no node, for limits neither.
sh_on 'sacctmgr -i add qos single set MaxTRES=node=1 &&
	sacctmgr -i modify user u1 set qos+=single' > /dev/null
taken=$(job "--nodes=4 --exclusive --time=600" 60000)
starts "a job on all nodes" "$taken"
wants=$(job "--qos=single --licenses=lic:1" 30)
await 30 "one that may have a node, and wants a licence, is planned" has_promise "$wants"
unlike "and not refused" "$(log_of_controller)" "job $wants: Slurm would not start it"
clear_all

# Who runs in a reservation on sufferance goes when a job of it comes; nobody else does.
other=$(job "--nodelist=n1 --exclusive --time=60" 3000)
starts "a job on one of four nodes" "$other"
sh_on 'scontrol create reservation=lent nodes=n[1-4] users=u2 start=now duration=600 \
	MaxStartDelay=10 flags=IGNORE_JOBS' > /dev/null
guest=$(job "--nodes=3 --ntasks-per-node=4 --time=60 --signal=R:TERM@60" 3000)
starts "a job that gives way runs in a reservation of all" "$guest"
own=$(submit u2 "--mem=100 --nodes=4 --ntasks-per-node=4 --time=20 --reservation=lent" 300)
await 40 "a job of the reservation waits for the one that does not" planned "$own"
unlike "it was not refused" "$(log_of_controller)" "job $own: Slurm would not start it"
sh_on "scancel $other"
await 60 "then it starts" job_is "$own" RUNNING
clear_all
ok "that reservation is deleted" sh_on 'scontrol delete reservation=lent'

# Who is refused in one of its partitions starts in the other.
sh_on 'sacctmgr -i add qos capped set MaxTRESPerUser=cpu=4 &&
	scontrol update partitionname=high qos=capped' > /dev/null
first=$(job "--partition=high --nodelist=n1 --exclusive --time=60" 3000)
starts "a job is all that a user may have in a partition" "$first"
both=$(job "--partition=high,main --ntasks=4 --time=20" 3000)
starts "another, for that or a second one, starts" "$both"
is "in the second one" "$(job_field "$both" Partition)" main
clear_all

# Who was promised a start and is refused for want of room keeps what it was promised: it wants
# neighbours, and of these only one is free. The third refusal ends that: so that a busy machine
# does not get there first, there are five seconds between two cycles.
loads_of() { log_of_controller | grep -c 'plans the queue'; }
loaded_again() { [ "$(loads_of)" -gt "$loads" ]; }
# settings TEXT: leeway.yaml
settings() {
	loads=$(loads_of)
	sh_on "printf 'sched.patience: 0\n$1' > /etc/slurm/leeway.yaml
		scontrol reconfigure" > /dev/null
	await 30 "the settings are read" loaded_again
}
first=$(job "--nodelist=n1 --exclusive --time=300" 60000)
third=$(job "--nodelist=n3 --exclusive --time=1800" 60000)
others=$(job "--nodes=2 --nodelist=n2,n4 --exclusive --time=100" 60000)
starts "all nodes are taken" "$others"
wide=$(job "--nodes=2 --contiguous --exclusive --time=20" 600)
await 60 "a job for two of them is promised a start" has_promise "$wide"
settings 'sched:\n  interval: 100s\n  min_interval: 100s\n'
long=$(job "--nodelist=n2 --exclusive --time=600" 60000)
sh_on "scancel $others"
await 60 "it is refused: they are no neighbours" in_log "job $wide: Slurm would not start it"
refused=$(log_of_controller | grep -c 'leeway: cycle')
one_more() { [ "$(log_of_controller | grep -c 'leeway: cycle')" -gt "$refused" ]; }
await 60 "there is one more cycle" one_more
is "who would be in its way does not start" "$(job_state "$long")" PENDING
sh_on "scancel $first"
await 120 "with a neighbour it starts" job_is "$wide" RUNNING
is "where that one would have been" "$(job_field "$wide" NodeList)" 'n[1-2]'
settings ''
sh_on "scancel $third"
clear_all

# A node that does not answer for a while takes nothing from who waits for it and others.
first=$(job "--nodelist=n1 --exclusive --time=300" 60000)
starts "a job on one of four nodes" "$first"
wide=$(job "--nodes=4 --exclusive --time=60" 3000)
await 30 "one for all of them is planned" planned "$wide"
ok "one node does not answer" sh_on 'scontrol update nodename=n2 state=NORESP'
long=$(job "--nodelist=n3 --exclusive --time=1200" 60000)
short=$(job "--nodelist=n4 --exclusive --time=5" 100)
starts "who is done before passes" "$short"
is "who is not does not" "$(job_state "$long")" PENDING
ok "the job for all is planned yet" planned "$wide"
finish
