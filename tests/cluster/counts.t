#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what Slurm counts and logs of starts, above all of het jobs, under stock and Leeway
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PriorityCalcPeriod=1
END

# counted WORDS: what sdiag says
counted() { sh_on sdiag | sed -n "s/^.*Total backfilled $1: *//p"; }
# run_minutes OF: processor time that running jobs of the QOS may still take
run_minutes() {
	sh_on 'scontrol show assoc flags=qos qos=narrow' | grep -o 'GrpTRESRunMins=cpu=[^,]*' |
		grep -o '([0-9]*)'
}
uses_none() { [ "$(run_minutes)" = '(0)' ]; }
# het PART1 PART2 SECONDS
het() {
	as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=60 --qos=narrow $1 : \
		--mem=100 --time=60 --qos=narrow $2 --wrap='sleep $3'"
}

run_jobs() { # WHO
	sh_on 'sacctmgr -i add qos narrow set GrpTRES=cpu=4 GrpTRESRunMins=cpu=100000
		sacctmgr -i modify user u1 set qos+=narrow' > /dev/null
	await 60 "$1: a QOS is known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=narrow'
	local pair first taken over next
	for i in 1 2; do
		pair=$(het -n1 -n1 3000)
		starts "$1: het job $i starts" "$pair"
		like "$1: it is billed" "$(job_field "$pair" '(Alloc)?TRES')" 'billing=1'
		sh_on "scancel $pair"
		await 60 "$1: when it is over nothing counts against the limit" uses_none
	done
	is "$1: its parts are counted" "$(counted 'heterogeneous job components')" 4
	is "$1: as other jobs are" "$(counted 'jobs (since last slurm start)')" 4
	is "$1: not only those of the last cycle" \
		"$(counted 'jobs (since last stats cycle start)')" 4

	# A limit keeps it from starting, and nobody knows when it gives way.
	first=$(job "--qos=narrow --ntasks=3 --nodelist=n1 --time=600" 60000)
	starts "$1: a job of that QOS has three of four CPUs" "$first"
	ok "$1: the log says so, and where" in_log "[Ss]tarted JobId=$first in main on n1"
	taken=$(job "--exclusive --nodelist=n2 --time=60" 3000)
	starts "$1: another has a whole node" "$taken"
	over=$(het "-n2 --nodelist=n2" "-n2 --nodelist=n3" 3000)
	next=$(job "--exclusive --nodelist=n3 --time=180" 10000)
	starts "$1: no node is kept for a het job of which each part is over the limit" "$next"
	sh_on "scancel $first $taken $next"
	await 120 "$1: it starts when they no longer are" job_is "$over" RUNNING
}

for who in stock leeway; do
	cluster --sched "$who" --nodes 3 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
		--priority multifactor --sched-params 'sched_interval=-1,defer' \
		--conf-extra "$extra"
	run_jobs "$who"
	cluster_gone
done
finish
