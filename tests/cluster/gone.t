#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a dynamic node that is deleted, a reservation that is purged, while the queue is read
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
echo MaxNodeCount=8 > "$out/extra.conf"
dumps=/var/lib/slurm/state
printf '%s\n' sched: '  interval: 20s' '  min_interval: 1s' '  hold_ms: 1' "  dump_dir: $dumps" \
	topology: '  domains:' '  - {name: s1, nodes: "n[1-2],late"}' > "$out/leeway.yaml"
cluster --sched leeway --fleet cloud --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$out/extra.conf" \
	--leeway-yaml "$out/leeway.yaml"

late() {
	sh_on 'scontrol create nodename=late cpus=4 realmemory=8000 feature=late state=cloud &&
		scontrol update nodename=late state=drain reason=soon'
}
# domain_has COUNT: the domain has so many nodes in the plan
domain_has() {
	sh_on "cat \$(ls -t $dumps/cycle-*.snap | head -n 1)" |
		grep -q "^domain 0 s1 0-$(($1 - 1))\$"
}
await 30 "a domain is read" domain_has 2
evaluated() { job_field "$first" LastSchedEval; }
evaluated_anew() { [ "$(evaluated)" != "$before" ]; }
# anew SECONDS WHAT: the fact that the first job is looked at again
anew() {
	before=$(evaluated)
	await "$1" "$2" evaluated_anew
}
# in_the_middle SECONDS: the queue is being read, and the first of its jobs has been
in_the_middle() {
	await 60 "the jobs are looked at" field_like "$first" LastSchedEval '^[0-9]'
	anew "$1" "and again"
}
ok "a node is made, and drained" late
await 30 "the domain has it" domain_has 3
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "many jobs want it" as u1 'for i in $(seq 40); do
	sbatch -Q -o /dev/null --mem=100 --time=$i --constraint=late --wrap="sleep 10"; done'
first=$(sh_on 'squeue -h -S i -o %i | head -n 1')
ok "slurmctld takes its time whenever it gives up the locks" shaken 300
in_the_middle 60
ok "while the first is, and the others not yet, the node is deleted" \
	sh_on 'scontrol delete nodename=late'
anew 90 "slurmctld goes on"
ok "it lives" sh_on 'scontrol ping | grep -q UP'
ok "the node is made again" late
anew 90 "and the jobs are looked at again"

# Slurm purges a reservation whose user is gone when a node was changed, and stamps nothing.
kept_for_user() {
	sh_on 'useradd leaving &&
		scontrol create reservation reservationname=kept nodes=n2 starttime=now+10days \
			duration=30-0 users=leaving'
}
purged() { sh_on '! scontrol show reservation kept | grep -q ReservationName=kept'; }
ok "a node is kept for somebody" kept_for_user
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "many jobs would run until then" as u1 'scancel -u u1; for i in $(seq 60); do
	sbatch -Q -o /dev/null --mem=100 --nodes=3 --time=20-0:$i --wrap="sleep 10"; done'
first=$(sh_on 'squeue -h -S i -t PD -o %i | head -n 1')
ok "slurmctld takes still more time" shaken 1000
in_the_middle 120
ok "while the first is, and the others not yet, he is gone" \
	sh_on 'userdel leaving && scontrol update nodename=n1 comment=changed'
await 60 "so is its reservation" purged
anew 120 "slurmctld goes on"
ok "it lives" sh_on 'scontrol ping | grep -q UP'
finish
