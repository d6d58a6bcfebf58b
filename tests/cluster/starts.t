#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: how starts are carried out: jobs under stock and under Leeway (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# An epilog goes on for as long as a file is there.
conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityWeightPartition=1000
PriorityCalcPeriod=1440
PartitionName=low Nodes=n[1-3] PriorityJobFactor=10
PartitionName=top Nodes=n[3-4] PriorityJobFactor=100
Epilog=/run/epilog
END

prepare() {
	sh_on 'printf "#!/bin/sh\nwhile [ -e /run/slow ]; do sleep 0.1; done\n" > /run/epilog
		chmod +x /run/epilog
		sacctmgr -i add qos slow set gracetime=100
		sacctmgr -i add qos high set preempt=slow
		sacctmgr -i add qos narrow set GrpTRES=cpu=4
		sacctmgr -i modify user u1 set qos+=slow,high,narrow' > /dev/null
	await 60 "$1: the QOS are known" sh_on \
		'scontrol show assoc flags=qos | grep -q QOS=narrow'
}

priority_of() { sh_on "squeue -h -r -t ${2:-PD,R} -o %Q -j $1" | tail -n 1; }
run_of() { [ "$(sh_on "squeue -h -r -t R -o %i -j $1" | wc -l)" -eq "$2" ]; }
# alike JOB OTHER: do they wait with the same priority?
alike() { [ "$(priority_of "$1" PD)" = "$(priority_of "$2" PD)" ]; }

# A job of two partitions has the priority of the one it starts in.
run_priorities() { # WHO
	local plain first both other
	plain=$(job "--partition=low --nodelist=n1 --exclusive --time=600" 60000)
	starts "$1: a job of one partition" "$plain"
	first=$(job "--partition=top --nodes=2 --exclusive --time=600" 60000)
	starts "$1: another takes all of a better one" "$first"
	both=$(job "--partition=top,low --exclusive --array=1-2 --time=600" 60000)
	await 40 "$1: a task for either starts" run_of "$both" 1
	is "$1: in the one that has room" "$(job_field "${both}_1" Partition)" low
	is "$1: with the priority of that" "$(priority_of "$both" R)" "$(priority_of "$plain")"
	other=$(job "--partition=top,low --exclusive --time=600" 60000)
	await 40 "$1: the next is planned" planned "$both"
	# which each has once it was tried in both
	await 40 "$1: the other task has that of who waits as it does" alike "$both" "$other"
	sh_on "scancel $both $other $first $plain"
	clear_all
}

# A task that was given a priority of its own keeps it for itself, however often it is tried.
run_task() { # WHO
	local all tasks
	all=$(job "--nodes=4 --exclusive --time=600" 60000)
	starts "$1: a job takes all nodes" "$all"
	tasks=$(job "--nodes=2 --exclusive --array=1-3" 500)
	change_job "scontrol update jobid=${tasks}_2 priority=400000000"
	await 60 "$1: a task that was given a high priority is planned" planned "${tasks}_2"
	await 60 "$1: half a minute goes by" later_than "$(sh_on 'date +%s')" 30
	unlike "$1: the others of its array have theirs" "$(priority_of "${tasks}_3")" 400000000
	clear_all
}

# Asked about a single node Slurm does not count anew what is in use of it.
is_called() { sh_on 'sinfo -h -N -p main -o "%N %t"' | grep -x "$1 $2"; }

# Nodes of which others have a part may be planned, too.
run_mixed() { # WHO
	local half whole
	half=$(job "--nodelist=n1 --ntasks=2 --time=600" 60000)
	starts "$1: a job on half of a node" "$half"
	whole=$(job "--nodelist=n1 --exclusive --time=600" 60000)
	await 40 "$1: one that wants all of it is planned" planned "$whole"
	# Slurm 22.05 calls only idle nodes so.
	[ "$1 $(release)" = 'stock 22.05' ] ||
		await 20 "$1: the node is mixed and planned" is_called n1 mix-
	ok "$1: another is not" is_called n2 idle
	clear_all
}

