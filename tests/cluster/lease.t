#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a long job that agrees makes room for a short one, and others do not (stop.for)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"

aged_conf
yaml=$out/leeway.yaml
# settings LINES: what jobs ran before must not tell that the next one is short
settings() {
	printf '%s\n' sched: '  min_interval: 1s' '  predict: no' \
		'  metrics: /run/slurm/leeway.prom' stop: "$@" > "$yaml"
}
short='--exclusive --time=2'
long='--exclusive --time=600'
# fill NODES: so many jobs that did not agree, on a node each, as $others
fill() {
	others=()
	while [ "${#others[@]}" -lt "$1" ]; do others+=("$(submit u2 "$long" 30000)"); done
	starts "jobs run that did not agree" "${others[-1]}"
}
untouched() {
	local job
	for job in "${others[@]}"; do
		if ! job_is "$job" RUNNING || ! field_like "$job" Restarts '^0$'; then return 1; fi
	done
}
# how many jobs plans have asked by now
ordered() { log_of_controller | grep -c 'is to make room for job' || :; }
# seen WHAT JOB: the fact that a plan has it wait
seen() { await 60 "$1 waits" field_like "$2" SystemComment 'leeway:why='; }
why_of() { sh_on "leeway why $1"; }
tells() { why_of "$1" | grep -E -- "$2" > /dev/null; }
# served OLD NEW: the facts that NEW has the room of OLD, and that OLD then runs again
served() {
	starts "the short one has its room" "$2"
	within=$(after_clean "$1" "$2")
	ok "within 5 s of when its nodes were clean ($within)" test "$within" -le 5
	sh_on "scancel $2"
	comes_back "$1" 1
	ok "the others were left alone" untouched
}

# ---- a plan orders it ----
settings '  mode: on' '  for: short' '  who: qos:scavenger' '  lease: 0s' '  share: 1.0'
begin --nodes 4 --clock 1
fill 3
job=$(trains slow "-q scavenger --time=600 --signal=B:USR1@60")
starts "a long job runs that agrees" "$job"
trained "$job"
first=$(submit u2 "$long" 30000)
waits_for "a long one waits" "$first" 'Priority|Resources|planned'
new=$(submit u2 "$short" 3000)
await 60 "a short one comes, and the job is asked" is_asked "$job" asked
await 60 "the user of the short one is told" tells "$new" "job $job was asked to stop"
await 60 "its own user is told" tells "$job" "stopped +.* for job $new; back by"
served "$job" "$new"
ok "the long one has waited" job_is "$first" PENDING
is "one job was asked" "$(ordered)" 1
await 60 "a metric counts it" sh_on \
	'grep -qE "leeway_sched_stops_total.result=\"planned\". 1" /run/slurm/leeway.prom'
sh_on "scancel $first"

# ---- it is left alone after that ----
new=$(submit u2 "$short" 3000)
seen "another short one" "$new"
is "no job was asked for it" "$(ordered)" 1
clear_all

# ---- two of them ----
fill 2
pair=("$(trains term '-q scavenger --time=600')" "$(trains term '-q scavenger --time=600')")
for job in "${pair[@]}"; do starts "a long job runs that agrees" "$job" && trained "$job"; done
new=$(submit u2 "$short --nodes=2" 3000)
starts "a short one has the room of both" "$new"
sh_on "scancel $new"
for job in "${pair[@]}"; do comes_back "$job" 1; done
ok "the others were left alone" untouched
is "three jobs were asked by now" "$(ordered)" 3
clear_all

# ---- slurmctld is killed between ---
fill 3
job=$(trains slow "-q scavenger --time=600 --signal=B:USR1@60")
starts "a long job runs that agrees" "$job"
trained "$job"
new=$(submit u2 "$short" 3000)
await 60 "it is asked for a short one" is_asked "$job" asked
killed
served "$job" "$new"
clear_all
fill 3
job=$(trains slow "-q scavenger --time=600")
starts "one runs that saves at SIGTERM" "$job"
trained "$job"
new=$(submit u2 "$short" 3000)
await 60 "it is asked for a short one" is_asked "$job" leaves
killed
served "$job" "$new"
clear_all

