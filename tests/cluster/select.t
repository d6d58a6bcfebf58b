#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the select plugin is the user's servant as stock's is, and outlives what users ask for
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "${out:?}"

# cycles COUNT: so many plans were dumped since
cycles() { [ "$(sh_on "ls $dumps/cycle-*.snap | wc -l")" -gt "$(($1 + dumped))" ]; }

# Types of GPUs that no node has: of a job that is held, and of one that is refused at once.
unknown_types() {
	local held
	dumped=$(sh_on "ls $dumps/cycle-*.snap | wc -l")
	held=$(as u1 'sbatch --parsable --hold --gres=gpu:nosuch:1 -o /dev/null --wrap=true')
	like "a job that asks for unknown GPUs is held" "$held" '^[0-9]+$'
	ok "another is refused" \
		as u1 '! sbatch --gres=gpu:neither:1 -o /dev/null --wrap=true 2> /dev/null'
	await 60 "slurmctld goes on" cycles 3
	ok "it lives" sh_on 'scontrol ping | grep -q UP'
	sh_on "scancel $held"
	dumped=$(sh_on "ls $dumps/cycle-*.snap | wc -l")
	await 60 "and when the job is gone" cycles 3
	starts "a job for GPUs that are there starts" "$(job '--gpus-per-node=1' 3000)"
	unlike "none is remembered by a type that is not there" \
		"$(sh_on "cat \$(ls -t $dumps/cycle-*.snap | head -n 1)")" 'nosuch|neither'
}

# Each line: how many nodes a request gets of four that are free.
counts='
4	--nodes=1-4 --ntasks=4 --gpus-per-node=1
4	--nodes=1-4 --ntasks=4
2	--nodes=1-4 --ntasks=2 --gpus-per-node=1
3	--nodes=1-3 --exclusive --gpus-per-node=1
4	--nodes=2-4 --gpus-per-node=4
4	--nodes=1-4 --ntasks=40 --gpus-per-node=1
1	--nodes=1-4 --use-min-nodes --gpus-per-node=1
2	--nodes=2-4 --use-min-nodes --gpus-per-node=4
1	--nodes=1-4 --gpus=2
2	--nodes=1-4 --gpus=8
1	--ntasks=4 --gpus-per-node=1
4	--ntasks=4 --gpus-per-node=1 --spread-job
4	--ntasks=4 --spread-job'
# and where lists of sizes are known, and tasks of each node are no limit to the nodes
lists='
4	--nodes=1-4 --ntasks-per-node=2 --gpus-per-node=1
2	--nodes=1,2 --gpus-per-node=1
4	--nodes=1,2,4 --ntasks=4 --gpus-per-node=1
4	--nodes=1,2,4 --ntasks=4 --gpus=4'
# 22.05 reckons with as many tasks as the fewest nodes have, and gives a task no second node
tasks='
2	--nodes=1-4 --ntasks-per-node=2 --gpus-per-node=1
4	--nodes=2-4 --ntasks-per-node=2 --gpus-per-node=1
2	--nodes=2-4 --ntasks-per-node=1 --gpus-per-node=4'

# at_once OPTIONS SCRIPT: what a job that starts when it is submitted says
at_once() { as u1 "salloc --quiet --immediate=10 --mem=100 $1 sh -c '$2' 2>&1"; }

node_counts() { # WHO TABLE
	local count options
	while IFS=$'\t' read -r count options; do
		[ -n "$count" ] || continue
		# shellcheck disable=SC2016 # the job's own shell expands it
		is "$1: $count nodes for $options" \
			"$(at_once "$options" 'echo $SLURM_JOB_NUM_NODES')" "$count"
		await 30 "$1: it goes" nobody_left
	done <<< "$2"
}

# where OPTIONS: the nodes of a job that starts when it is submitted
where() {
	# shellcheck disable=SC2016 # the job's own shell expands it
	at_once "$1" 'echo $SLURM_JOB_NODELIST'
}

# CPUs are shared when none are idle, not before: n1 fits best, n4 has no GPUs, and both are full.
shared_cpus() { # WHO
	local full="--partition=forced --ntasks=16 --time=1000"
	starts "$1: a job has all CPUs of n1" "$(job "$full --nodelist=n1 --gpus-per-node=3" 60000)"
	starts "$1: another all of n4" "$(job "$full --nodelist=n4" 60000)"
	like "$1: a job for a GPU gets idle CPUs" \
		"$(where "--partition=forced --gpus-per-node=1")" '^n[23]$'
	like "$1: and so does one without GPUs" "$(where "--partition=forced")" '^n[23]$'
	clear_all
}

