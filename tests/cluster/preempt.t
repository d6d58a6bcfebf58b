#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: who waits for what while others may be preempted, the same jobs under stock and Leeway
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
cat > "$extra" <<'END'
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE
END

run_jobs() { # WHO
	sh_on 'sacctmgr -i add qos standby set flags=NoReserve
		sacctmgr -i add qos high set preempt=standby
		sacctmgr -i modify user u1 set qos+=standby,high' > /dev/null
	await 60 "$1: the QOS are known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=high'
	firm=$(job "--nodelist=n1 --exclusive --time=60" 6000)
	starts "$1: a job that nobody preempts" "$firm"
	weak=$(job "--nodelist=n[2-3] --nodes=2 --exclusive --time=5-0 --qos=standby" 90000)
	starts "$1: a long one that may be preempted" "$weak"
	high=$(job "--nodes=4 --exclusive --time=20 --qos=high" 600)
	await 40 "$1: one that preempts it is planned" planned "$high"
	ok "$1: for the end of the first" \
		near "$(seconds_of "$high" StartTime)" "$(seconds_of "$firm" EndTime)" 120
	long=$(job "--nodes=1 --exclusive --time=5-0" 90000)
	next=$(job "--nodes=1 --exclusive --time=5-0 --qos=standby" 90000)
	starts "$1: another that may be preempted takes the last node" "$next"
	is "$1: not one that may not" "$(job_state "$long")" PENDING
	sh_on "scancel $firm"
	starts "$1: with the first gone who preempts them starts" "$high"
	is "$1: in place of both" "$(job_state "$weak") $(job_state "$next")" "PENDING PENDING"
}

for who in stock leeway; do
	cluster --sched "$who" --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 20 --users 1 \
		--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"
	run_jobs "$who"
	cluster_gone
done
finish
