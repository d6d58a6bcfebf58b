#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: who waits for what while others may be preempted: the same jobs under stock, and under
# Leeway by both ways in which it plans (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE
END

# A job of several QOS runs as one of them; 22.05 knows no such jobs.
either=standby,normal
[ "$(release)" != 22.05 ] || either=standby

run_jobs() { # WHO
	sh_on 'sacctmgr -i add qos standby set flags=NoReserve
		sacctmgr -i add qos slow set gracetime=300
		sacctmgr -i add qos high set preempt=standby,slow
		sacctmgr -i modify user u1 set qos+=standby,slow,high' > /dev/null
	await 60 "$1: the QOS are known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=high'
	firm=$(job "--nodelist=n1 --exclusive --time=600" 60000)
	starts "$1: a job that nobody preempts" "$firm"
	weak=$(job "--nodelist=n[2-3] --nodes=2 --exclusive --time=5-0 --qos=slow" 90000)
	starts "$1: a long one that may be preempted" "$weak"
	high=$(job "--nodes=4 --exclusive --time=60 --qos=high" 3000)
	await 40 "$1: one that preempts it is planned" planned "$high"
	ok "$1: for the end of the first" \
		near "$(seconds_of "$high" StartTime)" "$(seconds_of "$firm" EndTime)" 120
	long=$(job "--nodes=1 --exclusive --time=5-0" 90000)
	next=$(job "--nodes=1 --exclusive --time=5-0 --qos=$either" 90000)
	starts "$1: another that may be preempted takes the last node" "$next"
	is "$1: not one that may not" "$(job_state "$long")" PENDING
	sh_on "scancel $firm"
	# These take five minutes to go, in which nobody else takes what the first had.
	await 120 "$1: with the first gone who preempts them starts" job_is "$high" RUNNING
	is "$1: in place of both" "$(job_state "$weak") $(job_state "$next")" "PENDING PENDING"
	clear_all
	run_array "$1"
}

# run_of ARRAY COUNT: so many of its tasks run
run_of() { [ "$(sh_on "squeue -h -r -t R -o %i -j $1" | wc -l)" -eq "$2" ]; }

# One after the other they would take twenty minutes.
run_array() { # WHO
	local node array began_s
	for node in 1 2 3 4; do
		slow=$(job "--nodelist=n$node --exclusive --time=5-0 --qos=slow" 90000)
		starts "$1: a job that takes five minutes to go is on n$node" "$slow"
	done
	began_s=$(sh_on 'date +%s')
	array=$(job "--array=1-4 --nodes=1 --exclusive --time=60 --qos=high" 3000)
	await 120 "$1: four tasks of an array preempt them" run_of "$array" 4
	ok "$1: all at once" test $(($(sh_on 'date +%s') - began_s)) -lt 900
}

# under WHO: stock, or the name of a policy
under() {
	local sched=$1
	if [ "$1" != stock ]; then
		sched=leeway
		printf 'sched:\n  policy: %s\n' "$1" > "$out/leeway.yaml"
		set -- "$1" --leeway-yaml "$out/leeway.yaml"
	fi
	cluster --sched "$sched" --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
		--sched-params 'sched_interval=-1,defer' --conf-extra "$extra" "${@:2}"
	run_jobs "$1"
	cluster_gone
}

under stock
under leeway
under conservative
finish