left() { [ "$(sh_on 'squeue -h' | wc -l)" = "$1" ]; }

# All GPUs of n2 and n4 are taken, CPUs of n1 as well: stock finds all three alike.
takes_gpus() {
	starts "a job has four CPUs of n1" "$(job '--nodelist=n1 --ntasks=4 --time=1000' 60000)"
	starts "another all GPUs of n2" \
		"$(job '--nodelist=n2 --cpus-per-task=4 --gpus-per-node=4 --time=1000' 60000)"
	starts "and one those of n4" \
		"$(job '--nodelist=n4 --cpus-per-task=4 --gpus-per-node=4 --time=1000' 60000)"
}

# Where all nodes have GPUs, a job that wants none goes where it strands the fewest.
strands_none() {
	takes_gpus
	is "a job without GPUs goes where all are taken" \
		"$(where '--nodes=1 --ntasks=12 --exclude=n4')" n2
	await 30 "it goes" left 3
	is "one that does not say how many nodes as well" "$(where '--ntasks=11 --exclude=n2')" n4
	await 30 "it goes, too" left 3
	# from 25.05 on the topology of a partition is not known, which several nodes are left to
	if [[ $(release) =~ ^(22|24) ]]; then
		is "and one of two nodes" "$(where '--nodes=2 --ntasks-per-node=12')" 'n[2,4]'
		await 30 "that goes as well" left 3
	fi
	is "one goes to the node it names" "$(where '--nodelist=n1 --ntasks=2')" n1
	await 30 "and is gone" left 3
	is "a whole node is one of which nobody has anything" "$(where '--exclusive')" n3
	clear_all
}

# A site that has jobs of one CPU at the end of the nodes keeps them there.
packs_serial() {
	starts "all GPUs of n1 are taken" \
		"$(job '--nodelist=n1 --gpus-per-node=4 --time=1000' 60000)"
	is "a job of one CPU goes where the site has it" "$(where --ntasks=1)" n4
	await 30 "it goes" left 1
	is "one of two to the GPUs that are taken" "$(where --ntasks=2)" n1
}

down() { [ "$(sh_on "sinfo -h -N -p main -o %t" | grep -c '~$')" = "$1" ]; }

# Nodes that have to boot come last, whatever they weigh.
powered_down() { # WHO
	local job
	sh_on 'scontrol update nodename=n[3-4] weight=50
		scontrol update nodename=n[1-2] state=power_down'
	await 60 "$1: two nodes are powered down" down 2
	for job in --gpus-per-node=1 --gpus-per-node=4 "--nodes=1"; do
		job=$(job "$job" 3000)
		starts "$1: a job starts" "$job"
		like "$1: on nodes that are up" "$(job_field "$job" NodeList)" '^n[34]$'
		sh_on "scancel $job"
		await 30 "$1: it goes" all_done
	done
	ok "$1: none had to boot" down 2
}

two_kinds() { # WHO OPTIONS...
	cluster --sched "$1" "${shape[@]}" --gpuless 1 --conf-extra "$out/extra.conf" "${@:2}"
}

dumps=/var/lib/slurm/state
shape=(--nodes 4 --gpus 4 --cpus 16 --mem 8000 --clock 20)
printf 'sched:\n  dump_dir: %s\n  dump_keep: 1000\n' "$dumps" > "${out:?}/leeway.yaml"
printf '%s\n' 'PartitionName=forced Nodes=ALL OverSubscribe=FORCE:2 DefMemPerCPU=100' \
	SuspendProgram=/bin/true ResumeProgram=/bin/true SuspendTime=1000000 SuspendTimeout=5 \
	ResumeTimeout=36000 > "$out/extra.conf"

for who in stock leeway; do
	cluster --sched "$who" "${shape[@]}" --leeway-yaml "$out/leeway.yaml"
	node_counts "$who" "$counts"
	if [ "$(release)" = 22.05 ]; then
		node_counts "$who" "$tasks"
	else
		node_counts "$who" "$lists"
	fi
	if [ "$who" = leeway ]; then
		starts "a job starts" "$(job '--gpus-per-node=1 --time=600' 60000)"
		unknown_types
		clear_all # what follows counts jobs
	fi
	[ "$who" = stock ] || strands_none
	cluster_gone
	two_kinds "$who"
	shared_cpus "$who"
	powered_down "$who"
	cluster_gone
done
# the planner as well
two_kinds leeway --sched-params 'sched_interval=-1,defer'
powered_down planner
cluster_gone
cluster --sched leeway "${shape[@]}" --sched-params pack_serial_at_end
packs_serial
finish
