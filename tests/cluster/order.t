#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: with sched.order jobs start in that order, whatever their priority
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# Nobody else starts jobs, and who comes first to the queue, and is promised a start, is passed.
yaml=$(mktemp)
printf '%s\n' 'sched.policy: easy' 'sched.order: saf' 'sched.keep_promises: no' > "$yaml"
trap 'rm -f "$yaml"' EXIT
# when they started is looked at when all are done
conf_extra <<< MinJobAge=36000
cluster --sched leeway --nodes 1 --gpus 4 --clock 60 --leeway-yaml "$yaml" \
	--sched-params sched_interval=-1,defer --conf-extra "$extra"

ok "the log names the order" in_log 'Leeway \(easy, order saf, '

# gpus COUNT MINUTES: a job that runs for two of them
gpus() { submit u1 "--mem=100 --gpus-per-node=$1 --time=$2" 120; }
start_of() { seconds_of "$1" StartTime; }

filler=$(submit u1 "--mem=100 --gpus-per-node=4 --time=200" 10000)
starts "a job has the whole node" "$filler"
# none fits beside another; by priority the first, by time alone the second comes first
first=$(gpus 3 50)
second=$(gpus 4 30)
third=$(gpus 3 35)
await 60 "the smallest by time and width is planned" planned "$third"
ok "the node comes free" sh_on "scancel $filler"
for job in "$third" "$second" "$first"; do
	await 60 "job $job is done" job_is "$job" COMPLETED
done
ok "the smallest started first" test "$(start_of "$third")" -lt "$(start_of "$second")"
ok "the largest last" test "$(start_of "$second")" -lt "$(start_of "$first")"
finish
