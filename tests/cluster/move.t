#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that agrees goes to another node, so that a whole one is free, and others do not
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"

aged_conf
yaml=$out/leeway.yaml
# what jobs ran before must not tell that the next one is short
printf '%s\n' sched: '  min_interval: 1s' '  predict: no' '  metrics: /run/slurm/leeway.prom' \
	stop: '  mode: on' '  for: gang' '  who: qos:scavenger' '  lease: 0s' '  share: 1.0' \
	> "$yaml"
# setting FROM TO: another value from now on
setting() {
	ok "the setting is $2" sh_on "sed -i 's/$1/$2/' /etc/slurm/leeway.yaml &&
		scontrol reconfigure"
}
# small HOW OPTIONS: a job of $user that trains, on one GPU; prints its id
user=u1
small() {
	as "$user" "sbatch --parsable --gres=gpu:1 --mem=100 --time=600 --job-name=$1 \
			--output=/tmp/of-u1/out-%j $2 \
			--wrap='exec trainer $1 /tmp/of-u1/\$SLURM_JOB_ID'"
}
# taker GPUS [OPTIONS]: a long job that did not agree
taker() { submit u2 "--gres=gpu:$1 --mem=100 --time=600 ${2:-}" 30000; }
gang() { submit u2 '--gres=gpu:4 --mem=100 --time=20' 3000; }
# over: nothing is left of what they all do
over() {
	sh_on "scancel -u $user" > /dev/null 2>&1
	clear_all
}
# one_each HOW OPTIONS: two such jobs, on a node each, as $pair
one_each() {
	local fill
	fill=$(taker 4 '-w n1')
	starts "n1 is full" "$fill"
	pair=("$(small "$1" "$2")")
	starts "a small job runs on n2" "${pair[0]}"
	fill="$fill $(taker 3 '-w n2')"
	starts "n2 is full" "${fill##* }"
	pair+=("$(small "$1" "$2")")
	sh_on "scancel ${fill%% *}"
	starts "another one on n1" "${pair[1]}"
	sh_on "scancel ${fill##* }"
	is "they run on a node each" \
		"$(job_field "${pair[0]}" NodeList) $(job_field "${pair[1]}" NodeList)" 'n2 n1'
	trained "${pair[0]}"
	trained "${pair[1]}"
}
ordered() { log_of_controller | grep -c 'is to move and make room for job' || :; }
tells() { sh_on "leeway why $1" | grep -E -- "$2" > /dev/null; }
asked_one() {
	local job
	for job in "${pair[@]}"; do
		if in_log "job $job is to move and make room for job $1:"; then moved=$job; fi
	done
	[ -n "$moved" ]
}
# asked FOR: the fact that one of the pair is asked, as $moved
asked() {
	moved=
	await 60 "one of them is asked to move for job $1" asked_one "$1"
	other=${pair[0]}
	[ "$moved" != "$other" ] || other=${pair[1]}
}
# served FOR: the facts that it has its node, and that the other two share one
served() {
	starts "the whole one has its node" "$1"
	comes_back "$moved" 1
	is "the moved one is beside the other one" "$(job_field "$moved" NodeList)" \
		"$(job_field "$other" NodeList)"
	ok "which was left alone" field_like "$other" Restarts '^0$'
	unlike "the whole one is not there" "$(job_field "$1" NodeList)" \
		"$(job_field "$other" NodeList)"
}
left_alone() {
	field_like "${pair[0]}" Restarts '^0$' && field_like "${pair[1]}" Restarts '^0$' &&
		job_is "${pair[0]}" RUNNING && job_is "${pair[1]}" RUNNING
}

# ---- one goes elsewhere ----
begin --nodes 2 --gpus 4 --clock 1
ok "others agree by their QOS, too" sh_on 'install -d -m 1777 /tmp/of-u1 &&
	sacctmgr -i modify user u3,u4,u5 set qos+=scavenger'
one_each slow '-q scavenger --signal=B:USR1@60'
new=$(gang)
asked "$new"
await 60 "an administrator sees that it moves" sh_on \
	"leeway stops | grep -E '^$moved .*, moves' > /dev/null"
thief=$(taker 3 --time=120)
await 60 "its user is told" tells "$moved" "moved +.* to make room for job $new; back by"
await 60 "the user of the whole one is told" tells "$new" "job $moved was asked to stop"
guest=$(taker 2 --time=120)
starts "what is not kept is for others" "$guest"
is "beside the other one" "$(job_field "$guest" NodeList)" "$(job_field "$other" NodeList)"
served "$new"
within=$(after_clean "$moved")
ok "within 5 s of when its node was clean ($within)" test "$within" -le 5
is "one job was asked" "$(ordered)" 1
ok "none took the place that was kept" job_is "$thief" PENDING
await 60 "a metric counts it" sh_on \
	'grep -qE "leeway_sched_stops_total.result=\"moved\". 1" /run/slurm/leeway.prom'
sh_on "scancel $thief $guest"
clear_all

# ---- its user has had a place kept within stop.back ----
one_each term '-q scavenger'
new=$(gang)
await 60 "a whole one waits" field_like "$new" SystemComment 'leeway:why='
ok "no other job of that user moves" left_alone
is "none was asked" "$(ordered)" 1
clear_all

# ---- it has no signal of its own ----
user=u3
one_each term '-q scavenger'
new=$(gang)
asked "$new"
served "$new"
over

# ---- two leave a node, and one of them takes its time ----
user=u4
fill=$(taker 4 '-w n2')
starts "n2 is full" "$fill"
pair=("$(small slow '-q scavenger --signal=B:USR1@60')" "$(small term '-q scavenger')")
for moved in "${pair[@]}"; do starts "a small job runs on n1" "$moved" && trained "$moved"; done
sh_on "scancel $fill"
stays=$(taker 1 '-w n2')
starts "one that did not agree runs on n2" "$stays"
new=$(gang)
asked "$new"
await 60 "the quick one has left" in_log "job ${pair[1]} has stopped"
thief=$(taker 2 --time=120)
starts "the whole one has its node" "$new"
for moved in "${pair[@]}"; do
	comes_back "$moved" 1
	is "it is on the other node" "$(job_field "$moved" NodeList)" n2
done
ok "one that came meanwhile has no room" job_is "$thief" PENDING
is "the one that did not agree is there, too" "$(job_field "$stays" NodeList)" n2
ok "and was left alone" field_like "$stays" Restarts '^0$'
sh_on "scancel $thief"
over

# ---- slurmctld is killed between: it is stopped as any other one ----
user=u5
one_each slow '-q scavenger --signal=B:USR1@60'
new=$(gang)
asked "$new"
killed
served "$new"
over

# ---- jobs that did not agree, and a setting that only tells ----
user=u1
n=$(ordered)
one_each term ''
new=$(gang)
await 60 "a whole one waits" field_like "$new" SystemComment 'leeway:why='
ok "jobs that did not agree are left alone" left_alone
is "none was asked" "$(ordered)" "$n"
over
setting 'mode: on' 'mode: tell'
one_each term '-q scavenger'
new=$(gang)
await 60 "it is told" in_log "is not stopped for job $new: it would be asked"
ok "they are left alone" left_alone
setting 'for: gang' 'for: none'
setting 'mode: tell' 'mode: on'
other=$(gang)
await 60 "a whole one waits" field_like "$other" SystemComment 'leeway:why='
ok "they are left alone" left_alone
is "none was asked" "$(ordered)" "$n"
over
finish
