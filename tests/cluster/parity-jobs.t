#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what single jobs ask for, with Leeway alone starting jobs (doc/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
cat > "$extra" <<'END'
PartitionName=high Nodes=n[1-2] PriorityTier=9 DefMemPerCPU=100
PartitionName=share Nodes=n4 OverSubscribe=FORCE:2 DefMemPerCPU=100
END
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 1 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

# lands OPTIONS WHAT NODES: a job starts, on nodes that match
lands() {
	local id
	id=$(job "$1" 300)
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
lands "--prefer=b --nodes=2 --exclusive" "a job that would rather have b" 'n\[2-3\]'
clear_all

# Oversubscribed nodes take as many jobs as they may.
lands "--partition=share --ntasks=4" "a job on all CPUs of an oversubscribed node" n4
lands "--partition=share --ntasks=4" "another beside it" n4
clear_all

# Times and order.
begin=$(job "--begin=now+60" 200)
is "a job with a begin time waits for it" "$(job_field "$begin" Reason)" BeginTime
starts "and starts then" "$begin"
after=$(job "--dependency=afterok:$begin" 30)
waits_for "a dependent job waits" "$after" Dependency
dead=$(job "--deadline=now+20minutes --time=10" 300)
starts "a job that meets its deadline" "$dead"
min=$(job "--time-min=1 --time=10" 300)
starts "a job with a least limit starts" "$min"
is "and keeps its limit" "$(job_field "$min" TimeLimit)" 00:10:00
await 40 "the dependent job runs when the other is done" sacct_is "$after" COMPLETED
clear_all
array=$(job "--array=1-4%2 --ntasks=1" 300)
tasks_are() { [ "$(sh_on "squeue -h -r -t R -j $array" | wc -l)" = "$1" ]; }
await 40 "of an array with a limit of two, two tasks run" tasks_are 2
await 20 "and no more" tasks_are 2
clear_all
filler=$(job "--partition=share --exclusive" 300)
starts "a partition is full" "$filler"
multi=$(job "--partition=share,high --exclusive" 60)
starts "a job for it or another starts" "$multi"
is "in the other" "$(job_field "$multi" Partition)" high
clear_all

# Planned nodes say so.
filler=$(job "--nodes=2 --nodelist=n[1-2] --exclusive" 300)
starts "half of the nodes are taken" "$filler"
whole=$(job "--nodes=4 --exclusive --time=20" 30)
await 30 "the job for all is planned" planned "$whole"
await 20 "the others are shown as planned" sh_on 'sinfo -h -N -p main -n n3 -o %t | grep -q plnd'
finish
