#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what jobs are planned on is what Slurm takes for them: none of these is refused, with
# Leeway alone starting jobs (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
need_release '2[4-9].*' "nodes change at a restart only"

conf_extra << 'END'
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:2
PartitionName=unlike Nodes=n[2-4] OverSubscribe=FORCE:2
END
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 4 --cpus 4 --mem 8000 --lesser 1 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"
ok "a node has half of the memory, and as many CPUs" sh_on \
	'sed -i "s/CPUs=2 /CPUs=4 /" /etc/slurm/slurm.conf && scontrol reconfigure'
await 60 "the nodes are there" nobody_left

# fill NODES MINUTES OPTIONS: a job there
fill() {
	filler=$(job "--nodelist=$1 --time=$2 $3" 60000)
	starts "a job on $1 starts" "$filler"
}
# planned_after WHAT OPTIONS NODES: a job of OPTIONS is planned there for when the last filler ends
planned_after() {
	local waits
	waits=$(submit u1 "--time=20 $2" 3000)
	await 90 "$1 is planned" planned "$waits"
	like "$1: there" "$(job_field "$waits" SchedNodeList)" "^$3\$"
	ok "$1: for when it can start" near "$(seconds_of "$waits" StartTime)" \
		"$(seconds_of "$filler" EndTime)" 60
	is "$1 is not refused" "$(log_of_controller | grep -c "job $waits: Slurm would not")" 0
	sh_on "scancel $waits"
}

# Whole nodes, of which each has the CPUs, or the GPUs, of one task and not quite of another.
fill n4 300 --exclusive
for each in --cpus-per-task=3 --gpus-per-task=3; do
	planned_after "a job of four tasks with $each on whole nodes" \
		"--mem=100 --ntasks=4 $each --exclusive" 'n\[1-4\]'
done
planned_after "a job of four GPUs with three CPUs each" \
	"--mem=100 --gpus=4 --cpus-per-gpu=3" 'n\[1-4\]'
sh_on "scancel $filler"

# CPUs that follow GPUs, of which the nodes give as many as the job asks of each.
fill n1 600 --ntasks=3
fill n2 600 --ntasks=3
fill n4 300 --exclusive
planned_after "a job of one CPU for the GPU of each node" \
	"--mem=100 --ntasks=4 --gpus-per-node=1 --cpus-per-gpu=1" 'n\[1-4\]'
planned_after "a job of two tasks for the GPU of each node" \
	"--mem=100 --nodes=2 --gpus-per-node=1 --ntasks-per-gpu=2" 'n\[3-4\]'
clear_all

# A whole node's memory must do for all of its CPUs, or GPUs.
fill 'n[1-3]' 300 --exclusive
planned_after "a job with memory for each CPU of a whole node" \
	"--mem-per-cpu=1500 --exclusive" 'n[1-3]'
planned_after "a job with memory for each GPU of a whole node" \
	"--mem-per-gpu=1500 --gpus=1 --exclusive" 'n[1-3]'
clear_all

# Room for as many tasks on each node as some get, but no more nodes than all need.
fill 'n[1-4]' 300 --exclusive
planned_after "a job of six tasks, at most four on a node" \
	"--mem=100 --ntasks=6 --ntasks-per-node=4" 'n\[1-2\]'
planned_after "a job of two tasks on nodes of three CPUs" \
	"--mem=100 --ntasks=2 --mincpus=3" n1
planned_after "a job of one task, with two CPUs for its GPU" \
	"--mem=100 --ntasks=1 --gpus-per-node=1 --cpus-per-gpu=2" n1
planned_after "a job that shares its CPUs" \
	"--mem=100 --partition=shared --gpus-per-node=1" 'n[1-4]'
planned_after "a job of six tasks that shares its CPUs" \
	"--mem=100 --partition=shared --ntasks=6" 'n\[1-2\]'
clear_all

# GPUs of two types at once: all nodes but one lack some of the second.
ok "nodes have GPUs of two types" sh_on 'cd /etc/slurm &&
	sed -i "s/gpu:4/gpu:a:2,gpu:b:2/" slurm.conf &&
	sed -i "s|Name=gpu.*|Name=gpu Type=a File=/dev/nvidia[0-1]\nNodeName=n[1-4] Name=gpu \
Type=b File=/dev/nvidia[2-3]|" gres.conf && scontrol reconfigure'
await 60 "the nodes are there again" nobody_left
for node in n1 n2 n3; do
	fill "$node" 600 --gres=gpu:b:1
done
fill n4 300 --exclusive
planned_after "a job of two types of GPU" "--mem=100 --gres=gpu:a:1,gpu:b:2" n4
clear_all

# Who shares its CPUs is planned on no more nodes than the largest ones would be.
ok "a node has more CPUs" sh_on 'cd /etc/slurm &&
	sed -i "/^NodeName=n\[4-4\]/s/CPUs=4 /CPUs=12 /" slurm.conf && scontrol reconfigure'
await 60 "the nodes are there once more" nobody_left
starts "a job for which one of the unlike nodes is enough" \
	"$(job "--mem=100 --partition=unlike --ntasks=10" 500)"
clear_all
two=$(job "--mem=100 --partition=unlike --ntasks=6 --exclude=n4" 500)
starts "a job that must do without the largest" "$two"
is "it was planned on two from the first" \
	"$(log_of_controller | grep -c "job $two: Slurm would not")" 0
clear_all
finish