# While the nodes of who was preempted are being cleaned up nobody else is preempted.
run_preemption() { # WHO
	local firm weak next high
	firm=$(job "--nodelist=n[3-4] --nodes=2 --exclusive --time=5-0" 90000)
	weak=$(job "--nodelist=n1 --exclusive --time=5-0 --qos=slow" 90000)
	starts "$1: a job that may be preempted" "$weak"
	next=$(job "--nodelist=n2 --exclusive --time=5-0 --qos=slow" 90000)
	starts "$1: another" "$next"
	starts "$1: one on all other nodes that may not" "$firm"
	sh_on 'touch /run/slow'
	high=$(job "--exclusive --qos=high" 500)
	await 60 "$1: one goes, and is slow to leave" job_is "$weak" COMPLETING
	# longer than Slurm waits before it has others preempted: KillWait and MessageTimeout
	await 60 "$1: two minutes go by" later_than "$(sh_on 'date +%s')" 120
	is "$1: the other runs on" "$(job_state "$next")" RUNNING
	sh_on 'rm /run/slow'
	starts "$1: who preempted it starts when it has left" "$high"
	is "$1: and the other runs still" "$(job_state "$next")" RUNNING
	clear_all
}
# later_than SINCE SECONDS: in the cluster's time
later_than() { [ "$(sh_on 'date +%s')" -gt $(($1 + $2)) ]; }

cycles() { log_of_controller | grep -Ec 'cycle [0-9]+: read'; }
cycled() { [ "$(cycles)" -ge "$1" ]; }
# cycles_from LINE REGEX: how many cycles the log has after that line and before a match
cycles_from() {
	log_of_controller | awk -v line="$1" -v end="$2" '
		NR > line && $0 ~ end { print n + 0; exit }
		NR > line && /cycle [0-9]+: read/ { n++ }'
}

# A het job over a limit is tried less and less often, and at once when the limit gives way.
run_het() {
	local narrow='--mem=100 --time=60 --qos=narrow' first over line tried
	first=$(job "--qos=narrow --ntasks=3 --nodelist=n1 --time=600" 60000)
	starts "a job of a QOS has three of its four CPUs" "$first"
	over=$(as u1 "sbatch --parsable --output=/dev/null $narrow -n2 --nodelist=n2 : \
		$narrow -n2 --nodelist=n3 --wrap='sleep 500'")
	line=$(log_of_controller | wc -l)
	await 120 "thirty cycles go by" cycled $(($(cycles) + 30))
	tried=$(log_of_controller | tail -n +"$line" | grep -Ec 'read .* [1-9][0-9]* refused')
	ok "a het job over the limit is tried now and then ($tried times)" \
		test "$tried" -ge 1 -a "$tried" -le 8
	sh_on "scancel $first"
	await 60 "it starts when it no longer is" job_is "$over" RUNNING
	line=$(log_of_controller | grep -n "REQUEST_KILL_JOB JobId=$first " | cut -d : -f 1)
	tried=$(cycles_from "$line" "tarted JobId=$over.0")
	ok "in one of the next cycles ($tried)" test "$tried" -le 3
	clear_all
}

printf 'sched:\n  interval: 5s\n  min_interval: 2s\nlog:\n  level: debug\n' > "$out/leeway.yaml"
for who in stock leeway; do
	set -- --sched stock
	[ "$who" = stock ] ||
		set -- --sched leeway --leeway-yaml "$out/leeway.yaml" --debug debug
	cluster --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
		--priority multifactor --sched-params 'sched_interval=-1,defer,bf_interval=5' \
		--conf-extra "$extra" "$@"
	prepare "$who"
	run_priorities "$who"
	run_task "$who"
	run_mixed "$who"
	run_preemption "$who"
	[ "$who" = stock ] || run_het
	cluster_gone
done
finish
