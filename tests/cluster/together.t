#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: limits that het jobs are over whose components fit one by one. Stock is the judge: there
# two plain jobs stand for the components, and the second starts if Slurm lets it beside the first.
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos,safe
END
printf '%s\n' sched: '  interval: 5s' '  min_interval: 2s' > "$out/leeway.yaml"

# Each row is an account and a QOS of its own, with what is set of them, and one het job: of two
# CPUs and of one, of 100 MiB and a thousand minutes each, on two nodes. It starts if the name of
# the row ends in "fits". A partition has the QOS "part".
rows() {
	cat <<'END'
cpus-over     qos GrpTRES=cpu=2
cpus-fits     qos GrpTRES=cpu=3
mem-over      qos GrpTRES=mem=150
mem-fits      qos GrpTRES=mem=200
nodes-over    qos GrpTRES=node=1
nodes-fits    qos GrpTRES=node=2
jobs-over     qos GrpJobs=1
jobs-fits     qos GrpJobs=2
userjobs-over qos MaxJobsPerUser=1
userjobs-fits qos MaxJobsPerUser=2
acctjobs-over qos MaxJobsPerAccount=1
acctjobs-fits qos MaxJobsPerAccount=2
user-over     qos MaxTRESPerUser=cpu=2
user-fits     qos MaxTRESPerUser=cpu=3
acct-over     qos MaxTRESPerAccount=cpu=2
acct-fits     qos MaxTRESPerAccount=cpu=3
run-over      qos GrpTRESRunMins=cpu=2999
run-fits      qos GrpTRESRunMins=cpu=3000
mins-over     qos GrpTRESMins=cpu=2999
mins-fits     qos GrpTRESMins=cpu=3000
free-fits     qos UsageFactor=0 GrpTRESRunMins=cpu=2999
a-cpus-over   account GrpTRES=cpu=2
a-cpus-fits   account GrpTRES=cpu=3
a-nodes-over  account GrpTRES=node=1
a-nodes-fits  account GrpTRES=node=2
a-jobs-over   account GrpJobs=1
a-jobs-fits   account GrpJobs=2
a-each-over   account MaxJobs=1
a-each-fits   account MaxJobs=2
a-run-over    account GrpTRESRunMins=cpu=2999
a-run-fits    account GrpTRESRunMins=cpu=3000
a-mins-over   account GrpTRESMins=cpu=2999
a-mins-fits   account GrpTRESMins=cpu=3000
hidden-fits   qos GrpTRES=cpu=3 account GrpTRES=cpu=2
behind-over   qos GrpTRES=mem=900 account GrpTRES=cpu=2
scaled-over   qos LimitFactor=1 account GrpTRES=cpu=2
scaled-fits   qos LimitFactor=1.5 account GrpTRES=cpu=2
part-over     qos GrpTRES=cpu=3
over-fits     qos Flags=OverPartQOS GrpTRES=cpu=3
END
	# 22.05 knows these, and does not heed them
	[ "$(release)" = 22.05 ] || cat <<'END'
userrun-over  qos MaxTRESRunMinsPerUser=cpu=2999
userrun-fits  qos MaxTRESRunMinsPerUser=cpu=3000
acctrun-over  qos MaxTRESRunMinsPerAccount=cpu=2999
acctrun-fits  qos MaxTRESRunMinsPerAccount=cpu=3000
END
}

# settings NAME KIND SETTINGS... [KIND SETTINGS...]: commands for sacctmgr
settings() {
	local name=$1 word kind=
	shift
	for word; do
		case $word in
		qos | account)
			printf '%s%s' "${kind:+$'\n'}" "modify $word $name set"
			kind=$word
			;;
		*) printf ' %s' "$word" ;;
		esac
	done
	echo
}

prepare() { # WHO
	local names name rest
	names=$(rows | awk '{ print $1 }' | paste -sd ,)
	{
		echo "add qos part,$names"
		echo "add account $names"
		echo "add user u1 account=$names"
		echo "modify user u1 set qos+=$names"
		echo 'modify qos part set GrpTRES=cpu=2'
		rows | while read -r name rest; do
			# shellcheck disable=SC2086 # words
			settings "$name" $rest
		done
	} > "$out/commands"
	ok "$1: limits are set" with_input -- sacctmgr -i < "$out/commands"
	await 60 "$1: and known" sh_on 'scontrol show assoc_mgr flags=qos | grep -q "QOS=part"'
	ok "$1: a partition has a QOS" sh_on 'echo PartitionName=narrow Nodes=ALL QOS=part \
		>> /etc/slurm/slurm.conf; scontrol reconfigure'
	await 60 "$1: it is there" sh_on 'scontrol show partition narrow | grep -q QoS=part'
}

# script_of WHO: submits the jobs of each row, prints "NAME JOB": the het job, or the second one
script_of() {
	local name each beside=:
	[ "$1" = leeway ] || beside="--wrap='sleep 50000' > /dev/null
			sbatch --parsable -o /dev/null"
	rows | while read -r name _; do
		each="--mem=100 --time=1000 --account=$name --qos=$name"
		case $name in part-* | over-*) each+=' --partition=narrow' ;; esac
		echo "echo $name \$(sbatch --parsable -o /dev/null $each -n2 --nodelist=n1 $beside \
			$each -n1 --nodelist=n2 --wrap='sleep 50000')"
	done
}

# outcomes: "NAME starts" or "NAME waits" of each; a het job of which a part runs is "NAME half"
outcomes() {
	local name job states
	sh_on 'squeue -h -o "%i %T"' > "$out/queue"
	while read -r name job; do
		states=$(awk -v job="$job" '$1 == job || index($1, job "+") == 1 { print $2 }' \
			"$out/queue" | sort -u)
		case $states in
		RUNNING) echo "$name starts" ;;
		PENDING) echo "$name waits" ;;
		*) echo "$name half" ;;
		esac
	done < "$out/jobs"
}
expected() { awk '{ print $1, $1 ~ /fits$/ ? "starts" : "waits" }' "$out/jobs"; }
all_fit() { [ "$(outcomes | grep -c starts)" -ge "$(expected | grep -c starts)" ]; }
cycles() { sh_on sdiag | sed -n 's/^.*Total cycles: *//p' | tail -n 1; }
cycled() { [ "$(cycles)" -ge "$1" ]; }

# Stock does nothing where nothing changes: there it is done when each job waits for a limit.
all_tried() { # WHO
	if [ "$1" = leeway ]; then
		cycled "$until"
	else
		! sh_on 'squeue -h -t PD -o %r' | grep -vE '^(QOS|Assoc|Max)' > /dev/null
	fi
}

for who in stock leeway; do
	set -- --sched stock --sched-params sched_interval=5,bf_interval=5
	[ "$who" = stock ] || set -- --sched leeway --leeway-yaml "$out/leeway.yaml" \
		--sched-params sched_interval=-1,defer
	cluster --nodes 2 --gpus 0 --cpus 96 --mem 32000 --clock 20 --conf-extra "$extra" "$@"
	prepare "$who"
	as u1 "$(script_of "$who")" > "$out/jobs"
	await 60 "$who: jobs start" all_fit
	until=$(($(cycles) + 10))
	await 60 "$who: all are tried" all_tried "$who"
	is "$who: those within their limits, and no others" "$(outcomes)" "$(expected)"
	cluster_gone
done
finish
