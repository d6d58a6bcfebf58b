#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a dynamic node that is deleted while the queue is being read
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
echo MaxNodeCount=8 > "$out/extra.conf"
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n  hold_ms: 1\n' > "$out/leeway.yaml"
cluster --sched leeway --fleet cloud --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 20 --users 1 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$out/extra.conf" \
	--leeway-yaml "$out/leeway.yaml"

late() {
	sh_on 'scontrol create nodename=late cpus=4 realmemory=8000 feature=late state=cloud &&
		scontrol update nodename=late state=drain reason=soon'
}
evaluated() { job_field "$first" LastSchedEval; }
evaluated_anew() { [ "$(evaluated)" != "$before" ]; }
ok "a node is made, and drained" late
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "many jobs want it" as u1 'for i in $(seq 40); do
	sbatch -Q -o /dev/null --mem=100 --time=$i --constraint=late --wrap="sleep 10"; done'
first=$(sh_on 'squeue -h -S i -o %i | head -n 1')
ok "slurmctld takes its time whenever it gives up the locks" shaken 300
await 60 "the jobs are looked at" field_like "$first" LastSchedEval '^[0-9]'
before=$(evaluated)
await 60 "and again" evaluated_anew
ok "while the first is, and the others not yet, the node is deleted" \
	sh_on 'scontrol delete nodename=late'
before=$(evaluated)
await 90 "slurmctld goes on" evaluated_anew
ok "it lives" sh_on 'scontrol ping | grep -q UP'
ok "the node is made again" late
before=$(evaluated)
await 90 "and the jobs are looked at again" evaluated_anew
finish
