#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what single jobs ask for, with Leeway alone starting jobs (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
cat > "$extra" <<'END'
PartitionName=high Nodes=n[1-2] PriorityTier=9 DefMemPerCPU=100
PartitionName=share Nodes=n4 OverSubscribe=FORCE:2 DefMemPerCPU=100
PartitionName=brief Nodes=n[1-4] MaxTime=30
PartitionName=briefer Nodes=n[1-4] MaxTime=30 DefaultTime=5
AllowSpecResourcesUsage=yes
NodeName=kept CPUs=4 CoreSpecCount=2 RealMemory=8000 Gres=gpu:0 State=DRAIN \
	NodeAddr=127.0.0.1 NodeHostname=ctl Port=16999
END
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 1 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

# lands OPTIONS WHAT NODES: a job starts, on nodes that match
lands() {
	local id
	id=$(job "--time=60 $1" 3000)
	starts "$2 starts" "$id"
	like "$2: on the right nodes" "$(job_field "$id" NodeList)" "^$3\$"
}

# Features: and, or, counts, preference.
sh_on 'scontrol update NodeName=n1 AvailableFeatures=a ActiveFeatures=a
	scontrol update NodeName=n2 AvailableFeatures=b ActiveFeatures=b
	scontrol update NodeName=n3 AvailableFeatures=a,b ActiveFeatures=a,b' > /dev/null
lands "--constraint='a&b'" "a job that wants two features" n3
lands "--constraint='a|b' --nodes=2 --exclusive" "a job that wants one of two" 'n\[1-2\]'
clear_all
lands "--constraint='[a*1&b*1]' --nodes=2" "a job that wants one node of each" \
	'n\[(1-2|1,3|2-3)\]'
clear_all
sh_on 'scontrol update NodeName=n2 AvailableFeatures=a ActiveFeatures=a' > /dev/null
lands "--constraint='[a*1&b*1]' --nodes=2" "the same, where the first two are alike" \
	'n\[([12],3)\]'
clear_all
sh_on 'scontrol update NodeName=n3,n4 AvailableFeatures=b ActiveFeatures=b' > /dev/null
het=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=5 --nodes=2 \
	--constraint='[a*1&b*1]' : --mem=100 --time=5 --nodes=1 --wrap='sleep 290'")
starts "a het job of which a part wants one node of each" "$het"
clear_all
sh_on 'scontrol update NodeName=n2 AvailableFeatures=b ActiveFeatures=b
	scontrol update NodeName=n3 AvailableFeatures=a,b ActiveFeatures=a,b
	scontrol update NodeName=n4 AvailableFeatures= ActiveFeatures=' > /dev/null
lands "--prefer=b --nodes=2 --exclusive" "a job that would rather have b" 'n\[2-3\]'
clear_all

# Of a range of nodes a job gets as many as are free.
range=$(job "--nodes=1-3 --exclusive" 300)
starts "a job that wants one to three nodes starts" "$range"
is "on three" "$(job_field "$range" NumNodes)" 3
clear_all

# Oversubscribed nodes take as many jobs as they may.
lands "--partition=share --ntasks=4" "a job on all CPUs of an oversubscribed node" n4
lands "--partition=share --ntasks=4" "another beside it" n4
clear_all

# Times and order.
begin=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=60 --begin=now+300 \
	--wrap='until [ -e /tmp/go ]; do sleep 5; done'")
is "a job with a begin time waits for it" "$(job_field "$begin" Reason)" BeginTime
starts "and starts then" "$begin"
after=$(job "--dependency=afterok:$begin" 30)
waits_for "a dependent job waits" "$after" Dependency
dead=$(job "--deadline=now+200minutes --time=10" 300)
starts "a job that meets its deadline" "$dead"
min=$(job "--time-min=1 --time=10" 300)
starts "a job with a least limit starts" "$min"
is "and keeps its limit" "$(job_field "$min" TimeLimit)" 00:10:00
min=$(job "--partition=brief --time-min=10 --time=60" 300)
starts "one whose least limit alone its partition takes starts" "$min"
is "with the limit of the partition" "$(job_field "$min" TimeLimit)" 00:30:00
min=$(job "--partition=briefer --time-min=10 --time=60" 300)
# Slurm 22.05 gives no reason here.
[ "$(release)" = 22.05 ] ||
	waits_for "one that its partition would give less time than it can do with waits" \
		"$min" PartitionTimeLimit
ok "the one it depends on may end" sh_on 'touch /tmp/go'
await 40 "the dependent job runs when the other is done" sacct_is "$after" COMPLETED
is "the one that cannot do with its time has not started" "$(job_state "$min")" PENDING
clear_all
full=$(job "--nodes=4 --exclusive --time=600" 60000)
starts "a job on all nodes" "$full"
dead=$(job "--deadline=now+5minutes --time=1" 300)
await 90 "a job that can no longer meet its deadline is ended" sacct_is "$dead" DEADLINE
clear_all
array=$(job "--array=1-4%2 --ntasks=1 --time=60" 3000)
tasks_are() { [ "$(sh_on "squeue -h -r -t R -j $array" | wc -l)" = "$1" ]; }
await 40 "of an array with a limit of two, two tasks run" tasks_are 2
await 20 "and no more" tasks_are 2
clear_all
filler=$(job "--partition=share --exclusive --time=60" 3000)
starts "a partition is full" "$filler"
multi=$(job "--partition=share,high --exclusive" 60)
starts "a job for it or another starts" "$multi"
is "in the other" "$(job_field "$multi" Partition)" high
clear_all

