#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what jobs want of nodes whose cores are several CPUs, stock beside the planner
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# Nodes of eight cores, two CPUs each. Each line starts under stock: a core of which a job uses one
# thread counts as one CPU for memory, and a task that has cores of its own uses both.
jobs='
--ntasks=8 --threads-per-core=1 --mem-per-cpu=900
--ntasks=8 --hint=nomultithread --mem-per-cpu=900
--ntasks=2 --cpus-per-task=4 --threads-per-core=1 --mem-per-cpu=900
--ntasks=16 --mem-per-cpu=450
--ntasks=3 --ntasks-per-core=1 --mem-per-cpu=900
--ntasks=8 --ntasks-per-core=1 --cpus-per-task=2 --mem=100
--ntasks=4 --ntasks-per-core=1 --cpus-per-task=3 --mem=100
--ntasks=16 --ntasks-per-core=2 --mem=100'

run_jobs() { # WHO
	local options job
	while read -r options; do
		[ -n "$options" ] || continue
		job=$(submit u1 "--nodes=1 --time=10 $options" 3000)
		starts "$1: a job of $options starts" "$job"
		clear_all
	done <<< "$jobs"
}

shape=(--nodes 2 --gpus 2 --cpus 16 --threads 2 --mem 8000 --clock 20)
cluster --sched stock "${shape[@]}"
run_jobs stock
cluster_gone
# Neither the main loop nor a submission starts anything.
cluster --sched leeway "${shape[@]}" --sched-params 'sched_interval=-1,defer'
run_jobs leeway
finish
