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

# Features: and, or, counts, preference.
sh_on 'scontrol update NodeName=n1 AvailableFeatures=a ActiveFeatures=a
	scontrol update NodeName=n2 AvailableFeatures=b ActiveFeatures=b
	scontrol update NodeName=n3 AvailableFeatures=a,b ActiveFeatures=a,b' > /dev/null
both=$(job "--constraint='a&b'" 60)
starts "a job that wants two features" "$both"
is "has them" "$(job_field "$both" NodeList)" n3
either=$(job "--constraint='a|b' --nodes=2 --exclusive" 60)
starts "a job that wants one of two" "$either"
is "has one" "$(job_field "$either" NodeList)" 'n[1-2]'
clear_all
counts=$(job "--constraint='[a*1&b*1]' --nodes=2" 60)
starts "a job that wants one node of each" "$counts"
like "has them" "$(job_field "$counts" NodeList)" '^n\[(1-2|1,3|2-3)\]$'
clear_all
rather=$(job "--prefer=b --nodes=2 --exclusive" 60)
starts "a job that would rather have b" "$rather"
is "has it" "$(job_field "$rather" NodeList)" 'n[2-3]'
clear_all

# Oversubscribed nodes take as many jobs as they may.
one=$(job "--partition=share --ntasks=4" 300)
starts "a job on all CPUs of an oversubscribed node" "$one"
two=$(job "--partition=share --ntasks=4" 300)
starts "shares them with another" "$two"
is "on the same node" "$(job_field "$two" NodeList)" n4
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
