#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: under Slurm's default settings no start of Slurm's own breaks what Leeway has promised
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# As it is installed: Slurm's main loop and submissions start jobs, too.
conf_extra <<'END'
Licenses=tool:2
PartitionName=capped Nodes=n1 MaxTime=INFINITE State=UP MaxCPUsPerNode=2
PartitionName=low Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=9
PartitionName=mine Nodes=ALL MaxTime=INFINITE State=UP
END
echo 'sched.patience: 0.5' > "${TMPDIR:-/tmp}/gate-$$.yaml"
cluster --sched leeway --nodes 4 --gpus 4 --clock 20 --conf-extra "$extra" \
	--leeway-yaml "${TMPDIR:-/tmp}/gate-$$.yaml"
rm -f "${TMPDIR:-/tmp}/gate-$$.yaml"

# a node of the cluster has this many CPUs
whole="--exclusive --mem=100"
clear_all() {
	sh_on 'squeue -h -o %A | sort -u | xargs -r scancel'
	await 60 "${1:-it} is over" all_done
}
none_broken() { ! in_log 'promise broken: started'; }
# fill MINUTES SECONDS: a job on all nodes that runs nearly to its limit
fill() {
	filling=$(submit u1 "$whole --nodes=4 --time=$1" "$2")
	starts "a job has all nodes" "$filling"
}
began_by() { # JOB LATEST
	local at
	at=$(seconds_of "$1" StartTime)
	[ "$at" -le "$2" ]
}
# keeps_promise SECONDS DESCRIPTION JOB LATEST: it starts within so many seconds, and in time
keeps_promise() {
	await "$1" "$2" has_begun "$3"
	ok "by its latest start" began_by "$3" $(($4 + 60))
	ok "no promise is broken" none_broken
}
latest_of() { promise_of "$1" | awk '{ print $5 }'; }
waits() { job_is "$1" PENDING; }

# A wide job is alone in the queue. Another user sends a longer one that would fit beside what runs.
shown() { [ "$(seconds_of "$wide" StartTime)" -gt 0 ]; }
first=$(submit u1 "$whole --nodes=1 --time=10" 580)
starts "a job has one of four nodes" "$first"
wide=$(submit u2 "$whole --nodes=4 --time=60" 300)
await 60 "a start is shown to a wide job" shown
latest=$(seconds_of "$wide" StartTime)
long=$(submit u3 "$whole --nodes=1 --time=420" 60)
await 90 "the wide job starts" has_begun "$wide"
ok "no later than was shown" began_by "$wide" $((latest + 60))
is "the later, longer one has waited for it" "$(job_field "$long" JobState)" PENDING
clear_all "the queue of two users"

# The queue of a new user: a wide job waits, and a shorter one behind it is promised nothing, so
# that Slurm, which tries the wide job first, breaks no promise.
fill 10 560
wide=$(submit u2 "$whole --nodes=4 --time=30" 1750)
small=$(submit u3 "$whole --nodes=1 --time=6" 60)
begin=$(sh_on 'date +%s')
has_waited() { [ $(($(sh_on 'date +%s') - begin)) -ge 300 ]; }
no_promise() { ! has_promise "$small"; }
await 60 "a short job has waited for most of its limit" has_waited
ok "it is promised nothing, since a wide job is before it" no_promise
await 90 "the wide job starts" has_begun "$wide"
ok "no promise is broken" none_broken
clear_all "the queue of a new user"

# Nodes come free early: Slurm must not give them to a later job for which there is room then.
early=$(submit u1 "$whole --nodes=2 --time=10" 2000)
half=$(submit u1 "$whole --nodes=2 --time=10" 560)
starts "a job has the other nodes" "$half"
wide=$(submit u2 "$whole --nodes=4 --time=6" 60)
small=$(submit u3 "$whole --nodes=2 --time=60" 3000)
await 60 "the wide job is promised a start" has_promise "$wide"
latest=$(latest_of "$wide")
sh_on "scancel $early"
keeps_promise 90 "it starts, though nodes came free for the other" "$wide" "$latest"
clear_all "a queue whose nodes come free early"

# srun --immediate is answered as if the nodes were busy, where they are kept.
half=$(submit u1 "$whole --nodes=2 --time=10" 580)
starts "a job has two of four nodes" "$half"
wide=$(submit u2 "$whole --nodes=4 --time=5" 60)
await 200 "one that needs all is promised a start" has_promise "$wide"
unlike "srun --immediate does not take its nodes" \
	"$(as u3 "srun --immediate=2 --nodes=1 $whole --time=60 echo got it 2>&1")" '^got it'
