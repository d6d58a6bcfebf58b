#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nodes that look as if a job fitted, and Slurm does not start it there: with Leeway alone
# starting jobs (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
cat > "$extra" <<'END'
AccountingStorageEnforce=associations,limits,qos
PartitionName=half Nodes=n[1-2] MaxCPUsPerSocket=2 DefMemPerCPU=100
END
[ "$(release)" != 22.05 ] || sed -i /half/d "$extra"
# Nodes n1 to n3 have two sockets of two cores with two CPUs each, n4 half of that.
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 4 --cpus 8 --threads 2 --mem 8000 --lesser 1 \
	--clock 20 --sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

not_refused() { unlike "$1" "$(log_of_controller)" "job $2: Slurm would not start it"; }
# planned_after WHAT JOB OTHER NODES: JOB is planned for when OTHER ends
planned_after() {
	await 90 "$1 is planned" planned "$2"
	like "$1: there" "$(job_field "$2" SchedNodeList)" "^$4\$"
	ok "$1: for when it can start" near "$(seconds_of "$2" StartTime)" \
		"$(seconds_of "$3" EndTime)" 60
}
# fill NODES MINUTES OPTIONS: a job that has all CPUs of NODES, or as many as the options say
fill() {
	filler=$(job "--nodelist=$1 --time=$2 ${3:---exclusive}" 60000)
	starts "a job on $1 starts" "$filler"
}

# Cores that are reserved for others: when and where the job can start Slurm is asked.
ok "two cores of a node are reserved" sh_on \
	'scontrol create reservation=part nodes=n3 corecnt=2 users=u2 start=now duration=1200'
fill n1 600
fill 'n[2,4]' 300
wide=$(job "--nodes=1 --ntasks=8 --time=20" 3000)
planned_after "a job that wants the cores of a whole node" "$wide" "$filler" n2
ok "the reservation is deleted" sh_on 'scontrol delete reservation=part'
clear_all

# A limit on nodes counts one once, however many jobs of the group are there.
sh_on 'sacctmgr -i add qos few set GrpTRES=node=1 && sacctmgr -i modify user u1 set qos+=few' \
	> /dev/null
fill n1 600 "--qos=few"
fill n2 600 "--nodes=1 --ntasks=6 --gpus-per-node=3"
beside=$(job "--qos=few --time=60 --exclude=n4" 3000)
starts "a job of a group that may have one node starts" "$beside"
is "on the one it has" "$(job_field "$beside" NodeList)" n1
clear_all

# All of a node's memory is what each node has.
fill 'n[1-3]' 600
whole=$(job "--mem=0 --time=10" 3000)
starts "a job that wants all memory of a node starts" "$whole"
is "on the one that is free, which has less" "$(job_field "$whole" NodeList)" n4
clear_all
fill n4 300 "--ntasks=1"
fill 'n[1-3]' 600
whole=$(job "--mem=0 --time=10" 3000)
await 60 "where others have some of it, it is planned" planned "$whole"
not_refused "and not refused" "$whole"
clear_all

# Nodes give what whole tasks need: CPUs and GPUs that are left of several are of no use.
fill 'n[1-2]' 600 "--nodes=2 --ntasks-per-node=2 --gpus-per-node=1"
fill n4 600
fill n3 300
for each in --cpus-per-task=4 --gpus-per-task=2; do
	tasks=$(job "--ntasks=3 $each --time=20" 3000)
	planned_after "a job of three tasks with $each" "$tasks" "$filler" 'n.*3.*'
	not_refused "it is not refused" "$tasks"
	sh_on "scancel $tasks"
done
clear_all

# Who offers Slurm only some of the nodes cannot be told that a job never runs: it wants both
# sockets of the one node it may have, where one is in use.
ok "a node is quick" sh_on \
	'scontrol update nodename=n3 availablefeatures=quick activefeatures=quick'
fill n3 300 "--ntasks=1"
head=$(job "--nodelist=n3 --exclusive --time=10" 30)
await 60 "it is promised to a job" has_promise "$head"
quick=$(job "--constraint=quick --sockets-per-node=2 --cores-per-socket=2 --time=10" 3000)
await 60 "one that wants all of its sockets is refused" in_log \
	"job $quick: Slurm would not start it"
unlike "and not called one that never runs" "$(job_field "$quick" Reason)" Bad
clear_all

# What nodes say of themselves (--extra), and a partition that may have a part of each socket.
extra_jobs() {
	ok "jobs may ask for it" sh_on \
		'echo SchedulerParameters=sched_interval=-1,defer,extra_constraints \
			>> /etc/slurm/slurm.conf; scontrol reconfigure'
	ok "a node is blue" sh_on "scontrol update nodename=n2 extra='{\"colour\":\"blue\"}'"
	blue=$(job "--extra='colour=blue' --time=60" 3000)
	starts "a job that wants a blue one starts" "$blue"
	is "there" "$(job_field "$blue" NodeList)" n2
	green=$(job "--extra='colour=green' --time=60" 3000)
	await 60 "one that wants a green one is refused" in_log \
		"job $green: Slurm would not start it"
	behind=$(job "--nodes=3 --exclusive --time=60" 3000)
	starts "and keeps nothing from who comes behind" "$behind"
	sh_on "scancel $behind"
	ok "a node is green" sh_on "scontrol update nodename=n3 extra='{\"colour\":\"green\"}'"
	starts "it starts" "$green"
	is "there" "$(job_field "$green" NodeList)" n3
	clear_all
	first=$(job "--partition=half --nodelist=n1 --ntasks=4 --time=300" 60000)
	starts "a job has all that its partition may have of the sockets of a node" "$first"
	second=$(job "--partition=half --nodelist=n2 --ntasks=4 --time=600" 60000)
	starts "so has another" "$second"
	next=$(job "--partition=half --ntasks=1 --time=10" 3000)
	planned_after "the next one" "$next" "$first" n1
	not_refused "the next one is not refused" "$next"
}
[ "$(release)" = 22.05 ] || extra_jobs
finish
