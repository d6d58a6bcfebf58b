#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that loses a node runs again at once, elsewhere, before other jobs (recover.mode)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# a node that is busy does not answer for seconds; an epilog goes on for as long as a file is there
conf_extra <<'END'
SlurmdTimeout=20
Epilog=/run/epilog
END
yaml=$out/leeway.yaml
# no other job is promised a start here: that one would go before
printf '%s\n' sched: '  min_interval: 1s' '  patience: 0.9' recover: '  mode: on' '  tries: 2' \
	> "$yaml"
cluster --sched leeway --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 1 --conf-extra "$extra" \
	--leeway-yaml "$yaml"

sh_on 'printf "#!/bin/sh\nwhile [ -e /run/slow ]; do sleep 0.1; done\n" > /run/epilog
	chmod +x /run/epilog'

# whole USER NODES [OPTIONS]: a job on so many whole nodes
whole() { submit "$1" "--exclusive --nodes=$2 --time=60 ${3:-}" 3000; }
# runs JOB TIMES: after as many requeues; of one moment, since a job that waits again has one more
runs() {
	local record
	record=$(sh_on "scontrol show job $1")
	[[ $record =~ JobState=RUNNING && $record =~ Restarts=$2[[:space:]] ]]
}
nodes_of() { sh_on "scontrol show hostnames $(job_field "$1" NodeList)"; }
has_nodes() { nodes=$(nodes_of "$1") && [ -n "$nodes" ]; }
# fails_under JOB: an administrator finds its node broken; sets node
fails_under() {
	await 20 "job $1 has a node" has_nodes "$1"
	node=$nodes
	sh_on "scontrol update nodename=$node state=down reason=broken
		scontrol update nodename=$node state=drain reason=broken"
}
node_is() { [[ $(sh_on "sinfo -h -n $1 -o %t") =~ ^$2$ ]]; }
# resume NODE: the fact that it takes jobs again
resume() {
	sh_on "scontrol update nodename=$1 state=resume"
	await 40 "$1 takes jobs again" node_is "$1" 'idle|mix|alloc'
}
evaluated_since() { [ "$(job_field "$1" LastSchedEval)" \> "$2" ]; }
# stays JOB: the fact that two plans have looked at it, and it waits
stays() {
	for ((k = 0; k < 2; k++)); do
		await 90 "a plan looks at job $1" \
			evaluated_since "$1" "$(job_field "$1" LastSchedEval)"
	done
	ok "$2" job_is "$1" PENDING
}

# ---- a node dies ----
gang=$(whole u1 2)
starts "a job runs on two nodes" "$gang"
await 20 "they are known" has_nodes "$gang"
last=${nodes##*$'\n'}
killed=$(sh_on "kill -9 \$(pgrep -f '^slurmd -D -N $last\$') && date +%s")
await 90 "the second one dies, and the job runs again" runs "$gang" 1
begun=$(seconds_of "$gang" StartTime)
read -r down lost <<< "$(log_of_controller |
	sed -nE "s/^\[([^].]*).*requeue job JobId=$gang due to failure of node (.*)/\1 \2/p")"
down=$(sh_on "date -d '$down' +%s")
echo "# $((begun - killed)) s after the node died, $((begun - down)) s after Slurm knew"
ok "within 5 s of when Slurm knew" test $((begun - down)) -le 5
is "without that node" "$(nodes_of "$gang" | grep -cx "$lost")" 0
like "its user is told" "$(as u1 "leeway why $gang")" \
	"lost +$lost .*: it ran again; try 1 of the day"
ok "the log says so" in_log "job $gang lost $lost: it runs again at once, try 1 of the day"
sh_on "scancel $gang; setsid slurmd -D -N $last < /dev/null &> /run/slurm/slurmd.$last.out &"
resume "$last"
clear_all

# ---- for a day the job does without that node ----
job=$(whole u1 1)
starts "a job runs" "$job"
fails_under "$job"
lost=$node
await 30 "its node fails, and it runs on another" runs "$job" 1
resume "$lost"
# these may not have it
for ((k = 0; k < 3; k++)); do others[k]=$(whole u2 1 "--exclude=$lost"); done
starts "two nodes are taken" "${others[1]}"
sh_on "scontrol requeue $job"
starts "the job is requeued, and the third is taken" "${others[2]}"
await 60 "the job waits" field_like "$job" Restarts '^2$'
ok "it may begin" change_job "scontrol update job=$job starttime=now"
stays "$job" "it does not start on the node that failed"
ok "though it is idle" node_is "$lost" idle
unlike "as if the node were busy" "$(job_field "$job" Reason)" Bad
ok "slurmctld is killed" kill_controller
ok "and comes back" start_controller
stays "$job" "nor does the job start there now"
one=$(whole u2 1)
starts "another job does" "$one"
is "there" "$(nodes_of "$one")" "$lost"
sh_on "scancel $one"
ok "the user asks for that node" change_job "scontrol update job=$job reqnodelist=$lost"
await 60 "there the job runs" runs "$job" 2
clear_all

# ---- it goes before other jobs, as often as it may ----
job=$(whole u1 1)
starts "a job runs" "$job"
for ((k = 0; k < 5; k++)); do others[k]=$(whole u2 1); done
starts "all nodes are taken" "${others[2]}"
fails_under "$job"
broken=("$node")
await 30 "its node fails" in_log "job $job lost $node: it runs again at once, try 1 of the day"
stays "$job" "there is no room for it"
is "another job waits, which no start is promised" "$(promise_of "${others[3]}")" ''
# its plan is there before the room is, which Slurm's main loop would give to the other
sh_on "touch /run/slow; scancel ${others[0]}"
stays "$job" "another job has ended, and its node is being cleaned up"
sh_on 'rm /run/slow'
await 30 "it has the next room" runs "$job" 1
ok "before a job that waited" job_is "${others[3]}" PENDING
sh_on "scancel -u u2"
fails_under "$job"
broken+=("$node")
await 30 "a second time" runs "$job" 2
fails_under "$job"
broken+=("$node")
await 30 "not a third time" in_log "job $job lost $node: 3 failures in a day are more than"
waits_for "it waits as Slurm has it" "$job" BeginTime
clear_all
for node in "${broken[@]}"; do resume "$node"; done

# ---- what would be ----
ok "the setting is to tell" sh_on "printf 'recover:\n  mode: tell\n' > /etc/slurm/leeway.yaml
	scontrol reconfigure"
job=$(whole u1 1)
starts "a job runs" "$job"
fails_under "$job"
await 60 "its node fails" in_log "job $job lost $node: with recover.mode=on it would run again"
waits_for "it waits as Slurm has it" "$job" BeginTime
finish
