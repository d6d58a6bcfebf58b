#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nodes that the select plugin offers first are none that stock would leave for others
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "${out:?}"

# Two leaves of four nodes; nobody but Slurm's own placement knows of them: builtin tells nobody.
printf '%s\n' 'SwitchName=s1 Nodes=n[1-4]' 'SwitchName=s2 Nodes=n[5-8]' \
	'SwitchName=top Switches=s[1-2]' > "$out/topology.conf"
echo SchedulerType=sched/builtin > "$out/builtin.conf"
printf '%s\n' PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG \
	'PartitionName=forced Nodes=ALL OverSubscribe=FORCE:2 DefMemPerCPU=100' \
	'PartitionName=low Nodes=ALL OverSubscribe=FORCE:1 DefMemPerCPU=100' \
	'PartitionName=high Nodes=ALL OverSubscribe=FORCE:1 DefMemPerCPU=100 PriorityTier=9' \
	> "$out/extra.conf"
shape=(--gpus 4 --cpus 16 --mem 8000 --clock 20)

# where OPTIONS: the nodes of a job that starts when it is submitted
where() {
	# shellcheck disable=SC2016 # the job's own shell expands it
	as u1 "salloc --quiet --immediate=10 $1 sh -c 'echo \$SLURM_JOB_NODELIST' 2>&1"
}

left() { [ "$(sh_on 'squeue -h' | wc -l)" = "$1" ]; }

# The nodes for one feature are chosen before those for the next, which n3 alone has as well. By fit
# it would be among the first.
features() { # WHO
	local wish='--mem=100 --nodes=3 --constraint="[a*2&b*1]"'
	sh_on 'scontrol update NodeName=n[1-2] AvailableFeatures=a ActiveFeatures=a
		scontrol update NodeName=n3 AvailableFeatures=a,b ActiveFeatures=a,b' > /dev/null
	starts "$1: a part of n3 is taken" \
		"$(job '--nodelist=n3 --ntasks=4 --gpus-per-node=2 --time=100' 3000)"
	is "$1: a job gets so many nodes of each feature" "$(where "$wish")" 'n[1-3]'
	await 30 "$1: it goes" left 1
	is "$1: and so does one with GPUs" "$(where "$wish --gpus-per-node=1")" 'n[1-3]'
	clear_all
}

# n1 has as many idle CPUs as are wanted, but in halves of its two sockets.
idle_cores() { # WHO FIRST SECOND HOW [OPTIONS]: partitions, and who starts the second job
	local first socket="--mem=100 --ntasks=8 --cores-per-socket=8 ${5-}"
	first=$(job "--partition=$2 --nodelist=n1 --ntasks=8 --distribution=block:cyclic \
		--time=100" 3000)
	starts "$1: $2: a job has half of each socket of n1" "$first"
	is "$1: $3: one that wants a socket gets one that is idle" \
		"$("$4" "--partition=$3 $socket")" n2
	ok "$1: $3: the first one runs on" job_is "$first" RUNNING
	is "$1: $3: it was never suspended" "$(job_field "$first" SuspendTime)" None
	clear_all
}

# A topology that is not known is left to Slurm.
gangs() { # WHO
	starts "$1: n1 is taken" "$(job '--nodelist=n1 --gpus-per-node=4 --time=100' 3000)"
	is "$1: a gang is on one switch" \
		"$(where '--mem=100 --nodes=4 --gpus-per-node=4')" 'n[5-8]'
	clear_all
}

# where_planned OPTIONS: as where, of a job that starts by the plan, which goes by amounts, too
where_planned() {
	local id
	id=$(job "$1 --time=100" 3000)
	await 60 "job $id starts" job_is "$id" RUNNING > /dev/null
	job_field "$id" NodeList
}

for who in stock leeway; do
	cluster --sched "$who" --nodes 4 --islands 2 "${shape[@]}" --conf-extra "$out/extra.conf"
	features "$who"
	idle_cores "$who" forced forced where --gpus-per-node=1
	idle_cores "$who" low high where --gpus-per-node=1
	cluster_gone
	cluster --sched "$who" --nodes 8 "${shape[@]}" --topology "$out/topology.conf" \
		--conf-extra "$out/builtin.conf"
	gangs "$who"
	cluster_gone
done
cluster --sched leeway --nodes 4 --islands 2 "${shape[@]}" --conf-extra "$out/extra.conf" \
	--sched-params 'sched_interval=-1,defer'
idle_cores planned low high where_planned
finish
