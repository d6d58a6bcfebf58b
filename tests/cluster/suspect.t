#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a node that fails under two jobs within a day is told of, and comes last (recover.mode)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

mkdir -p "$out"
yaml=$out/leeway.yaml
printf '%s\n' sched: '  metrics: /run/slurm/leeway.prom' recover: '  mode: on' > "$yaml"
cluster --sched leeway --nodes 3 --gpus 0 --cpus 4 --mem 8000 --clock 60 \
	--sched-params sched_interval=-1,defer --leeway-yaml "$yaml"

whole() { submit u1 "--exclusive --nodes=1 --time=600 ${1:-}" 36000; }
node_of() { job_field "$1" NodeList; }
node_is() { [[ $(sh_on "sinfo -h -n $1 -o %t") =~ ^$2$ ]]; }
suspects() { sh_on "grep -qx 'leeway_sched_suspect_nodes $1' /run/slurm/leeway.prom"; }
seconds() { sh_on 'date +%s'; }
passed() { [ "$(seconds)" -ge "$1" ]; }

# fails NODE: under a job that needs it; sets job
fails() {
	job=$(whole "--nodelist=$1")
	starts "a job runs on $1" "$job"
	sh_on "scontrol update nodename=$1 state=down reason=broken"
	await 60 "the node fails under it" in_log "job $job lost $1: it runs again"
	sh_on "scancel $job; scontrol update nodename=$1 state=resume 2> /dev/null || true"
	await 60 "it takes jobs again" node_is "$1" idle
}

fails n1
first=$job
await 30 "once is no news" suspects 0
later=$(($(seconds) + 330))
await 60 "five minutes pass" passed "$later"
fails n1
ok "twice is told" in_log \
	"node n1 failed under job $job, and [0-9]+ minutes before under job $first: for a day it"
await 30 "and counted" suspects 1

# By Slurm's order n1 would be the first.
for ((k = 0; k < 3; k++)); do
	jobs[k]=$(whole)
	starts "job $k starts" "${jobs[k]}"
	[ "$k" != 0 ] || unlike "elsewhere" "$(node_of "${jobs[k]}")" n1
	[ "$k" != 1 ] || unlike "elsewhere, too" "$(node_of "${jobs[k]}")" n1
done
is "on n1 once no other node is free" "$(node_of "${jobs[2]}")" n1
clear_all

ok "slurmctld is killed" kill_controller
ok "and comes back" start_controller
await 60 "it knows still" suspects 1
job=$(whole)
starts "a job starts" "$job"
unlike "elsewhere" "$(node_of "$job")" n1
clear_all
ok "recover.mode is off" sh_on "
	printf 'sched:\n  metrics: /run/slurm/leeway.prom\n' > /etc/slurm/leeway.yaml
	scontrol reconfigure"
await 60 "nothing is known of it" suspects 0
finish
