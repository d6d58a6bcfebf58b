#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nothing that is said of a job contradicts the rest, nor what Slurm says: the rest
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/truth-rows"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
Licenses=tool:2
PartitionName=p1 Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=p2 Nodes=n2 MaxTime=INFINITE State=UP
PartitionName=p3 Nodes=n3 MaxTime=INFINITE State=UP
PartitionName=p4 Nodes=n4 MaxTime=INFINITE State=UP
PartitionName=narrow Nodes=n[1-4] MaxTime=INFINITE MaxNodes=1 State=UP
PartitionName=off Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=drain Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=noqos Nodes=n[1-4] MaxTime=INFINITE State=UP
END
cluster --sched leeway --nodes 4 --gpus 4 --cpus 4 --clock 20 --conf-extra "$extra"

qos grpjobs GrpJobs=1
qos acctjobs MaxJobsPA=1
qos percpu MaxTRESPU=cpu=1
qos runmins GrpTRESRunMins=cpu=1000
qos usedup GrpTRESMins=cpu=0
qos wallup GrpWall=0
qos jobmins MaxTRESMins=cpu=10
qos jobnode MaxTRES=node=1
qos jobmem MaxTRES=mem=1000
qos pernode MaxTRESPerNode=cpu=2
qos mingpu MinTRES=gres/gpu=3
sh_on 'sacctmgr -i modify user u3 set MaxWall=30
	sacctmgr -i modify user u4 set MaxJobs=1
	sacctmgr -i modify user u6 set GrpTRES=cpu=1' > /dev/null
limited() { sh_on "scontrol show assoc flags=assoc users=$1" | grep -E "$2" > /dev/null; }
await 60 "an association has a limit" limited u6 'GrpTRES=cpu=1'

# send < NAME|USER|OPTIONS: submits each, and has id_NAME be its number
send() {
	local name user options
	while IFS='|' read -r name user options; do
		eval "id_$name=$(submit "$user" "--mem=100 --time=600 $options" 60000)"
	done
}
id_of() { eval "echo \$id_$1"; }
# verdict JOB: what leeway why --json says of it in one word
verdict() {
	as u1 "leeway why $1 --json" | awk '
		/"never": true/ { never = 1 }
		/"planned_start_s": [0-9]/ { planned = 1 }
		/"until_s": [0-9]/ { until = 1 }
		/"change": "/ { remedy = 1 }
		END { print (never ? "never" : planned ? "planned" : until ? "until" : "waits") \
			(remedy && !planned ? " remedy" : "") }'
}
judged() { [[ $(verdict "$1") =~ ^$2$ ]]; }
# table < NAME%VERDICT%WORDS%UNWANTED%REASON: a row for each
table() {
	local name verdict words unwanted reason
	while IFS='%' read -r name verdict words unwanted reason; do
		row "$name" "$(id_of "$name")" "$words" "$unwanted" "$reason"
		await 60 "$name: as JSON it is $verdict" judged "$(id_of "$name")" "$verdict"
	done
}

# ---- what runs, and so uses limits up ----

send <<'END'
full|u2|--partition=p1 --exclusive
beside|u2|--partition=p2 --ntasks=1
tools|u2|--partition=p3 --licenses=tool:2
one_grp|u1|--partition=p3 --qos=grpjobs
one_acct|u1|--partition=p3 --qos=acctjobs
one_user|u1|--partition=p3 --qos=percpu
one_mins|u1|--partition=p4 --qos=runmins
one_u4|u4|--partition=p4
one_u6|u6|--partition=p4
END
for name in full beside tools one_grp one_acct one_user one_mins one_u4 one_u6; do
	starts "$name runs" "$(id_of "$name")"
done

# ---- what waits for them, and what never can start ----

