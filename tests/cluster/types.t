#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: more types of GPUs than the planner tells apart: the others have GPUs all the same
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

dumps=/var/lib/slurm/state
types=18 # two more than it has places for
last=$((types + 1)) # the node without GPUs

snap() { sh_on "cat \$(ls -t $dumps/cycle-*.snap | head -n 1)"; }
snap_has() { snap | grep -E -- "$1" > /dev/null; }

# lands WHO WHAT NODE OPTIONS: a job starts, there
lands() {
	local job
	job=$(job "--time=60 $4" 3000)
	starts "$1: $2 starts" "$job"
	like "$1: there" "$(job_field "$job" NodeList)" "^$3\$"
}

run_jobs() { # WHO
	lands "$1" "a job without GPUs" "n$last" ""
	lands "$1" "another" "n$last" "--ntasks=2"
	lands "$1" "a job for one of the first types" n3 "--gpus-per-node=g3:1"
	lands "$1" "a job for one of the others" n17 "--gpus-per-node=g17:2"
	lands "$1" "a job for another of these" n16 "--gpus-per-node=g16:1"
	lands "$1" "a job for the last of them" n18 "--gpus-per-node=g18:1"
	clear_all
}

mkdir -p "${out:?}"
printf 'sched:\n  dump_dir: %s\n' "$dumps" > "$out/leeway.yaml"
many=(--nodes "$last" --gpus 2 --cpus 16 --mem 8000 --clock 20
	--gpu-types "$(seq -s , -f g%g "$types"),none" --leeway-yaml "$out/leeway.yaml")
cluster --sched leeway "${many[@]}"
await 30 "a plan was made" snap_has '^node'
ok "the last of the types that are told apart is" snap_has '^gpu-type 14 g15$'
ok "the others are one" snap_has '^gpu-type 15 other-types$'
# a plan may be made before all nodes have come
await 30 "their nodes have GPUs" snap_has '^node 15-17 n\[16-18\] .*gpu:other-types=2'
run_jobs select
cluster_gone
cluster --sched leeway "${many[@]}" --sched-params 'sched_interval=-1,defer'
run_jobs planner
cluster_gone

# Two nodes of each type, of which a partition gives memory by the GPU.
conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PartitionName=by_gpu Nodes=ALL DefMemPerGPU=1000 DefCpuPerGPU=2
PartitionName=left Nodes=n1,n3
PartitionName=right Nodes=n2,n4
END
cluster --sched leeway --nodes 4 --gpus 4 --gpu-types a100,h100 --cpus 16 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"
wide=$(job "--nodes=3 --gpus-per-node=1 --time=60" 3000)
total=$(job "--gpus=12 --time=60" 3000)
await 90 "GPUs of any type may be of two types" job_is "$wide" RUNNING
await 90 "so may so many in all" job_is "$total" RUNNING
sh_on "scancel $total"
starts "a part of n1 is taken" "$(job "--nodelist=n1 --ntasks=2 --time=600" 60000)"
held=$(as u1 'sbatch --parsable --hold -p by_gpu --nodes=4 --gpus-per-node=1 --time=60 \
	-o /dev/null --wrap="sleep 3000"')
one=$(as u1 'sbatch --parsable --hold -p by_gpu --gpus-per-node=1 --time=60 -w n1 -o /dev/null \
	--wrap="sleep 3000"')
ok "slurmctld starts anew" sh_on 'scontrol reconfigure'
change_job "scontrol release $one"
await 60 "memory by the GPU is no whole node" job_is "$one" RUNNING
change_job "scontrol release $held"
await 90 "nor is that of several nodes" job_is "$held" RUNNING
clear_all

# Who waits for GPUs of two types is not passed by who wants one of them for longer.
first=$(job "--nodelist=n1 --gpus-per-node=4 --time=600" 60000)
second=$(job "--nodelist=n3 --gpus-per-node=4 --time=900" 60000)
starts "the GPUs of one type are taken" "$first"
starts "and of another" "$second"
both=$(job "--nodelist=n1,n3 --nodes=2 --gpus-per-node=4 --time=60" 3000)
await 90 "one that wants both is planned" planned "$both"
passing=$(job "--nodelist=n1 --gpus-per-node=1 --time=6000" 60000)
sh_on "scancel $first"
await 60 "another cycle looked at who comes later" planned "$passing"
sh_on "scancel $second"
await 60 "who wants both starts when both are free" job_is "$both" RUNNING
ok "who came later waits" job_is "$passing" PENDING
clear_all

# Of many that Slurm must be asked about one may start, behind others that may not for long.
taken=$(job "--partition=left --nodes=2 --exclusive --time=6000" 300000)
starts "two nodes are taken for long" "$taken"
for _ in 1 2 3 4 5 6 7 8 9; do
	last=$(job "--partition=left --gpus=6 --time=60" 500)
done
await 120 "who wants GPUs of both types waits for them" planned "$last"
starts "who wants some of others does not" "$(job "--partition=right --gpus=6 --time=60" 500)"
clear_all

# What Slurm's tests of it leave in a job's record is not what it asked for. While others have some
# GPUs of both nodes of a type Slurm finds none for it, under stock as well.
sh_on 'sacctmgr -i add qos narrow set GrpTRES=gres/gpu=4
	sacctmgr -i modify user u1 set qos+=narrow' > /dev/null
await 60 "a QOS is known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=narrow'
takers=()
for node in n1 n2; do
	takers+=("$(job "--nodelist=$node --gpus-per-node=3 --time=600" 60000)")
	starts "most GPUs of $node are taken" "${takers[-1]}"
done
each=$(job "--gpus=3 --nodes=2 --constraint='[a100*1&h100*1]' --qos=narrow" 500)
await 60 "one that wants a node of each type is tried" in_log "job $each: Slurm would not start it"
sh_on "scancel ${takers[*]}"
starts "with these gone it starts, within its limit" "$each"
clear_all

# Where those that are refused keep some room Slurm is asked about them all the same.
ok "those that a limit stops stop others" sh_on '
	sed -i "/^SchedulerParameters=/s/\$/,assoc_limit_stop/" /etc/slurm/slurm.conf &&
	grep -q ",assoc_limit_stop$" /etc/slurm/slurm.conf && scontrol reconfigure'
wide=$(job "--nodes=3 --gpus-per-node=1 --time=60" 3000)
await 90 "GPUs of any type may be of two types then, too" job_is "$wide" RUNNING
clear_all

# As with stock, planning can be switched off.
ok "planning is switched off" sh_on '
	sed -i "/^SchedulerParameters=/s/\$/,bf_interval=-1/" /etc/slurm/slurm.conf &&
	scontrol reconfigure'
said() { log_of_controller | grep -q "nothing is planned until"; }
await 60 "slurmctld says so" said
left=$(job "--ntasks=1" 3000)
is_old() { [ "$(($(sh_on 'date +%s') - $(seconds_of "$1" SubmitTime)))" -gt 120 ]; }
await 60 "two minutes pass" is_old "$left"
ok "a job waits" job_is "$left" PENDING
ok "planning is switched on" sh_on \
	'sed -i "s/,bf_interval=-1//" /etc/slurm/slurm.conf && scontrol reconfigure'
await 60 "the job starts" job_is "$left" RUNNING
finish
