#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: preemption by the priorities of jobs, and CPUs that a partition may not have, with
# Leeway alone starting jobs (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE,WITHIN
PartitionName=capped Nodes=n[1-2] MaxCPUsPerNode=2
END
# 22.05 knows nobody who is exempt by priority.
old() { [ "$(release)" = 22.05 ]; }
old || echo PreemptParameters=min_exempt_priority=5000 >> "$extra"
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 2 --gpus 1 --cpus 4 --mem 8000 --clock 20 --priority basic \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

# of PRIORITY OPTIONS SECONDS: a job of u1 on all CPUs of its nodes
of() {
	sh_on "sbatch --uid=u1 --priority=$1 --parsable --chdir=/tmp --output=/dev/null --mem=100 \
		--ntasks-per-node=4 --requeue $2 --wrap='sleep $3'"
}
not_refused() { unlike "$1" "$(log_of_controller)" "job $2: Slurm would not start it"; }

# Within one QOS the higher priority counts.
lower=$(of 1000 "--nodes=1 --time=600" 60000)
starts "a job" "$lower"
upper=$(of 1500 "--nodes=1 --time=600" 60000)
starts "one of a higher priority" "$upper"
above=$(of 1200 "--nodes=1 --time=600" 60000)
await 60 "who is above one of them starts" job_is "$above" RUNNING
is "that one is queued again" "$(job_state "$lower")" PENDING
is "the other is not" "$(job_state "$upper")" RUNNING
below=$(of 1100 "--nodes=1 --time=60" 3000)
await 60 "who is above neither is promised a start" has_promise "$below"
not_refused "and not refused" "$below"
both=$(of 1300 "--nodes=2 --time=60" 3000)
await 60 "nor may preempt who needs both nodes, and is above one" has_promise "$both"
not_refused "that one neither" "$both"
clear_all

# A job of a high priority is exempt, whoever comes.
exempt_jobs() {
	ok "there is a QOS that preempts the other" \
		sh_on 'sacctmgr -i add qos upper set preempt=normal &&
			sacctmgr -i modify user u1 set qos+=upper'
	exempt=$(of 6000 "--nodes=1 --time=600" 60000)
	starts "a job that is exempt by its priority" "$exempt"
	lower=$(of 10 "--nodes=1 --time=600" 60000)
	starts "one that is not" "$lower"
	both=$(of 7000 "--qos=upper --nodes=2 --time=60" 3000)
	await 60 "who may preempt the latter only, and needs both nodes, is planned" \
		has_promise "$both"
	not_refused "and not refused" "$both"
	above=$(of 20 "--qos=upper --nodes=1 --time=60" 3000)
	await 60 "who needs one of them starts" job_is "$above" RUNNING
	is "the exempt one stays" "$(job_state "$exempt")" RUNNING
	clear_all
	# All components of a het job go, or none.
	pair=$(sh_on "sbatch --uid=u1 --priority=10 --parsable --chdir=/tmp --output=/dev/null \
		--mem=100 --time=600 --nodelist=n1 --ntasks=2 : --priority=6000 --mem=100 \
		--time=600 --nodelist=n2 --ntasks=4 --wrap='sleep 60000'")
	starts "a het job of which one component is exempt" "$pair"
	lower=$(sh_on "sbatch --uid=u1 --priority=10 --parsable --chdir=/tmp --output=/dev/null \
		--mem=100 --time=600 --nodelist=n1 --ntasks=2 --requeue --wrap='sleep 60000'")
	starts "beside the other a job that is not" "$lower"
	above=$(of 20 "--qos=upper --nodes=1 --time=60" 3000)
	await 60 "who may preempt that one alone, and needs the whole node, is promised a start" \
		has_promise "$above"
	not_refused "and not refused" "$above"
	is "the het job runs on" "$(job_state "$pair")" RUNNING
	clear_all
}
old || exempt_jobs

# A partition that may have half of each node (MaxCPUsPerNode).
first=$(job "--partition=capped --nodelist=n1 --ntasks=2 --time=300" 60000)
starts "a job has all that its partition may have of a node" "$first"
second=$(job "--partition=capped --nodelist=n2 --ntasks=2 --time=900" 60000)
starts "so has another" "$second"
next=$(job "--partition=capped --ntasks=1 --time=10" 500)
await 60 "the next one is promised a start" has_promise "$next"
not_refused "and not refused" "$next"
is "on the node that is free of them first" "$(job_field "$next" SchedNodeList)" n1
other=$(job "--ntasks=2 --nodelist=n2 --time=600" 60000)
starts "a job of a partition without such a limit starts" "$other"
sh_on "scancel $first"
await 60 "when its partition may have CPUs again, the next one starts" job_is "$next" RUNNING
finish
