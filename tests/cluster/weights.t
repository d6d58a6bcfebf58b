#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: node weights and least-loaded placement: jobs land as the site has it, as under stock
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# n1 and n2 are heavy, n3 and n4 light. One GPU of n1 is left, so that a job of one GPU would
# fit best there; two of n4 are left. Each line: a job, and where it lands.
jobs='
one     n4      --gpus-per-node=1
whole   n3      --gpus-per-node=4
heavy   n2      --gpus-per-node=4
last    n4      --gpus-per-node=1
broken  n1      --gpus-per-node=1
plain   n[3-4]  --nodes=2
four    n[1-4]  --nodes=4'

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
echo 'PartitionName=spread Nodes=n[1-4] LLN=YES DefMemPerCPU=100' > "$extra"

# Without LLN the second job fills up the node of the first.
run_spread() { # WHO
	local k four=()
	sh_on "scontrol update NodeName=n[1-4] Weight=1"
	for k in 1 2 3 4; do
		four+=("$(job "--partition=spread --ntasks=2 --time=1000" 60000)")
	done
	for k in "${four[@]}"; do
		starts "$1: a job of a least-loaded partition starts" "$k"
	done
	is "$1: each on a node of its own" \
		"$(sh_on 'squeue -h -t R -o %N' | sort -u | wc -l)" 4
}

run_jobs() { # WHO
	local what nodes options job
	sh_on 'scontrol update NodeName=n1 Weight=50
		scontrol update NodeName=n2 Weight=60
		scontrol update NodeName=n3 Weight=20
		scontrol update NodeName=n4 Weight=10' > /dev/null
	job=$(job "--nodelist=n1 --gpus-per-node=3 --time=1000" 60000)
	starts "$1: a job has three of the GPUs of n1" "$job"
	job=$(job "--nodelist=n4 --gpus-per-node=2 --time=1000" 60000)
	starts "$1: another two of n4" "$job"
	while read -r what nodes options; do
		[ -n "$what" ] || continue
		job=$(job "$options --time=1000" 60000)
		starts "$1: the job $what starts" "$job"
		is "$1: on $nodes" "$(job_field "$job" NodeList)" "$nodes"
	done <<< "$jobs"
}

# Of four nodes the last two have no GPUs. Each line: the four weights, what a job without GPUs
# wants, and where it lands: weights come before that.
gpuless='
10 10 50 50  n1  --ntasks=1
10 50 10 50  n3  --ntasks=1
10 10 10 50  n3  --ntasks=1
50 50 20 10  n4  --ntasks=1
10 50 50 20  n[1,4]  --nodes=2
20 10 10 50  n[2-3]  --nodes=2'

run_gpuless() { # WHO
	local weights nodes options job
	while read -r -a weights; do
		[ "${#weights[@]}" -gt 0 ] || continue
		nodes=${weights[4]}
		options=${weights[5]}
		sh_on "for i in 0 1 2 3; do w=(${weights[*]:0:4})
			scontrol update NodeName=n\$((i + 1)) Weight=\${w[i]}; done" > /dev/null
		job=$(job "$options --mem=1000 --time=1000" 60000)
		starts "$1: by weights ${weights[*]:0:4} a job of $options starts" "$job"
		is "$1: on $nodes" "$(job_field "$job" NodeList)" "$nodes"
		sh_on "scancel $job"
		await 60 "$1: and is gone" nobody_left
	done <<< "$gpuless"
}

cluster --sched stock --nodes 4 --gpus 4 --cpus 16 --mem 8000 --clock 20 --conf-extra "$extra"
run_jobs stock
clear_all
run_spread stock
cluster_gone
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 4 --cpus 16 --mem 8000 --clock 20 --conf-extra "$extra" \
	--sched-params 'sched_interval=-1,defer'
run_jobs leeway
clear_all
run_spread leeway
cluster_gone
# first slurmctld starts them, then the plan
cluster --sched leeway --nodes 4 --gpuless 2 --gpus 4 --cpus 16 --mem 8000 --clock 20
run_gpuless select
cluster_gone
cluster --sched leeway --nodes 4 --gpuless 2 --gpus 4 --cpus 16 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer'
run_gpuless planner
finish
