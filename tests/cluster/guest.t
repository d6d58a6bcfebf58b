#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: guests use a GPU that an owner lends and leaves idle, and go when it works again, or ends
# shellcheck disable=SC2317,SC2016 # functions are called through await; the cluster expands
. "$(dirname "$0")/lib.sh"

after=60
mkdir -p "${out:?}"
cat > "$out/leeway.yaml" << END
share:
  mode: slice
  where: partition:main
  who: comment
  memory_mib: 40000
  opportunistic: scavenger
  after: ${after}s
  record: /var/lib/slurm/state/leeway_share
END
# a minute is fifteen seconds here, of which a busy machine may take some
cluster --sched leeway --nodes 1 --gpus 2 --shards 20 --cpus 16 --mem 8000 --clock 4 \
	--leeway-yaml "$out/leeway.yaml"

sh_on 'sacctmgr -i add qos scavenger && sacctmgr -i modify user u2 set qos+=scavenger' > /dev/null
await 60 "a QOS for guests is known" \
	sh_on 'scontrol show assoc flags=qos | grep -q QOS=scavenger'
# Busy for so many percent of the time.
fake_holder '$1 1000'
tell() { sh_on "touch /tmp/told-$1; date +%s"; }

# sent USER OPTIONS WORDS: a job of that program; its id goes to job, its output to /tmp/out-ID
sent() {
	job=$(as "$1" "sbatch --parsable --output=/tmp/out-%j --open-mode=append --mem=100 \
		--cpus-per-task=1 --partition=main $2 --wrap='exec holds $3' 2> /tmp/said-$1")
}
said() { sh_on "cat /tmp/said-$1"; }
output() { sh_on "cat /tmp/out-$1"; }
has_said() { output "$1" | grep -E "$2" > /dev/null; }
told_of() { on scontrol show job "$1" | sed -n 's/.* *AdminComment=//p'; }
is_idle() { told_of "$1" | grep 'leeway:share=.*,idle:yes' > /dev/null; }
is_busy() { ! is_idle "$1"; }
ran_times() { field_like "$1" Restarts "^$2\$"; }
# requeued JOB: when the last of its runs was ended for another one
requeued() {
	sh_on "sacct -D -X -n -P -j $1 -o State,End" | sed -n 's/^REQUEUED|2/2/p' | tail -n 1
}
has_gone() { [ "$(sh_on "sacct -D -X -n -P -j $1 -o State" | grep -c REQUEUED)" = "$2" ]; }
# gone_after JOB SINCE: so many seconds
gone_after() { echo $(($(sh_on "date -d $(requeued "$1") +%s") - $2)); }
guest="--qos=scavenger --gres=gpu:1 --time=30"

# ---- who does not lend, and who is no guest ----
sent u1 "--gres=gpu:1 --time=600" '0 end-plain'
plain=$job
starts "an idle job has a GPU for itself" "$plain"
like "as a whole" "$(job_field "$plain" TresPerNode)" 'gpu:1$'
sent u2 "$guest --no-requeue" '80 end'
like "who may not be requeued is no guest" "$(said u2)" 'is no guest.*--requeue'
like "and has what it asks for" "$(job_field "$job" TresPerNode)" 'gpu:1$'
sh_on "scancel $job"
sent u2 "--qos=scavenger --gres=gpu:1 --comment=leeway:no-share" '80 end'
like "nor who does not want to" "$(job_field "$job" TresPerNode)" 'gpu:1$'
sh_on "scancel $job"

# ---- an owner that works ----
sent u1 "--gres=gpu:1 --time=60 --comment=leeway:lend" '50 sleep=2 wake=60 again=2 gone'
owner=$job
like "sbatch tells the owner" "$(said u1)" 'lends its GPU .*: shard:9 of 10'
starts "it starts" "$owner"
lent=$(gpu_of "$owner")
sent u2 "--qos=scavenger --gres=gpu:1 --time=600" '80 end'
long=$job
sent u2 "$guest" '80 guest end'
visitor=$job
like "sbatch tells the guest" "$(said u2)" 'this job is a guest'
like "it asks for one part" "$(job_field "$visitor" TresPerNode)" 'shard:1$'
sent u1 "--gres=gpu:1 --time=30" '70 end-whole'
whole=$job
probe=$(job "" $((after + 20)))
await 90 "the owner works longer than it would have to be idle" sacct_is "$probe" COMPLETED
is "meanwhile no guest comes" "$(job_state "$visitor")" PENDING
ok "nor is the GPU open" is_busy "$owner"

# ---- it leaves its GPU idle ----
since=$(tell sleep)
await 60 "it is idle" is_idle "$owner"
starts "the guest comes" "$visitor"
is "beside it" "$(gpu_of "$visitor")" "$lent"
ok "once it has been idle for long enough" \
	[ $(($(seconds_of "$visitor" StartTime) - since)) -ge $((after - 5)) ]
is "one that would outlast the owner waits" "$(job_state "$long")" PENDING
sh_on "scancel $long"

# ---- it works again ----
since=$(tell wake)
await 40 "the guest is told" has_said "$visitor" 'is ended, and requeued, since .* works again'
await 60 "it has gone" has_gone "$visitor" 1
ok "within a minute" [ "$(gone_after "$visitor" "$since")" -le 80 ]
echo "$(gone_after "$visitor" "$since") s after the owner worked again" | comment
await 30 "the GPU is closed" is_busy "$owner"
is "the owner runs" "$(job_state "$owner")" RUNNING
is "of it nothing is lost" "$(job_field "$owner" Restarts)" 0

# ---- idle again, and the end ----
tell again > /dev/null
await 120 "the guest comes again" ran_times "$visitor" 1
await 120 "beside the owner" job_is "$visitor" RUNNING
is "on its GPU" "$(gpu_of "$visitor")" "$lent"
is "who wants a whole GPU waits" "$(job_state "$whole")" PENDING
since=$(tell gone)
await 60 "the owner ends" sacct_is "$owner" COMPLETED
is "it was told nothing" "$(output "$owner" | grep -c leeway:)" 0
await 60 "the guest goes" has_gone "$visitor" 2
ok "within a minute" [ "$(gone_after "$visitor" "$since")" -le 80 ]
echo "$(gone_after "$visitor" "$since") s after the owner was told to end" | comment
ok "and is told" has_said "$visitor" 'is ended, and requeued, since .* has ended'
starts "who wants a whole GPU has it" "$whole"
is "nobody came beside who did not lend" "$(job_field "$plain" Restarts)" 0
like "nor beside who has a whole one" "$(job_state "$visitor")" PENDING
tell end-whole > /dev/null
await 60 "and ends" sacct_is "$whole" COMPLETED

# ---- another owner ----
sent u1 "--gres=gpu:1 --time=60 --comment=leeway:lend" '1 end-last'
owner=$job
starts "another owner comes" "$owner"
await 180 "the guest comes to its end beside it" sacct_is "$visitor" COMPLETED
like "what became of it is told" "$(sh_on "leeway gpu $visitor 2> /dev/null")" \
	'its owner worked again'
is "the owner runs" "$(job_state "$owner")" RUNNING
is "the other as well" "$(job_state "$plain")" RUNNING
unlike "nothing was wrong on the node" "$(sh_on 'cat /var/log/slurm/slurmd.n1.log')" \
	'leeway: .*(could not|cannot)'
finish
