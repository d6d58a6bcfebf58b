#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job whose start Slurm itself is asked for, late in a reading that takes its time
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n  hold_ms: 1\n' > "$out/leeway.yaml"
cluster --sched leeway --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --leeway-yaml "$out/leeway.yaml"

# Seconds of the cluster's time go by from the begin of a reading to those who came last.
ok "slurmctld takes its time whenever it gives up the locks" shaken 100
ok "a node is drained" sh_on 'scontrol update nodename=n4 state=drain reason=test'
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "many jobs want it" as u1 'for i in $(seq 40); do
	sbatch -Q -o /dev/null --mem=100 --time=$i --nodelist=n4 --wrap="sleep 10"; done'
between=$(job "--nodelist=n2 --exclusive --time=600" 60000)
starts "a node between two others is taken" "$between"
pair=$(job "--nodes=2 --contiguous --exclusive" 300)
await 120 "these are no neighbours: Slurm is asked when they will be" planned "$pair"
ok "when the job between them ends" near "$(seconds_of "$pair" StartTime)" \
	"$(seconds_of "$between" EndTime)" 60
sh_on "scancel $between"
starts "when it is gone Slurm says now, and so it is" "$pair"
clear_all

# Others may have CPUs of the nodes meanwhile, and for much longer.
for node in n1 n3; do
	starts "one of few CPUs on $node" "$(job "--nodelist=$node --time=10-0" 30000)"
done
between=$(job "--nodelist=n2 --exclusive --time=600" 60000)
starts "the node between them is taken" "$between"
pair=$(job "--nodes=2 --contiguous --ntasks-per-node=3" 30)
await 120 "others with CPUs are no neighbours either" planned "$pair"
ok "who needs no whole nodes is planned for when the job between them ends" near \
	"$(seconds_of "$pair" StartTime)" "$(seconds_of "$between" EndTime)" 60
finish
