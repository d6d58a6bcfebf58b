#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: kill -9, reconfigure and a damaged state file lose no job and no promise
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 2 --gpus 4 --clock 60
# Both nodes are busy until all has been seen; the head needs both and gets a promise.
busy=$(as u1 "sbatch --parsable --output=/dev/null --nodes=2 --gpus-per-node=3 --time=600 \
	--wrap='until [ -e /tmp/go ]; do sleep 5; done'")
await 20 "the first job runs" job_is "$busy" RUNNING
head=$(submit u1 "--nodes=2 --gpus-per-node=4 --time=30" 60)
await 20 "the job behind it is promised a start" has_promise "$head"
first=$(promise_of "$head")
small=$(submit u2 "--gpus-per-node=1 --time=10" 300)
starts "a small job fills in behind" "$small"

ok "slurmctld is killed" kill_controller
ok "and starts again" start_controller
await 20 "the promise is read back" in_log 'promises: 1 open'
is "it is the same promise" "$(promise_of "$head")" "$first"
is "the running job still runs" "$(job_state "$busy")" RUNNING
is "the waiting job still waits" "$(job_state "$head")" PENDING

ok "scontrol reconfigure" sh_on 'scontrol reconfigure'
await 20 "slurmctld answers" sh_on 'scontrol ping | grep -q UP'
is "reconfigure keeps the promise" "$(promise_of "$head")" "$first"

ok "slurmctld is killed again" kill_controller
ok "and its state file damaged" \
	sh_on "printf x | dd of=$promises bs=1 seek=60 conv=notrunc status=none"
ok "slurmctld starts on it" start_controller
await 20 "the damage is reported" in_log 'leeway_promises.*(checksum|bytes|header)'
ok "the damaged file is set aside" sh_on "ls $promises.damaged-*"
await 20 "and a fresh promise is made" has_promise "$head"

ok "the first job may end" sh_on 'touch /tmp/go'
for job in $busy $head $small; do
	await 90 "job $job completes" sacct_is "$job" COMPLETED
done
finish
