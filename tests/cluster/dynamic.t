#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nodes that are made and deleted all the time, while jobs that want them are planned; and
# while a plan is held back
# shellcheck disable=SC2317,SC2016 # functions are called through await; others expand
. "$(dirname "$0")/lib.sh"

need_release '2[4-9].*' "it makes no nodes while it runs"
conf_extra <<'END'
MaxNodeCount=8
TreeWidth=65533
END
printf '%s\n' sched: '  interval: 20s' '  min_interval: 1s' '  hold_ms: 1' log: '  level: debug' \
	topology: '  domains:' '  - {name: s1, nodes: "n[1-2],d[0-2]"}' > "$out/leeway.yaml"
cluster --sched leeway --fleet cloud --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
	--debug debug --sched-params 'sched_interval=-1,defer' --conf-extra "$extra" \
	--leeway-yaml "$out/leeway.yaml"

# Each step makes a node or deletes it, submits a job, and ends one. Slots of the node table are
# used anew by nodes of another size and with another feature. Slurm starts nothing on a node that
# is powered down and has the place of a deleted one, until that node was down once.
churn='node() {
	scontrol create nodename="d$1" cpus="$2" realmemory=8000 feature="f$3" state=cloud
	scontrol update nodename="d$1" state=down reason=new
	scontrol update nodename="d$1" state=resume
}
for ((i = 0; i < STEPS; i++)); do
	k=$((i * 7 % 5))
	if scontrol show node "d$k" > /dev/null 2>&1; then
		scancel -w "d$k"
		scontrol delete nodename="d$k"
	else
		node "$k" $((2 + 2 * (i % 3))) $((i % 2))
	fi
	runuser -u u1 -- sbatch -Q -o /dev/null --mem=100 --time=$((1 + i)) \
		--constraint="f$((i % 2))" --cpus-per-task=$((1 + i % 4)) --nodes=$((1 + i % 2)) \
		--wrap="sleep 9000"
	[ $((i % 3)) != 0 ] || scancel "$(squeue -h -t R,CF -o %A | head -n 1)"
done'
controller() { sh_on 'cat /run/slurm/slurmctld.pid'; }
cycles() { sh_on 'sdiag' | awk '/^Backfill/ { ours = 1 } ours && /Total cycles/ { print $3 }'; }
cycled() { [ "$(cycles)" -ge "$1" ]; }
# whoever runs is on nodes that are there, and have what it asked for
strays() {
	sh_on 'squeue -h -t R,CF -o "%i %f %N" | while read -r job feature nodes; do
		for node in $(scontrol show hostnames "$nodes"); do
			scontrol show node "$node" | grep -q "AvailableFeatures=$feature" ||
				echo "$job on $node"
		done
	done'
}
gone() { ! sh_on 'sinfo -h -N -o %N' | grep -q ^d; }
all_gone() {
	sh_on 'scancel -u u1; for node in $(sinfo -h -N -o %N | grep ^d | sort -u); do
		scontrol delete nodename="$node"; done'
	gone
}

# Each slurmctld says in its first cycle, before a node is made, which nodes are not there.
absent="warning: leeway: .* 3 of the 5 nodes of s1 are not in slurm.conf"
said_absent() { [ "$(log_of_controller | grep -c "$absent")" = "$1" ]; }
await 30 "that nodes of a domain are not there is said" said_absent 1
ok "slurmctld stays away for a while whenever the plugin gives up the locks" shaken 5
await 30 "the next slurmctld says so, too" said_absent 2
before=$(controller) first=$(cycles)
sh_on "STEPS=60; $churn" > "$out/churn" 2>&1
await 30 "the queue was planned meanwhile" cycled $((first + 5))
await 40 "some were started on such nodes" in_log 'leeway: started .* on d[0-4]'
is "slurmctld lives" "$(controller)" "$before"
ok "it answers" sh_on 'scontrol ping | grep -q UP'
is "nobody runs on nodes that he did not want" "$(strays)" ''
ok "Leeway plans still" planned_by Leeway
ok "neither says so again" said_absent 2
is "and complained of nothing else" "$(log_of_controller | grep -E '(error|warning): leeway' |
	grep -v 'are not in slurm.conf')" ''
is "nor did Slurm, of names that it was asked for" \
	"$(log_of_controller | grep -c 'lookup failure for node "d')" 0
await 60 "all of them can be deleted" all_gone
like "a node is made in the place of another" "$(sh_on 'scontrol create nodename=last cpus=2 \
	realmemory=8000 feature=new state=cloud && scontrol show node last')" 'CPUTot=2'
job=$(job "--nodelist=n1" 9000)
await 40 "a job starts" field_like "$job" NodeList '^n1$'

# ---- a plan is held back while a node gets the number of another ----
# By the plan one job has d2 and n1 reserved, and one starts on d1, whose number d2 has by then.
idle() { [ -z "$(sh_on 'squeue -h')" ]; }
sh_on 'scancel -u u1'
await 40 "all is cancelled" idle
sh_on 'scontrol delete nodename=last
	scontrol update nodename=n1 availablefeatures=x activefeatures=x
	scontrol create nodename=d1 cpus=4 realmemory=8000 feature=f state=cloud
	scontrol create nodename=d2 cpus=4 realmemory=8000 feature=f,x state=cloud'
job=$(job "--nodelist=n1 --exclusive --time=30" 9000)
await 40 "a job is on n1" field_like "$job" NodeList '^n1$'
promised=$(job "--nodes=2 --exclusive --constraint=x" 9000)
await 40 "one is promised n1 and d2" field_like "$promised" SchedNodeList '^(n1,d2|d2,n1)$'
long=$(job "--hold --constraint=f --time=60" 9000)
sh_on "scontrol release $long; mkdir -m 1777 /run/stick"
await 30 "the plan is held back" sh_on 'test -e /run/stick/stuck'
before=$(cycles)
sh_on 'scontrol delete nodename=d1; scontrol delete nodename=d2
	scontrol create nodename=d2 cpus=4 realmemory=8000 feature=f,x state=cloud
	scontrol update nodename=d2 state=down reason=new
	scontrol update nodename=d2 state=resume
	rm -rf /run/stick'
await 30 "it is done, and the next one" cycled $((before + 2))
is "the promised node is left to its job" "$(job_field "$long" JobState)" PENDING
log_of_controller | grep -F "leeway: job $long: " | comment
is "slurmctld has lived all the time" "$(backtraces)" ''
finish
