#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that agrees makes room for one that would miss its deadline (stop.for: deadline)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"

conf_extra <<< KillWait=30
yaml=$out/leeway.yaml
printf '%s\n' sched: '  min_interval: 1s' '  predict: no' '  deadlines: order' \
	'  metrics: /run/slurm/leeway.prom' stop: '  mode: on' '  for: deadline' \
	'  who: qos:scavenger' '  lease: 0s' '  share: 1.0' '  back: 30m' > "$yaml"
begin --nodes 2 --clock 1
ordered() { log_of_controller | grep -c 'is to make room for job' || :; }
seen() { await 60 "$1 waits" field_like "$2" SystemComment 'leeway:why='; }
untouched() { job_is "$other" RUNNING && field_like "$other" Restarts '^0$'; }

other=$(submit u2 '--exclusive --time=600' 30000)
starts "a job runs that did not agree" "$other"
job=$(trains term '-q scavenger --time=600')
starts "a long job runs that agrees" "$job"
trained "$job"
short=$(submit u2 '--exclusive --time=2' 3000)
seen "a short one without a deadline" "$short"
far=$(submit u2 '--exclusive --time=2 --deadline=now+10hours' 3000)
seen "one with a deadline that is far" "$far"
is "none was asked" "$(ordered)" 0
near=$(submit u2 '--exclusive --time=2 --deadline=now+15minutes' 60)
await 60 "one comes that is due, and the job is asked" \
	in_log "job $job is to make room for job $near: it is asked"
starts "the one that is due has its room" "$near"
ok "before all that came earlier" job_is "$short" PENDING
ok "the other was left alone" untouched
await 120 "its deadline is met" job_is "$near" COMPLETED
is "one job was asked" "$(ordered)" 1
sh_on "scancel $short $far"
comes_back "$job" 1
clear_all

other=$(submit u2 '--exclusive --time=600' 30000)
starts "a job runs that did not agree" "$other"
job=$(trains term '-q scavenger --time=20 --deadline=now+40minutes')
starts "one runs that agrees, and has a deadline itself" "$job"
trained "$job"
ok "an administrator orders it" sh_on "leeway stops --ask $job"
await 60 "it could miss its own deadline" answered "$job" 'leeway:stop-refused=deadline'
near=$(submit u2 '--exclusive --time=2 --deadline=now+15minutes' 60)
seen "one that is due" "$near"
is "none was asked for it" "$(ordered)" 1
ok "it runs on" field_like "$job" Restarts '^0$'
clear_all
finish
