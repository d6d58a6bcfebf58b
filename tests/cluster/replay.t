#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a replay in which slurmctld is killed and reconfigured loses nothing
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
trap cluster_gone EXIT
trap 'exit 130' INT TERM
# Eleven tasks, and three more when slurmctld is long back: Slurm forgets a job that it took and
# has not saved when it is killed, and that is not asked here. The hour is a minute of this clock.
workload=$out/workload.tsv
awk -F '\t' -v OFS='\t' '!/^#/ { if ($1 <= 40) { $7 *= 3; $8 *= 3 } else $1 += 3600 } 1' \
	"$top/contrib/minislurm/examples/small.tsv" > "$workload"
"$top/contrib/minislurm/replay" --sched leeway --name "$name" --nodes 4 --gpus 4 --clock 60 \
	--keep-clock --workload "$workload" --out "$out" \
	> "$out/report.out" 2> "$out/replay.err" &
replay=$!

submitted() { [ "$(sh_on 'cat /run/minislurm/replay/tasks')" -ge "$1" ]; }
open_promises() { sh_on "grep -c '^job ' $promises"; }
some_promise() { [ "$(open_promises)" -gt 0 ]; }
promises_text() { sh_on "grep '^job ' $promises"; }
await 60 "there is a cluster" container_door "$name"
await 120 "the first eleven tasks are submitted" submitted 11
# the first that waits has a limit of 90 minutes, and waits for half of it: 45 s
await 90 "a job is promised a start" some_promise
ok "slurmctld is killed in the middle" kill_controller
before=$(promises_text)
ok "and starts again" start_controller
like "every open promise is read back" "$(log_of_controller)" \
	"promises: $(grep -c . <<< "$before") open"
await 150 "all tasks are submitted" submitted 14
ok "scontrol reconfigure" sh_on 'scontrol reconfigure'

wait "$replay"
code=$?
# 5: on a busy machine they came late; late.t asks when that is said
too_late() { grep -q '"too_late": true' "$out/report.json"; }
ok "the replay ends" test "$code" = "$(too_late && echo 5 || echo 0)"
like "no job is lost" "$(cat "$out/report.out")" '^ *LOST +0'
like "every submission was taken" "$(cat "$out/report.out")" 'refused by sbatch +0'
totals=$(grep -a '^totals ' "$out/leeway_promises")
read -r _ made kept _ broken cancelled held lost _ <<< "$totals"
ok "promises were made" test "$made" -gt 0
is "and each was kept, broken or withdrawn" "$((kept + broken + cancelled + held + lost))" "$made"
like "the report has as many as the file" "$(cat "$out/report.out")" "^ *made +$made\$"
like "and as many that were kept" "$(cat "$out/report.out")" "^ *kept +$kept\$"
finish
