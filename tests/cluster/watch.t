#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: sched.mode: watch: stock plans the queue, Leeway applies and shows nothing, and tells
# which jobs it would have started sooner
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

metrics=/var/lib/slurm/leeway.prom
# settings MODE
settings() {
	printf 'sched:\n  mode: %s\n  interval: 5s\n  metrics: %s\n' "$1" $metrics
}
mkdir -p "$out"
settings watch > "$out/watch.yaml"
# stock looks so seldom that Leeway's plan is there first
cluster --sched leeway --nodes 4 --gpus 2 --clock 20 --leeway-yaml "$out/watch.yaml" \
	--sched-params bf_interval=120
ok "the log says what plans" in_log 'Leeway \(.*\) watches, stock backfill plans the queue'
await 30 "stock's backfill runs" in_log 'sched.mode is watch: stock backfill \(.*\) plans the queue'

value() { sh_on "sed -n 's/^$1 //p' $metrics"; }
has_value() { [ "$(value "$1")" = "$2" ]; }
nothing_promised() { ! sh_on "grep '^job ' $promises"; }
# nothing of Leeway's is in the records of jobs, nodes and promises
# unlike_marked WHEN MARKS
unlike_marked() {
	unlike "$1: no job has a mark of Leeway's" "$(sh_on 'scontrol show job')" "$2"
	await 30 "$1: nothing is promised" nothing_promised
	unlike "$1: Leeway starts no job" "$(log_of_controller)" 'leeway: started JobId'
}

first=$(job "--nodes=3 --exclusive --time=600" 6000)
starts "three nodes are taken" "$first"
head=$(job "--nodes=4 --exclusive --time=60" 30)
waits_for "a job waits for all nodes" "$head" '^(Resources|Priority)'
small=$(job "--nodes=1 --time=20 --begin=now+5" 600)
starts "a short one starts beside it, by stock" "$small"
await 60 "the log tells that a plan of Leeway's would have started it sooner" \
	in_log "watch: JobId=$small started [0-9]+ s after a plan"
like "stock's backfill has started it" "$(log_of_controller)" \
	"sched/backfill: _start_job: Started JobId=$small "
await 60 "so does the file of metrics" \
	has_value 'leeway_sched_watched_starts_total{plan="sooner"}' 1
ok "which has what planning costs" test "$(value leeway_sched_cycles_total)" -gt 1
like "and what plans" "$(sh_on "grep '^leeway_sched_info' $metrics")" 'planner="stock"'
is "that is no hand-over" "$(value 'leeway_sched_handovers_total{reason="self_check"}')" 0
unlike_marked "while it watches" 'leeway:|planned '

# One word, and a reconfigure.
ok "it is told to schedule" sh_on "sed -i 's/mode: watch/mode: schedule/' /etc/slurm/leeway.yaml
	scontrol reconfigure"
await 60 "Leeway plans the queue" planned_by 'not stock backfill'
await 60 "the waiting job has its planned start" planned "$head"
await 60 "and its user is told" field_like "$head" SystemComment 'leeway:'
ok "and to watch again" sh_on "sed -i 's/mode: schedule/mode: watch/' /etc/slurm/leeway.yaml
	: > /var/log/slurm/slurmctld.log
	scontrol reconfigure"
await 60 "stock plans again" in_log 'sched.mode is watch: stock backfill \(.*\) plans the queue'
no_mark() { ! field_like "$1" SystemComment 'leeway:'; }
await 60 "what its user was told is gone" no_mark "$head"
next=$(job "--nodes=1 --time=20" 5)
starts "a job starts" "$next"
# what became of it while Leeway scheduled stays for accounting (leeway why --history)
unlike_marked "then" 'SystemComment=.*leeway:|planned '
finish
