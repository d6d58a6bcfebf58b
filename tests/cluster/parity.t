#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what stock backfill honours, with Leeway alone starting jobs (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
cat > "$extra" <<'END'
Licenses=lic:4
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PartitionName=requeue Nodes=n[1-2] PriorityTier=1 PreemptMode=REQUEUE DefMemPerCPU=100
PartitionName=cancel Nodes=n[1-2] PriorityTier=1 PreemptMode=CANCEL DefMemPerCPU=100
PartitionName=suspend Nodes=n[1-2] PriorityTier=1 PreemptMode=SUSPEND DefMemPerCPU=100
PartitionName=high Nodes=n[1-2] PriorityTier=9 PreemptMode=OFF DefMemPerCPU=100
PartitionName=share Nodes=n4 OverSubscribe=FORCE:2 DefMemPerCPU=100
END
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 1 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

# Parts of a het job start together, on nodes of their own, without stock's help.
first=$(job "--nodes=1 --nodelist=n1 --exclusive --time=600" 60000)
starts "a job that blocks n1" "$first"
het=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=60 -N1 --nodelist=n1 : \
	--mem=100 --time=60 -N1 --gpus-per-node=1 --wrap='sleep 3000'")
await 30 "a het job is planned as one" planned "$het"
like "while one of its parts waits the other does not run" "$(sh_on 'squeue -h -t PD -o %i')" \
	"^$het\\+1"
unlike "each says why it waits" "$(sh_on "squeue -h -t PD -o %r -j $het")" '^(None)?$'
sh_on "scancel $first"
await 60 "it starts" job_is "$het" RUNNING
parts=$(sh_on "squeue -h -t R -o '%S %N' -j $het")
is "both parts at once" "$(cut -d' ' -f1 <<< "$parts" | sort -u | wc -l)" 1
is "on two nodes" "$(cut -d' ' -f2 <<< "$parts" | sort -u | wc -l)" 2
unlike "stock was not needed" "$(log_of_controller)" 'stock backfill.*plans the queue until'
clear_all

# Licences are planned: who waits for one is promised a start, others pass.
holder=$(job "--licenses=lic:3 --time=600" 60000)
starts "a job takes three of four licences" "$holder"
wants=$(job "--licenses=lic:2" 60)
await 30 "the next one, which wants two, is planned" planned "$wants"
ok "for when they are given back" near "$(seconds_of "$wants" StartTime)" \
	"$(seconds_of "$holder" EndTime)" 60
other=$(job "--licenses=lic:1 --time=5" 200)
starts "one that gives its licence back in time passes" "$other"
clear_all
pair=$(as u1 "sbatch --parsable --output=/dev/null --hold --mem=100 --time=5 -N1 : \
	--hold --mem=100 --time=5 -N1 --wrap='sleep 30'")
ok "all parts of a het job are given the same licence" \
	change_job "scontrol update jobid=$pair licenses=lic:1 && scontrol release $pair"
starts "it starts" "$pair"
clear_all

# Advance reservations: before, after, inside, and magnetic ones.
sh_on 'scontrol create reservation=later nodes=n[1-4] users=u2 start=now+200minutes duration=10' \
	> /dev/null
opens=$(sh_on "date -d \$(scontrol show res later | grep -o 'StartTime=[^ ]*' | cut -d= -f2) +%s")
short=$(job "--time=5" 30)
starts "a job that ends before the reservation starts now" "$short"
long=$(job "--time=400" 30)
await 30 "one that would not is planned" planned "$long"
ok "for its end" near "$(seconds_of "$long" StartTime)" $((opens + 600)) 60
inside=$(submit u2 "--mem=100 --time=5 --reservation=later" 30)
waits_for "a job inside it waits for it" "$inside" Reservation
clear_all
sh_on 'scontrol delete reservation=later
	scontrol create reservation=pull nodes=n3 users=u2 start=now duration=600 flags=MAGNETIC' \
	> /dev/null
pulled=$(submit u2 "--mem=100 --time=10" 300)
starts "a job for a magnetic reservation starts" "$pulled"
is "in it, without asking" "$(job_field "$pulled" NodeList)" n3
away=$(job "--nodes=3 --exclusive" 300)
starts "and one of somebody else" "$away"
unlike "outside" "$(job_field "$away" NodeList)" '3'
clear_all
ok "its reservation is deleted" sh_on 'scontrol delete reservation=pull'
for half in 1 2; do
	sh_on "scontrol create reservation=half$half nodes=n$half users=u1 start=now duration=600"
done > /dev/null
pair=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=60 --reservation=half1 : \
	--mem=100 --time=60 --reservation=half2 --wrap='sleep 3000'")
starts "a het job of two reservations starts" "$pair"
is "each part in its own" "$(sh_on "squeue -h -u u1 -o %N | sort | tr '\n' ' '")" "n1 n2 "
clear_all
ok "these are deleted, too" sh_on 'scontrol delete reservation=half1 &&
	scontrol delete reservation=half2'
sh_on 'scontrol create reservation=flex nodes=n4 users=u1 start=now+200minutes duration=10 \
	flags=FLEX' > /dev/null
flex=$(job "--reservation=flex --time=10" 500)
starts "a job of a flexible reservation starts before it" "$flex"
is "on its node, where that is free" "$(job_field "$flex" NodeList)" n4
clear_all
sh_on 'scontrol delete reservation=flex' > /dev/null

# A QOS that has no more to give does not stand in the way of others.
sh_on 'sacctmgr -i add qos tiny set GrpTRES=cpu=1 && sacctmgr -i modify user u1 set qos+=tiny' \
	> /dev/null