# ---- for which jobs, and of which ----
fill 4
n=$(ordered)
new=$(submit u2 "$short" 3000)
seen "a short one among jobs that did not agree" "$new"
is "none was asked" "$(ordered)" "$n"
clear_all
fill 3
job=$(trains term '-q scavenger --time=600')
starts "a long job runs that agrees" "$job"
trained "$job"
new=$(submit u2 '--exclusive --time=120' 3000)
seen "one that is not short beside it" "$new"
is "none was asked" "$(ordered)" "$n"
ok "the setting is to tell" sh_on "sed -i 's/mode: on/mode: tell/' /etc/slurm/leeway.yaml &&
	scontrol reconfigure"
new=$(submit u2 "$short" 3000)
await 60 "it is told" in_log "job $job is not stopped for job $new: it would be asked"
await 60 "so its AdminComment says" answered "$job" 'leeway:stop-refused=told( |$)'
await 60 "and a metric counts it" sh_on \
	'grep -qE "leeway_sched_stops_total.result=\"planned_told\". [1-9]" /run/slurm/leeway.prom'
ok "it is for no job" sh_on "sed -i 's/mode: tell/mode: on/; s/for: short/for: none/' \
	/etc/slurm/leeway.yaml && scontrol reconfigure"
new=$(submit u2 "$short" 3000)
seen "a short one" "$new"
ok "the job runs on" field_like "$job" Restarts '^0$'
is "none was asked" "$(ordered)" "$n"
clear_all
is "none was back later than promised" \
	"$(sh_on 'leeway stops --json' | jq '[.stops[] | select(.late)] | length')" 0
cluster_gone

# ---- one that does not listen ----
settings '  mode: on' '  for: short' '  lease: 0s' '  share: 1.0'
begin --nodes 4 --clock 20
fill 3
job=$(trains deaf '--comment=leeway:stop --time=6000 --signal=B:USR1@60')
starts "a job runs that does not listen" "$job"
trained "$job"
new=$(submit u2 "$short" 30000)
await 60 "it is asked for a short one" in_log "job $job is to make room for job $new"
await 120 "it is left alone" in_log "job $job was asked to stop and runs on"
ok "it runs" job_is "$job" RUNNING
ok "the short one waits" job_is "$new" PENDING
other=$(submit u2 "$short" 30000)
seen "another short one" "$other"
is "it was not asked again" "$(ordered)" 1
clear_all
cluster_gone

# ---- what was promised while it ran ----
printf '%s\n' sched: '  min_interval: 1s' '  predict: no' '  slack: 0' stop: '  mode: on' \
	'  lease: 0s' '  share: 1.0' > "$yaml"
begin --nodes 4 --clock 60
full=$(submit u2 '--nodes=3 --exclusive --time=60' 30000)
starts "three nodes are in use" "$full"
job=$(trains self '--comment=leeway:stop --time=600 --signal=B:USR1@60')
starts "a job runs that agrees" "$job"
trained "$job"
wide=$(submit u2 '--nodes=4 --exclusive --time=30' 3000)
await 60 "a wide one is promised a start" has_promise "$wide"
# a promise bears a quarter of an hour more
promised_s=$(seconds_of "$job" StartTime)
await 60 "more time passes than a promise bears" sh_on \
	"[ \$(date +%s) -gt $((promised_s + 1800)) ]"
ok "the job is ordered to stop" sh_on "leeway stops --ask $job"
await 60 "it stops" field_like "$job" Restarts '^1$'
seen "it" "$job"
ok "it waits for the promised one, though it is older" job_is "$job" PENDING
sh_on "scancel $full"
starts "that has its nodes" "$wide"
sh_on "scancel $wide"
comes_back "$job" 1
clear_all
finish
