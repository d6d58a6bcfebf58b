#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: advance reservations of every kind, the same jobs under stock and under Leeway
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp) yaml=$(mktemp)
trap 'rm -f "$extra" "$yaml"' EXIT
# so that every job that can ever start is planned
echo 'sched.policy: conservative' > "$yaml"
echo 'PartitionName=alone Nodes=n8 MaxTime=INFINITE DefMemPerCPU=100' > "$extra"

# One node for each, times in minutes from the beginning.
# shellcheck disable=SC2016 # the shell in the cluster expands it
reservations='
	create() { scontrol create reservation="$@" > /dev/null || echo "no reservation $1"; }
	date +%s
	create float nodes=n1 users=u2 start=now+30minutes duration=infinite flags=TIME_FLOAT
	create mine nodes=n2 users=u2 start=now duration=60
	create upkeep nodes=n2 users=root start=now+15minutes duration=15 flags=MAINT
	create flex nodes=n3 users=u2 start=now+20minutes duration=20 flags=FLEX
	create pull nodes=n4 users=u3 start=now+20minutes duration=40 flags=MAGNETIC
	create part nodes=n5 corecnt=2 users=u2 start=now duration=25
	create later nodes=n6 corecnt=2 users=u2 start=now+20minutes duration=20
	create maint nodes=n7 users=root start=now+15minutes duration=15 flags=MAINT
	create all nodes=n8 users=root start=now+30minutes duration=infinite flags=TIME_FLOAT,MAINT
	create under nodes=n9 users=u2 start=now duration=60
	create over nodes=n9 users=u3 start=now duration=30 flags=OVERLAP'

# A job, its user, the minute in which it starts, and what it asks for. A start of 99 is one
# after the floating reservations are gone.
jobs='
float-short  u1  0 --nodelist=n1 --time=20
float-long   u1 99 --nodelist=n1 --time=60
mine-before  u2  0 --time=5 --reservation=mine
mine-upkeep  u2 30 --time=20 --reservation=mine
mine-after   u1 60 --nodelist=n2 --time=10
flex-inside  u2  0 --nodelist=n3 --time=30 --reservation=flex
flex-short   u1  0 --nodelist=n3 --time=10
flex-long    u1 40 --nodelist=n3 --time=60
pull-before  u3  0 --nodelist=n4 --time=5
pull-inside  u3 20 --nodelist=n4 --time=25
pull-after   u1 60 --nodelist=n4 --time=60
part-beside  u1  0 --nodelist=n5 --time=20 --ntasks=2
part-whole   u1 25 --nodelist=n5 --time=10 --exclusive
later-short  u1  0 --nodelist=n6 --time=10 --exclusive
later-beside u1  0 --nodelist=n6 --time=60 --ntasks=2
later-whole  u1 40 --nodelist=n6 --time=30 --exclusive
maint-before u1  0 --nodelist=n7 --time=5
maint-after  u1 30 --nodelist=n7 --time=60
all-short    u1  0 --partition=alone --time=20
all-long     u1 99 --partition=alone --time=60
over-inside  u3  0 --time=10 --reservation=over
over-under   u2 30 --time=10 --reservation=under
over-after   u1 60 --nodelist=n9 --time=10'

declare -A id minute
names=$(awk 'NF { print $1 }' <<< "$jobs")

# submit_all USER: all of its jobs at once, so that they come in the same minute
submit_all() {
	local script what job
	# shellcheck disable=SC2016 # the shell in the cluster expands it
	script=$(awk -v user="$1" '$2 == user {
		name = $1; $1 = $2 = $3 = ""
		print "echo", name, "$(sbatch --parsable --output=/dev/null --mem=100 " $0 \
			" --wrap=\"sleep 60\")"
	}' <<< "$jobs")
	while read -r what job; do
		id[$what]=$job
	done < <(as "$1" "$script")
}

only_long_ones_wait() {
	[ "$(sh_on 'squeue -h -o %i' | sort -n | xargs)" = "${id[float-long]} ${id[all-long]}" ]
}

# What must wait for a reservation is planned for its end, what would float away from any is not.
look_at_plan() {
	local what
	for what in mine-upkeep mine-after flex-long pull-after part-whole later-whole maint-after \
		over-under over-after; do
		await 20 "leeway: $what is planned" planned "${id[$what]}"
	done
	for what in float-long all-long; do
		is "leeway: $what is not" "$(job_field "${id[$what]}" SchedNodeList)" ''
		unlike "leeway: nor was it tried in vain" "$(log_of_controller)" \
			"job ${id[$what]}: Slurm would not start it"
	done
}

run_jobs() { # WHO
	local began freed what user start
	began=$(sh_on "$reservations")
	like "$1: the reservations are made" "$began" '^[0-9]+$'
	for user in u1 u2 u3; do
		submit_all "$user"
	done
	[ "$1" = stock ] || look_at_plan
	await 150 "$1: all jobs end, but for those too long for a floating reservation" \
		only_long_ones_wait
	freed=$(sh_on 'date +%s
		scontrol delete reservation=float
		scontrol delete reservation=all')
	await 60 "$1: with these gone they do as well" all_done
	await 30 "$1: accounting knows when" accounted "${id[@]}"
	for what in $names; do
		start=$(sh_on "date -d $(sacct_field "${id[$what]}" Start) +%s")
		# after they are gone: as if that had been in minute 99
		[ "$start" -lt "$freed" ] || start=$((start - freed + began + 99 * 60))
		minute[$1.$what]=$(((start - began) / 60))
	done
}

cluster --sched stock --nodes 9 --gpus 0 --cpus 4 --mem 8000 --clock 40 --conf-extra "$extra"
run_jobs stock
cluster_gone
cluster --sched leeway --nodes 9 --gpus 0 --cpus 4 --mem 8000 --clock 40 --conf-extra "$extra" \
	--sched-params 'sched_interval=-1,defer' --leeway-yaml "$yaml"
run_jobs leeway
while read -r what _ due _; do
	[ -n "$what" ] || continue
	ok "$what starts in minute $due under stock" near "${minute[stock.$what]}" "$due" 6
	ok "$what starts in minute $due under Leeway" near "${minute[leeway.$what]}" "$due" 6
	echo "# $what: stock ${minute[stock.$what]}, leeway ${minute[leeway.$what]}"
done <<< "$jobs"
finish