send <<'END'
grpjobs|u1|--partition=p4 --qos=grpjobs
acctjobs|u1|--partition=p4 --qos=acctjobs
percpu|u1|--partition=p4 --qos=percpu
runmins|u1|--partition=p4 --qos=runmins
maxjobs|u4|--partition=p4
assoccpu|u6|--partition=p4
assocnever|u6|--partition=p4 --ntasks=2
usedup|u1|--partition=p4 --qos=usedup
wallup|u1|--partition=p4 --qos=wallup
assocwall|u3|--partition=p4
jobmins|u1|--partition=p4 --qos=jobmins
jobnode|u1|--nodes=2 --qos=jobnode
jobmem|u1|--partition=p4 --mem=2000 --qos=jobmem
pernode|u1|--partition=p4 --nodes=1 --ntasks=4 --qos=pernode
mingpu|u1|--partition=p4 --gres=gpu:1 --qos=mingpu
narrow|u1|--partition=narrow --nodes=2
alone|u1|--partition=p2 --exclusive
twotools|u1|--partition=p4 --licenses=tool:2
END
held=$(submit u1 "--time=60 --hold" 60000)
sh_on "scontrol hold $held" > /dev/null
eval "id_admin=$held"
none='planned +[0-9]|promised at|likely +by|sooner'
table <<END
grpjobs%waits%QOSGrpJobsLimit is reached.*may start when jobs%never|$none%^QOSGrpJobsLimit$
acctjobs%waits%MaxJobsPerAccount is reached: jobs of one account%never|$none%^MaxJobsPerAccount$
percpu%waits%QOSMaxCpuPerUserLimit is reached%never|$none%^QOSMaxCpuPerUserLimit$
runmins%(waits|planned)%QOSGrpCPURunMinutesLimit is reached%never|sooner%^QOSGrpCPURunMinutesLimit$
maxjobs%waits%AssocMaxJobsLimit is reached%never|$none%^AssocMaxJobsLimit$
assoccpu%waits%AssocGrpCpuLimit is reached%never|$none%^AssocGrpCpuLimit$
assocnever%never%AssocGrpCpuLimit never allows it%may start when|$none%^AssocGrpCpuLimit$
usedup%waits%QOSGrpCPUMinutesLimit is used up.*earlier use%jobs under|$none%^QOSGrpCPUMinutesLimit$
wallup%waits%QOSGrpWallLimit is used up.*earlier use%jobs under|$none%^QOSGrpWallLimit$
assocwall%never%AssocMaxWallDurationPerJobLimit never%may start|$none%^AssocMaxWall
jobmins%never%QOSMaxCpuMinutesPerJobLimit never%may start|$none%^QOSMaxCpuMinutesPerJobLimit$
jobnode%never%QOSMaxNodePerJobLimit never%may start|$none%^QOSMaxNodePerJobLimit$
jobmem%never%QOSMaxMemoryPerJob never%may start|$none%^QOSMaxMemoryPerJob$
pernode%never%QOSMaxCpuPerNode never%may start|$none%^QOSMaxCpuPerNode$
mingpu%never%QOSMinGRES never allows it.*ask for more%may start|$none%^QOSMinGRES$
narrow%never%more or fewer nodes than its partition%$none%^PartitionNodeLimit$
alone%planned%planned +[0-9]%never%^(Resources|planned_)
twotools%planned%licence.*until%never|sooner%^Licenses$
admin%waits%an administrator holds it%$none%^JobHeldAdmin$
END
# ---- what was changed while they waited ----

sh_on 'scancel -t PD -u u1; scancel -t PD -u u3; scancel -t PD -u u4; scancel -t PD -u u6
	scontrol update NodeName=n4 AvailableFeatures=fast ActiveFeatures=fast
	scontrol create reservation reservationname=brief users=u1 nodes=n3 starttime=now \
		duration=600 flags=ignore_jobs' > /dev/null
send <<'END'
inactive|u1|--partition=off
draining|u1|--partition=drain
noqos|u1|--hold --partition=noqos
feature|u1|--hold --partition=p4 --constraint=fast
brief|u1|--reservation=brief --time=1200
again|u1|--partition=p4
same|u1|--partition=p2 --job-name=same --dependency=singleton
single|u1|--partition=p2 --job-name=same --dependency=singleton
END
starts "a job runs that will be requeued" "$(id_of again)"
starts "the first of two of a name runs" "$(id_of same)"
sh_on "scontrol update partition=off state=inactive
	scontrol update partition=drain state=drain
	scontrol update partition=noqos allowqos=percpu
	scontrol update NodeName=n4 AvailableFeatures= ActiveFeatures=
	scontrol release $(id_of noqos)
	scontrol release $(id_of feature)
	scontrol requeuehold $(id_of again)" > /dev/null
table <<END
inactive%waits%partition is inactive%$none%^PartitionInactive$
draining%planned%planned +[0-9]%never%^(Resources|planned_)
noqos%never%does not take jobs of its QOS%may start|$none%^(QOSNotAllowed|Job's_QOS_not_permitted)
feature%never%no node has what it asks for%$none%^BadConstraints$
brief%(until|planned|waits)%planned|reserv%never%^(Reserv|ReqNode|Resources|planned_)
again%waits%held%$none%^(JobHeld|job_requeued_in_held_state)
single%(waits|planned)%waits for other jobs|the end of job%promised at%^(Dependency|planned_)
END

# ---- nodes that are kept or away ----

sh_on 'scontrol create reservation reservationname=works users=root nodes=n2 \
		flags=maint,ignore_jobs starttime=now+3hours duration=120
	scontrol update NodeName=n4 State=DRAIN Reason=test' > /dev/null
send <<'END'
works|u1|--partition=p2 --time=300
away|u1|--partition=main --nodelist=n4
END
table <<END
works%planned%planned +[0-9]%never%^(ReqNodeNotAvail|Resources|planned_)
away%waits%drained|reserved or down%ask for less|$none%^(ReqNodeNotAvail|Nodes_required|Resources)
END

# ---- one that has ended ----

short=$(submit u1 '--partition=p2 --mem=100 --time=10' 1)
await 60 "a job ends" sacct_is "$short" COMPLETED
await 60 "it is told of after its end" says "$short" 'it does not wait: COMPLETED'
unlike "and not with an error" "$said" 'error|Invalid'

finish
