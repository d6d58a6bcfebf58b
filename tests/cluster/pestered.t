#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs are planned also while somebody asks about reservations all the time
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n  hold_ms: 1\n' > "$out/leeway.yaml"
cluster --sched leeway --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --leeway-yaml "$out/leeway.yaml"

# Slurm says of a reservation that moves with time that it changed whenever it shows it.
ok "a reservation lies always ahead" sh_on 'scontrol create reservation=ahead \
	start=now+2days duration=60 nodes=n1 users=root flags=time_float'
ok "slurmctld takes its time whenever it gives up the locks" shaken 300
on -- bash -c ': > /run/pester; while [ -e /run/pester ]; do
	scontrol show reservation; done > /dev/null 2>&1' &
pesterer=$!
job=$(job "--nodes=1 --time=600" 60000)
starts "a job starts all the same" "$job"
head=$(job "--nodes=2 --exclusive" 10)
await 40 "one that waits is planned" planned "$head"
ok "by Leeway" planned_by Leeway
ok "nobody asks any more" sh_on 'rm /run/pester'
wait "$pesterer"
finish
