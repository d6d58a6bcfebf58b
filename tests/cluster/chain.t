#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what users and administrators see of it on a running cluster
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 2 --gpus 4 --clock 60
like "one line says what is in charge" "$(log_of_controller)" \
	'built for Slurm [0-9.]+, settings from .*: Leeway \(leeway.*\), not stock backfill'

# A DL job, written as users write it, is tagged and its GPUs are recorded.
cat_script='#!/bin/bash
#SBATCH --gpus-per-node=1 --time=10 --output=/dev/null
export MINI_RUN_S=120
python train.py --epochs 3'
train=$(as u1 "sbatch --parsable <<'END'
$cat_script
END")
plain=$(submit u1 "--time=10" 60)
like "a training script is tagged" "$(job_field "$train" AdminComment)" '^leeway:dl=training'
unlike "a plain job is not" "$(job_field "$plain" JobId) $(job_field "$plain" AdminComment)" \
	'dl=training'
await 30 "the training job completes" sacct_is "$train" COMPLETED
await 20 "accounting has its tag" sacct_like "$train" AdminComment 'leeway:dl=training'
await 20 "and what it made of its GPU" sacct_like "$train" AdminComment 'leeway:gpu=n:1'
await 30 "the plain job completes" sacct_is "$plain" COMPLETED

# A job that is requeued has its GPUs once, also when it begins anew elsewhere. Its first run would
# last until somebody requeues it.
again=$(as u1 "sbatch --parsable --output=/dev/null --requeue --gpus-per-node=1 --time=180 \
	--wrap='sleep \$((SLURM_RESTART_COUNT ? 240 : 9000))'")
await 30 "a job runs" job_is "$again" RUNNING
node=$(job_field "$again" NodeList)
await 30 "and is recorded" sh_on "ls /var/spool/leeway/$again.$node.batch.part"
ok "its node is drained" sh_on "scontrol update nodename=$node state=drain reason=test"
ok "and it is requeued" sh_on "scontrol requeue $again"
await 30 "it waits" job_is "$again" PENDING
ok "and may begin" change_job "scontrol update job=$again starttime=now"
await 60 "it completes" sacct_is "$again" COMPLETED
unlike "on the other node" "$(sacct_field "$again" NodeList)" "$node"
await 20 "its summary is of its last run" \
	sacct_like "$again" AdminComment 'leeway:gpu=n:1,util:[0-9]'
ok "the node is back" sh_on "scontrol update nodename=$node state=resume"

# GPU jobs fill a broken node before they break a whole one.
first=$(submit u1 "--gpus-per-node=1 --time=600" 36000)
await 20 "a job with one GPU runs" job_is "$first" RUNNING
second=$(submit u2 "--gpus-per-node=1 --time=600" 36000)
await 20 "another one runs" job_is "$second" RUNNING
is "on the same node" "$(job_field "$second" NodeList)" "$(job_field "$first" NodeList)"

# The first job without room is promised a start, and users are told.
head=$(submit u3 "--nodes=2 --gpus-per-node=4 --time=20" 60)
await 20 "a job that must wait is promised a start" has_promise "$head"
await 20 "squeue --start shows when and where" \
	sh_on "squeue --start -h -j $head -o '%S %Y' | grep -E '^20.*n\[1-2\]'"
await 20 "scontrol says what it waits for" \
	sh_on "scontrol show job $head | grep -E 'Reason=planned_.*_on_n\[1-2\]_after_job_[0-9]+'"
like "and where it will start" "$(sh_on "scontrol show job $head")" 'SchedNodeList=n\[1-2\]'

like "a live page counts GPUs that are held" \
	"$(sh_on 'leeway live /tmp/live --once && cat /tmp/live/index.html')" \
	'<b>2</b> of 8 GPUs'

# The one behind it hears when it may expect to start, which is no promise.
next=$(submit u3 "--nodes=2 --gpus-per-node=4 --time=20" 60)
await 20 "squeue --start has the next one, too" \
	sh_on "squeue --start -h -j $next -o '%S %Y' | grep -E '^20.*n\[1-2\]'"
ok "behind the first one's limit" test \
	$(($(seconds_of "$next" StartTime) - $(seconds_of "$head" StartTime))) -ge 1200
unlike "its reason says nothing of a plan" "$(job_field "$next" Reason)" planned
ok "and nothing is promised" test -z "$(promise_of "$next")"
ok "it is cancelled" sh_on "scancel $next"

# A short one passes it, by our backfill, and sdiag counts it.
small=$(submit u4 "--gpus-per-node=1 --time=5" 60)
await 20 "a short job passes it" sacct_like "$small" Flags SchedBackfill
like "sdiag counts it" "$(sh_on sdiag)" 'Total backfilled jobs \(since last slurm start\): [1-9]'
like "and our cycles" "$(sh_on sdiag)" 'Total cycles: [1-9]'
ok "those that run are cancelled" sh_on "scancel $first $second"
await 60 "the promised job completes" sacct_is "$head" COMPLETED
await 20 "its promise was kept" in_log "job $head started .*promise|promise.* job $head"

# The parts of a het job start together.
het=$(as u1 "sbatch --parsable --output=/dev/null --time=5 -N1 --gpus-per-node=1 : -N1 --time=5 \
	--wrap='sleep 30'")
await 60 "a het job completes" sacct_is "$het" COMPLETED

# Settings: a good file is taken up; one with a mistake changes nothing and is named.
# The file is there whole, or not at all: slurmctld may still be at the last reconfigure.
settings() {
	sh_on "printf 'sched:\n  $1\n' > /etc/slurm/leeway.next &&
		mv /etc/slurm/leeway.next /etc/slurm/leeway.yaml; scontrol reconfigure"
}
settings 'policy: relaxed'
await 20 "a good file is taken up" planned_by 'Leeway (relaxed,'
settings 'polcy: fcfs'
await 20 "a misspelt key is named with its line" \
	in_log 'leeway.yaml:2: "sched.polcy".*sched.policy.*the settings stay as they were'
await 20 "and the settings stay" planned_by 'Leeway (relaxed,'
# starts_on NAME: who starts anew plans by this policy
starts_on() {
	starts=$(log_of_controller | grep -c 'plans the queue')
	named=$(names_mistake)
	ok "slurmctld is killed" kill_controller
	[ -z "${2:-}" ] || ok "$2" sh_on 'rm /var/lib/slurm/state/leeway_settings'
	ok "and starts on the bad file" start_controller
	await 20 "by the policy $1" plans_anew "$1"
	is "it names the mistake once" "$(($(names_mistake) - named))" 1
}
names_mistake() { log_of_controller | grep -c 'leeway.yaml:2: "sched.polcy"'; }
plans_anew() {
	[ "$(log_of_controller | grep -c 'plans the queue')" -gt "$starts" ] &&
		planned_by "Leeway ($1,"
}
starts_on relaxed
await 20 "it says where it has that from" in_log 'settings from those in force before'
starts_on leeway "nobody knows what was in force"
await 20 "these are the defaults" in_log 'leeway.yaml:2: .*built-in defaults are used'
last=$(submit u1 "--gpus-per-node=1 --time=5" 60)
await 30 "and jobs run" sacct_is "$last" COMPLETED
finish