tiny=$(job "--qos=tiny --time=600" 60000)
starts "a job takes all of a QOS" "$tiny"
over=$(job "--qos=tiny --nodes=4 --exclusive" 30)
waits_for "the next one waits for the QOS" "$over" 'QOS'
behind=$(job "--nodes=3 --exclusive" 30)
starts "and keeps nothing from who comes behind" "$behind"
clear_all

# But with assoc_limit_stop, where the larger would starve otherwise.
words() {
	sh_on "sed -i 's/^SchedulerParameters=.*/SchedulerParameters=sched_interval=-1,defer$1/' \
		/etc/slurm/slurm.conf && scontrol reconfigure"
}
ok "room is kept for who is over a limit" words ,assoc_limit_stop
sh_on 'sacctmgr -i add qos one set GrpJobs=1 && sacctmgr -i modify user u1 set qos+=one' > /dev/null
one=$(job "--qos=one --nodelist=n1 --time=200" 60000)
starts "a job is all that a QOS may run" "$one"
over=$(job "--qos=one --nodes=4 --exclusive" 300)
waits_for "the next one waits for the QOS" "$over" 'QOS'
long=$(job "--nodes=2 --exclusive --time=600" 30)
short=$(job "--nodes=2 --exclusive --time=4" 200)
starts "who is done before the QOS may give way passes" "$short"
is "and nobody else" "$(job_state "$long")" PENDING
sh_on "scancel $one"
starts "then it starts" "$over"
clear_all

# Or with bf_one_resv_per_job: in the first of a job's partitions where it may run at all.
ok "room is kept in one partition" words ,bf_one_resv_per_job
sh_on 'scontrol update partitionname=high qos=one'
one=$(job "--partition=high --nodelist=n1 --time=300" 60000)
starts "a job is all that a partition may run" "$one"
taken=$(job "--nodes=3 --exclusive --time=200" 60000)
starts "a job on all other nodes" "$taken"
wants=$(job "--partition=high,main --nodes=2 --exclusive" 30)
await 30 "one for that partition or another is planned in the other" planned "$wants"
clear_all
sh_on 'scontrol update partitionname=high qos='
ok "room is not kept any more" words ''

# Who may not use its QOS any more, or not there, waits until it may again.
all=$(job "--nodes=4 --exclusive --time=600" 60000)
starts "a job on all nodes" "$all"
wants=$(job "--qos=tiny" 300)
sh_on 'sacctmgr -i modify user u1 set qos-=tiny' > /dev/null
sh_on "scancel $all"
waits_for "a job whose user may not use its QOS any more waits" "$wants" InvalidQOS
is "and is not started" "$(job_state "$wants")" PENDING
sh_on 'sacctmgr -i modify user u1 set qos+=tiny' > /dev/null
starts "it starts when he may again" "$wants"
is "with that QOS" "$(job_field "$wants" QOS)" tiny
clear_all
wants=$(job "--hold --qos=tiny" 300)
sh_on "scontrol update partitionname=main denyqos=tiny"
change_job "scontrol release $wants"
waits_for "a job whose partition takes its QOS no more waits" "$wants" QOS
sh_on 'scontrol update partitionname=main denyqos='
starts "it starts when the partition does again" "$wants"
clear_all

# A het job that Slurm refuses goes on gaining age, and is counted once among those that do.
taken=$(job "--exclusive --nodelist=n2 --time=600" 60000)
starts "a node between the others is taken" "$taken"
het=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=5 -N1 --nodelist=n4 : \
	--mem=100 --time=5 -N2 --contiguous --wrap='sleep 30'")
await 60 "a het job that wants neighbours is refused" in_log "job $het: Slurm would not start it"
ok "it is held" change_job "scontrol hold $het"
unlike "and not taken away twice" "$(log_of_controller)" 'accrue_cnt underflow'
clear_all

# Preemption in every mode: who may be preempted does not stand in the way. All CPUs, not
# --exclusive: who is suspended stays on its nodes, and Slurm puts no exclusive job there.
for mode in requeue cancel suspend; do
	low=$(job "--partition=$mode --nodes=2 --ntasks-per-node=4 --requeue --time=600" 60000)
	starts "a job of the partition $mode runs" "$low"
	top=$(job "--partition=high --nodes=2 --ntasks-per-node=4 --time=600" 60000)
	starts "a job of higher standing takes its nodes" "$top"
	case $mode in
	requeue) await 20 "it is queued again" job_is "$low" PENDING ;;
	cancel) await 20 "it is preempted" job_is "$low" PREEMPTED ;;
	suspend) await 20 "it is suspended" job_is "$low" SUSPENDED ;;
	esac
	clear_all
done

# CompleteWait: nobody starts while a job has nodes that it is slow to leave.
node_is() { sh_on "pkill -$1 -f '^slurmd -D -N n1\$'"; }
later() { [ "$(sh_on 'date +%s')" -ge "$then" ]; }
sh_on "echo CompleteWait=6000 >> /etc/slurm/slurm.conf; scontrol reconfigure"
slow=$(job "--nodelist=n1 --time=600" 60000)
starts "a job runs" "$slow"
ok "its node answers no more" node_is STOP
sh_on "scancel $slow"
await 20 "it is slow to end" field_like "$slow" JobState COMPLETING
next=$(job "--nodelist=n2" 300)
then=$(($(sh_on 'date +%s') + 120))
await 30 "two minutes go by" later
is "the next one does not start before" "$(job_state "$next")" PENDING
ok "the node answers again" node_is CONT
starts "and now it does" "$next"
# its node may have been away for so long that what it was told meanwhile is void
sh_on 'scontrol update nodename=n1 state=down reason="it was stopped"'
clear_all
finish