# Cores that a node keeps for itself, and a job that may have them all the same.
sh_on 'mkdir -p /var/spool/slurmd/kept && setsid slurmd -N kept' > /dev/null 2>&1
await 60 "a node that keeps two of four cores is there" sh_on \
	'scontrol update nodename=kept state=resume; sinfo -h -n kept -o %t | grep -q ^idle$'
spec=$(job "--nodelist=kept --nodes=1 --core-spec=0 --ntasks=4" 300)
starts "a job that may have all of them starts" "$spec"
clear_all
# down alone, it would be back when it registers
sh_on 'scontrol update nodename=kept state=drain reason=done'

# Planned nodes say so.
filler=$(job "--nodes=2 --nodelist=n[1-2] --exclusive --time=60" 3000)
starts "half of the nodes are taken" "$filler"
whole=$(job "--nodes=4 --exclusive --time=20" 30)
await 30 "the job for all is planned" planned "$whole"
await 20 "the others are shown as planned" sh_on 'sinfo -h -N -p main -n n3 -o %t | grep -q plnd'
clear_all

# Burst buffers: a script that does nothing but tell when it is asked for what.
sh_on 'cat > /etc/slurm/burst_buffer.lua << "END"
function note(what, job) io.open("/tmp/bb." .. what .. "." .. job, "w"):close() end
function slurm_bb_job_process() return slurm.SUCCESS end
function slurm_bb_pools() return slurm.SUCCESS end
function slurm_bb_job_teardown() return slurm.SUCCESS end
function slurm_bb_setup(job) note("setup", job) return slurm.SUCCESS end
function slurm_bb_data_in(job)
	note("in", job)
	while io.open("/tmp/bb.slow") do os.execute("sleep 1") end
	return slurm.SUCCESS
end
function slurm_bb_test_data_in() return slurm.SUCCESS, "" end
function slurm_bb_real_size() return slurm.SUCCESS, "0" end
function slurm_bb_paths() return slurm.SUCCESS end
function slurm_bb_pre_run(job) note("run", job) return slurm.SUCCESS end
function slurm_bb_post_run() return slurm.SUCCESS end
function slurm_bb_data_out() return slurm.SUCCESS end
function slurm_bb_test_data_out() return slurm.SUCCESS, "" end
function slurm_bb_get_status() return slurm.SUCCESS, "" end
END
	touch /etc/slurm/burst_buffer.conf
	echo BurstBufferType=burst_buffer/lua >> /etc/slurm/slurm.conf'
ok "slurmctld ends" kill_controller
ok "and starts again with burst buffers" start_controller
filler=$(job "--nodes=4 --exclusive --time=600" 60000)
starts "a job takes all nodes" "$filler"
staged=$(as u1 "printf '#!/bin/sh\\n#BB_LUA stage\\nsleep 60\\n' > staged.sh
	sbatch --parsable --output=/dev/null --mem=100 --time=10 staged.sh")
await 60 "the data of a planned job is brought in" sh_on "[ -e /tmp/bb.in.$staged ]"
is "while it waits" "$(job_state "$staged")" PENDING
waits_for "as the user sees" "$staged" '^planned_'
sh_on "scancel $filler"
starts "it starts when there is room" "$staged"
ok "and is told where its data is" sh_on "[ -e /tmp/bb.run.$staged ]"
clear_all
ok "data is slow" sh_on 'touch /tmp/bb.slow'
staged=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=10 --exclusive staged.sh")
await 60 "a job could start, and its data is under way" sh_on "[ -e /tmp/bb.in.$staged ]"
waits_for "as the user sees" "$staged" BurstBufferStageIn
range=$(job "--nodes=1-4 --exclusive" 300)
starts "a job that would take all nodes starts" "$range"
is "and leaves it one" "$(job_field "$range" NumNodes)" 3
ok "the data is there" sh_on 'rm /tmp/bb.slow'
starts "it starts" "$staged"
clear_all
ok "data is slow again" sh_on 'touch /tmp/bb.slow'
het=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=10 --exclusive : \
	--mem=100 --time=10 --exclusive staged.sh")
await 60 "a het job could start, and its data is under way" sh_on "[ -e /tmp/bb.in.$het ]"
waits_for "as the user sees" "$het" BurstBufferStageIn
range=$(job "--nodes=1-4 --exclusive" 300)
starts "a job that would take all nodes starts" "$range"
is "and leaves a node to each part" "$(job_field "$range" NumNodes)" 2
ok "the data is there" sh_on 'rm /tmp/bb.slow'
starts "the het job starts" "$het"
finish