like "for a run that ends in time they are free" \
	"$(as u3 "srun --immediate=20 --nodes=1 $whole --time=1 echo got it 2>&1")" '^got it'
begin=$(sh_on 'date +%s')
brief=$(submit u3 "$whole --nodes=1 --time=1" 20)
starts "a batch job that ends in time starts" "$brief"
ok "within a few seconds" began_by "$brief" $((begin + 60))
given=$(submit u3 "$whole --nodelist=n3,n4 --time=100" 60)
tasks=$(submit u3 "$whole --nodes=1 --time=100 --array=1-3" 60)
others=$(submit u3 "--partition=mine $whole --nodes=1 --time=100" 60)
await 60 "a job of given nodes waits for them" waits "$given"
ok "so do tasks of an array" waits "${tasks}_1"
ok "and a job of another partition with the same nodes" waits "$others"
await 120 "the promised job starts" has_begun "$wide"
ok "no promise is broken" none_broken
clear_all "the queue behind half of the nodes"

# GPUs are judged, too: of a node with CPUs to spare no GPU is taken that was promised.
gpus="--mem=100 --ntasks=1 --gres=gpu:4"
for node in n1 n2 n3 n4; do
	holder=$(submit u1 "$gpus --nodelist=$node --time=10" 580)
	starts "a job has the GPUs of $node" "$holder"
done
all=$(submit u2 "--mem=100 --nodes=4 --ntasks-per-node=1 --gres=gpu:4 --time=5" 60)
await 200 "one that needs all GPUs is promised a start" has_promise "$all"
submit u3 "--mem=100 --ntasks=1 --gres=gpu:1 --time=100 --nice=-100" 60 > /dev/null
cpu=$(submit u3 "--mem=100 --ntasks=1 --time=100" 20)
await 60 "a job without GPUs starts beside" has_begun "$cpu"
await 120 "the promised job starts" has_begun "$all"
ok "no promise is broken" none_broken
clear_all "the queue for GPUs"

# Licences are kept like nodes.
one="--mem=100 --ntasks=1"
filling=$(submit u1 "$one --licenses=tool:1 --time=10" 580)
starts "a job has one of two licences" "$filling"
both=$(submit u2 "$one --licenses=tool:2 --time=5" 60)
await 200 "one that needs both is promised a start" has_promise "$both"
latest=$(latest_of "$both")
third=$(submit u3 "$one --licenses=tool:1 --time=100" 5000)
brief=$(submit u3 "$one --licenses=tool:1 --time=1" 20)
await 60 "one that gives it back in time starts" has_begun "$brief"
ok "the other waits" waits "$third"
keeps_promise 120 "the promised job starts" "$both" "$latest"
clear_all "the queue for licences"

# So are the CPUs that a partition may have of a node.
filling=$(submit u1 "--partition=capped $one --time=10" 580)
starts "a job has one of the two CPUs of its partition" "$filling"
both=$(submit u2 "--partition=capped --mem=100 --ntasks=2 --time=5" 60)
await 200 "one that needs both is promised a start" has_promise "$both"
latest=$(latest_of "$both")
third=$(submit u3 "--partition=capped $one --time=100" 5000)
ok "an administrator puts another one first" \
	sh_on "scontrol update job=$third priority=4000000000"
others=$(submit u3 "$one --nodelist=n1 --time=100" 60)
await 60 "a job of another partition has a CPU of that node" has_begun "$others"
keeps_promise 120 "the promised job starts" "$both" "$latest"
clear_all "the queue of a capped partition"

# A higher tier goes first, as always.
fill 10 560
low=$(submit u2 "--partition=low $whole --nodes=4 --time=2" 60)
await 200 "a job of a low tier is promised a start" has_promise "$low"
high=$(submit u3 "--partition=high $whole --nodes=4 --time=20" 60)
sh_on "scancel $filling"
await 40 "a job of a higher tier starts before it" has_begun "$high"
ok "the other waits" waits "$low"
clear_all "the queue of two tiers"

# slurmctld is killed while a promise is open, and a later job has room: it holds from the first
# second.
most=$(submit u1 "$whole --nodes=3 --time=10" 560)
starts "a job has three of four nodes" "$most"
wide=$(submit u2 "$whole --nodes=4 --time=6" 60)
await 60 "the wide job is promised a start" has_promise "$wide"
latest=$(latest_of "$wide")
small=$(submit u3 "$whole --nodes=1 --time=60" 3000)
await 20 "a job that has room waits" waits "$small"
kill_controller
start_controller
await 60 "the promise is still there" has_promise "$wide"
keeps_promise 90 "it starts" "$wide" "$latest"

finish
