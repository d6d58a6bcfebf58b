#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: run times are learned from jobs that ended, once each, and tell the next plan
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

history=/var/lib/slurm/state/leeway_history
# How many jobs the file knows.
learned() { sh_on "sed -n 's/^jobs \([0-9]*\) .*/\1/p' $history"; }
has_learned() { [ "$(learned)" = "$1" ]; }
has_some() { [ "$(learned)" -ge 1 ]; }
# shellcheck disable=SC2016 # the shell in the cluster expands it
nobody_waits() { sh_on 'queue=$(squeue -h) && [ -z "$queue" ]'; }
dumped() { sh_on "grep -hE '$1' /var/lib/slurm/cycles/cycle-*.snap" | grep . > /dev/null; }

cluster --sched leeway --nodes 1 --gpus 4 --clock 60
sh_on "install -d -o slurm /var/lib/slurm/cycles
	printf '%s\n' 'sched.policy: leeway' 'sched.dump_dir: /var/lib/slurm/cycles' \
		> /etc/slurm/leeway.yaml
	scontrol reconfigure"
await 20 "the policy leeway is taken up" in_log 'Leeway \(leeway'
await 20 "its history is empty" in_log 'run times: predicted from 0 jobs'
unlike "the select plugin is there, to judge what Slurm starts" "$(log_of_controller)" \
	'select plugin is not loaded'

# Three jobs that run, two of them tasks of an array, and one that never does.
submit u1 "--array=1-2 --time=60" 60 > /dev/null
submit u1 "--time=60" 60 > /dev/null
never=$(submit u1 "--time=60 --begin=now+1hour" 60)
ok "a job is cancelled before it starts" sh_on "scancel $never"
await 60 "the others end" nobody_waits
await 30 "three jobs are learned" has_learned 3

ok "slurmctld is killed" kill_controller
ok "and starts again" start_controller
await 20 "what was learned is read back" in_log 'run times: predicted from 3 jobs'
await 20 "slurmctld answers" sh_on 'scontrol ping | grep -q UP'
busy=$(submit u2 "--gpus-per-node=4 --time=600" 36000)
await 20 "a job takes the node" job_is "$busy" RUNNING
head=$(submit u1 "--gpus-per-node=4 --time=60" 60)
await 20 "a job like the learned ones is expected to be short" \
	dumped "^wait $head .* expect=[0-9]{1,3} "
is "its limit stays" "$(job_field "$head" TimeLimit)" 01:00:00
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "a cycle replays as it was" sh_on 'cd /var/lib/slurm/cycles
	last=$(ls -t cycle-*.plan | head -n 1)
	leeway replay "${last%.plan}.snap" | cmp - "$last"'
ok "the running job is cancelled" sh_on "scancel $busy"
await 60 "the waiting one runs and ends" nobody_waits
await 30 "both are learned, the others not again" has_learned 5

# As an administrator seeds it from accounting, which hears of an end later than slurmctld.
ended() { sh_on 'sacct -a -X -n -P -S now-1days -o Start,End' | grep -c '^2.*|2'; }
all_told() { [ "$(ended)" -ge 5 ]; }
await 30 "accounting knows of all five" all_told
ok "slurmctld is down" kill_controller
ok "a history is imported" sh_on "sacct --allusers --allocations --parsable2 --starttime=now-1days \
	--format=JobID,UID,Partition,TimelimitRaw,ElapsedRaw,State,End > /tmp/jobs.txt &&
	leeway history import --sacct /tmp/jobs.txt -o $history && chown slurm: $history"
is "it has the jobs that ran" "$(learned)" 5
ok "what sacct prints as JSON is read as its text is" sh_on 'cd /tmp &&
	sacct -a -X -P -S now-1days -o ALL > jobs.psv &&
	sacct -a -X -S now-1days --json > jobs.json &&
	leeway workload --sacct jobs.psv -o psv.lw &&
	leeway workload --sacct jobs.json -o json.lw &&
	sed -i /^#/d psv.lw json.lw && cmp psv.lw json.lw && grep -c . json.lw | grep -vx "[0-4]"'
ok "slurmctld starts on it" start_controller
await 20 "and goes on from there" in_log 'run times: predicted from 5 jobs'

# Under another policy placement alone is told.
sh_on 'sed -i s/leeway$/easy/ /etc/slurm/leeway.yaml; scontrol reconfigure'
await 20 "the policy easy is taken up" in_log 'Leeway \(easy'
busy=$(submit u2 "--gpus-per-node=3 --time=600" 36000)
await 20 "a job takes a part of the node" job_is "$busy" RUNNING
head=$(submit u1 "--gpus-per-node=4 --time=60" 60)
await 20 "of a job that waits it is said how it stays" dumped "^wait $head .* stays="
is "and no more" "$(dumped "^wait $head .* (expect|tail)=" && echo more)" ''
await 20 "of the running one as well" dumped "^run $busy .* stays="
ok "both are cancelled" sh_on "scancel $busy $head"

ok "slurmctld is killed again" kill_controller
ok "and its history damaged" \
	sh_on "printf x | dd of=$history bs=1 seek=60 conv=notrunc status=none"
ok "slurmctld starts all the same" start_controller
await 20 "the damage is reported" in_log 'leeway_history.*set aside as'
ok "the damaged file is set aside" sh_on "ls $history.damaged-*"
submit u1 "--time=60" 60 > /dev/null
await 30 "and a new one is written" has_some

# As one that root imported and did not give to Slurm's user.
set_aside() { [ "$(sh_on "ls $history.damaged-* | wc -l")" = "$1" ]; }
ok "slurmctld is killed again" kill_controller
before=$(sh_on "cksum < $history")
ok "and its history another's" sh_on "chown root: $history && chmod 600 $history"
ok "slurmctld starts" start_controller
await 20 "it says that it may not read it" \
	in_log 'leeway_history: cannot open: .* set aside before it is replaced'
submit u1 "--time=60" 60 > /dev/null
await 30 "when there is another to write, it is set aside" set_aside 2
await 30 "in its place" has_some
ok "nothing is lost" sh_on "for f in $history.damaged-*; do cksum < \$f; done | grep -Fx '$before'"
finish
