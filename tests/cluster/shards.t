#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: GPUs of which jobs hold parts are no whole ones; who asks for parts waits for these
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

dumps=/var/lib/slurm/state
shape=(--nodes 3 --gpus 4 --shards 16 --cpus 16 --mem 8000 --clock 20)

# runs OPTIONS: a small job that starts; its id goes to job
runs() {
	job=$(job "$1" 60000)
	starts "$kind: it starts: $1" "$job"
}
snap() { sh_on "cat \$(ls -t $dumps/cycle-*.snap | head -n 1)"; }
snap_has() { snap | grep -E -- "$1" > /dev/null; }
left() { sh_on 'squeue -h | wc -l'; }
are_left() { [ "$(left)" = "$1" ]; }

# One GPU of n1 is two jobs' in parts, of which $later ends after $sooner, and three are others'.
shares() {
	whole=()
	for _ in 1 2 3; do
		runs "--time=3000 --gpus-per-node=1 --nodelist=n1"
		whole+=("$job")
	done
	runs "--time=600 --gres=shard:2 --nodelist=n1"
	later=$job
	runs "--time=300 --gres=shard:1 --nodelist=n1"
	sooner=$job
}

mkdir -p "${out:?}"
printf 'sched:\n  dump_dir: %s\n  dump_keep: 1000\n' "$dumps" > "$out/leeway.yaml"

# Slurm would put the last job on the node with the fewest idle CPUs; we fill broken nodes. No plan
# comes before Slurm itself looks at the jobs.
kind=select
printf 'sched:\n  interval: 1h\n  min_interval: 1h\n' > "$out/seldom.yaml"
cluster --sched leeway "${shape[@]}" --debug debug --leeway-yaml "$out/seldom.yaml"
shares
runs "--time=600 --nodelist=n2 --ntasks=8"
runs "--time=600 --gpus-per-node=1 --nodelist=n3"
runs "--gpus-per-node=1"
is "$kind: not where Slurm refuses it" "$(job_field "$job" NodeList)" n3
ok "$kind: what was offered first was right" in_log \
	"select: JobId=$job: 1 of 3 nodes first; .* stock first [1-9][0-9]+, stock all [0-9]{1,2}$"
cluster_gone

kind=planner
cluster --sched leeway "${shape[@]}" --leeway-yaml "$out/leeway.yaml" \
	--sched-params 'sched_interval=-1,defer'
shares
sh_on "scancel ${whole[*]}"
await 60 "$kind: the other GPUs of n1 come free" are_left 2
runs "--time=200 --gpus-per-node=4 --nodelist=n2"
runs "--time=1000 --gpus-per-node=4 --nodelist=n3"
await 40 "$kind: who ends last holds the GPU" snap_has "^run $later .*on=0:[^ ]*gpu:gpu=1"
unlike "$kind: the other does not" "$(snap | grep "^run $sooner ")" gpu
there=$(job "--gpus-per-node=4 --nodelist=n1 --time=30" 30000)
await 40 "$kind: a job that wants all GPUs of the node is planned" planned "$there"
ok "$kind: for when the last is gone" near "$(seconds_of "$there" StartTime)" \
	"$(seconds_of "$later" EndTime)" 120
any=$(job "--gpus-per-node=4 --time=30" 30000)
await 40 "$kind: one that wants four GPUs of any node is as well" planned "$any"
is "$kind: where they are free first" "$(job_field "$any" SchedNodeList)" n2
runs "--gpus-per-node=3 --time=10"
is "$kind: three GPUs of the node are free" "$(job_field "$job" NodeList)" n1
is "$kind: nothing was planned in vain" \
	"$(sh_on "grep -hE '^start ($there|$any) ' $dumps/cycle-*.plan")" ""
cluster_gone

# Of three nodes the last has no GPUs; the others have two each, of two shards a GPU.
kind=waiting
cluster --sched leeway --nodes 3 --gpuless 1 --gpus 2 --shards 4 --cpus 16 --mem 8000 \
	--clock 20 --leeway-yaml "$out/leeway.yaml" \
	--sched-params 'sched_interval=-1,defer'
runs "--time=300 --gres=shard:2 --nodelist=n1"
half=$job
runs "--time=300 --gres=shard:2 --nodelist=n1"
until_one=$job
runs "--time=600 --gpus-per-node=1 --nodelist=n2"
runs "--time=600 --gres=shard:2 --nodelist=n2"
until_two=$job
waiting=()
for _ in 1 2 3; do
	waiting+=("$(job "--time=30 --gres=shard:2" 30000)")
	await 40 "$kind: one that wants two shards is planned" planned "${waiting[-1]}"
	is "$kind: where shards are free first" "$(job_field "${waiting[-1]}" SchedNodeList)" n1
done
one=$(seconds_of "$until_one" EndTime)
for i in 0 1; do
	ok "$kind: two of them when they are free" near \
		"$(seconds_of "${waiting[i]}" StartTime)" "$one" 120
done
ok "$kind: the third when one of these is done" near \
	"$(seconds_of "${waiting[2]}" StartTime)" "$((one + 1800))" 180
both=$(job "--time=30 --gpus-per-node=2" 30000)
await 40 "$kind: one that wants both GPUs of a node is planned" planned "$both"
ok "$kind: when the shards of both are free" near "$(seconds_of "$both" StartTime)" \
	"$((one + 3600))" 300
is "$kind: nobody's start was planned in vain" "$(sh_on "grep -hE \
	'^start (${waiting[0]}|${waiting[1]}|${waiting[2]}|$both) ' $dumps/cycle-*.plan")" ""
unlike "$kind: nor refused" "$(log_of_controller)" 'would not start it'
sh_on "scancel $half"
starts "$kind: the first starts when half of the node is free" "${waiting[0]}"
is "$kind: there" "$(job_field "${waiting[0]}" NodeList)" n1
sh_on "scancel $until_two"
starts "$kind: the second as well" "${waiting[1]}"
is "$kind: on the other node" "$(job_field "${waiting[1]}" NodeList)" n2
unlike "$kind: and Slurm refused nothing" "$(log_of_controller)" 'would not start it'
finish
