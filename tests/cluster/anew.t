#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that was stopped and begins anew, not from a save: its kind is not asked again
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

yaml=$out/leeway.yaml
mkdir -p "$out"
printf '%s\n' sched: '  min_interval: 1s' '  interval: 20s' stop: '  mode: on' '  lease: 0s' \
	'  detect: tell' > "$yaml"
cluster --sched leeway --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 20 --leeway-yaml "$yaml"

# trains OPTIONS SECONDS: a job of u1 that saves nothing; its id
trains() { submit u1 "--job-name=train --mem=100 --time=600 --comment=leeway:stop $1" "$2"; }
order() { change_job "leeway stops --ask $1"; }
runs() { field_like "$1" Restarts "^$2\$" && job_is "$1" RUNNING; }
answered() { on scontrol show job "$1" | grep -E "AdminComment=.*$2" > /dev/null; }
# what is learned is saved some time after it
learned() {
	local jobs
	jobs=$(sh_on 'leeway history show /var/lib/slurm/state/leeway_history --json' |
		jq .jobs) && [ "${jobs:-0}" -ge 40 ]
}

trains --array=1-40 60 > "$out/first"
await 120 "forty jobs have run for a minute" all_done
await 60 "that is learned" learned
job=$(trains '' 30000)
starts "one of them runs longer" "$job"
ok "it is ordered to stop" order "$job"
await 60 "it runs again" runs "$job" 1
await 120 "it began anew" in_log "job $job was stopped and began anew, not from a save"
ok "it runs on" job_is "$job" RUNNING
other=$(trains '' 30000)
starts "another one of that name runs" "$other"
ok "it is ordered to stop" order "$other"
await 60 "it is not asked" answered "$other" 'leeway:stop-refused=anew( |$)'
like "leeway stops tells of it" "$(sh_on 'leeway stops')" 'u1 +train .*began anew each time'
ok "slurmctld is killed" kill_controller
ok "and comes back" start_controller
await 60 "it is there again" sh_on 'scontrol ping | grep -q UP'
ok "the other one is ordered to stop" order "$other"
await 60 "and still not asked" answered "$other" 'leeway:stop-refused=anew( |$)'

# ---- a script that requeues itself is seen at submission ----
with_input bash -c 'cat > /tmp/self.sh' << 'END'
#!/bin/bash
trap 'scontrol requeue $SLURM_JOB_ID' USR1
sleep 10
END
# told OPTIONS: what sbatch says
told() { as u1 "sbatch --output=/dev/null --time=600 $1 /tmp/self.sh 2>&1"; }
like "its user is told" "$(told --signal=B:USR1@60)" \
	'this job requeues itself: with --comment=leeway:stop'
like "and that the signal does not reach the trap" "$(told --signal=USR1@60)" \
	'write --signal=B:USR1@60'
is "without a signal nothing" "$(told '' | grep -c leeway:)" 0
finish
