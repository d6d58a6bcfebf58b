#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: who may preempt others preempts nobody where Slurm has room for it, though the plan's
# words for what it wants see none (doc/dev/architecture.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE
END

# weak NODE: a job on all of it that may be preempted; prints its id
weak() { job "--nodelist=$1 --exclusive --time=5-0 --qos=standby" 90000; }

# GPUs of whichever type are planned as of one: n1 and n2 have some of the first, n3 and n4 of the
# second. Of each type one node is idle.
two_types() { # WHO
	local first second high
	first=$(weak n2)
	second=$(weak n4)
	starts "$1: a job that may be preempted has a node of one type of GPUs" "$first"
	starts "$1: and one has a node of the other" "$second"
	high=$(job "--nodes=2 --gpus-per-node=2 --qos=high" 6000)
	starts "$1: one that may preempt them wants GPUs of two nodes" "$high"
	is "$1: it has one of each type" "$(job_field "$high" NodeList)" "n[1,3]"
	is "$1: nobody was preempted" \
		"$(job_state "$first") $(job_state "$second") $(job_field "$first" Restarts)" \
		"RUNNING RUNNING 0"
	clear_all
}

# The plan knows cores, not sockets: n1 has a core left in one of its two, which will not do, and
# n2 some in both.
two_sockets() { # WHO
	local first firm high
	first=$(job "--nodelist=n1 --ntasks=1 --cpus-per-task=6 --time=5-0 --qos=standby" 90000)
	firm=$(job "--nodelist=n2 --time=5-0" 90000)
	starts "$1: a job that may be preempted has three cores of a node" "$first"
	starts "$1: one that nobody preempts has one of another" "$firm"
	high=$(job "--exclude=n[3-4] --ntasks=2 --sockets-per-node=2 --qos=high" 6000)
	starts "$1: one that may preempt the first wants a core in each of two sockets" "$high"
	is "$1: it has these where they are free" "$(job_field "$high" NodeList)" n2
	is "$1: the first was not preempted" \
		"$(job_state "$first") $(job_field "$first" Restarts)" "RUNNING 0"
	clear_all
}

# under WHO: stock, or the name of a policy
under() {
	local sched=$1
	if [ "$1" != stock ]; then
		sched=leeway
		printf 'sched:\n  policy: %s\n' "$1" > "$out/leeway.yaml"
		set -- "$1" --leeway-yaml "$out/leeway.yaml"
	fi
	cluster --sched "$sched" --nodes 4 --gpus 2 --gpu-types a,b --cpus 8 --threads 2 \
		--mem 8000 --clock 20 --sched-params 'sched_interval=-1,defer' \
		--conf-extra "$extra" "${@:2}"
	sh_on 'sacctmgr -i add qos standby set flags=NoReserve
		sacctmgr -i add qos high set preempt=standby
		sacctmgr -i modify user u1 set qos+=standby,high' > /dev/null
	await 60 "$1: the QOS are known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=high'
	two_sockets "$1"
	two_types "$1"
	cluster_gone
}

under stock
under leeway
under conservative
finish
