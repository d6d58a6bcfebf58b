#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a replay in which slurmctld is killed and reconfigured loses nothing
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
trap cluster_gone EXIT
trap 'exit 130' INT TERM
"$top/contrib/minislurm/replay" --sched leeway --name "$name" --nodes 4 --gpus 4 --clock 60 \
	--keep-clock --workload "$top/contrib/minislurm/examples/small.tsv" --out "$out" \
	> "$out/report.out" 2> "$out/replay.err" &
replay=$!

submitted() { [ "$(sh_on 'cat /run/minislurm/replay/tasks')" -ge "$1" ]; }
open_promises() { sh_on "grep -c '^job ' $promises"; }
some_promise() { [ "$(open_promises)" -gt 0 ]; }
promises_text() { sh_on "grep '^job ' $promises"; }
# Slurm forgets a job that it took and has not saved when it is killed; that is not asked here.
# Only the oldest is stopped: a child that is still to become sbatch has its name, too, and
# would be stopped with it for ever. Then what it has begun is waited for, but for its sleep.
# shellcheck disable=SC2016 # the shell in the cluster expands it
submit_none() {
	sh_on 'drive=$(pgrep -of [/]replay/drive) && kill -STOP "$drive" &&
		while ps -o stat=,comm= --ppid "$drive" | grep -vE "^Z|[[:space:]]sleep$"; do
			LD_PRELOAD= sleep 0.1
		done'
}
# shellcheck disable=SC2016 # the shell in the cluster expands it
submit_on() { sh_on 'kill -CONT "$(pgrep -of [/]replay/drive)"'; }

await 60 "there is a cluster" container_door "$name"
await 120 "five tasks are submitted" submitted 5
await 30 "somebody is promised a start" some_promise
ok "nobody submits for a moment" submit_none
ok "slurmctld is killed in the middle" kill_controller
before=$(promises_text)
ok "and starts again" start_controller
ok "and they submit again" submit_on
like "every open promise is read back" "$(log_of_controller)" \
	"promises: $(grep -c . <<< "$before") open"
await 60 "all tasks are submitted" submitted 14
ok "scontrol reconfigure" sh_on 'scontrol reconfigure'

wait "$replay"
is "the replay ends, and says that jobs came late while nobody submitted" $? 5
like "no job is lost" "$(cat "$out/report.out")" '^ *LOST +0'
like "every submission was taken" "$(cat "$out/report.out")" 'refused by sbatch +0'
totals=$(grep -a '^totals ' "$out/leeway_promises")
read -r _ made kept broken withdrawn _ <<< "$totals"
ok "promises were made" test "$made" -gt 0
is "and each was kept, broken or withdrawn" "$((kept + broken + withdrawn))" "$made"
finish
